import { type Check, VerifierError } from "../../../../contract/index.ts";

/** What one kind of report says: its checks, and whether it names them all. */
export type RunReport = { readonly source: string; readonly checks: Check[] };

/** Counts as a runner's summary line states them. */
export type SummaryCounts = Readonly<Record<Check["status"], number>>;

/** How many checks have each status. */
export function countChecks(checks: readonly Check[]): SummaryCounts {
  const counts = { passed: 0, failed: 0, skipped: 0, error: 0 };
  for (const check of checks) counts[check.status] += 1;
  return counts;
}

/** Errors: VerifierError `check_counts_differ` when the checks that were read are not those that the summary counts. */
export function requireCounts(source: string, checks: readonly Check[], summary: SummaryCounts): void {
  const counted = countChecks(checks);
  const differs = (Object.keys(counted) as Check["status"][]).filter((status) => counted[status] !== summary[status]);
  if (differs.length === 0) return;
  throw new VerifierError({
    code: "check_counts_differ",
    message: `${source} names ${text(counted)}, its summary says ${text(summary)}`,
    remedy: "let the runner write a CTRF report or one line for each test",
  });
}

const text = (counts: SummaryCounts) =>
  Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(", ");

/** More checks than any verifier has: a summary that counts more is no summary. */
const maximumChecks = 100_000;

/** Errors: VerifierError `check_counts_differ` when a summary counts more than can have run. */
export function requireSensible(source: string, summary: SummaryCounts): void {
  const total = Object.values(summary).reduce((sum, count) => sum + count, 0);
  if (total <= maximumChecks) return;
  throw new VerifierError({
    code: "check_counts_differ",
    message: `${source} counts ${total} checks, more than ${maximumChecks}`,
    remedy: "let the runner write a CTRF report or one line for each test",
  });
}

const longestLine = 2000;

/** The lines of an output, bounded so that no pattern takes long on one: long ones are cut, wide gaps narrowed. */
export function readableLines(output: string): string[] {
  return output.split("\n").map((line) =>
    line
      .slice(0, longestLine)
      .replace(/\s+$/, "")
      .replace(/\s{9,}/g, "        "),
  );
}
