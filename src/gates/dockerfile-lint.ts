import { defineGate } from "./gate.ts";
import { lintDockerfile } from "./lint/dockerfile/index.ts";
import { readTaskContext } from "./lint/dockerfile/read-context.ts";
import { asEvidence } from "./lint/finding.ts";

/** `dockerfile_lint`: what will not build, or will build something else than it reads. */
export const dockerfileLint = defineGate({
  id: "dockerfile_lint",
  cost: "static",
  measures:
    "The Dockerfile builds what it reads like: no install that asks or lacks its lists, no source that isn't there.",
  requiredAt: ["static", "core"],
  async look(task, { files }) {
    const found = ["environment", "tests"].flatMap((folder) => {
      const file = `${folder}/Dockerfile`;
      const source = files.text(file);
      return source === null
        ? []
        : lintDockerfile(source, { file, context: readTaskContext(files, folder), verifierImage: folder === "tests" });
    });
    const missing =
      files.text("environment/Dockerfile") === null && task.configuration.environment.docker_image === undefined
        ? [
            {
              message: "there is no Dockerfile and no [environment].docker_image",
              file: "environment/Dockerfile",
              rule: "no_dockerfile",
            },
          ]
        : [];
    const errors = found.filter(({ severity }) => severity === "error").length + missing.length;
    return {
      status: errors > 0 ? "fail" : found.length > 0 ? "warn" : "pass",
      measured: { errors, warnings: found.length + missing.length - errors },
      evidence: [...missing, ...found.map(asEvidence)],
      remediation: "Change the lines named; docs/check.md says what each rule is about.",
    };
  },
});
