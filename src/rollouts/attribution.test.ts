import { describe, expect, it } from "vitest";
import {
  ArtefactError,
  EnvironmentError,
  ModelError,
  SandboxError,
  TaskFormatError,
  type Verdict,
  VerifierError,
} from "../contract/index.ts";
import { attributeError, attributeVerdict, type Baseline } from "./attribution.ts";

const graded: Baseline = { kind: "graded", checks: ["a", "b"] };
const broken: Baseline = { kind: "ungraded", outcome: "task_error", cause: { code: "reward_missing", message: "m" } };
const unreachable: Baseline = {
  kind: "ungraded",
  outcome: "infra_error",
  cause: { code: "engine_unavailable", message: "m" },
};
const none: Baseline = { kind: "none" };
const timeout = new VerifierError({ code: "verifier_timeout", message: "too slow", details: { limit: 60 } });
const of = (error: unknown, baseline: Baseline = none, cancelled = false) => {
  const { outcome, cause, verdict } = attributeError(error, { cancelled, baseline });
  return [outcome, cause?.code, verdict?.score ?? null];
};

describe("attributeError", () => {
  it.each([
    ["the verifier stops on this result alone", timeout, graded, ["failure", "verifier_timeout", 0]],
    ["the verifier stops on the oracle's result too", timeout, broken, ["task_error", "verifier_timeout", null]],
    ["nothing to compare with", timeout, none, ["task_error", "verifier_timeout", null]],
    ["the comparison met a fault of the machine", timeout, unreachable, ["infra_error", "engine_unavailable", null]],
    [
      "no reward on this result alone",
      new VerifierError({ code: "reward_missing", message: "m" }),
      graded,
      ["failure", "verifier_crash", 0],
    ],
    [
      "no check on the oracle's result",
      new VerifierError({ code: "no_check_ran", message: "m" }),
      broken,
      ["task_error", "no_check_ran", null],
    ],
    [
      "the sandbox's host",
      new SandboxError({ code: "host_disk_full", message: "m" }),
      graded,
      ["infra_error", "host_disk_full", null],
    ],
    ["the endpoint", new ModelError({ code: "endpoint", message: "m" }), graded, ["infra_error", "endpoint", null]],
    [
      "an artefact that may not travel",
      new ArtefactError({ code: "fifo", message: "m" }),
      graded,
      ["failure", "artefact_refused", 0],
    ],
    [
      "the task's format",
      new TaskFormatError({ code: "no_solution", message: "m" }),
      graded,
      ["task_error", "no_solution", null],
    ],
    [
      "the environment's contract",
      new EnvironmentError({ code: "healthcheck_failed", message: "m" }),
      graded,
      ["task_error", "healthcheck_failed", null],
    ],
    ["a mistake of ours", new TypeError("m"), graded, ["infra_error", "internal_error", null]],
  ] as const)("%s", (_, error, baseline, expected) => {
    expect(of(error, baseline)).toEqual(expected);
  });

  it("says cancelled whatever broke then, and keeps a limit's value", () => {
    expect(of(new SandboxError({ code: "x", message: "m" }), graded, true)).toEqual(["cancelled", "cancelled", null]);
    expect(attributeError(timeout, { cancelled: false, baseline: graded }).cause?.limit).toBe(60);
  });
});

describe("attributeVerdict", () => {
  const verdict = (score: number, checks: string[], more: Partial<Verdict> = {}): Verdict => ({
    success: score === 1,
    score,
    rewards: { reward: score },
    checks: checks.map((name) => ({ name, status: score === 1 ? "passed" : "failed" })),
    ...more,
  });
  const limit = { code: "memory_limit", message: "m", limit: 5 };

  it("passes no full reward that its own checks contradict", () => {
    const contradicted = verdict(1, ["a", "b"], {
      checks: [
        { name: "a", status: "passed" },
        { name: "b", status: "failed" },
      ],
    });
    expect(attributeVerdict(contradicted, { expected: ["a", "b"], limit: null })).toMatchObject({
      outcome: "failure",
      verdict: { score: 0 },
      cause: { code: "checks_missing" },
    });
    expect(attributeVerdict(contradicted, { expected: ["a"], limit: null }).outcome).toBe("success");
  });

  it("passes only what went through the oracle's checks", () => {
    expect(attributeVerdict(verdict(1, ["a", "b", "c"]), { expected: ["a", "b"], limit: null }).outcome).toBe(
      "success",
    );
    expect(attributeVerdict(verdict(1, []), { expected: null, limit: null }).outcome).toBe("success");
    const missing = attributeVerdict(verdict(1, ["a"]), { expected: ["a", "b"], limit: null });
    expect(missing).toMatchObject({
      outcome: "failure",
      cause: { code: "checks_missing" },
      verdict: { success: false, score: 0, details: { reported_score: 1, missing_checks: ["b"] } },
    });
    const byRequirement = verdict(1, [], { checks: [{ name: "R1 totals", status: "passed", requirement: "R1" }] });
    expect(attributeVerdict(byRequirement, { expected: ["R1"], limit: null }).outcome).toBe("success");
  });

  it("a success on the very step that hit a limit is a success", () => {
    expect(attributeVerdict(verdict(1, ["a"]), { expected: ["a"], limit })).toMatchObject({
      outcome: "success",
      cause: null,
    });
  });

  it("names why a failure failed", () => {
    const cause = (v: Verdict, l: typeof limit | null = null) =>
      attributeVerdict(v, { expected: null, limit: l }).cause?.code;
    expect(cause(verdict(0, ["a"]))).toBe("wrong_result");
    expect(cause(verdict(0, ["a"]), limit)).toBe("memory_limit");
    expect(cause(verdict(0, ["a"], { attacks: ["x"] }))).toBe("reward_forged");
    expect(cause(verdict(0, [], { details: { cause: { code: "artefact_refused", message: "m" } } }), limit)).toBe(
      "artefact_refused",
    );
  });
});
