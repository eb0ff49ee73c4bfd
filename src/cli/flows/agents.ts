import { ConfigError } from "../../contract/index.ts";
import { localContextTokens, type OpenModel } from "../../models/index.ts";
import {
  type Agent,
  fromAtif,
  modelAgent,
  nopAgent,
  oracleAgent,
  replayAgent,
  scriptAgent,
} from "../../rollouts/index.ts";
import { blobDigest } from "../../store/index.ts";
import { parseJson, readTextFile, type Task } from "../../tasks/index.ts";
import type { ModelRoom } from "../model-room.ts";
import type { Project } from "../project.ts";
import { shownPath } from "../run-identity.ts";

export type NamedAgent = {
  /** As it was asked for. */
  readonly name: string;
  /** The name as a folder's. */
  readonly folder: string;
  /** The model that plays; null: none does. */
  readonly model: OpenModel | null;
  make(task: Task, variables: Record<string, string>, attempt: number): Promise<Agent> | Agent;
};

/** The same name with its file relative to the project. */
export const storedAgent = (name: string, stored: (path: string) => string): string =>
  name.replace(/^(script|replay|model:script|model:local):(.+)$/s, (_, kind, file) => `${kind}:${stored(file)}`);

/**
 * `oracle`, `nop`, `model:MODEL`, `script:FILE` or `replay:FILE`, read once. Errors: ConfigError `unknown_agent`,
 * `script_unreadable`, `trajectory_unreadable`, and those of models.
 */
export async function agentNamed(project: Project, name: string, room: ModelRoom): Promise<NamedAgent> {
  const model = name.startsWith("model:") ? await room.open(name.slice("model:".length), "agent") : null;
  const make = model ? modelMaker(name.slice("model:".length), model, room) : await makerOf(project, name);
  return { name, folder: folderOf(name), model, make };
}

/** Different for different names. */
function folderOf(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 60);
  return plain === name ? name : `${plain}-${blobDigest(name).slice(7, 13)}`;
}

async function makerOf(project: Project, name: string): Promise<NamedAgent["make"]> {
  if (name === "oracle") return (task, variables) => oracleAgent(task, variables);
  if (name === "nop") return () => nopAgent();
  const [, kind, file] = /^(script|replay):(.+)$/s.exec(name) ?? [];
  if (file === undefined)
    throw new ConfigError({
      code: "unknown_agent",
      message: `there is no agent "${name}"`,
      remedy: "take oracle, nop, model:MODEL, script:FILE or replay:FILE",
    });
  const path = shownPath(project, file);
  if (kind === "script") {
    await scriptAgent(path);
    return () => scriptAgent(path);
  }
  const recorded = readTrajectory(path);
  replayAgent(recorded, path);
  return () => replayAgent(recorded, path);
}

function modelMaker(spec: string, first: OpenModel, room: ModelRoom): NamedAgent["make"] {
  // Scripted replies are for one episode; the next one hears them from the beginning.
  const { provider, context_tokens, max_tokens, max_turns } = first.profile;
  const isScripted = provider === "script";
  const tokens = context_tokens ?? (provider === "local" ? localContextTokens : undefined);
  return async (_task, _variables, attempt) => {
    const { model } = isScripted ? await room.open(spec, "agent") : first;
    return modelAgent({
      model,
      sample: attempt - 1,
      ...(tokens === undefined ? {} : { contextTokens: tokens }),
      ...(max_tokens === undefined ? {} : { answerTokens: max_tokens }),
      ...(max_turns === undefined ? {} : { maximumTurns: max_turns }),
    });
  };
}

const maximumTrajectoryBytes = 256 << 20;

/** A trajectory of ours, or an ATIF document. */
function readTrajectory(file: string): unknown {
  const code = "trajectory_unreadable";
  const remedy = "give a trajectory that a rollout recorded, or an ATIF document";
  const fault = (message: string, place: { line?: number; column?: number } = {}) =>
    new ConfigError({ code, message, where: { file, ...place }, remedy });
  const found = readTextFile(file, { error: ConfigError, code, remedy, maximumBytes: maximumTrajectoryBytes });
  if (found === null) throw fault("is not there");
  const value = parseJson(found.text, ({ expected, ...place }) => fault(`not valid JSON: expected ${expected}`, place));
  const isAtif = typeof value === "object" && value !== null && "schema_version" in value;
  return isAtif ? fromAtif(value, file) : value;
}
