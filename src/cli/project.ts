import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { ConfigError } from "../contract/index.ts";
import { openStore, type Store } from "../store/index.ts";
import { type Configuration, loadConfiguration } from "./configuration.ts";

export type CommonOptions = { json?: boolean; project: string; set: string[] };

/** A directory with a `routesetter.toml` (or the defaults) and the state that commands keep in `.routesetter/`. */
export type Project = {
  readonly directory: string;
  readonly configuration: Configuration;
  readonly stateDirectory: string;
  /** Image layers and sandboxes: shared by all projects of a user. */
  readonly cacheDirectory: string;
  openStore(mode: "read" | "write"): Store;
};

export function openProject(options: CommonOptions): Project {
  const directory = resolve(options.project);
  const stateDirectory = join(directory, ".routesetter");
  const cacheDirectory = resolve(
    process.env.ROUTESETTER_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "routesetter"),
  );
  return {
    directory,
    configuration: loadConfiguration(join(directory, "routesetter.toml"), options.set),
    stateDirectory,
    cacheDirectory,
    openStore(mode) {
      if (mode === "write") mkdirSync(stateDirectory, { recursive: true });
      return openStore(stateDirectory, { mode });
    },
  };
}

/** A whole number of the command line. Errors: ConfigError with the option's name. */
export function wholeNumber(name: string, text: string, minimum = 0): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= minimum) return value;
  throw new ConfigError({
    code: "bad_option",
    message: `${name} must be a whole number of at least ${minimum}, not "${text}"`,
  });
}
