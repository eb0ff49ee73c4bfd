import { defineGate } from "./gate.ts";

/** `manifest`: task.toml and requirements.json follow their schema. A folder that can't be read has its own report. */
export const manifest = defineGate({
  id: "manifest",
  cost: "static",
  measures: "task.toml and requirements.json follow their schema; legacy spellings and unknown keys are named.",
  requiredAt: ["static", "core"],
  look: async (task) => ({
    status: task.warnings.length === 0 ? "pass" : "warn",
    measured: { schema: task.configuration.schema_version, warnings: task.warnings.length },
    evidence: task.warnings.map(({ message, file, line, field }) => ({
      message: field === undefined ? message : `${field}: ${message}`,
      file,
      ...(line === undefined ? {} : { line }),
    })),
    remediation: "Write the current spelling; keep data of your own under [metadata].",
  }),
});
