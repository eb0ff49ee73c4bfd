import type { Line, World } from "./world.ts";

export type Failure = { readonly edge: Line; readonly id: string; readonly first: Line | null };
export type Facts = {
  readonly world: World;
  /** Finished requests in order of time, every attempt by itself. */
  readonly attempts: readonly Line[];
  /** Requests that failed in the end, in order of time. */
  readonly failures: readonly Failure[];
  readonly culprit: string;
};

/** Derivations in which a bug can be planted. */
export const derivations = ["failure-status", "first-error", "retried-attempts", "affected-users"] as const;

/** What is true of the world as it was drawn; `bug` names a derivation to get wrong. */
export function deriveFacts(world: World, bug: string | null): Facts {
  const attempts = world.lines.filter((line) => line.edge !== undefined);
  const retried = new Set(attempts.map((line) => line.edge?.retryOf ?? ""));
  const failures = attempts
    .filter((line) => (bug === "failure-status" ? line.edge!.status > 500 : line.edge!.status >= 500))
    .filter((line) => bug === "retried-attempts" || !retried.has(line.request ?? ""))
    .map((edge): Failure => {
      const errors = world.lines.filter((line) => line.request === edge.request && line.level === "ERROR");
      return { edge, id: edge.request!, first: (bug === "first-error" ? errors.at(-1) : errors[0]) ?? null };
    });
  const counts = new Map<string, number>();
  for (const { first } of failures) if (first) counts.set(first.service, (counts.get(first.service) ?? 0) + 1);
  const [culprit] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0] ?? [""];
  return { world, attempts, failures, culprit };
}

export const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
