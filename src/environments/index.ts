// Environments: a terminal over a sandbox, and the judge that verifies what was done in it.
export { type BrokerRequest, type BrokerResponse, brokerRequestSchema } from "./terminal/judge/broker-protocol.ts";
export { type CarriedArtefact, carriedArtefacts } from "./terminal/judge/carried-artefacts.ts";
export { readChecks } from "./terminal/judge/checks/read-checks.ts";
export { type RestoredContext, type RestoredPlan, restoredPolicy } from "./terminal/judge/restored-policy.ts";
export { parseReward } from "./terminal/judge/reward.ts";
export { describeRun } from "./terminal/observation-text.ts";
export {
  assertRunnable,
  type OpenedTerminal,
  type OpenTerminalOptions,
  openTerminal,
  type TerminalOperator,
} from "./terminal/open-terminal.ts";
export { type TerminalSettings, terminalSettings } from "./terminal/settings.ts";
export { taskImage } from "./terminal/task-image.ts";
export type { EarlierState } from "./terminal/terminal-state.ts";
export { TerminalTaskset } from "./terminal/terminal-taskset.ts";
export { drawVariation, type Variation, variationEnvironment } from "./terminal/variation.ts";
export { reapWorkspaces } from "./terminal/workspace.ts";
