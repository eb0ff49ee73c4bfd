// Finds node-llama-cpp, which runs GGUF models and is too large to be installed for everybody.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ConfigError } from "../../contract/index.ts";

export const runtimeVersion = "3.22.1";

type Runtime = typeof import("./runtime-types.ts");

/**
 * `directory` is where it was installed (`npm install --prefix DIRECTORY node-llama-cpp`); without it the variable
 * ROUTESETTER_LOCAL_RUNTIME, then the project's own packages. ConfigError `local_runtime_missing` with what to run.
 */
export async function loadRuntime(directory = process.env.ROUTESETTER_LOCAL_RUNTIME): Promise<Runtime> {
  try {
    return (await import(directory ? entryIn(directory) : runtimeName)) as Runtime;
  } catch (cause) {
    throw new ConfigError({
      code: "local_runtime_missing",
      message: `node-llama-cpp can't be loaded${directory ? ` from ${directory}` : ""}: ${(cause as Error).message}`,
      remedy: `run \`npm install node-llama-cpp@${runtimeVersion}\`, or install it elsewhere and set ROUTESETTER_LOCAL_RUNTIME`,
      cause,
    });
  }
}

const runtimeName = "node-llama-cpp";

function entryIn(directory: string): string {
  const require = createRequire(join(resolve(directory), "package.json"));
  return pathToFileURL(require.resolve(runtimeName)).href;
}
