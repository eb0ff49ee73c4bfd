// Runs a script of the task's own solution folder as Harbor's oracle does: the folder at /solution, the script in the
// working directory with the task's variables, its exit status recorded and not judged.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { TaskFormatError } from "../../contract/index.ts";
import { describeRun, terminalSettings } from "../../environments/index.ts";
import { nameOfStep, type Task, type TaskScript } from "../../tasks/index.ts";
import type { Agent, AgentSession } from "../agent.ts";

type Variables = Readonly<Record<string, string | undefined>>;

/** The task's solution. Errors when it runs: TaskFormatError `no_solution`, `variable_unset`. */
export function oracleAgent(task: Task, variables: Variables = {}): Agent {
  return {
    ...solutionAgent("oracle", task, () => task.solution, variables),
    forStep: (step) => oracleAgent(step, variables),
  };
}

/** A solution that breaks something, by name (`partial_x` or `x`). Errors when it runs: TaskFormatError `no_partial`. */
export function partialAgent(task: Task, name: string, variables: Variables = {}): Agent {
  const find = () =>
    task.partials.find((partial) => partial.name === name || partial.name === `partial_${name}`) ?? null;
  /** Of a step's partial, the other steps are solved. */
  const forStep = (step: Task): Agent => {
    const own = name.split("/").at(-1) as string;
    const ofStep = find()?.path.startsWith(`steps/${nameOfStep(step)}/`);
    return ofStep ? partialAgent(step, own, variables) : { ...oracleAgent(step, variables), name: "partial" };
  };
  return { ...solutionAgent("partial", task, find, variables), forStep };
}

function solutionAgent(name: string, task: Task, find: () => TaskScript | null, variables: Variables): Agent {
  return {
    name,
    version: "1",
    privileged: true,
    async run(session) {
      const script = find();
      if (!script)
        throw new TaskFormatError({
          code: name === "oracle" ? "no_solution" : "no_partial",
          message: `the task has no ${name === "oracle" ? "solution/solve.sh" : "such partial solution"}`,
          where: { file: join(task.directory, "solution") },
          remedy: "write one: what no one has solved can't be trusted to be solvable",
        });
      const environment = terminalSettings(task, variables).solutionEnvironment();
      await runScript(session, task, script, environment);
    },
  };
}

async function runScript(
  session: AgentSession,
  task: Task,
  script: TaskScript,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const operator = session.operator;
  if (!operator) throw new Error("a solution needs the operator's side of a terminal");
  const path = `/solution/${script.path.split("/").slice(1).join("/")}`;
  const action = { name: "run", arguments: { command: path } };
  await session.record({ written: path, action }, async () => {
    await operator.copyIn(join(task.directory, "solution"), "/solution");
    if (((await stat(join(task.directory, script.path))).mode & 0o111) === 0)
      await operator.run(["/bin/chmod", "+x", path], { user: "0:0" });
    const result = await operator.run(["/bin/sh", "-c", '("$1") 2>&1', "sh", path], {
      environment: { DEBIAN_FRONTEND: "noninteractive", ...environment },
      signal: session.signal,
      outputBytes: 256 * 1024,
    });
    const observation = describeRun(result);
    return {
      observation,
      reward: 0,
      terminated: false,
      truncated: false,
      info: { exit_code: result.exitCode, ...(result.limit ? { limit: observation.data.limit! } : {}) },
    };
  });
}
