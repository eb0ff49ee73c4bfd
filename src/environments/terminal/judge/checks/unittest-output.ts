import type { Check } from "../../../../contract/index.ts";
import { type RunReport, readableLines, requireCounts, requireSensible, type SummaryCounts } from "./run-report.ts";

const testLine = /^(\S+) \(([\w.<>]+)\)(.*)$/;
const resultPart = /\.\.\. (?:.* )?(ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)\s*$/;
const lateResult = /(?:^|\s)(ok|FAIL|ERROR|skipped '.*'|expected failure|unexpected success)\s*$/;

/**
 * Reads Python's unittest output. Verbose output names the tests (a docstring's first line comes between the name and
 * the result); without it the tests are counted only. null when the output is not unittest's.
 * Errors: VerifierError `check_counts_differ`.
 */
export function readUnittestOutput(output: string): RunReport | null {
  const lines = readableLines(output);
  const summary = readSummary(lines);
  if (!summary) return null;
  requireSensible("unittest's output", summary);
  const named = readVerbose(lines);
  if (named.length > 0) {
    requireCounts("unittest's output", named, summary);
    return { source: "unittest", checks: named };
  }
  const checks: Check[] = [];
  for (const status of Object.keys(summary) as Check["status"][])
    for (let index = 0; index < summary[status]; index++)
      checks.push({ name: `unnamed test ${checks.length + 1}`, status });
  return { source: "unittest", checks };
}

function readSummary(lines: readonly string[]): SummaryCounts | null {
  const counts = { passed: 0, failed: 0, skipped: 0, error: 0 };
  let open = 0;
  let seen = false;
  for (const line of lines) {
    const ran = /^Ran (\d+) tests? in [\d.]+s$/.exec(line.trim());
    if (ran) open = Number(ran[1]);
    const result = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/.exec(line.trim());
    if (ran) seen = true;
    if (!result || !seen) continue;
    const part = (name: string) => Number(new RegExp(`(?:^|, )${name}=(\\d+)`).exec(result[1] ?? "")?.[1] ?? 0);
    const failed = part("failures") + part("unexpected successes");
    const skipped = part("skipped") + part("expected failures");
    counts.failed += failed;
    counts.error += part("errors");
    counts.skipped += skipped;
    counts.passed += Math.max(0, open - failed - skipped - part("errors"));
    open = 0;
  }
  return seen ? counts : null;
}

function readVerbose(lines: readonly string[]): Check[] {
  const checks: Check[] = [];
  let open: string | null = null;
  for (const line of lines) {
    if (/^(?:=|-){20,}$/.test(line)) break;
    const test = testLine.exec(line);
    if (test) open = `${test[1]} (${test[2]})`;
    const rest: string = test ? test[3]! : line;
    const result = resultPart.exec(rest) ?? (test ? null : open && lateResult.exec(rest));
    if (!open || !result) continue;
    checks.push({ name: open, status: statusOf(result[1]!) });
    open = null;
  }
  return checks;
}

function statusOf(word: string): Check["status"] {
  if (word === "ok") return "passed";
  if (word === "FAIL" || word === "unexpected success") return "failed";
  return word === "ERROR" ? "error" : "skipped";
}
