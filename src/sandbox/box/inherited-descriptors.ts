// Files that our own parent left open in us would be inherited by everything that we start, sandboxes included. Node can't
// close them for its children; the first shell of each launch does. The shell of the house can't name descriptors above 9.
import { readdirSync, readFileSync } from "node:fs";
import { findTool } from "./tools.ts";

export type LaunchShell = {
  readonly program: string;
  /** Shell text that closes what was inherited. */
  readonly closing: string;
  /** Descriptors that can't be closed on this machine. */
  readonly leaked: readonly number[];
};

const closeOnExec = 0o2000000;

export function launchShell(): LaunchShell {
  const inherited = readdirSync("/proc/self/fdinfo")
    .map(Number)
    .filter((number) => number > 9 && !closesOnExec(number));
  if (inherited.length === 0) return { program: "sh", closing: "", leaked: [] };
  if (findTool("bash") === null) return { program: "sh", closing: "", leaked: inherited };
  return { program: "bash", closing: `exec ${inherited.map((number) => `${number}>&-`).join(" ")}\n`, leaked: [] };
}

function closesOnExec(number: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, "utf8"))?.[1] ?? "0";
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0;
  } catch {
    return true;
  }
}
