// Durable runs: flows written against the contract's RunContext, executed by the local engine; what `runs` shows of them.
export { type LiveEvent, type LocalEngineOptions, openLocalEngine } from "./local/index.ts";
export { cancelRun } from "./runs/cancel-run.ts";
export { type CleanOptions, cleanRuns } from "./runs/clean-runs.ts";
export { listRuns } from "./runs/list-runs.ts";
export { redoInfra } from "./runs/redo-infra.ts";
export { type RunDetails, type ShownStepStatus, showRun } from "./runs/show-run.ts";
