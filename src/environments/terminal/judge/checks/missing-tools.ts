import { VerifierError } from "../../../../contract/index.ts";
import { readableLines } from "./run-report.ts";

const tool = "(?:pytest|py\\.test|uvx?|pip3?|python[\\d.]*|node|npm|npx|cargo|go|bats|jest|vitest)";
/** Nothing can have been checked. */
const noRunner = [
  new RegExp(`^\\S+: (?:line )?\\d+: (?:\\S*/)?${tool}: (?:command )?not found$`),
  /^\S*python[\d.]*: No module named ['"]?(?:pytest|nose2?|tox)\b/,
  /^(?:ERROR: |pytest: |__main__\.py: |py\.test: )?(?:error: )?unrecognized arguments: /,
  new RegExp(`^(?:/usr/bin/)?env: .?${tool}.?: No such file or directory$`),
];
/** What a fetch at the time of the tests says when it can't. */
const noFetch = [
  /^curl: \(\d+\) (?:Could not resolve|Failed to connect)/,
  /^(?:wget|fatal): .*(?:unable to resolve|Could not resolve)/,
  /^[EW]: .*Temporary failure resolving/,
  /Temporary failure in name resolution/,
  /^E: (?:Unable to locate package|Unable to fetch some archives)/,
  /^(?:error| {1,2}×|├─▶|╰─▶).*(?:Failed to fetch|error sending request for url|network (?:was|connectivity is) disabled)/,
  /^npm (?:ERR!|error) (?:code )?(?:ENOTFOUND|EAI_AGAIN|ENOTCACHED)/,
  /^ERROR: (?:No matching distribution found|Could not find a version that satisfies)/,
];

/**
 * A verdict whose verifier names no check, although its output tells that its runner is missing or refuses a flag, or
 * that it could not fetch what it needs, is none. A full reward stands when only a fetch failed: something else was
 * checked. Errors: VerifierError `verifier_tools_missing`.
 */
export function requireTools(output: string, isFull: boolean): void {
  const lines = readableLines(output).map((line) => line.trim());
  const says = (patterns: readonly RegExp[]) => (line: string) => patterns.some((pattern) => pattern.test(line));
  const told = lines.find(says(noRunner)) ?? (isFull ? undefined : lines.findLast(says(noFetch)));
  if (told === undefined) return;
  throw new VerifierError({
    code: "verifier_tools_missing",
    message: `the verifier could not run its checks: ${told.slice(0, 300)}`,
    remedy: "put what the verifier needs into the image, so that its verdict doesn't hang on the network",
  });
}
