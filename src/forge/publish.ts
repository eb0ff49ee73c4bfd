import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Funnel } from "../setter/index.ts";
import { writeTask } from "../tasks/index.ts";
import { folderFiles, reportFile } from "./evaluate.ts";
import type { Family } from "./families/index.ts";
import type { Published } from "./flow.ts";
import { drawTask, type ProceduralDesign } from "./procedural.ts";

/** Puts an accepted task on the shelf together with its report; doing it again changes nothing. */
export async function publishTask(
  out: string,
  design: ProceduralDesign,
  report: string,
  families: readonly Family[],
): Promise<void> {
  const files = [...folderFiles(drawTask(design, families)), { path: reportFile, content: report }];
  await writeTask(join(out, design.slug), files, { replace: true });
}

/** The list of what lies on the shelf, and what became of the rest; a file of its own, replaced whole. */
export async function writeIndex(
  out: string,
  run: { seed: number; author: string },
  funnel: Funnel,
  published: readonly Published[],
): Promise<void> {
  await mkdir(out, { recursive: true });
  const tasks = published.map(({ design, decision }) => ({
    task: design.slug,
    family: design.family,
    difficulty: design.difficulty,
    index: design.index,
    distinctness: decision.key,
    warnings: decision.warnings,
  }));
  const partial = join(out, ".forge.json.partial");
  await writeFile(partial, `${JSON.stringify({ version: 1, ...run, funnel, tasks }, null, 2)}\n`);
  await rename(partial, join(out, "forge.json"));
}

/** Removes what a killed writer left half-written on the shelf. */
export async function tidyShelf(out: string): Promise<void> {
  for (const name of await readdir(out).catch(() => [] as string[]))
    if (/^\..+\.(partial|replaced)$/.test(name)) await rm(join(out, name), { recursive: true, force: true });
}
