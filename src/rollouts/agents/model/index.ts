export { type ModelAgentOptions, modelAgent } from "./model-agent.ts";
