// Names, messages and agents' output may be a stranger's: no rendering lets them act on a terminal or on markup.
import { describe, expect, test } from "vitest";
import type { CommandEvent } from "../../src/cli/output/events.ts";
import { jsonReporter } from "../../src/cli/output/json-reporter.ts";
import { textReporter } from "../../src/cli/output/text-reporter.ts";
import { ConfigError, type GateReport, printable, printableJson, printableLine } from "../../src/contract/index.ts";
import {
  renderJson,
  renderJunit,
  renderMarkdown,
  renderRejectedText,
  renderSarif,
  renderTaskText,
  renderText,
} from "../../src/gates/index.ts";
import { controlCharacters } from "./suite.ts";

const attack =
  "\u001b[2J\u001b]0;title\u0007\u009b31m\r\u202egpj.exe\u2028\u0000\u0008<script>|x|`y`\n## accepted\n[a](http://x)";
const report: GateReport = {
  subject: { kind: "terminal-task", id: attack, digest: "sha256:0" },
  level: "core",
  seed: 0,
  required: ["manifest"],
  accepted: false,
  counts: { pass: 0, warn: 0, fail: 1, skip: 0, error: 0 },
  results: [
    {
      gate: "manifest",
      status: "fail",
      measured: { said: attack },
      evidence: [{ message: attack, file: attack, line: 1, rule: attack, excerpt: attack }],
      remediation: attack,
      rerun: attack,
    },
  ],
  notes: [attack],
} as unknown as GateReport;
const summary = { found: 2, rejected: [{ path: attack, reason: attack }], reports: [{ path: attack, report }] };

describe("reports", () => {
  test("a naive rendering of the same would act on a terminal", () => {
    expect(`fail ${attack}`).toMatch(controlCharacters);
  });

  test.each([
    ["text", () => renderText(summary)],
    ["one task", () => renderTaskText(attack, report, { verbose: true })],
    ["a rejected folder", () => renderRejectedText(attack, attack)],
    ["Markdown", () => renderMarkdown(summary)],
    ["JUnit", () => renderJunit(summary)],
    ["SARIF", () => renderSarif(summary)],
    ["JSON", () => renderJson(summary)],
  ])("%s", (_, render) => {
    const text = render();
    expect(text.replaceAll("&#10;", "\n")).not.toMatch(controlCharacters);
    expect(text).not.toContain("\u2028");
    expect(text).toContain("title");
  });

  test("Markdown keeps no markup and no heading of a stranger's", () => {
    const text = renderMarkdown(summary).replace(/`[^`\n]*`/g, "");
    expect(text).toContain("title");
    expect(text).not.toContain("<script>");
    expect(text).not.toContain("[a](");
    expect(text.split("\n").filter((line) => line.startsWith("## "))).toHaveLength(2);
  });

  test("JSON renderings hold the same values", () => {
    expect(JSON.parse(renderJson(summary)).rejected).toEqual(summary.rejected);
    expect(JSON.parse(printableJson({ attack }))).toEqual({ attack });
    expect(JSON.parse(renderSarif(summary)).runs[0].results[0].message.text).toBe(attack);
  });

  test("SARIF takes names that are no Unicode", () => {
    const broken = { ...summary, reports: [{ path: "a\ud800b", report }] };
    expect(() => renderSarif(broken)).not.toThrow();
  });
});

describe("reporters", () => {
  const spoken = (report: (events: { out: string[]; err: string[] }) => void) => {
    const said = { out: [] as string[], err: [] as string[] };
    report(said);
    return [...said.out, ...said.err].join("");
  };
  const streams = (said: { out: string[]; err: string[] }) => ({
    out: (text: string) => said.out.push(text),
    err: (text: string) => said.err.push(text),
    now: () => 0,
    columns: () => null,
  });
  const event: CommandEvent = { type: "episode", text: attack, task: attack };
  const result = { status: "ok", counts: {}, cost: {}, outputs: [attack], lines: [attack], data: { attack } } as const;

  test.each([
    ["text", textReporter],
    ["JSON", jsonReporter],
  ])("%s", (_, open) => {
    const said = spoken((lines) => {
      const reporter = open(streams(lines));
      reporter.event(event);
      reporter.line(attack);
      reporter.warning(attack);
      reporter.result("check", result);
    });
    expect(said).not.toMatch(controlCharacters);
    expect(said).toContain("title");
  });

  test("our own colours stay, a stranger's sequences beside them do not", () => {
    const said = spoken((lines) => textReporter(streams(lines)).line("\u001b[32mok\u001b[0m \u001b[8mhidden\u001b[2K"));
    expect(said).toBe("\u001b[32mok\u001b[0m \\u001b[8mhidden\\u001b[2K\n");
    expect(renderTaskText("\u001b[32maccepted\u001b[0m", report, { colour: true })).toContain("\\u001b[32maccepted");
  });
});

test("messages of errors are fit for a terminal and bounded", () => {
  const error = new ConfigError({
    code: "x",
    message: attack + "m".repeat(1_000_000),
    where: { file: `a\nb${attack}`, field: attack },
    remedy: attack + "r".repeat(1_000_000),
  });
  expect(error.message).not.toMatch(controlCharacters);
  expect(error.message.length).toBeLessThan(7000);
  expect(error.message.split("\n")[0]).toContain("a\\nb");
});

test("printable", () => {
  expect(printable("a\r\nb\tc")).toBe("a\nb\tc");
  expect(printable("🧗 é 中")).toBe("🧗 é 中");
  expect(printableLine("a\r\nb\tc\rd")).toBe("a\\nb c\\u000dd");
});
