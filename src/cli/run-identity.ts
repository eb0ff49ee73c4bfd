import { createHash } from "node:crypto";
import { relative, resolve } from "node:path";
import { canonicalJson, type Json, shellWord } from "../contract/index.ts";
import type { Store } from "../store/index.ts";
import type { Project } from "./project.ts";

/** A run that is the same command again: it goes on, or its result is shown. */
export const runIdOf = (flow: string, input: Json): string =>
  `${flow}-${createHash("sha256").update(canonicalJson(input)).digest("hex").slice(0, 10)}`;

/** The next number of a flow in this project, for commands that start afresh every time: `check-3`. */
export function nextRunId(store: Store, flow: string): string {
  const ids = store.database.prepare<[string], string>("SELECT id FROM run WHERE flow = ?").pluck().all(flow);
  const numbers = ids.map((id) => Number(/-(\d+)$/.exec(id)?.[1] ?? 0));
  return `${flow}-${Math.max(0, ...numbers) + 1}`;
}

/** A path of the command line as it stands in a run's input: relative to the project, so that a moved project resumes. */
export const storedPath = (project: Project, path: string): string => relative(project.directory, resolve(path)) || ".";
/** The way back: relative to where the command runs, for messages and for reading. */
export const shownPath = (project: Project, stored: string): string =>
  relative(process.cwd(), resolve(project.directory, stored)) || ".";

/** The command that continues a run from where this one was called. */
export function resumeCommand(project: Project, id: string, only?: "infra"): string {
  const directory = shownPath(project, ".");
  return `routesetter runs resume ${id}${only ? ` --only ${only}` : ""}${directory === "." ? "" : ` --project ${shellWord(directory)}`}`;
}
