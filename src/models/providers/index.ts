// Models behind an HTTP endpoint, over the AI SDK.
export { type HttpModelKind, type HttpModelOptions, httpProvider } from "./http-provider.ts";
