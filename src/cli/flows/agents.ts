import { readFile } from "node:fs/promises";
import { ConfigError } from "../../contract/index.ts";
import { type Agent, nopAgent, oracleAgent, replayAgent, scriptAgent } from "../../rollouts/index.ts";
import type { Task } from "../../tasks/index.ts";
import type { Project } from "../project.ts";
import { shownPath } from "../run-identity.ts";

export type AgentMaker = (task: Task, variables: Record<string, string>) => Promise<Agent> | Agent;

/** `oracle`, `nop`, `script:FILE` or `replay:FILE`, read once. Errors: ConfigError `unknown_agent`, `script_unreadable`. */
export async function agentNamed(project: Project, name: string): Promise<AgentMaker> {
  if (name === "oracle") return (task, variables) => oracleAgent(task, variables);
  if (name === "nop") return () => nopAgent();
  const [, kind, file] = /^(script|replay):(.+)$/s.exec(name) ?? [];
  if (file === undefined)
    throw new ConfigError({
      code: "unknown_agent",
      message: `there is no agent "${name}"`,
      remedy: "take oracle, nop, script:FILE or replay:FILE",
    });
  const path = shownPath(project, file);
  if (kind === "script") {
    await scriptAgent(path);
    return () => scriptAgent(path);
  }
  const recorded = await readTrajectory(path);
  replayAgent(recorded);
  return () => replayAgent(recorded);
}

async function readTrajectory(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    throw new ConfigError({
      code: "trajectory_unreadable",
      message: `can't be read: ${(cause as Error).message}`,
      where: { file: path },
      remedy: "give a trajectory that a rollout recorded",
      cause,
    });
  }
}
