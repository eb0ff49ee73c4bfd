// The gauntlet: checks that a task must pass before anybody trains on it, and the reports on it.
export * from "./gate.ts";
export * from "./gauntlet.ts";
export { lintDockerfile } from "./lint/dockerfile/index.ts";
export { type FetchedTool, fetchedTools } from "./lint/fetched-tools.ts";
export type { Finding as LintFinding } from "./lint/finding.ts";
export { lintTestScript } from "./lint/test-script/index.ts";
export * from "./registry.ts";
export * from "./rejected.ts";
export * from "./report/index.ts";
export * from "./run-gauntlet.ts";
export * from "./sandbox-trials.ts";
export * from "./trial.ts";
