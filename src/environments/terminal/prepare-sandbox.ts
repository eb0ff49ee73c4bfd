import { chmod, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { EnvironmentError, type SandboxHandle } from "../../contract/index.ts";
import type { TerminalSettings } from "./settings.ts";
import { hostStorage } from "./workspace.ts";

export type PrepareOptions = {
  readonly settings: TerminalSettings;
  readonly workingDirectory: string;
  /** The host's folder for /logs. */
  readonly logs: string;
};

/** Harbor's folders of a fresh agent's sandbox, then the task's healthcheck. Errors: EnvironmentError `healthcheck_failed`. */
export async function prepareSandbox(handle: SandboxHandle, options: PrepareOptions): Promise<void> {
  await handle.copyIn(options.logs, "/logs");
  await healthcheck(handle, options);
}

/** A host folder with the folders that Harbor gives an agent, open to every uid. */
export async function makeLogFolders(directory: string): Promise<string> {
  const logs = join(directory, "logs");
  await hostStorage(async () => {
    await mkdir(logs, { recursive: true });
    await chmod(logs, 0o755);
    for (const name of ["agent", "verifier", "artifacts"]) {
      await mkdir(join(logs, name), { recursive: true });
      await chmod(join(logs, name), 0o777);
    }
  });
  return logs;
}

async function healthcheck(handle: SandboxHandle, { settings, workingDirectory }: PrepareOptions): Promise<void> {
  const check = settings.healthcheck;
  if (!check) return;
  const begun = performance.now();
  const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  let last = "";
  for (let failures = 0; failures <= check.retries; ) {
    const result = await handle.session.run(check.command, {
      workingDirectory,
      timeoutMilliseconds: check.timeout_sec * 1000,
    });
    if (result.exitCode === 0 && !result.limit) return;
    last =
      (result.limit?.message ?? `exit code ${result.exitCode}`) +
      (result.stderr.text && `: ${result.stderr.text.slice(-500)}`);
    const starting = performance.now() - begun < check.start_period_sec * 1000;
    if (!starting) failures += 1;
    if (failures <= check.retries) await wait(starting ? check.start_interval_sec : check.interval_sec);
  }
  throw new EnvironmentError({
    code: "healthcheck_failed",
    message: `the environment is not healthy after ${check.retries} retries: ${last}`,
    where: { file: "task.toml", field: "environment.healthcheck" },
    remedy: "see why the command fails in a fresh sandbox",
  });
}
