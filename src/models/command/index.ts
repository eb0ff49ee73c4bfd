// Programs as models.
export { type CommandOptions, commandProvider } from "./command-provider.ts";
