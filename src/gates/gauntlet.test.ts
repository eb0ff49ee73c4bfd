// Gates over recorded trials: what they say of faults of the machine, weak modes, odd verifiers.
import { describe, expect, it } from "vitest";
import { SandboxError } from "../contract/index.ts";
import { readTask } from "../tasks/index.ts";
import { passGauntlet, type Trial, type TrialPlan, type TrialSource, trialKey, verdictOf } from "./index.ts";

const graded = (score: number): Omit<Trial, "key"> => ({
  outcome: score === 1 ? "success" : "failure",
  score,
  rewards: { reward: score, sum: score },
  checks: [{ name: "sum", status: score === 1 ? "passed" : "failed" }],
  cause: score === 1 ? null : { code: "wrong_result", message: "failed: sum" },
  attacks: [],
  surroundings: { mode: "restored", network: "none" },
  scriptExit: 0,
  changes: [{ change: "added", path: "/app/sum.txt" }],
  seconds: { agent: 0.1, verifier: 0.1 },
});
const ungraded = (outcome: Trial["outcome"], code: string): Omit<Trial, "key"> => ({
  ...graded(0),
  outcome,
  score: null,
  rewards: {},
  checks: [],
  cause: { code, message: `something at 0x7f31aa02 took 1.25 s` },
  changes: null,
});
const image = {
  digest: "sha256:1",
  layers: [],
  hostSystem: true,
  configuration: { environment: {}, workingDirectory: "/app", user: "" },
  provenance: { base: "debian:bookworm-slim", how: "built" as const },
};

type Recorded = Partial<Record<string, Omit<Trial, "key">>>;
async function pass(recorded: Recorded, source: Partial<TrialSource> = {}, name = "sound") {
  const path = `test/fixtures/broken-tasks/${name}`;
  const trial = async (plan: TrialPlan): Promise<Trial> => {
    const key = trialKey(plan);
    return { key, ...(recorded[key] ?? (plan.agent === "oracle" ? graded(1) : graded(0))) };
  };
  let time = 0;
  const { report, timings } = await passGauntlet(
    await readTask(path),
    { image: async () => image, trial, ...source },
    { level: "core", seed: 3, repeats: 1, path, now: () => ++time },
  );
  return { report, timings, status: Object.fromEntries(report.results.map(({ gate, status }) => [gate, status])) };
}
const failing = (status: Record<string, string>, word: string) =>
  Object.keys(status).filter((gate) => status[gate] === word);

describe("passGauntlet", () => {
  it("accepts what every required gate passes", async () => {
    const { report, status } = await pass({});
    expect(report.accepted).toBe(true);
    expect(failing(status, "skip")).toEqual(["requirements_traced"]);
    expect(report.required).not.toContain("requirements_traced");
    expect(report.required).not.toContain("dependency_pinning");
  });

  it.each([
    [
      "oracle",
      [
        "oracle_max",
        "no_check_ran",
        "reward_well_formed",
        "verifier_determinism",
        "verifier_portability",
        "inputs_untouched",
        "resource_envelope",
      ],
    ],
    ["nop", ["reward_well_formed", "floor_gap", "verifier_determinism"]],
    ["partial_first_only", ["partials_below_max"]],
    ["nop#1", ["verifier_determinism"]],
  ])("a fault of the machine in the trial %s is no verdict", async (key, gates) => {
    const { report, status } = await pass({ [key]: ungraded("infra_error", "sandbox_lost") });
    expect(failing(status, "error")).toEqual(expect.arrayContaining(gates));
    expect(failing(status, "fail")).toEqual([]);
    expect(report.accepted).toBe(false);
    expect(verdictOf(report)).toBe("not graded");
  });

  it("a build that fails is the task's fault, one that couldn't run is the machine's", async () => {
    const build = (code: string) => ({
      image: () => Promise.reject(new SandboxError({ code, message: "line 3: no such file", remedy: "see the log" })),
    });
    const bad = await pass({}, build("image_build_failed"));
    expect(bad.status).toMatchObject({ reproducible_build: "fail", oracle_max: "skip", floor_gap: "skip" });
    expect(verdictOf(bad.report)).toBe("failed");
    const unlucky = await pass({}, build("image_missing"));
    expect(unlucky.status).toMatchObject({ reproducible_build: "error", oracle_max: "skip" });
    expect(verdictOf(unlucky.report)).toBe("not graded");
  });

  it("a gate that throws says error, and the others go on", async () => {
    const trial = (plan: TrialPlan) =>
      plan.agent === "partial"
        ? Promise.reject(new Error("out of luck"))
        : Promise.resolve({ key: trialKey(plan), ...graded(plan.agent === "oracle" ? 1 : 0) });
    const { status, report } = await pass({}, { trial });
    expect(failing(status, "error")).toEqual(["partials_below_max"]);
    expect(report.results.find(({ gate }) => gate === "partials_below_max")?.evidence[0]?.message).toContain(
      "out of luck",
    );
  });

  it("each trial runs once, the oracle's first", async () => {
    const asked: string[] = [];
    const trial = async (plan: TrialPlan, oracle: Trial | null) => {
      asked.push(trialKey(plan));
      if (plan.agent !== "oracle" || plan.repeat > 0) expect(oracle?.key).toBe("oracle");
      return { key: trialKey(plan), ...graded(plan.agent === "oracle" ? 1 : 0) };
    };
    const { timings } = await pass({}, { trial });
    expect(asked[0]).toBe("oracle");
    expect([...asked].sort()).toEqual(["nop", "nop#1", "oracle", "oracle#1", "partial_first_only"]);
    expect(Object.keys(timings.trials).sort()).toEqual([...asked].sort());
  });

  it("names unknown gates and levels", async () => {
    const task = await readTask("test/fixtures/broken-tasks/sound");
    const source: TrialSource = { image: async () => image, trial: () => Promise.reject(new Error()) };
    const options = { level: "core" as const, seed: 1, repeats: 0, now: () => 0 };
    await expect(passGauntlet(task, source, { ...options, gates: ["floor"] })).rejects.toThrow("floor_gap");
    await expect(passGauntlet(task, source, { ...options, level: "full" as never })).rejects.toThrow("core");
    const { report } = await passGauntlet(task, source, { ...options, level: "static" });
    expect(report.accepted).toBe(true);
    expect(report.results.map(({ gate }) => gate)).not.toContain("oracle_max");
  });
});

