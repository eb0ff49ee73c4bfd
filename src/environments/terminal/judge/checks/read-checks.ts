import { type Check, VerifierError } from "../../../../contract/index.ts";
import { readCtrf } from "./ctrf.ts";
import { requireTools } from "./missing-tools.ts";
import { readPytestOutput } from "./pytest-output.ts";
import type { RunReport } from "./run-report.ts";
import { readUnittestOutput } from "./unittest-output.ts";

export type CheckSources = {
  /** The text of ctrf.json, null when there is none. */
  readonly ctrf: string | null;
  readonly rewards: Readonly<Record<string, number>>;
  /** What the verifier printed. */
  readonly output: string;
};

/**
 * The checks that a verifier ran: from ctrf.json, else the reward's other keys, else the test runner's text, else the
 * reward itself as one check. Errors: VerifierError `no_check_ran` when a runner ran nothing or skipped everything,
 * `check_counts_differ`, `check_report_unreadable`, `verifier_tools_missing`.
 */
export function readChecks(sources: CheckSources): RunReport {
  const keys = Object.keys(sources.rewards).filter((key) => key !== "reward");
  const runner = (): RunReport | null => readPytestOutput(sources.output) ?? readUnittestOutput(sources.output);
  if (sources.ctrf !== null) return requireExecuted(readCtrf(sources.ctrf));
  if (keys.length > 0) {
    if (keys.every((key) => !isRequirement(key) && sources.rewards[key] === 0))
      requireTools(sources.output, sources.rewards.reward === 1);
    return {
      source: "reward",
      checks: keys.map(
        (key): Check => ({
          name: key,
          status: sources.rewards[key]! >= 1 ? "passed" : "failed",
          ...(isRequirement(key) ? { requirement: key } : {}),
        }),
      ),
    };
  }
  const report = runner();
  if (report) return requireExecuted(report);
  const reward = sources.rewards.reward ?? 0;
  requireTools(sources.output, reward >= 1);
  return { source: "none", checks: [{ name: "reward", status: reward >= 1 ? "passed" : "failed" }] };
}

const isRequirement = (key: string): boolean => /^R[1-9]\d*$/.test(key);

function requireExecuted(report: RunReport): RunReport {
  const executed = report.checks.filter((check) => check.status === "passed" || check.status === "failed");
  if (executed.length > 0) return report;
  const counts = report.checks.map((check) => `${check.name}: ${check.status}`).slice(0, 5);
  throw new VerifierError({
    code: "no_check_ran",
    message: `the verifier ran no check (${report.source}: ${counts.length ? counts.join(", ") : "no tests ran"})`,
    remedy: "see that the tests are found, that their imports exist in the image, and that nothing skips them all",
  });
}
