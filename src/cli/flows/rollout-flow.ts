import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Cause, Flow, Json, Outcome, RunContext, Trajectory, VerificationMode } from "../../contract/index.ts";
import { ConfigError } from "../../contract/index.ts";
import {
  type Agent,
  limitConcurrency,
  nopAgent,
  OracleBaseline,
  oracleAgent,
  replayAgent,
  runTrial,
  scriptAgent,
  summarise,
} from "../../rollouts/index.ts";
import { type Task, walkTasks } from "../../tasks/index.ts";
import type { CommandResult } from "../output/events.ts";
import type { Project } from "../project.ts";
import { runFlow } from "../run-flow.ts";
import { shownPath } from "../run-identity.ts";
import { allowedVariables, openWorkshop } from "../workshop.ts";
import type { FlowCommand } from "./flow-command.ts";

export type RolloutInput = {
  paths: string[];
  agent: string;
  attempts: number;
  limit: number | null;
  mode: VerificationMode | null;
  seed: number;
  backend: "box" | "docker" | null;
  builder: "auto" | "host" | "docker" | "buildah" | null;
  out: string;
};
type Episode = {
  task: string;
  attempt: number;
  outcome: Outcome;
  score: number | null;
  cause: Cause | null;
  file: string;
};

/** `rollout`: every attempt of an agent at every task is one durable step; its trajectory is a file. */
export const rolloutFlow: FlowCommand<RolloutInput> = async (project, context, input, start) => {
  const { report } = context;
  const rejected: string[] = [];
  const episodes: Episode[] = [];
  let found = 0;
  const out = join(project.directory, input.out, start.id);
  const { output, id } = await runFlow<RolloutInput, true>(
    project,
    context,
    async () => {
      const workshop = await openWorkshop(project, {
        ...(input.backend ? { backend: input.backend } : {}),
        ...(input.builder ? { builder: input.builder } : {}),
      });
      const base = { backend: workshop.backend, images: workshop.images, ...(input.mode ? { mode: input.mode } : {}) };
      const variables = allowedVariables(project);
      const baseline = new OracleBaseline((task) =>
        runTrial({ ...base, task, variables, agent: oracleAgent(task, variables) }),
      );
      const concurrency = context.concurrency ?? project.configuration.queues.trial;
      const turn = limitConcurrency(concurrency);

      async function* attempts(): AsyncGenerator<{ task: Task; path: string; attempt: number }> {
        for await (const item of walkTasks(input.paths.map((path) => shownPath(project, path)))) {
          if (input.limit !== null && found >= input.limit) return;
          found++;
          if ("error" in item) {
            rejected.push(item.path);
            report.event({
              type: "task-rejected",
              path: item.path,
              message: item.error.message,
              text: `rejected ${item.path}: ${item.error.message}`,
            });
          } else
            for (let attempt = 1; attempt <= input.attempts; attempt++)
              yield { task: item.task, path: item.path, attempt };
        }
      }
      async function play({ task, attempt }: { task: Task; attempt: number }, signal: AbortSignal): Promise<Episode> {
        const agent = await agentNamed(project, input.agent, task, variables);
        const result = await turn(() =>
          runTrial({ ...base, task, agent, attempt, seed: input.seed + attempt - 1, baseline, signal, variables }),
        );
        signal.throwIfAborted();
        const { outcome, verdict, cause } = result.grading;
        const file = join(task.digest.slice(7, 19), `${attempt}.json`);
        await writeTrajectory(join(out, file), result.trajectory);
        return { task: task.id, attempt, outcome, score: verdict?.score ?? null, cause, file };
      }
      const flow: Flow = {
        name: "rollout",
        version: "1",
        async run(run: RunContext): Promise<Json> {
          await run.all(
            attempts(),
            async (item) => {
              const key = `trial/${item.task.digest}/${item.attempt}/${item.path}`;
              const episode = (await run.step(
                key,
                async ({ signal }) => (await play(item, signal)) as unknown as Json,
                {
                  queue: "trial",
                  stage: "trial",
                },
              )) as unknown as Episode;
              episodes.push(episode);
              report.event({ ...episode, type: "episode", text: episodeLine(episode) } as never);
              report.event({
                type: "progress",
                what: "rollout",
                done: episodes.length,
                total: null,
                counts: countOutcomes(episodes),
              });
              return null;
            },
            { key: "rollout", concurrency, collect: false },
          );
          return true;
        },
      };
      return { flow, close: () => workshop.close() };
    },
    { id: start.id, input, seed: input.seed, ...(start.redo ? { redo: start.redo } : {}) },
  );
  return rolloutResult(
    id,
    output !== null,
    episodes,
    { found, rejected: rejected.length },
    shownPath(project, join(input.out, start.id)),
  );
};

function rolloutResult(
  id: string,
  finished: boolean,
  episodes: readonly Episode[],
  tasks: { found: number; rejected: number },
  out: string,
): CommandResult {
  const summary = summarise(
    episodes.map(({ outcome, score, cause }) => ({
      grading: { outcome, cause, verdict: score === null ? null : { score } },
    })),
  );
  const infrastructure = summary.rate.counts.infra_error;
  const failed = tasks.rejected > 0 || summary.rate.counts.task_error > 0 || tasks.found === 0;
  return {
    status: !finished ? "interrupted" : failed ? "failed" : infrastructure > 0 ? "infrastructure" : "ok",
    counts: {
      found: tasks.found,
      loaded: tasks.found - tasks.rejected,
      rejected: tasks.rejected,
      attempted: summary.rate.attempted,
      graded: summary.rate.graded,
      ...summary.rate.counts,
    },
    cost: { trials: episodes.length, tokens: 0 },
    outputs: [out],
    lines: [
      summary.text,
      `infrastructure share ${(summary.rate.infrastructureShare * 100).toFixed(1)} %`,
      ...(finished && infrastructure === 0
        ? []
        : [`go on with: routesetter runs resume ${id}${finished ? " --only infra" : ""}`]),
    ],
    data: { run: id, summary: summary as unknown as Json },
  };
}

const countOutcomes = (episodes: readonly Episode[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of episodes) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

const episodeLine = ({ task, attempt, outcome, score, cause }: Episode): string =>
  `${outcome.padEnd(11)} ${score === null ? "–" : score.toFixed(3)}  ${task}#${attempt}${cause ? `  ${cause.code}: ${cause.message}` : ""}`;

async function agentNamed(
  project: Project,
  name: string,
  task: Task,
  variables: Record<string, string>,
): Promise<Agent> {
  const [kind, file] = /^(script|replay):(.+)$/s.exec(name)?.slice(1) ?? [name];
  if (kind === "oracle") return oracleAgent(task, variables);
  if (kind === "nop") return nopAgent();
  if (file === undefined)
    throw new ConfigError({
      code: "unknown_agent",
      message: `there is no agent "${name}"`,
      remedy: "take oracle, nop, script:FILE or replay:FILE",
    });
  const path = shownPath(project, file);
  return kind === "script" ? scriptAgent(path) : replayAgent(JSON.parse(await readFile(path, "utf8")));
}

async function writeTrajectory(file: string, trajectory: Trajectory): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.partial`, `${JSON.stringify(trajectory)}\n`);
  await rename(`${file}.partial`, file);
}
