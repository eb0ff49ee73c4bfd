import { posix } from "node:path";
import { printableJson } from "../../contract/index.ts";
import { type CheckSummary, countsOf } from "./summary.ts";

/** SARIF 2.1.0 of every finding that has a file, for code hosts that show findings at their line. */
export function renderSarif(summary: CheckSummary, { version = "0.0.0" } = {}): string {
  const rules = new Map<string, string>();
  const results = summary.reports.flatMap(({ path, report }) =>
    report.results
      .filter(({ status }) => status === "fail" || status === "warn")
      .flatMap(({ gate, status, evidence, remediation }) =>
        evidence.flatMap(({ message, file, line, rule, excerpt }) => {
          if (file === undefined) return [];
          const ruleId = rule === undefined ? gate : `${gate}/${rule}`;
          if (!rules.has(ruleId)) rules.set(ruleId, remediation);
          return [
            {
              ruleId,
              level: status === "fail" ? "error" : "warning",
              message: { text: message },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: encodeURI(posix.join(path, file).replace(/\p{Surrogate}/gu, "\ufffd")) },
                    ...(line === undefined
                      ? {}
                      : {
                          region: { startLine: line, ...(excerpt === undefined ? {} : { snippet: { text: excerpt } }) },
                        }),
                  },
                },
              ],
            },
          ];
        }),
      ),
  );
  const driver = {
    name: "routesetter",
    version,
    rules: [...rules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, help]) => ({ id, help: { text: help || id } })),
  };
  const run = { tool: { driver }, results, properties: { counts: countsOf(summary) } };
  return `${printableJson({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, 2)}\n`;
}
