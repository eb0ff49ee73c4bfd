// Models: chat models by name, recorded replies, budgets, prices.
export * from "./cassette/index.ts";
export { chatModel } from "./chat-model.ts";
export * from "./command/index.ts";
export { InexactJson, parseExact } from "./exact-json.ts";
export * from "./ledger/index.ts";
export { localContextTokens, type OpenModel, type OpenModelOptions, openModel } from "./open-model.ts";
export * from "./prices/index.ts";
export { type ModelProfile, modelProfileSchema } from "./profile.ts";
export { type ModelIdentity, requestKey } from "./request-key.ts";
export * from "./script/index.ts";
export type { TraceEvent } from "./trace.ts";
export { addUsage, unknownUsage } from "./usage.ts";
