// One episode: reset, the agent's steps, the verdict. Never throws: every fault becomes an outcome with its cause.
import {
  type Cause,
  type Environment,
  type Grading,
  type JsonObject,
  type Judge,
  type Observation,
  type Trajectory,
  type TrajectoryStep,
  type Transition,
  trajectoryVersion,
  VerifierError,
} from "../contract/index.ts";
import type { TerminalOperator } from "../environments/index.ts";
import { type Agent, type AgentCall, AgentLimit, EpisodeOver } from "./agent.ts";
import { attributeError, attributeVerdict, type Baseline } from "./attribution.ts";
import type { TrialTimings } from "./trial-result.ts";

export type EpisodeOptions = {
  readonly environment: Environment;
  readonly judge: Judge;
  readonly agent: Agent;
  readonly task: { readonly id: string; readonly digest: string };
  readonly operator?: TerminalOperator;
  readonly seed?: number;
  readonly attempt?: number;
  readonly maximumSteps?: number;
  /** Wall time of the agent's work. */
  readonly timeoutMilliseconds?: number;
  readonly signal?: AbortSignal;
  /** Milliseconds; only differences count. */
  readonly now?: () => number;
  /** What the verifier does with the oracle's result; asked only when it decides something. */
  readonly baseline?: () => Promise<Baseline>;
  readonly expectedChecks?: () => Promise<readonly string[] | null>;
  /** Between the agent's work and the verdict. */
  readonly beforeVerdict?: () => Promise<void>;
};

export type EpisodeResult = {
  readonly trajectory: Trajectory;
  readonly grading: Grading;
  readonly timings: TrialTimings;
};

