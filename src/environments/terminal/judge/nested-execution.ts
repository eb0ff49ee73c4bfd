// Executes artefacts for a verifier: one nested sandbox a request, from the pristine image and the carried-over work,
// as an unprivileged uid, without network, tests, reward directory or a process of the verifier's.
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join, posix } from "node:path";
import {
  ArtefactError,
  type SandboxBackend,
  type SandboxHandle,
  type SandboxSpec,
  shellQuote,
} from "../../../contract/index.ts";
import { hostStorage } from "../workspace.ts";
import type { BrokerExecute } from "./broker.ts";
import type { BrokerRequest, BrokerResponse } from "./broker-protocol.ts";
import { type CarriedWork, placeWork } from "./carried-work.ts";
import { type RawResult, runRaw } from "./run-raw.ts";

export const nestedUser = "65534:65534";
const maximumOutputBytes = 8 * 1024 * 1024;
/** Of all commands and collected files of one request, since they are answered in one line. */
const maximumAnswerBytes = 64 * 1024 * 1024;
const maximumCollectedBytes = 32 * 1024 * 1024;

/** `work` is the readable copy; `directory` a host folder for what is collected. Errors: SandboxError. */
export function nestedExecution(
  backend: SandboxBackend,
  spec: SandboxSpec,
  work: () => Promise<CarriedWork>,
  directory: string,
): BrokerExecute {
  return async (request, signal) => {
    const carried = await work();
    const handle = await backend.create({ ...spec, network: { mode: "none" }, mounts: [] });
    try {
      signal.throwIfAborted();
      await placeWork(handle, carried);
      await prepare(handle, request);
      const results: BrokerResponse["results"] = [];
      let left = maximumAnswerBytes;
      for (const command of request.commands) {
        signal.throwIfAborted();
        const result = await runRaw(handle.session, command.argv, {
          user: nestedUser,
          input: Buffer.from(command.stdin ?? "", "base64"),
          timeoutMilliseconds: command.timeout_sec * 1000,
          outputBytes: Math.min(maximumOutputBytes, Math.floor(left / 2)),
          environment: { HOME: "/tmp" },
          ...(spec.workingDirectory === undefined ? {} : { workingDirectory: spec.workingDirectory }),
          signal,
        });
        left -= result.stdout.length + result.stderr.length;
        results.push(describe(result));
      }
      const files = request.collect.length > 0 ? await collect(handle, request.collect, directory, left) : {};
      return { results, files, error: null };
    } finally {
      await handle.dispose();
    }
  };
}

async function prepare(handle: SandboxHandle, request: BrokerRequest): Promise<void> {
  const folders = [...new Set(request.collect.map((path) => posix.dirname(path)))];
  const lines = ["mkdir -p /tmp; chmod 1777 /tmp"];
  for (const folder of folders) lines.push(`mkdir -p -- ${shellQuote(folder)} && chmod a+rwx -- ${shellQuote(folder)}`);
  for (const path of request.collect) lines.push(`[ -h ${shellQuote(path)} ] && rm -f -- ${shellQuote(path)}`);
  if (folders.length > 0)
    await handle.session.run(["/bin/sh"], { user: "0:0", workingDirectory: "/", input: `${lines.join("\n")}\n` });
  for (const [path, content] of Object.entries(request.files))
    await handle.session.writeFile(path, Buffer.from(content, "base64"), { mode: 0o644, user: nestedUser });
}

async function collect(
  handle: SandboxHandle,
  paths: readonly string[],
  parent: string,
  maximumBytes: number,
): Promise<Record<string, string | null>> {
  let left = maximumBytes;
  await handle.killAll();
  const directory = await hostStorage(async () => {
    await mkdir(parent, { recursive: true });
    return mkdtemp(join(parent, "collect-"));
  });
  const files: Record<string, string | null> = {};
  try {
    for (const [index, path] of paths.entries()) {
      const copy = join(directory, String(index));
      files[path] = null;
      try {
        const bytes = Math.min(maximumCollectedBytes, left);
        if (!(await handle.copyOut(path, copy, { bytes, files: 1 }))) continue;
        const content = await hostStorage(() => readFile(copy));
        left -= content.length;
        files[path] = content.toString("base64");
      } catch (error) {
        if (!ArtefactError.isInstance(error) && !isFolder(error)) throw error;
      }
    }
    return files;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const isFolder = (error: unknown) => String((error as Error).message).includes("EISDIR");

function describe(result: RawResult): BrokerResponse["results"][number] {
  return {
    exit_code: result.timedOut ? 124 : (result.exitCode ?? 137),
    stdout: result.stdout.toString("base64"),
    stderr: result.stderr.toString("base64"),
    timed_out: result.timedOut,
  };
}
