import { describe, expect, it } from "vitest";
import type { GateReport, GateResult, GateStatus } from "../../contract/index.ts";
import {
  countsLine,
  countsOf,
  renderJson,
  renderJunit,
  renderMarkdown,
  renderSarif,
  renderText,
  validationReport,
  verdictOf,
} from "./index.ts";

const result = (gate: string, status: GateStatus, message = "seen"): GateResult => ({
  gate,
  status,
  measured: { reward: 1 },
  evidence: status === "pass" ? [] : [{ message, file: "tests/test.sh", line: 4, rule: "masked_by_pipe" }],
  remediation: status === "pass" ? "" : "repair it",
  rerun: `routesetter check t --gate ${gate} --seed 7`,
});
function report(id: string, ...statuses: GateStatus[]): GateReport {
  const results = statuses.map((status, index) => result(`gate_${index}`, status));
  const counts = { pass: 0, warn: 0, fail: 0, skip: 0, error: 0 };
  for (const status of statuses) counts[status] += 1;
  const accepted = statuses.every((status) => status === "pass" || status === "warn");
  return {
    version: 1,
    subject: { id, digest: "sha256:0" },
    level: "core",
    seed: 7,
    accepted,
    counts,
    required: results.map(({ gate }) => gate),
    results,
    notes: [],
  };
}
const many = (count: number, prefix: string, ...statuses: GateStatus[]) =>
  Array.from({ length: count }, (_, index) => ({
    path: `tasks/${prefix}-${index}`,
    report: report(`${prefix}-${index}`, ...statuses),
  }));

const hundred = {
  found: 103,
  rejected: [1, 2, 3].map((index) => ({ path: `tasks/odd-${index}`, reason: 'task.toml:3 <bad> & "worse"' })),
  reports: [
    ...many(80, "good", "pass", "warn"),
    ...many(10, "bad", "pass", "fail", "skip"),
    ...many(10, "unlucky", "pass", "error"),
  ],
};

describe("the counts of a check", () => {
  it("tell graded from not graded", () => {
    expect(countsOf(hundred)).toEqual({
      found: 103,
      loaded: 100,
      rejected: 3,
      graded: 90,
      notGraded: 10,
      accepted: 80,
      failed: 10,
      withWarnings: 80,
    });
    expect(verdictOf(report("x", "pass", "skip"))).toBe("not graded");
    expect(verdictOf(report("x", "fail", "error"))).toBe("failed");
  });

  it("are the same in every rendering", () => {
    const line =
      "80 of 90 graded accepted (80 with warnings), 10 failed, 10 not graded (103 found, 100 loaded, 3 rejected)";
    expect(countsLine(hundred)).toBe(line);
    expect(renderText(hundred)).toContain(line);
    expect(renderMarkdown(hundred)).toContain(line);
    expect(renderJunit(hundred)).toContain(line);
    for (const [name, value] of Object.entries(countsOf(hundred)))
      expect(renderJunit(hundred)).toContain(`<property name="${name}" value="${value}"/>`);
    expect(JSON.parse(renderJson(hundred)).counts).toEqual(countsOf(hundred));
    expect(JSON.parse(renderSarif(hundred)).runs[0].properties.counts).toEqual(countsOf(hundred));
  });
});

describe("renderings", () => {
  it("text: evidence, what to do, how to repeat; colour only when asked", () => {
    const text = renderText({
      found: 1,
      rejected: [],
      reports: [{ path: "a b", report: report("x", "pass", "fail") }],
    });
    expect(text).toContain("failed  a b");
    expect(text).toContain("tests/test.sh:4 seen [masked_by_pipe]");
    expect(text).toContain("→ repair it");
    expect(text).toContain("↻ routesetter check t --gate gate_1 --seed 7");
    expect(text).not.toContain("\u001b[");
    expect(renderText(hundred, { colour: true })).toContain("\u001b[31m");
    expect(renderText({ found: 0, rejected: [], reports: [] })).toContain("No task folder was found");
  });

  it("text: gates that could not look are told once for each reason", () => {
    const text = renderText({
      found: 1,
      rejected: [],
      reports: [{ path: "a", report: report("x", "fail", "skip", "skip", "pass") }],
    });
    expect(text).toContain("- skip  gate_1, gate_2\n          seen\n");
    expect(text).toContain("✓ pass  1 more");
  });

  it("JUnit: well formed whatever the messages hold", () => {
    const odd = report("x", "fail", "error", "skip", "warn", "pass");
    (odd.results[0] as GateResult).evidence[0] = { message: 'a < b && "c" ]]> \u0000 \ud800 \u001b[31m\n😀' };
    const text = renderJunit({ found: 1, rejected: [], reports: [{ path: 'p"<&', report: odd }] });
    expect(text).toContain('failures="1" errors="1" skipped="1"');
    expect(text).toContain("a &lt; b &amp;&amp; &quot;c&quot; ]]&gt; \ufffd \ufffd \ufffd[31m&#10;😀");
    expect(text.match(/<testcase/g)).toHaveLength(5);
    expect(text).not.toMatch(/[^\n\u0020-\uffff]/);
  });

  it("Markdown: no markup of the messages' own", () => {
    const odd = report("x", "fail");
    (odd.results[0] as GateResult).evidence[0] = { message: "<script>|[x](y)\n# z" };
    const text = renderMarkdown({ found: 1, rejected: [], reports: [{ path: "p", report: odd }] });
    expect(text).toContain("&lt;script&gt;\\|\\[x\\](y) \\# z");
  });

  it("SARIF: file and line of each finding", () => {
    const run = JSON.parse(
      renderSarif({ found: 1, rejected: [], reports: [{ path: "tasks/a", report: report("x", "fail") }] }),
    ).runs[0];
    expect(run.results).toHaveLength(1);
    expect(run.results[0]).toMatchObject({ ruleId: "gate_0/masked_by_pipe", level: "error" });
    expect(run.results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: "tasks/a/tests/test.sh" },
      region: { startLine: 4 },
    });
    expect(run.tool.driver.rules).toEqual([{ id: "gate_0/masked_by_pipe", help: { text: "repair it" } }]);
  });

  it("the RFC's shape knows no warning", () => {
    const shape = validationReport("tasks/a", report("x", "warn", "pass"));
    expect(shape.verdict).toBe("pass");
    expect(shape.results[0]).toMatchObject({ check_id: "gate_0", status: "pass" });
    expect(shape.results[0]?.evidence[0]).toBe("note: passed with warnings");
    expect(validationReport("a", report("x", "error")).verdict).toBe("error");
  });
});
