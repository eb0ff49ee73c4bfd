// Which of the agent's changes a restored verification keeps, and which come from the image. Kept is honest work; from
// the image come the tools with which the verifier works, everything that starts by itself, and the runner's settings.
import { posix } from "node:path";
import type { FileChange } from "../../../contract/index.ts";
import type { ImageLinks } from "./image-links.ts";
import { forbiddenTarget, linkResolver } from "./link-target.ts";
import { isBelowAny, within } from "./path-within.ts";
import { isRunnerConfiguration, shadowsModule } from "./runner-configuration.ts";
import { startupReason } from "./startup-files.ts";

export type RestoredContext = {
  /** Declared artefacts: what is inside them is kept whatever it is called. */
  readonly declared: readonly string[];
  /** The instruction: a file that it names is asked for, so it is work. */
  readonly instruction: string;
  /** Where the verifier's commands run. */
  readonly workingDirectory: string;
  /** The image's PATH, and PYTHONPATH and the like. */
  readonly searchPath: readonly string[];
  /** Home directories besides /root and those under /home. */
  readonly homes?: readonly string[];
  /** Links of the image, null when they can't be looked up. */
  readonly imageLinks?: ImageLinks | null;
};
export type RestoredPath = { readonly path: string; readonly reason: string };
export type RestoredPlan = {
  readonly keep: FileChange[];
  readonly restore: RestoredPath[];
  /** Those of `restore` that no honest work needs. */
  readonly attacks: string[];
};

const kernel = ["/proc", "/sys", "/dev", "/run", "/var/run", "/tests", "/solution", "/logs"];
const system = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/boot"];
const settings = [
  /^\/etc\/(?:profile|bash\.|bash_completion|zsh|csh|environment|ld\.so|pam|security|sudo|cron|at\.|anacron|hosts|hostname|host\.conf|resolv\.conf|nsswitch\.conf|inputrc|skel|shells|login|init|rc|systemd|alternatives|python|pip|gitconfig|npmrc|curlrc|wgetrc|apt|ssl|ca-certificates|gai\.conf|locale)/,
];

/** Pure: the same changes and context give the same plan. */
export function restoredPolicy(changes: readonly FileChange[], context: RestoredContext): RestoredPlan {
  const plan: { keep: FileChange[]; restore: RestoredPath[]; attacks: string[] } = {
    keep: [],
    restore: [],
    attacks: [],
  };
  const resolve = linkResolver(changes, context.imageLinks ?? null);
  const prefixes = searchPrefixes(context.searchPath, context.workingDirectory);
  const guarded = [...kernel, ...system, "/etc", "/root", ...(context.homes ?? []), ...prefixes];
  const surroundings = {
    context,
    prefixes,
    resolve,
    isGuarded: (path: string) => guarded.some((folder) => folder !== "/" && within(folder, path)),
    workingDirectories: [...new Set([context.workingDirectory, ...resolve(context.workingDirectory)])],
  };
  for (const change of changes) {
    const reason = reasonToRestore(change, surroundings);
    if (reason === null) plan.keep.push(change);
    else if (reason !== "") {
      plan.restore.push({ path: change.path, reason });
      if (attackReasons.has(reason)) plan.attacks.push(`${reason}: ${change.path}`);
    }
  }
  return dropOrphans(plan);
}

const attackReasons = new Set([
  "library preload",
  "planted interpreter start-up",
  "link into the runner's own place",
  "in the place of a system folder",
]);

type Surroundings = {
  readonly context: RestoredContext;
  readonly prefixes: readonly string[];
  readonly resolve: (path: string) => readonly string[];
  /** Whether a path is a folder, or lies above one, whose content is looked at by its path. */
  readonly isGuarded: (path: string) => boolean;
  /** The working directory by its own path and by that of the folder to which it leads. */
  readonly workingDirectories: readonly string[];
};

function reasonToRestore(change: FileChange, surroundings: Surroundings): string | null {
  const { context, prefixes, resolve } = surroundings;
  const { path, entry } = change;
  if (kernel.some((folder) => within(path, folder))) return mutedDirectories.has(path) ? "" : "the runner's own place";
  if (/^\/etc\/ld\.so\.preload$/.test(path)) return "library preload";
  if (system.some((folder) => within(path, folder))) return "system directory";
  if (entry?.type === "symlink" && resolve(path).some(forbiddenTarget)) return "link into the runner's own place";
  if (entry && ["fifo", "socket", "device"].includes(entry.type)) return `special file (${entry.type})`;
  if (entry && entry.type !== "directory" && surroundings.isGuarded(path)) return "in the place of a system folder";
  if (context.declared.some((artefact) => within(path, artefact))) return null;
  if (settings.some((pattern) => pattern.test(path))) return "system settings";
  if (prefixes.some((folder) => within(path, folder))) return "on the search path";
  const startup = startupReason(path, context.homes ?? [], entry?.type === "symlink");
  if (startup !== null) return startup;
  if (change.change === "removed") return null;
  if (isNamed(path, context.instruction)) return null;
  if (isRunnerConfiguration(path)) return "test runner configuration";
  const shadows = surroundings.workingDirectories.some((folder) => shadowsModule(path, entry?.type, folder));
  if (shadows && change.change === "added") return "shadows a module";
  return null;
}

/** Folders that every sandbox has: that their times changed is nothing to report. */
const mutedDirectories = new Set([
  "/proc",
  "/sys",
  "/dev",
  "/run",
  "/logs",
  "/logs/agent",
  "/logs/verifier",
  "/logs/artifacts",
  "/solution",
]);

function isNamed(path: string, instruction: string): boolean {
  const name = posix.basename(path).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?:^|[^\\w.-])${name}(?:$|[^\\w-])`).test(instruction);
}

/** A `bin` folder on the search path stands for the whole prefix: /opt/venv/bin for /opt/venv. */
function searchPrefixes(searchPath: readonly string[], workingDirectory: string): string[] {
  return searchPath
    .filter((folder) => folder.startsWith("/") && !system.some((root) => within(folder, root)))
    .map((folder) =>
      /\/s?bin$/.test(folder) && posix.dirname(folder).split("/").length > 2 ? posix.dirname(folder) : folder,
    )
    .filter((folder) => folder !== "/" && folder !== workingDirectory);
}

/** A kept entry below a folder that is not kept, and that the image lacks, can't stand. */
function dropOrphans(plan: RestoredPlan): RestoredPlan {
  const gone = new Set(plan.restore.map(({ path }) => path));
  return {
    keep: plan.keep.filter(({ path }) => !isBelowAny(path, gone)),
    restore: plan.restore,
    attacks: plan.attacks,
  };
}
