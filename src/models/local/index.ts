// Models in GGUF files, run in this process.
export { loadRuntime, runtimeVersion } from "./load-runtime.ts";
export { type LocalOptions, localProvider } from "./local-provider.ts";
