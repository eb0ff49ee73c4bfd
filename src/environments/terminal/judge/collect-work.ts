import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Image, VerificationMode } from "../../../contract/index.ts";
import type { Task } from "../../../tasks/index.ts";
import type { TerminalSettings } from "../settings.ts";
import type { TerminalState } from "../terminal-state.ts";
import type { CarriedWork } from "./carried-work.ts";
import { type CollectedArtefact, collectArtefacts, type Quota } from "./collect-artefacts.ts";
import { imageEntry } from "./image-entry.ts";
import { imageLinks } from "./image-links.ts";
import { type RestoredPath, restoredPolicy } from "./restored-policy.ts";
import { collectRestoredWork } from "./restored-work.ts";

/** What was carried over, and what is to be said about it in the verdict. */
export type Collected = {
  readonly work: CarriedWork;
  readonly artefacts: readonly { readonly path: string; readonly present: boolean }[];
  readonly restored: readonly RestoredPath[];
  readonly restoredCount: number;
  readonly attacks: readonly string[];
};

const empty: CarriedWork = { files: [], absent: [], folders: [], links: [], owned: [] };
const maximumFiles = 100_000;
const reportedPaths = 100;

/** Takes out what the mode carries over. Errors: ArtefactError, SandboxError. */
export async function collectWork(
  state: TerminalState,
  options: { task: Task; settings: TerminalSettings; mode: VerificationMode; directory: string },
): Promise<Collected> {
  const { task, settings, mode, directory } = options;
  const quota: Quota = { bytes: settings.limits.diskBytes ?? 10 * 1024 ** 3, files: maximumFiles };
  const nothing = { work: empty, artefacts: [], restored: [], restoredCount: 0, attacks: [] };
  if (mode === "live") return nothing;
  if (mode === "sealed") {
    const collected = await collectArtefacts(state.handle, settings.artefacts, directory, quota, (path) =>
      state.isUntouched(path),
    );
    return {
      ...nothing,
      work: {
        ...empty,
        files: collected.flatMap(({ path, source }) => (source === null ? [] : [{ path, source }])),
        absent: await hiddenByImage(state.image, collected),
      },
      artefacts: collected.map(({ path, source, untouched }) => ({ path, present: source !== null || untouched })),
    };
  }
  const declared = declaredArtefacts(task, settings);
  const { environment } = state.image.configuration;
  const plan = restoredPolicy(await state.changes(), {
    declared,
    instruction: task.instruction,
    workingDirectory: state.workingDirectory,
    searchPath: [environment.PATH, environment.PYTHONPATH, settings.environment.PATH, settings.environment.PYTHONPATH]
      .flatMap((value) => value?.split(":") ?? [])
      .filter((folder) => folder.startsWith("/")),
    homes: environment.HOME ? [environment.HOME] : [],
    imageLinks: imageLinks(state.image),
  });
  // A declared artefact is held to the same rules as in a sealed verification: no links, nothing special.
  await collectArtefacts(
    state.handle,
    settings.artefacts.filter(({ path }) => declared.includes(path)),
    join(directory, "declared"),
    quota,
  );
  const dropped = plan.restore.map(({ path }) => path);
  return {
    ...nothing,
    work: await collectRestoredWork(state.handle, plan.keep, dropped, join(directory, "kept"), quota),
    artefacts: declared.map((path) => ({ path, present: plan.keep.some((change) => change.path === path) })),
    restored: plan.restore.slice(0, reportedPaths),
    restoredCount: plan.restore.length,
    attacks: plan.attacks,
  };
}

function declaredArtefacts(task: Task, settings: TerminalSettings): string[] {
  const all = settings.artefacts.map(({ path }) => path);
  const own = task.configuration.artifacts.some(({ source }) => source === "/logs/artifacts");
  return all.filter((path) => path !== "/logs/artifacts" || own);
}

/** Paths that the image has too, where putting the copy over them would not be enough: missing ones, and folders. */
async function hiddenByImage(image: Image, collected: readonly CollectedArtefact[]): Promise<string[]> {
  const hidden: string[] = [];
  for (const { path, source, untouched } of collected) {
    if (untouched) continue;
    const there = await imageEntry(image, path);
    if (there === "nothing") continue;
    if (there === "file" && source !== null && (await lstat(source)).isFile()) continue;
    hidden.push(path);
  }
  return hidden;
}