export async function runEpisode(options: EpisodeOptions): Promise<EpisodeResult> {
  const now = options.now ?? (() => performance.now());
  const steps: TrajectoryStep[] = [];
  const times = { begun: now(), ready: 0, worked: 0 };
  let initial: Observation | null = null;
  let limit: Cause | null = null;
  let grading: Grading;
  const cancelled = () => options.signal?.aborted === true;
  try {
    initial = await options.environment.reset({
      ...(options.seed === undefined ? {} : { seed: options.seed }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
    times.ready = now();
    limit = await play(options, initial, steps, () => now() - times.ready);
    options.signal?.throwIfAborted();
    await options.beforeVerdict?.();
    times.worked = now();
    const verdict = await gradeTwice(options.judge);
    const expected = verdict.success ? ((await options.expectedChecks?.()) ?? null) : null;
    grading = attributeVerdict(verdict, { expected, limit });
  } catch (error) {
    const asks = VerifierError.isInstance(error) && !cancelled();
    const baseline = asks ? await baselineOf(options) : ({ kind: "none" } as const);
    grading = attributeError(error, { cancelled: cancelled(), baseline });
  }
  const ended = now();
  const ready = times.ready || ended;
  const worked = times.worked || ended;
  return {
    trajectory: {
      version: trajectoryVersion,
      task: { id: options.task.id, digest: options.task.digest },
      agent: { name: options.agent.name, version: options.agent.version },
      seed: options.seed ?? null,
      attempt: options.attempt ?? 1,
      initial,
      steps,
      outcome: grading.outcome,
      verdict: grading.verdict,
      cause: grading.cause,
    },
    grading,
    timings: { setup: ready - times.begun, agent: worked - ready, verifier: ended - worked },
  };
}

/** A failed grading is graded again, once; the agent is not run again for it. */
async function gradeTwice(judge: Judge) {
  try {
    return await judge.verdict();
  } catch (error) {
    if (!VerifierError.isInstance(error)) throw error;
    return judge.verdict();
  }
}

async function baselineOf(options: EpisodeOptions): Promise<Baseline> {
  if (!options.baseline) return { kind: "none" };
  try {
    return await options.baseline();
  } catch (error) {
    const { outcome, cause } = attributeError(error, { cancelled: false, baseline: { kind: "none" } });
    if (outcome === "success" || outcome === "failure" || !cause) return { kind: "none" };
    return { kind: "ungraded", outcome, cause };
  }
}

/** Lets the agent work; resolves to the last limit that fired. */
async function play(
  options: EpisodeOptions,
  initial: Observation,
  steps: TrajectoryStep[],
  elapsed: () => number,
): Promise<Cause | null> {
  const { environment, agent, maximumSteps, timeoutMilliseconds } = options;
  const deadline = new AbortController();
  const timer =
    timeoutMilliseconds === undefined
      ? null
      : setTimeout(() => deadline.abort(), Math.min(timeoutMilliseconds, 2 ** 31 - 1));
  const signal = options.signal ? AbortSignal.any([options.signal, deadline.signal]) : deadline.signal;
  const timeLimit: Cause = {
    code: "time_limit",
    message: `the agent's time is over after ${(timeoutMilliseconds ?? 0) / 1000} s`,
    limit: (timeoutMilliseconds ?? 0) / 1000,
  };
  let limit: Cause | null = null;
  let over = false;
  const perform = async (call: AgentCall, work: () => Promise<Transition>): Promise<Transition> => {
    options.signal?.throwIfAborted();
    if (over || deadline.signal.aborted) {
      if (deadline.signal.aborted) limit = timeLimit;
      throw new EpisodeOver();
    }
    const called = elapsed();
    let transition = await work();
    options.signal?.throwIfAborted();
    if (deadline.signal.aborted) transition = stoppedByTime(transition, timeLimit);
    const fired = causeIn(transition.info);
    if (fired) limit = fired;
    if (maximumSteps !== undefined && steps.length + 1 >= maximumSteps && !transition.terminated) {
      transition = { ...transition, truncated: true, info: { ...transition.info, step_limit: maximumSteps } };
      limit ??= { code: "step_limit", message: `the agent took ${maximumSteps} steps`, limit: maximumSteps };
    }
    over = transition.terminated || transition.truncated;
    steps.push(record(steps.length, call, transition, called, elapsed()));
    return transition;
  };
  try {
    await agent.run({
      initial,
      tools: environment.tools,
      signal,
      operator: agent.privileged ? (options.operator ?? null) : null,
      step: (call) =>
        perform(call, () =>
          call.action ? environment.step(call.action, { signal }) : Promise.resolve(unreadableCall(call)),
        ),
      record: perform,
    });
  } catch (error) {
    const ended = error instanceof EpisodeOver || error instanceof AgentLimit;
    if (!ended && !(deadline.signal.aborted && signal.reason === error)) throw error;
    if (error instanceof AgentLimit) limit = error.limit;
    if (deadline.signal.aborted) limit = timeLimit;
  } finally {
    if (timer) clearTimeout(timer);
  }
  return limit;
}

function record(
  index: number,
  call: AgentCall,
  transition: Transition,
  called: number,
  returned: number,
): TrajectoryStep {
  const id = call.id ?? `call-${index + 1}`;
  const { observation, reward, terminated, truncated, info } = transition;
  return {
    index,
    call: { id, written: call.written, action: call.action },
    result: { id, raw: observation, shown: observation, changes: [] },
    reward,
    terminated,
    truncated,
    info,
    tokens: call.tokens ? { ...call.tokens } : null,
    time: { called, returned },
  };
}

function unreadableCall(call: AgentCall): Transition {
  const written = typeof call.written === "string" ? call.written : JSON.stringify(call.written);
  const message = call.problem ?? `this is no tool call: ${written.slice(0, 500)}`;
  return {
    observation: { text: `error: ${message}`, data: {} },
    reward: 0,
    terminated: false,
    truncated: false,
    info: { error: { code: "unreadable_call", message } },
  };
}

function stoppedByTime(transition: Transition, limit: Cause): Transition {
  const info: JsonObject = {
    ...transition.info,
    limit: { code: limit.code, message: limit.message, limit: limit.limit ?? 0 },
  };
  const text = `${transition.observation.text}\n[stopped: ${limit.message} (time_limit = ${limit.limit})]`;
  return { ...transition, observation: { ...transition.observation, text }, truncated: !transition.terminated, info };
}

function causeIn(info: JsonObject): Cause | null {
  const limit = info.limit as { code?: unknown; message?: unknown; limit?: unknown } | undefined;
  if (typeof limit?.code !== "string") return null;
  return {
    code: limit.code,
    message: String(limit.message ?? ""),
    ...(typeof limit.limit === "number" ? { limit: limit.limit } : {}),
  };
}
