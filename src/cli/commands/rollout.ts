import { agentNamed, storedAgent } from "../flows/agents.ts";
import { type RolloutInput, rolloutFlow } from "../flows/rollout-flow.ts";
import { type ModelOptions, ModelRoom, modelUse } from "../model-room.ts";
import type { CommonOptions } from "../project.ts";
import { wholeNumber } from "../project.ts";
import { startCommand } from "../start-command.ts";
import type { SandboxOptions } from "../workshop.ts";

type Options = CommonOptions &
  SandboxOptions &
  ModelOptions & {
    agent: string[];
    attempts: string;
    limit?: string;
    mode?: RolloutInput["mode"];
    out?: string;
    atif?: boolean;
  };

export const rollout = (paths: string[], options: Options): Promise<void> =>
  startCommand("rollout", options, rolloutFlow, async ({ project, stored }) => {
    const named = options.agent.length > 0 ? options.agent : ["oracle"];
    const agents = [...new Set(named)].map((name) => storedAgent(name, stored));
    const models = modelUse(options, stored);
    const room = new ModelRoom(project, models, null);
    for (const agent of agents) await agentNamed(project, agent, room);
    await room.close();
    return {
      paths: paths.map(stored),
      agents,
      attempts: wholeNumber("--attempts", options.attempts, 1),
      limit: options.limit === undefined ? null : wholeNumber("--limit", options.limit, 1),
      mode: options.mode ?? null,
      seed: wholeNumber("--seed", options.seed),
      backend: options.backend ?? null,
      builder: options.builder ?? null,
      out: options.out === undefined ? ".routesetter/rollouts" : stored(options.out),
      atif: options.atif ?? false,
      models,
    };
  });
