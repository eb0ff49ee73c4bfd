import { join } from "node:path";
import {
  type Flow,
  type Json,
  type JsonObject,
  printableLine,
  type RunContext,
  type VerificationMode,
} from "../../contract/index.ts";
import { limitConcurrency, OracleBaseline, oracleAgent, runTrial, toAtif } from "../../rollouts/index.ts";
import { blobDigest } from "../../store/index.ts";
import { ModelRoom, type ModelUse } from "../model-room.ts";
import { runFlow } from "../run-flow.ts";
import { allowedVariables, openWorkshop, type SandboxOptions } from "../workshop.ts";
import { writeWhole } from "../write-whole.ts";
import { agentNamed, type NamedAgent } from "./agents.ts";
import type { FlowCommand } from "./flow-command.ts";
import { forecastRollout } from "./rollout-forecast.ts";
import { type Episode, episodeLine, type RolloutOutput, rolloutResult, spent } from "./rollout-result.ts";
import { countTasks, type RejectedTask, type StreamedTask, streamTasks } from "./task-stream.ts";

export type RolloutInput = {
  paths: string[];
  agents: string[];
  attempts: number;
  limit: number | null;
  mode: VerificationMode | null;
  seed: number;
  backend: NonNullable<SandboxOptions["backend"]> | null;
  builder: NonNullable<SandboxOptions["builder"]> | null;
  out: string;
  /** Also write each trajectory as an ATIF document. */
  atif: boolean;
  models: ModelUse;
};
type Attempt = StreamedTask & { attempt: number; player: NamedAgent };

/** `rollout`: every attempt of an agent at every task is one durable step; its trajectory is a file. */
export const rolloutFlow: FlowCommand<RolloutInput> = async (project, context, input, start) => {
  const { report } = context;
  const rejected: RejectedTask[] = [];
  const episodes: Episode[] = [];
  let loaded = 0;
  const folder = join(project.directory, input.out, start.id);
  const room = new ModelRoom(project, input.models, join(folder, "ledger.json"));
  const players = await Promise.all(input.agents.map((name) => agentNamed(project, name, room)));
  const tasks = await countTasks(project, input.paths, input.limit);
  const expected = input.models.cassetteMode === "strict" ? null : forecastRollout(players, tasks * input.attempts);
  if (expected) {
    const { calls, tokens, usd, isComplete } = expected.told;
    report.event({ type: "forecast", calls, tokens, usd, isComplete, text: expected.text });
  }

  async function* attempts(): AsyncGenerator<Attempt> {
    const onRejected = (one: RejectedTask) => {
      rejected.push(one);
      report.line(`rejected    ${printableLine(one.path)}: ${one.reason}`);
    };
    for await (const item of streamTasks(project, report, input, onRejected)) {
      loaded++;
      for (const player of players)
        for (let attempt = 1; attempt <= input.attempts; attempt++) yield { ...item, attempt, player };
    }
  }
  const tell = (episode: Episode) => {
    episodes.push(episode);
    const counts: Record<string, number> = {};
    for (const { outcome } of episodes) counts[outcome] = (counts[outcome] ?? 0) + 1;
    const total = (tasks - rejected.length) * input.attempts * players.length;
    const text = episodeLine(episode, players.length > 1);
    report.event({ ...(episode as unknown as JsonObject), type: "episode", text });
    report.event({ type: "progress", what: "rollout", done: episodes.length, total, counts });
  };

  const open = async () => {
    const workshop = await openWorkshop(project, input);
    const base = { backend: workshop.backend, images: workshop.images, ...(input.mode ? { mode: input.mode } : {}) };
    const variables = allowedVariables(project);
    const baseline = new OracleBaseline((task) =>
      runTrial({ ...base, task, variables, agent: oracleAgent(task, variables) }),
    );
    const concurrency = context.concurrency ?? project.configuration.queues.trial;
    const turn = limitConcurrency(concurrency);

    async function play({ task, attempt, player }: Attempt, signal: AbortSignal): Promise<Json> {
      const agent = await player.make(task, variables, attempt);
      const seed = input.seed + attempt - 1;
      const result = await turn(() => runTrial({ ...base, task, agent, attempt, seed, baseline, signal, variables }));
      signal.throwIfAborted();
      const { outcome, verdict, cause } = result.grading;
      const file = join(player.folder, task.digest.slice(7, 19), `${attempt}.json`);
      const fileDigest = await writeJson(join(folder, file), result.trajectory);
      await room.save();
      if (input.atif) await writeJson(join(folder, file.replace(/json$/, "atif.json")), toAtif(result.trajectory));
      const episode: Episode = {
        agent: player.name,
        task: task.id,
        attempt,
        outcome,
        score: verdict?.score ?? null,
        cause,
        file,
        fileDigest,
        milliseconds: Math.round(result.timings.agent),
        ...spent(result.trajectory),
      };
      return episode as unknown as Json;
    }
    const flow: Flow = {
      name: "rollout",
      version: "1",
      async run(run: RunContext): Promise<Json> {
        const one = async (item: Attempt) => {
          const key = `trial/${item.player.name}/${item.task.digest}/${item.attempt}/${item.path}`;
          const policy = { queue: "trial", stage: "trial" };
          const episode = (await run.step(key, ({ signal }) => play(item, signal), policy)) as unknown as Episode;
          const { agent, task, attempt, outcome, score } = episode;
          run.emit({ type: "episode", agent, task, attempt, outcome, score });
          tell(episode);
          return null;
        };
        await run.all(attempts(), one, { key: "rollout", concurrency: concurrency + 1, collect: false });
        return { loaded, rejected, episodes } satisfies RolloutOutput as unknown as Json;
      },
    };
    return {
      flow,
      close: async () => {
        await room.close();
        await workshop.close();
      },
    };
  };
  const run = await runFlow<RolloutOutput>(project, context, open, { ...start, input, seed: input.seed });
  if (run.output && episodes.length === 0) for (const episode of run.output.episodes) tell(episode);
  return rolloutResult(project, run, run.output ?? { loaded, rejected, episodes }, {
    out: join(input.out, start.id),
    agents: input.agents,
    attempts: input.attempts,
    seed: input.seed,
    lines: room.lines(),
  });
};

/** Resolves to the digest of the bytes that it wrote. */
async function writeJson(file: string, value: unknown): Promise<string> {
  const text = `${JSON.stringify(value)}\n`;
  await writeWhole(file, text);
  return blobDigest(text);
}
