// Runs test.sh in a sandbox that is ready for it and takes what it wrote, through the supervising process.
import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { join } from "node:path";
import {
  ArtefactError,
  type RunResult,
  type SandboxHandle,
  shellQuote,
  VerifierError,
} from "../../../contract/index.ts";
import { hostStorage } from "../workspace.ts";

export type VerifierRun = {
  readonly result: RunResult;
  readonly json: Uint8Array | null;
  readonly text: Uint8Array | null;
  readonly ctrf: string | null;
};
export type VerifierRunOptions = {
  readonly workingDirectory: string;
  /** Empty for root. */
  readonly user: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMilliseconds: number;
  readonly outputBytes: number;
  /** A host folder that does not exist yet. */
  readonly destination: string;
  readonly signal?: AbortSignal;
};

const maximumRewardBytes = 64 * 1024;
const maximumReportBytes = 4 * 1024 * 1024;
const rootUsers = new Set(["", "root", "0", "0:0", "root:root", "root:0", "0:root"]);

export const isRootUser = (user: string) => rootUsers.has(user);

/**
 * Makes /logs/verifier anew, runs `(/tests/test.sh) 2>&1` in the working directory, ends every process and reads the
 * folder. Errors: VerifierError `verifier_timeout`, `verifier_memory_limit`, …, `verifier_output_refused`; SandboxError.
 */
export async function runVerifier(handle: SandboxHandle, options: VerifierRunOptions): Promise<VerifierRun> {
  const asRoot = isRootUser(options.user);
  const directory = shellQuote(options.workingDirectory);
  const prepare = [
    "rm -rf /logs/verifier; mkdir -p /logs/agent /logs/artifacts 2>/dev/null; mkdir -m 0700 /logs/verifier",
    `mkdir -p ${directory}`,
  ];
  const common = {
    environment: options.environment,
    timeoutMilliseconds: options.timeoutMilliseconds,
    outputBytes: options.outputBytes,
    ...(options.signal ? { signal: options.signal } : {}),
  };
  let result: RunResult;
  if (asRoot)
    result = await handle.session.run(
      ["/bin/sh", "-c", `${prepare.join(" && ")} && cd ${directory} && exec /tests/test.sh 2>&1`],
      { ...common, user: "0:0", workingDirectory: "/" },
    );
  else {
    const owner = shellQuote(options.user.includes(":") ? options.user : `${options.user}:`);
    await handle.session.run(["/bin/sh", "-c", `${prepare.join(" && ")} && chown ${owner} /logs/verifier`], {
      user: "0:0",
      workingDirectory: "/",
    });
    result = await handle.session.run(["/bin/sh", "-c", "exec /tests/test.sh 2>&1"], {
      ...common,
      user: options.user,
      workingDirectory: options.workingDirectory,
    });
  }
  options.signal?.throwIfAborted();
  await handle.killAll();
  if (result.limit) throw stopped(result);
  return { result, ...(await readLogs(handle, options.destination)) };
}

function stopped(result: RunResult): VerifierError {
  const limit = result.limit!;
  const code = limit.code === "time_limit" ? "verifier_timeout" : `verifier_${limit.code}`;
  return new VerifierError({
    code,
    message: `the verifier was stopped: ${limit.message}`,
    remedy: "see what it waited for; [verifier].timeout_sec and [environment] hold its limits",
    details: { ...(limit.limit === undefined ? {} : { limit: limit.limit }), output: evidence(result.stdout.text) },
  });
}

async function readLogs(handle: SandboxHandle, destination: string): Promise<Omit<VerifierRun, "result">> {
  let found: boolean;
  try {
    found = await handle.copyOut("/logs/verifier", destination, { bytes: 64 * 1024 * 1024, files: 2000 });
  } catch (cause) {
    if (!ArtefactError.isInstance(cause)) throw cause;
    throw new VerifierError({
      code: "verifier_output_refused",
      message: `what the verifier left in /logs/verifier can't be read: ${cause.message}`,
      cause,
    });
  }
  const read = (name: string, maximum: number) => (found ? readRegular(join(destination, name), maximum) : null);
  const ctrf = await read("ctrf.json", maximumReportBytes);
  return {
    json: await read("reward.json", maximumRewardBytes),
    text: await read("reward.txt", maximumRewardBytes),
    ctrf: ctrf === null ? null : Buffer.from(ctrf).toString("utf8"),
  };
}

async function readRegular(path: string, maximum: number): Promise<Uint8Array | null> {
  const status = await lstat(path).catch(() => null);
  if (status === null) return null;
  if (!status.isFile() || status.size > maximum)
    throw new VerifierError({
      code: "reward_unreadable",
      message: `${path.split("/").pop()} is no regular file of at most ${maximum} bytes`,
    });
  return hostStorage(async () => {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      return await file.readFile();
    } finally {
      await file.close();
    }
  });
}

/** The beginning and the end of what a verifier printed, bounded. */
export function evidence(text: string, characters = 4000): string {
  if (text.length <= characters) return text;
  const half = characters / 2;
  return `${text.slice(0, half)}\n… ${text.length - characters} characters left out …\n${text.slice(-half)}`;
}
