import { defineGate } from "./gate.ts";
import { asEvidence } from "./lint/finding.ts";
import { lintTestScript } from "./lint/test-script/index.ts";

/** `test_script_lint`: ways in which tests/test.sh can say 1 without having checked. */
export const testScriptLint = defineGate({
  id: "test_script_lint",
  cost: "static",
  measures:
    "tests/test.sh passes on what its checks say: no exit status masked, no reward that doesn't depend on them.",
  requiredAt: ["static", "core"],
  appliesTo: (task) => task.configuration.steps.length === 0 && task.configuration.environment.os === "linux",
  async look(task, { files }) {
    const file = "tests/test.sh";
    const source = files.text(file);
    if (source === null)
      return { status: "skip", evidence: [{ message: "there is no tests/test.sh that can be read", file }] };
    const others = files.paths.filter((path) => path.startsWith("tests/") && path !== file);
    const directory = task.configuration.environment.workdir;
    const found = lintTestScript(source, {
      file,
      others: others.flatMap((path) => files.text(path) ?? []),
      ...(directory === undefined ? {} : { directory }),
    });
    const errors = found.filter(({ severity }) => severity === "error").length;
    return {
      status: errors > 0 ? "fail" : found.length > 0 ? "warn" : "pass",
      measured: { errors, warnings: found.length - errors },
      evidence: found.map(asEvidence),
      remediation: "Let the reward follow from the checks' own exit status or report, written once, after they ran.",
    };
  },
});
