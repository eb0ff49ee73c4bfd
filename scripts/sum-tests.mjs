// Adds up vitest's JSON reports and prints "N passed, N failed, N skipped"; exits 1 when one failed or none ran.
import { readFileSync } from "node:fs";

const total = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, "utf8"));
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests + report.numFailedTestSuites * (report.numFailedTests === 0 ? 1 : 0);
  total.skipped += report.numPendingTests + report.numTodoTests;
  for (const suite of report.testResults)
    for (const test of suite.assertionResults)
      if (test.status !== "passed" && test.status !== "failed") console.log(`skipped: ${test.fullName}`);
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
