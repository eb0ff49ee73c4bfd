import { describe, expect, it } from "vitest";
import {
  type Environment,
  EnvironmentError,
  type Judge,
  type Observation,
  SandboxError,
  trajectorySchema,
  type Verdict,
  VerifierError,
} from "../contract/index.ts";
import { callsAgent } from "./agents/script.ts";
import { type EpisodeOptions, runEpisode } from "./episode.ts";
import { runGroup } from "./group.ts";
import { summarise } from "./summary.ts";
import type { TrialResult } from "./trial-result.ts";

const see = (text: string): Observation => ({ text, data: {} });

/** Counts to `goal`; `faults` raise in reset, in a step or in the verdict. */
function counter(goal: number, faults: { reset?: Error; step?: [number, Error]; verdict?: Error[] } = {}) {
  let count = 0;
  let steps = 0;
  const environment: Environment = {
    kind: "counter",
    tools: [{ name: "add", description: "adds one", parameters: {} }],
    async reset() {
      if (faults.reset) throw faults.reset;
      return see("0");
    },
    async step() {
      steps += 1;
      if (faults.step?.[0] === steps) throw faults.step[1];
      count += 1;
      return { observation: see(String(count)), reward: 0.5, terminated: false, truncated: false, info: {} };
    },
    observe: async () => see(String(count)),
    view: async () => count,
    snapshot: async () => ({ kind: "counter", digest: "", data: count }),
    restore: async () => {},
    close: async () => {},
  };
  let verdicts = 0;
  const judge: Judge & { asked: () => number } = {
    digest: "sha256:0",
    asked: () => verdicts,
    async verdict(): Promise<Verdict> {
      const fault = faults.verdict?.[verdicts];
      verdicts += 1;
      if (fault) throw fault;
      const score = count >= goal ? 1 : 0;
      return {
        success: score === 1,
        score,
        rewards: { reward: score },
        checks: [{ name: "goal", status: score ? "passed" : "failed" }],
      };
    },
  };
  return { environment, judge };
}
const add = { written: "add", action: { name: "add", arguments: {} } };
const adding = (times: number) => callsAgent("script", Array(times).fill(add));
const task = { id: "counter", digest: "sha256:c" };
const play = (
  goal: number,
  steps: number,
  faults?: Parameters<typeof counter>[1],
  more: Partial<EpisodeOptions> = {},
) => runEpisode({ ...counter(goal, faults), agent: adding(steps), task, now: () => 0, ...more });
const asTrial = async (result: ReturnType<typeof play>): Promise<TrialResult> => ({
  ...(await result),
  scriptExit: null,
  changes: null,
});

