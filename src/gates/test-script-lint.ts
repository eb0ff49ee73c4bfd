import { defineGate } from "./gate.ts";
import { asEvidence } from "./lint/finding.ts";
import { lintTestScript } from "./lint/test-script/index.ts";
import { inEveryStep } from "./task-files.ts";

/** `test_script_lint`: ways in which tests/test.sh can say 1 without having checked. */
export const testScriptLint = defineGate({
  id: "test_script_lint",
  cost: "static",
  measures:
    "tests/test.sh passes on what its checks say: no exit status masked, no reward that doesn't depend on them.",
  requiredAt: ["static", "core"],
  appliesTo: (task) => task.configuration.environment.os === "linux",
  async look(task, { files }) {
    const scripts = inEveryStep(files, "tests/test.sh").filter((file) => files.text(file) !== null);
    if (scripts.length === 0)
      return {
        status: "skip",
        evidence: [{ message: "there is no tests/test.sh that can be read", file: "tests/test.sh" }],
      };
    const directory = task.configuration.environment.workdir;
    const found = scripts.flatMap((file) => {
      const folder = file.slice(0, -"test.sh".length);
      const others = files.paths.filter((path) => path.startsWith(folder) && path !== file);
      return lintTestScript(files.text(file) as string, {
        file,
        others: others.flatMap((path) => files.text(path) ?? []),
        ...(directory === undefined ? {} : { directory }),
      });
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
