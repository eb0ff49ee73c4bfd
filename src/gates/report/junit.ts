import { printable } from "../../contract/index.ts";
import { type CheckSummary, countsLine, countsOf } from "./summary.ts";

const isXml = (point: number): boolean =>
  point === 0x9 ||
  point === 0xa ||
  point === 0xd ||
  (point >= 0x20 && point <= 0xd7ff) ||
  (point >= 0xe000 && point <= 0xfffd) ||
  point >= 0x10000;

/** Escaped for XML 1.0; characters that it can't hold become U+FFFD. */
const xml = (text: string): string =>
  Array.from(text, (character) => (isXml(character.codePointAt(0) as number) ? printable(character) : "\ufffd"))
    .join("")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/\n/g, "&#10;");

/**
 * A suite for each task, a case for each gate: `fail` is a failure, `error` an error, `skip` skipped, `warn` a case
 * that passes with its findings as output. A rejected folder is a suite with one error.
 */
export function renderJunit(summary: CheckSummary): string {
  const counts = countsOf(summary);
  const suites: string[] = [];
  const totals = { tests: 0, failures: 0, errors: 0, skipped: 0 };
  for (const { path, report } of summary.reports) {
    const { fail, error, skip } = report.counts;
    const tests = report.results.length;
    totals.tests += tests;
    totals.failures += fail;
    totals.errors += error;
    totals.skipped += skip;
    const cases = report.results.map(({ gate, status, evidence, remediation, rerun }) => {
      const text = [
        ...evidence.map(
          ({ message, file, line }) =>
            `${file === undefined ? "" : `${file}${line === undefined ? "" : `:${line}`}: `}${message}`,
        ),
        remediation,
        rerun,
      ]
        .filter((part) => part !== "")
        .join("\n");
      const head = `    <testcase classname="${xml(path)}" name="${xml(gate)}"`;
      const first = xml(evidence[0]?.message ?? status);
      if (status === "fail") return `${head}><failure message="${first}">${xml(text)}</failure></testcase>`;
      if (status === "error") return `${head}><error message="${first}">${xml(text)}</error></testcase>`;
      if (status === "skip") return `${head}><skipped message="${first}"/></testcase>`;
      if (status === "warn") return `${head}><system-out>${xml(text)}</system-out></testcase>`;
      return `${head}/>`;
    });
    suites.push(
      `  <testsuite name="${xml(path)}" tests="${tests}" failures="${fail}" errors="${error}" skipped="${skip}">\n${cases.join("\n")}\n  </testsuite>`,
    );
  }
  for (const { path, reason } of summary.rejected) {
    totals.tests += 1;
    totals.errors += 1;
    suites.push(
      `  <testsuite name="${xml(path)}" tests="1" failures="0" errors="1" skipped="0">\n    <testcase classname="${xml(path)}" name="load"><error message="${xml(reason)}"/></testcase>\n  </testsuite>`,
    );
  }
  const properties = Object.entries(counts).map(([name, value]) => `    <property name="${name}" value="${value}"/>`);
  suites.unshift(
    `  <testsuite name="summary" tests="0" failures="0" errors="0" skipped="0">\n   <properties>\n${properties.join("\n")}\n   </properties>\n   <system-out>${xml(countsLine(summary))}</system-out>\n  </testsuite>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="routesetter check" tests="${totals.tests}" failures="${totals.failures}" errors="${totals.errors}" skipped="${totals.skipped}">\n${suites.join("\n")}\n</testsuites>\n`;
}
