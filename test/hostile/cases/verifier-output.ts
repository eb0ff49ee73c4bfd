// What a verifier leaves behind: reward files, CTRF reports, and the text of test runners.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readChecks } from "../../../src/environments/terminal/judge/checks/read-checks.ts";
import { parseReward } from "../../../src/environments/terminal/judge/reward.ts";
import * as op from "../operators.ts";
import { type HostileCase, type HostileKind, rejects } from "../suite.ts";

const c = (operator: op.Operator, expected: HostileCase["expected"]): HostileCase => ({ operator, expected });
const bytes = (directory: string, name: string) => {
  const path = join(directory, name);
  return existsSync(path) ? readFileSync(path) : null;
};

const json = "reward.json";
const text = "reward.txt";
const reward = (operator: op.Operator, code: string, says?: RegExp) =>
  c(operator, rejects(code, undefined, says === undefined ? {} : { says }));
export const rewards: HostileKind = {
  kind: "reward",
  base: op.folderOf({ [json]: '{"reward": 0.5, "R1": 1}\n' }),
  read: async (directory) => {
    parseReward({ json: bytes(directory, json), text: bytes(directory, text) });
    return { warnings: [] };
  },
  cases: [
    reward(op.missing(json), "reward_missing"),
    reward(op.empty(json), "reward_not_a_number"),
    reward(op.truncated(json), "reward_not_a_number"),
    reward(op.bom(json), "reward_not_a_number"),
    reward(op.utf16(json), "reward_unreadable", /UTF-8/),
    reward(op.garbage(json), "reward_unreadable", /UTF-8/),
    reward(op.edit("text for a number", json, "0.5", '"0.5"'), "reward_not_a_number"),
    reward(op.edit("boolean for a number", json, "0.5", "true"), "reward_not_a_number"),
    reward(op.edit("null for a number", json, "0.5", "null"), "reward_not_a_number"),
    reward(op.edit("NaN", json, "0.5", "NaN"), "reward_not_a_number"),
    reward(op.edit("infinity", json, "0.5", "1e999"), "reward_not_a_number"),
    reward(op.edit("negative", json, "0.5", "-0.5"), "reward_out_of_range"),
    reward(op.edit("negative zero", json, "0.5", "-0"), "reward_out_of_range"),
    reward(op.edit("more than one", json, "0.5", "1.0001"), "reward_out_of_range"),
    reward(op.edit("no reward key", json, '"reward"', '"score"'), "reward_key_missing"),
    reward(op.edit("duplicate key", json, '"R1"', '"reward"'), "reward_ambiguous"),
    reward(op.edit("duplicate key in escapes", json, '"R1"', '"\\u0072eward"'), "reward_ambiguous"),
    reward(op.edit("nested object", json, "0.5", '{"value": 0.5}'), "reward_not_a_number"),
    reward(op.put("array", json, "[0.5]"), "reward_not_a_number"),
    reward(op.put("deep", json, `${'{"reward":'.repeat(5000)}1${"}".repeat(5000)}`), "reward_not_a_number"),
    reward(op.put("escape sequence", json, '{"reward": "\u001b]0;x\u0007"}'), "reward_not_a_number"),
    reward(op.put("two files that differ", text, "1\n"), "reward_ambiguous"),
    reward(op.both(op.missing(json), op.put("words", text, "one\n")), "reward_not_a_number"),
    reward(op.both(op.missing(json), op.put("two numbers", text, "1 0\n")), "reward_not_a_number"),
    reward(op.both(op.missing(json), op.put("hexadecimal", text, "0x1\n")), "reward_not_a_number"),
    reward(op.both(op.missing(json), op.put("comma for a point", text, "0,5\n")), "reward_not_a_number"),
    reward(op.both(op.missing(json), op.put("other digits", text, "１\n")), "reward_not_a_number"),
    c(op.edit("prototype key", json, '"R1"', '"__proto__"'), "read"),
    c(op.both(op.missing(json), op.put("blanks around", text, "  0.25 \r\n")), "read"),
  ],
};

const ctrf = "ctrf.json";
const report = (operator: op.Operator, code: string) => c(operator, rejects(code));
const tests = (count: number) =>
  JSON.stringify({
    results: { tests: Array.from({ length: count }, (_, i) => ({ name: `t${i}`, status: "skipped" })) },
  });
export const reports: HostileKind = {
  kind: "test report",
  base: op.folderOf({
    [ctrf]:
      '{"results": {"summary": {"passed": 1, "failed": 1}, "tests": [{"name": "R1 a", "status": "passed"}, {"name": "b", "status": "failed"}]}}\n',
    output: "",
  }),
  read: async (directory) => {
    const found = bytes(directory, ctrf);
    readChecks({
      ctrf: found === null ? null : found.toString("utf8"),
      rewards: { reward: 1 },
      output: bytes(directory, "output")?.toString("utf8") ?? "",
    });
    return { warnings: [] };
  },
  cases: [
    c(op.missing(ctrf), "read"),
    report(op.empty(ctrf), "check_report_unreadable"),
    report(op.truncated(ctrf), "check_report_unreadable"),
    report(op.garbage(ctrf), "check_report_unreadable"),
    report(op.put("deep arrays", ctrf, "[".repeat(300_000)), "check_report_unreadable"),
    report(
      op.put(
        "deep summary",
        ctrf,
        `{"results":{"summary":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)},"tests":[]}}`,
      ),
      "no_check_ran",
    ),
    report(op.put("tests of a wrong type", ctrf, '{"results": {"tests": {}}}'), "check_report_unreadable"),
    report(op.edit("unknown status", ctrf, '"failed"}', '"exploded"}'), "check_report_unreadable"),
    report(op.edit("empty name", ctrf, '"b"', '""'), "check_report_unreadable"),
    report(op.edit("count that is too high", ctrf, '"passed": 1', '"passed": 2'), "check_counts_differ"),
    report(op.edit("absurd count", ctrf, '"passed": 1', '"passed": 1e308'), "check_counts_differ"),
    report(op.edit("escape sequence", ctrf, '"failed"}', '"\u001b[2J"}'), "check_report_unreadable"),
    report(op.put("no test", ctrf, '{"results": {"tests": []}}'), "no_check_ran"),
    report(op.put("everything skipped", ctrf, tests(20_000)), "no_check_ran"),
    report(
      op.both(op.missing(ctrf), op.put("pytest counts the absurd", "output", "=== 99999999 passed in 0.1s ===\n")),
      "check_counts_differ",
    ),
    report(
      op.both(op.missing(ctrf), op.put("pytest ran nothing", "output", "=== no tests ran in 0.01s ===\n")),
      "no_check_ran",
    ),
    report(
      op.both(op.missing(ctrf), op.put("unittest counts the absurd", "output", "Ran 99999999 tests in 0.1s\n\nOK\n")),
      "check_counts_differ",
    ),
    c(op.both(op.missing(ctrf), op.put("a line of a megabyte", "output", " x".repeat(500_000))), "read"),
    c(
      op.both(op.missing(ctrf), op.put("escape sequences", "output", "\u001b[31m\u001b]0;x\u0007".repeat(1000))),
      "read",
    ),
  ],
};
