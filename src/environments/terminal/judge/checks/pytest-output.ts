// Reads pytest's text output: verbose lines, xdist's prefixed lines, the short summary and the last line. Every test is
// kept apart under its whole id, and what was read must add up to what the summary lines count.
import type { Check } from "../../../../contract/index.ts";
import {
  countChecks,
  type RunReport,
  readableLines,
  requireCounts,
  requireSensible,
  type SummaryCounts,
} from "./run-report.ts";

type Status = Check["status"];
const words: Record<string, Status> = {
  PASSED: "passed",
  FAILED: "failed",
  ERROR: "error",
  SKIPPED: "skipped",
  XFAIL: "skipped",
  XPASS: "passed",
};
const word = "(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)";
const end = "(?:\\s+\\(.*\\))?(?:\\s+[\\d.]+m?s)?\\s*(?:\\[\\s*\\d+%\\])?\\s*$";
const place = new RegExp(`\\s${word}`, "g");
const tail = new RegExp(`^${end}`);
const prefixed = new RegExp(`^\\[gw\\d+\\]\\s+\\[\\s*\\d+%\\]\\s+${word}\\s+(\\S.*::.*\\S)\\s*$`);
const subtest = /\sSUBFAILED(\[.*\])?(\s+\(.*\))?\s*(?:\[\s*\d+%\])?\s*$/;
const late = new RegExp(`(?:^|[^A-Z])${word}${end}`);
const started = /^\S+\.py::\S/;
const short = new RegExp(`^${word}\\s+(?:\\[(\\d+)\\]\\s+)?(.+)$`);
const summaryLine = /^=*\s*((?:\d+ [a-z]+(?: [a-z]+)?(?:, )?)+|no tests ran) in [\d.]+s(?: \([\d:]+\))?\s*=*$/;
const passing = /^(?:passed|xpassed)$/;