describe("runEpisode", () => {
  it("records calls and results under the same ids", async () => {
    const { trajectory, grading } = await play(2, 2);
    expect(grading.outcome).toBe("success");
    expect(trajectory.steps.map(({ call, result }) => [call.id, result.id, result.shown.text])).toEqual([
      ["call-1", "call-1", "1"],
      ["call-2", "call-2", "2"],
    ]);
    expect(trajectorySchema.parse(JSON.parse(JSON.stringify(trajectory)))).toEqual(trajectory);
  });

  it("counts a success on the very step that hits a limit, and stops there", async () => {
    const { trajectory, grading } = await play(2, 9, {}, { maximumSteps: 2 });
    expect(grading.outcome).toBe("success");
    expect(trajectory.steps).toHaveLength(2);
    expect(trajectory.steps[1]?.truncated).toBe(true);
    expect((await play(3, 9, {}, { maximumSteps: 2 })).grading).toMatchObject({
      outcome: "failure",
      cause: { code: "step_limit", limit: 2 },
    });
  });

  it("grades again after a verifier's error, once, without running the agent again", async () => {
    const lost = new VerifierError({ code: "reward_missing", message: "m" });
    const once = counter(1, { verdict: [lost] });
    expect((await runEpisode({ ...once, agent: adding(1), task })).grading.outcome).toBe("success");
    expect(once.judge.asked()).toBe(2);
    const twice = counter(1, { verdict: [lost, lost] });
    const { grading, trajectory } = await runEpisode({
      ...twice,
      agent: adding(1),
      task,
      baseline: async () => ({ kind: "graded", checks: [] }),
    });
    expect(grading).toMatchObject({ outcome: "failure", cause: { code: "verifier_crash" } });
    expect(twice.judge.asked()).toBe(2);
    expect(trajectory.steps).toHaveLength(1);
  });

  // BR036
  it("uses no partial reward of an episode that a fault ended", async () => {
    const { grading, trajectory } = await play(9, 5, {
      step: [3, new SandboxError({ code: "sandbox_lost", message: "m" })],
    });
    expect(grading).toEqual({ outcome: "infra_error", verdict: null, cause: { code: "sandbox_lost", message: "m" } });
    expect(trajectory.steps).toHaveLength(2);
    expect(trajectory.verdict).toBeNull();
  });

  // BR069
  it("answers what is no tool call, and goes on", async () => {
    const agent = callsAgent("script", [{ written: "{broken", action: null }, add]);
    const { trajectory, grading } = await runEpisode({ ...counter(1), agent, task });
    expect(grading.outcome).toBe("success");
    expect(trajectory.steps[0]).toMatchObject({
      call: { written: "{broken", action: null },
      info: { error: { code: "unreadable_call" } },
    });
  });

  it("is cancelled by its signal", async () => {
    const abort = new AbortController();
    const agent = { name: "x", version: "1", run: async () => abort.abort(new Error("stop")) };
    expect((await runEpisode({ ...counter(1), agent, task, signal: abort.signal })).grading.outcome).toBe("cancelled");
  });

  it("stops an agent that never ends at its time limit, and judges what is there", async () => {
    const agent = {
      name: "endless",
      version: "1",
      async run(session: import("./agent.ts").AgentSession) {
        await session.step(add);
        await new Promise((_, reject) => session.signal.addEventListener("abort", () => reject(session.signal.reason)));
      },
    };
    const options = { agent, task, timeoutMilliseconds: 30 };
    expect((await runEpisode({ ...counter(1), ...options })).grading.outcome).toBe("success");
    expect((await runEpisode({ ...counter(2), ...options })).grading).toMatchObject({
      outcome: "failure",
      cause: { code: "time_limit", limit: 0.03 },
    });
  });
});

describe("runGroup", () => {
  // BR035
  it("gives every episode its outcome, whatever happens to the others", async () => {
    const item = { task, agent: { name: "script", version: "1" } };
    const faults = new Map<number, Parameters<typeof counter>[1]>([
      [1, { reset: new EnvironmentError({ code: "broken", message: "m" }) }],
      [3, { step: [3, new SandboxError({ code: "sandbox_lost", message: "m" })] }],
      [
        6,
        {
          verdict: [
            new VerifierError({ code: "reward_missing", message: "m" }),
            new VerifierError({ code: "reward_missing", message: "m" }),
          ],
        },
      ],
    ]);
    let running = 0;
    let most = 0;
    const results = await runGroup(
      Array(9).fill(item),
      async (_, index) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
        if (index === 8) throw new Error("not even a result");
        return asTrial(play(3, 4, faults.get(index)));
      },
      { concurrency: 3 },
    );
    expect(most).toBe(3);
    expect(results.map(({ grading }) => grading.outcome)).toEqual([
      "success",
      "task_error",
      "success",
      "infra_error",
      "success",
      "success",
      "task_error",
      "success",
      "infra_error",
    ]);
    expect(results.filter(({ grading }) => grading.verdict !== null)).toHaveLength(5);
    const summary = summarise(results);
    expect(summary.rate).toMatchObject({ attempted: 9, graded: 5, ungraded: 4 });
    expect(summary.text).toContain("5 of 5 graded succeeded");
    expect(summary.text).toContain("4 of 9 not graded");
    expect(summary.meanScore).toBeNull();
  });

  it("cancels those that were not begun", async () => {
    const abort = new AbortController();
    const results = await runGroup(
      Array(4).fill({ task, agent: { name: "script", version: "1" } }),
      async (_, index) => {
        if (index === 1) abort.abort();
        return asTrial(play(1, 1));
      },
      { concurrency: 1, signal: abort.signal },
    );
    expect(results.map(({ grading }) => grading.outcome)).toEqual(["success", "success", "cancelled", "cancelled"]);
  });
});
