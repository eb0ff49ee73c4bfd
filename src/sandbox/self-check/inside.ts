// What attacks do inside: shell text, and perl for what only a system call can try.
import type { RunOptions, RunResult, SandboxHandle } from "../../contract/index.ts";
import { type CallNumbers, deniedCalls, namespaceCalls } from "../system-calls/index.ts";
import { CannotTell } from "./attack.ts";

const begun = "begun";

/** Standard output of shell text, trimmed. It may fail: attacks mostly do. Errors: CannotTell when it didn't even begin. */
export async function shell(sandbox: SandboxHandle, text: string, options: RunOptions = {}): Promise<string> {
  return outputOf(await sandbox.session.run(`echo ${begun}; ${text}`, { timeoutMilliseconds: 15_000, ...options }));
}

/** Standard output of a perl program without modules. Errors: CannotTell without perl. */
export async function perl(sandbox: SandboxHandle, text: string, options: RunOptions = {}): Promise<string> {
  const words = ["perl", "-e", `$| = 1; print "${begun}\\n"; ${text}`];
  return outputOf(await sandbox.session.run(words, { timeoutMilliseconds: 15_000, ...options }));
}

function outputOf({ stdout, stderr, exitCode }: RunResult): string {
  if (stdout.text.startsWith(begun)) return stdout.text.slice(begun.length).trim();
  const why = stderr.text.trim().split("\n").at(-1);
  throw new CannotTell(
    `what should try it didn't start (exit code ${exitCode}): ${why}`,
    "use an image with a shell, coreutils and perl, in which commands run",
  );
}

const others: Readonly<Record<string, CallNumbers>> = { ptrace: { x64: 101, i386: 26, arm64: 117 } };

/** The number of a system call here. Errors: CannotTell. */
export function callNumber(name: string): number {
  const call = deniedCalls[name] ?? namespaceCalls[name] ?? others[name];
  const number = process.arch === "x64" || process.arch === "arm64" ? call?.[process.arch] : undefined;
  if (number !== undefined) return number;
  throw new CannotTell(`the number of ${name} on ${process.arch} is not known`, "none: another processor");
}

/** EPERM, ENOENT of nothing, EACCES, ENOSYS, EAFNOSUPPORT: the kernel did not let it begin. */
const refusals = new Set(["1", "13", "38", "97"]);

/** Makes one system call with arguments in perl's words. Null when it was refused, else what the kernel answered. */
export async function tryCall(
  sandbox: SandboxHandle,
  name: string,
  words: string,
  before = "",
): Promise<string | null> {
  const text = `${before}; my $answer = syscall(${callNumber(name)}${words === "" ? "" : `, ${words}`}); print $answer < 0 ? $! + 0 : "done";`;
  const answer = await perl(sandbox, text);
  if (refusals.has(answer)) return null;
  return answer === "done" ? `${name} was carried out` : `${name} was let through (error ${answer})`;
}

/** Whether a process with this argument shows inside. The pattern is written so that it doesn't find itself. */
export const seesProcess = async (sandbox: SandboxHandle, mark: string): Promise<boolean> =>
  (await shell(
    sandbox,
    `cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' | grep -c '^[${mark[0]}]${mark.slice(1)}$'`,
  )) !== "0";