/** null when the output is not pytest's. Errors: VerifierError `check_counts_differ`. */
export function readPytestOutput(output: string): RunReport | null {
  const lines = readableLines(output.replace(ansi, ""));
  const summary = readSummary(lines);
  if (!summary) return null;
  requireSensible("pytest's output", summary);
  const verbose = readVerbose(lines);
  const listed = readShort(lines, verbose);
  if (verbose.length === 0) return { source: "pytest", checks: fill(listed, summary) };
  const checks = merge(verbose, listed);
  for (let count = countChecks(checks).skipped; count < summary.skipped; count++)
    checks.push({ name: `skipped module ${count + 1}`, status: "skipped" });
  requireCounts("pytest's output", checks, summary);
  return { source: "pytest", checks };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character starts a colour sequence
const ansi = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

function readSummary(lines: readonly string[]): SummaryCounts | null {
  const counts = { passed: 0, failed: 0, skipped: 0, error: 0 };
  let seen = false;
  for (const line of lines) {
    const match = summaryLine.exec(line.trim());
    if (!match) continue;
    seen = true;
    for (const [, count, noun] of match[1]!.matchAll(/(\d+) ([a-z]+(?: [a-z]+)?)/g)) {
      if (passing.test(noun!)) counts.passed += Number(count);
      else if (noun === "failed") counts.failed += Number(count);
      else if (noun === "skipped" || noun === "xfailed") counts.skipped += Number(count);
      else if (noun === "error" || noun === "errors") counts.error += Number(count);
    }
  }
  return seen ? counts : null;
}

function readVerbose(lines: readonly string[]): Check[] {
  const checks: Check[] = [];
  let open: string | null = null;
  for (const line of lines) {
    const whole = inline(line);
    const parallel = prefixed.exec(line);
    const part = subtest.exec(line);
    if (part && isTest(line.slice(0, part.index)))
      checks.push({ name: `${nodeId(line.slice(0, part.index))} ${part[1] ?? ""}${part[2] ?? ""}`, status: "failed" });
    else if (parallel) checks.push({ name: parallel[2]!, status: words[parallel[1]!]! });
    else if (whole && !/^(?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\s/.test(line)) {
      checks.push({ name: nodeId(whole.name), status: words[whole.word]! });
      open = null;
    } else if (/^=+ .* =+$/.test(line)) open = null;
    else if (open !== null && late.test(line)) {
      checks.push({ name: open, status: words[late.exec(line)![1]!]! });
      open = null;
    } else if (started.test(line) && !line.startsWith(" ")) open = nodeId(line);
  }
  return checks;
}

/** A test's id and the first status behind it with which the line may end. */
function inline(line: string): { name: string; word: string } | null {
  if (!line.includes("::")) return null;
  for (const match of line.matchAll(place)) {
    const name = line.slice(0, match.index).trimEnd();
    if (isTest(name) && tail.test(line.slice(match.index + match[0].length))) return { name, word: match[1]! };
  }
  return null;
}

const isTest = (text: string) => /^\S/.test(text) && /.::./.test(text);

/** The id at the start of a line: it ends at the first white space after `::` outside brackets. */
function nodeId(line: string): string {
  let depth = 0;
  for (let index = line.indexOf("::") + 2; index < line.length; index++) {
    if (line[index] === "[") depth += 1;
    else if (line[index] === "]") depth = Math.max(0, depth - 1);
    else if (depth === 0 && /\s/.test(line[index]!)) return line.slice(0, index);
  }
  return line;
}

function readShort(lines: readonly string[], verbose: readonly Check[]): Check[] {
  const begin = lines.findIndex((line) => /^=+ short test summary info =+$/.test(line.trim()));
  if (begin < 0) return [];
  const known = new Set(verbose.map(({ name }) => name));
  const checks: Check[] = [];
  for (const line of lines.slice(begin + 1)) {
    const match = short.exec(line);
    if (!match) continue;
    const [, label, repeat, rest] = match as unknown as [string, string, string | undefined, string];
    if (repeat && label === "SKIPPED") {
      requireSensible("pytest's short summary", { ...none, skipped: checks.length + Number(repeat) });
      for (let index = 0; index < Number(repeat); index++)
        checks.push({ name: `skipped: ${rest}${index ? ` #${index + 1}` : ""}`, status: "skipped" });
      continue;
    }
    const { name, message } = splitMessage(rest, known);
    checks.push({ name, status: words[label]!, ...(message ? { message } : {}) });
  }
  return checks;
}

const none: SummaryCounts = { passed: 0, failed: 0, skipped: 0, error: 0 };

function splitMessage(rest: string, known: ReadonlySet<string>): { name: string; message: string } {
  if (known.has(rest)) return { name: rest, message: "" };
  for (let index = rest.indexOf(" - "); index >= 0; index = rest.indexOf(" - ", index + 1))
    if (known.has(rest.slice(0, index))) return { name: rest.slice(0, index), message: rest.slice(index + 3) };
  let depth = 0;
  for (let index = 0; index < rest.length; index++) {
    if (rest[index] === "[") depth += 1;
    else if (rest[index] === "]") depth = Math.max(0, depth - 1);
    else if (depth === 0 && rest.startsWith(" - ", index))
      return { name: rest.slice(0, index), message: rest.slice(index + 3) };
  }
  return { name: rest, message: "" };
}

/** A test whose teardown raised has two lines: it passed, and it is an error. Collection errors have no verbose line. */
function merge(verbose: readonly Check[], listed: readonly Check[]): Check[] {
  const messages = new Map(listed.map((check) => [`${check.status} ${check.name}`, check.message]));
  const named = new Set(verbose.map((check) => `${check.status} ${check.name}`));
  const merged = verbose.map((check) => {
    const message = messages.get(`${check.status} ${check.name}`);
    return message ? { ...check, message } : check;
  });
  const extra = listed.filter((check) => check.status === "error" && !named.has(`error ${check.name}`));
  return [...merged, ...extra];
}

function fill(listed: readonly Check[], summary: SummaryCounts): Check[] {
  const counted = countChecks(listed);
  const checks = [...listed];
  let index = 0;
  for (const status of Object.keys(summary) as Status[]) {
    if (counted[status] > summary[status]) requireCounts("pytest's short summary", listed, summary);
    for (let missing = summary[status] - counted[status]; missing > 0; missing--)
      checks.push({ name: `unnamed test ${++index}`, status });
  }
  return checks;
}
