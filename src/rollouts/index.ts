// Rollouts: the episode loop, agents that need no model, trials, groups, outcomes and their attribution.
export { type Agent, type AgentCall, AgentLimit, type AgentSession, EpisodeOver } from "./agent.ts";
export { type ModelAgentOptions, modelAgent } from "./agents/model/index.ts";
export { nopAgent } from "./agents/nop.ts";
export { callsAgent, replayAgent, scriptAgent } from "./agents/script.ts";
export { oracleAgent, partialAgent } from "./agents/solution.ts";
export { fromAtif } from "./atif/from-atif.ts";
export { type Atif, atifSchema } from "./atif/schema.ts";
export { toAtif } from "./atif/to-atif.ts";
export { attributeError, attributeVerdict, type Baseline } from "./attribution.ts";
export {
  type AgentComparison,
  type AgentRow,
  compareAgents,
  minimumTasksForDifference,
  type PlayedEpisode,
} from "./compare.ts";
export { type EpisodeOptions, type EpisodeResult, runEpisode } from "./episode.ts";
export { type GroupItem, runGroup } from "./group.ts";
export { limitConcurrency, type Turn } from "./limit-concurrency.ts";
export { expectedChecks, OracleBaseline } from "./oracle-baseline.ts";
export { type ModeTrial, strongestMode } from "./strongest-mode.ts";
export { type GradedTrial, type RolloutSummary, summarise } from "./summary.ts";
export { failedTrial, runTrial, type TrialOptions } from "./trial.ts";
export type { TrialResult, TrialTimings } from "./trial-result.ts";
