export type { LiveEvent } from "./active-run.ts";
export { type LocalEngineOptions, openLocalEngine } from "./local-engine.ts";
