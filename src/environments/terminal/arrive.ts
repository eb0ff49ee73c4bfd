import { stat } from "node:fs/promises";
import { join } from "node:path";
import { EnvironmentError, type SandboxHandle } from "../../contract/index.ts";

/**
 * What a step of an ordered task brings: the files of its workdir/, then its setup.sh as the agent's user.
 * Errors: EnvironmentError `step_setup_failed`.
 */
export async function arrive(
  handle: SandboxHandle,
  { source, workingDirectory, user }: { source: string; workingDirectory: string; user: string },
): Promise<void> {
  if (!(await stat(source).catch(() => null))?.isDirectory()) return;
  await handle.copyIn(source, workingDirectory);
  if (!(await stat(join(source, "setup.sh")).catch(() => null))?.isFile()) return;
  const script = `${workingDirectory.replace(/\/$/, "")}/setup.sh`;
  await handle.session.run(["/bin/chmod", "+x", script], { user: "0:0", workingDirectory: "/" });
  const result = await handle.session.run([script], { workingDirectory, user, timeoutMilliseconds: 600_000 });
  if (result.exitCode === 0 && !result.limit) return;
  const why = result.limit?.message ?? `exit code ${result.exitCode}`;
  throw new EnvironmentError({
    code: "step_setup_failed",
    message: `setup.sh of this step failed (${why}): ${(result.stderr.text || result.stdout.text).slice(-500)}`,
    remedy: "see why it fails on the state that the step before leaves",
  });
}
