import type { Json, RunContext } from "../contract/index.ts";
import type { Budget } from "./budget.ts";
import type { Candidate } from "./candidate.ts";
import type { Decision } from "./decision.ts";
import { type Funnel, funnelOf } from "./funnel.ts";

/**
 * What forge, reshape and selfplay fill in: how they design, ground, gate and measure one candidate, and how they
 * archive what was accepted. `evaluate` covers ground → gate → measure → decide of one candidate and is one durable
 * step; `archive` must be idempotent, since it is done again after a resume.
 */
export interface Setter<Design extends Json> {
  readonly name: string;
  /** The candidate of this index; depends on the index and the run's seed alone. Null: there are no more. */
  design(index: number): Promise<Candidate<Design> | null>;
  evaluate(candidate: Candidate<Design>, signal: AbortSignal): Promise<Omit<Decision, "index" | "key">>;
  archive(candidate: Candidate<Design>, decision: Decision): Promise<void>;
}

/**
 * The loop that all setters share: propose until the goal is reached or the budget is spent, evaluate a bounded number
 * at a time without barriers, archive what is accepted. A further candidate is proposed only while accepted, undecided
 * and ungraded ones together are below the goal, so the set that is accepted depends on the seed, not on the timing, and
 * taking the ungraded again gives what an undisturbed run gives.
 */
export async function runSetter<Design extends Json>(
  context: RunContext,
  setter: Setter<Design>,
  budget: Budget,
  onDecision: (decision: Decision, funnel: Funnel) => void = () => {},
): Promise<{ decisions: Decision[]; funnel: Funnel; reachedGoal: boolean }> {
  const seen = new Set<string>();
  const decisions: Decision[] = [];
  /** Places of the goal that a candidate holds: accepted, not decided yet, or ungraded. */
  let promised = 0;
  let undecided = 0;
  let wake: () => void = () => {};
  let failure: unknown;

  async function* propose(): AsyncGenerator<Candidate<Design>> {
    for (let index = 0; index < budget.maximumCandidates; index++) {
      while (promised >= budget.goal && undecided > 0 && failure === undefined)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      if (failure !== undefined || promised >= budget.goal || context.signal.aborted) return;
      const candidate = await setter.design(index);
      if (candidate === null) return;
      promised++;
      undecided++;
      yield candidate;
    }
  }

  async function decide(candidate: Candidate<Design>): Promise<Decision> {
    const { index, key } = candidate;
    if (seen.has(key)) {
      return {
        index,
        key,
        accepted: false,
        stage: "design",
        reasons: ["duplicate"],
        outcome: "failure",
        warnings: 0,
        trials: 0,
        evidence: null,
      };
    }
    seen.add(key);
    const found = await context.step(
      `evaluate/${index}/${key}`,
      async ({ signal }) => (await setter.evaluate(candidate, signal)) as unknown as Json,
      { queue: "trial", stage: "evaluate" },
    );
    return { ...(found as unknown as Omit<Decision, "index" | "key">), index, key };
  }

  await context.all(
    propose(),
    async (candidate) => {
      try {
        const decision = await decide(candidate);
        await setter.archive(candidate, decision);
        decisions.push(decision);
        if (!decision.accepted && decision.outcome !== "infra_error" && decision.outcome !== "cancelled") promised--;
        onDecision(decision, funnelOf(decisions));
      } catch (error) {
        failure = error ?? new Error("a candidate failed without a reason");
        throw error;
      } finally {
        undecided--;
        wake();
      }
      return null;
    },
    { key: setter.name, concurrency: budget.concurrency, collect: false },
  );
  decisions.sort((a, b) => a.index - b.index);
  const funnel = funnelOf(decisions);
  return { decisions, funnel, reachedGoal: funnel.accepted >= budget.goal };
}
