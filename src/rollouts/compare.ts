// Several agents on the same tasks: a row each, and what the others differ from the first by, paired by task.
import { isGraded, type Outcome } from "../contract/index.ts";
import {
  type Interval,
  meanPassAtK,
  type PassAtK,
  pairedBootstrap,
  type Random,
  type RateSummary,
  rateSummary,
} from "../statistics/index.ts";

/** What of an episode a comparison needs. */
export type PlayedEpisode = {
  readonly agent: string;
  readonly task: string;
  readonly outcome: Outcome;
  /** Milliseconds of the agent's work. */
  readonly milliseconds: number;
  readonly tokens: number | null;
  /** null when the price is unknown. */
  readonly costUsd: number | null;
};

export type AgentRow = {
  readonly agent: string;
  readonly rate: RateSummary;
  /** At least one of k graded attempts succeeds, a mean over the tasks. */
  readonly passAtK: PassAtK & { readonly k: number };
  readonly medianSeconds: number | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
};

export type AgentDifference = {
  readonly agent: string;
  readonly against: string;
  /** Tasks that both have a graded attempt at. */
  readonly tasks: number;
  /** Mean over tasks of the difference in success rate; null below five tasks or when a rate is refused. */
  readonly difference: (Interval & { readonly mean: number }) | null;
};

export type AgentComparison = { readonly rows: readonly AgentRow[]; readonly differences: readonly AgentDifference[] };

/** Below this many tasks a bootstrap interval says more than the data do. */
export const minimumTasksForDifference = 5;

/**
 * The first of `agents` is what the others are compared with; `k` are the attempts that were asked for at each task. The
 * same `random` gives the same intervals.
 */
export function compareAgents(
  episodes: readonly PlayedEpisode[],
  { agents, k, random }: { agents: readonly string[]; k: number; random: Random },
): AgentComparison {
  const of = new Map(agents.map((agent) => [agent, episodes.filter((episode) => episode.agent === agent)]));
  const rows = agents.map((agent) => rowOf(agent, of.get(agent) ?? [], k));
  const [first, ...others] = rows;
  const differences = others.map((row) =>
    differenceOf(row, first as AgentRow, {
      own: byTask(of.get(row.agent) ?? []),
      base: byTask(of.get((first as AgentRow).agent) ?? []),
      random,
    }),
  );
  return { rows, differences };
}

function rowOf(agent: string, episodes: readonly PlayedEpisode[], k: number): AgentRow {
  const groups = [...byTask(episodes).values()];
  const { value, reason } = meanPassAtK(groups, k);
  const times = episodes.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
  const median = times[Math.floor((times.length - 1) / 2)];
  return {
    agent,
    rate: rateSummary(episodes.map(({ outcome }) => outcome)),
    passAtK: { ...(value === null ? { value, reason: reason ?? "" } : { value, reason: null }), k },
    medianSeconds: median === undefined ? null : median / 1000,
    tokens: sumOrUnknown(episodes.map(({ tokens }) => tokens)),
    costUsd: sumOrUnknown(episodes.map(({ costUsd }) => costUsd)),
  };
}

type Graded = { attempts: number; successes: number };

function byTask(episodes: readonly PlayedEpisode[]): Map<string, Graded> {
  const tasks = new Map<string, Graded>();
  for (const { task, outcome } of episodes) {
    if (!isGraded(outcome)) continue;
    const entry = tasks.get(task) ?? { attempts: 0, successes: 0 };
    tasks.set(task, { attempts: entry.attempts + 1, successes: entry.successes + Number(outcome === "success") });
  }
  return tasks;
}

function differenceOf(
  row: AgentRow,
  against: AgentRow,
  { own, base, random }: { own: Map<string, Graded>; base: Map<string, Graded>; random: Random },
): AgentDifference {
  const share = ({ attempts, successes }: Graded) => successes / attempts;
  const pairs = [...own].flatMap(([task, graded]): [number, number][] => {
    const other = base.get(task);
    return other ? [[share(graded), share(other)]] : [];
  });
  const refused = row.rate.refused !== null || against.rate.refused !== null;
  const found = refused || pairs.length < minimumTasksForDifference ? null : pairedBootstrap(pairs, random);
  return {
    agent: row.agent,
    against: against.agent,
    tasks: pairs.length,
    difference: found && { mean: found.difference, low: found.low, high: found.high },
  };
}

const sumOrUnknown = (values: readonly (number | null)[]): number | null =>
  values.includes(null) ? null : (values as number[]).reduce((sum, value) => sum + value, 0);
