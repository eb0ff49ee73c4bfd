// Durable runs: flows written against the contract's RunContext, executed by the local engine.
export { type LiveEvent, type LocalEngineOptions, openLocalEngine } from "./local/index.ts";
