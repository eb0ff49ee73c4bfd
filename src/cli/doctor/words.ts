// The machine's facts and an attack's outcome, as lines for people.
import type { Finding } from "../../sandbox/index.ts";
import type { Machine } from "./machine.ts";

const gigabytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GB`;

/** Name and value of each fact, in the order in which they are shown. */
export const factsOf = (machine: Machine): Record<string, string> => ({
  system: `${machine.distribution}, kernel ${machine.kernel}, in ${machine.runsIn}`,
  node: machine.node,
  user: machine.isRoot
    ? "root"
    : `${machine.user}, an ordinary user${machine.becomesRoot === "sudo" ? " who may sudo" : ""}`,
  processors: String(machine.processors),
  memory: `${gigabytes(machine.memoryBytes)}, ${gigabytes(machine.freeMemoryBytes)} free`,
  disk: `${gigabytes(machine.cache.freeBytes)} free at ${machine.cache.path}`,
  "control groups": machine.controlGroups,
});

const marks = { held: "held   ", hole: "HOLE   ", unknown: "unknown" } as const;

export function findingLine({ verdict, id, title, detail, remedy }: Finding): string {
  const line = `  ${marks[verdict]} ${id.padEnd(19)} ${title}`;
  return verdict === "held" ? line : wrapRemedy(`${line}\n          ${detail}`, remedy ?? "", "          ");
}

export const wrapRemedy = (text: string, remedy: string, indent = "  "): string =>
  remedy === "" ? text : `${text}\n${indent}→ ${remedy}`;
