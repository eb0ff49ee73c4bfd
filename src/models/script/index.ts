// Scripted replies, labelled as such.
export { type ScriptOptions, scriptProvider } from "./script-provider.ts";
