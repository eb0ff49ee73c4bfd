// Performs what a file says: JSON actions (an array, or one a line), or a shell script, one command at a time.
import {
  type Action,
  actionSchema,
  ConfigError,
  type Json,
  schemaProblems,
  trajectorySchema,
} from "../../contract/index.ts";
import { nameOfStep, readTextFile } from "../../tasks/index.ts";
import type { Agent } from "../agent.ts";
import { splitScript } from "./split-script.ts";

type Call = { readonly written: Json; readonly action: Action | null };

/** Errors: ConfigError `script_unreadable` with file and line. */
export async function scriptAgent(path: string): Promise<Agent> {
  const found = readTextFile(path, { error: ConfigError, code: "script_unreadable", remedy, maximumBytes: 16 << 20 });
  if (found === null) throw unreadable(path, undefined, "is not there");
  return callsAgent("script", parseScript(found.text, path));
}

/** Repeats the actions of a recorded trajectory (its JSON text, or the value). Errors: ConfigError `trajectory_unreadable`. */
export function replayAgent(recorded: unknown, file?: string): Agent {
  const parsed = trajectorySchema.safeParse(recorded);
  if (!parsed.success)
    throw new ConfigError({
      code: "trajectory_unreadable",
      message: `not a trajectory: ${schemaProblems(parsed.error)}`,
      ...(file === undefined ? {} : { where: { file } }),
      remedy: "give a trajectory that a rollout recorded",
    });
  const { steps } = parsed.data;
  const replay = (played: typeof steps) =>
    callsAgent(
      "replay",
      played.map(({ call }) => ({ written: call.written, action: call.action })),
    );
  return {
    ...replay(steps),
    forStep: (step) => replay(steps.filter(({ info }) => info.task_step === nameOfStep(step))),
  };
}

/** Performs these calls in order and ends. */
export function callsAgent(name: string, calls: readonly Call[]): Agent {
  return {
    name,
    version: "1",
    async run(session) {
      for (const call of calls) {
        const transition = await session.step(call);
        if (transition.terminated || transition.truncated) return;
      }
    },
  };
}

function parseScript(text: string, file: string): Call[] {
  const trimmed = text.trimStart();
  if (trimmed.startsWith("[")) return (parse(text, file, 1) as unknown[]).map((item) => readAction(item, file, 1));
  if (trimmed.startsWith("{"))
    return text
      .split("\n")
      .flatMap((line, index) =>
        line.trim() === "" ? [] : [readAction(parse(line, file, index + 1), file, index + 1)],
      );
  return splitScript(text).map((command) => ({ written: command, action: { name: "run", arguments: { command } } }));
}

function readAction(value: unknown, file: string, line: number): Call {
  const parsed = actionSchema.safeParse(value);
  if (parsed.success) return { written: value as Json, action: parsed.data };
  throw unreadable(file, line, `not an action: ${schemaProblems(parsed.error)}`);
}

function parse(text: string, file: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(file, line, (error as Error).message);
  }
}

const remedy = 'write {"name": "run", "arguments": {"command": "…"}}, one a line, or a shell script';
const unreadable = (file: string, line: number | undefined, message: string) =>
  new ConfigError({
    code: "script_unreadable",
    message,
    where: { file, ...(line === undefined ? {} : { line }) },
    remedy,
  });