describe("gates over recorded trials", () => {
  it("a verifier that hangs on the oracle isn't paid for again", async () => {
    const { status, report } = await pass({ oracle: ungraded("task_error", "verifier_timeout") });
    expect(status).toMatchObject({
      oracle_max: "fail",
      floor_gap: "skip",
      reward_well_formed: "skip",
      resource_envelope: "fail",
    });
    expect(JSON.stringify(report)).not.toMatch(/7f31aa02|1\.25/);
  });

  it("a solution that is only verified live, or needs the network, is said so", async () => {
    const live = await pass({ oracle: { ...graded(1), surroundings: { mode: "live", network: "none" } } });
    expect(live.status.oracle_max).toBe("warn");
    const fetching = await pass({ oracle: { ...graded(1), surroundings: { mode: "restored", network: "agent" } } });
    expect(fetching.status).toMatchObject({ oracle_max: "pass", verifier_portability: "warn" });
    const leaning = await pass({ oracle: { ...graded(1), surroundings: { mode: "restored", network: "declared" } } });
    expect(leaning.status.verifier_portability).toBe("fail");
  });

  it("checks that differ between repeats at the same reward are found", async () => {
    const checks = [{ name: "sum", status: "skipped" as const }];
    const { report, status } = await pass({ "nop#1": { ...graded(0), checks } });
    expect(status.verifier_determinism).toBe("fail");
    expect(report.results.find(({ gate }) => gate === "verifier_determinism")?.evidence[0]?.message).toBe(
      "sum: failed in nop, skipped in nop#1",
    );
  });

  it("some checks skipped is a warning, all of them no verdict", async () => {
    const skippedOne = [...graded(1).checks, { name: "more", status: "skipped" as const }];
    expect((await pass({ oracle: { ...graded(1), checks: skippedOne } })).status.no_check_ran).toBe("warn");
    expect((await pass({ oracle: { ...graded(1), checks: [] } })).status.no_check_ran).toBe("warn");
    expect((await pass({ oracle: { ...graded(1), checks: skippedOne.slice(1) } })).status.no_check_ran).toBe("fail");
  });

  it("limits that are nearly used up are a warning, and no time stands in the report", async () => {
    const { status, report } = await pass({ oracle: { ...graded(1), seconds: { agent: 271.83, verifier: 1 } } });
    expect(status.resource_envelope).toBe("warn");
    expect(JSON.stringify(report)).not.toContain("271");
  });

  it("image files that an imported task's solution changes are named, what every work leaves isn't", async () => {
    const changes = [
      { change: "modified" as const, path: "/app/numbers.txt" },
      { change: "modified" as const, path: "/root/.cache/x" },
      { change: "added" as const, path: "/solution/solve.sh" },
    ];
    const { report, status } = await pass({ oracle: { ...graded(1), changes } });
    expect(status.inputs_untouched).toBe("warn");
    expect(report.results.find(({ gate }) => gate === "inputs_untouched")?.evidence).toEqual([
      { message: "/app/numbers.txt is modified" },
    ]);
  });

  it("a replaced base is said so", async () => {
    const substituted = {
      ...image,
      provenance: { base: "python:3.11-slim", how: "substituted" as const, note: "debian stands in" },
    };
    const { status } = await pass({}, { image: async () => substituted });
    expect(status.reproducible_build).toBe("warn");
  });
});
