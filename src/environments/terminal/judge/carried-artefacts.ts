// The paths that a sealed verification carries over, checked before anything runs: a path that would carry the agent's
// toolchain or the kernel's own folders into the verifier is refused when the task is opened.
import { posix } from "node:path";
import { TaskFormatError } from "../../../contract/index.ts";
import type { Task } from "../../../tasks/index.ts";

export type CarriedArtefact = { readonly path: string; readonly exclude: readonly string[] };

const kernel = ["/proc", "/sys", "/dev", "/tests", "/solution", "/logs/verifier", "/run/routesetter"];
const system = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/boot", "/usr/bin", "/usr/sbin", "/usr/lib"];
const whole = ["/etc", "/usr", "/usr/local", "/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/run", "/logs"];

/**
 * Declared by requirements.json and by task.toml's `artifacts` (relative ones start at the working directory), and
 * `/logs/artifacts`, which every task has. Errors: TaskFormatError `artefact_path_refused`.
 */
export function carriedArtefacts(task: Task): CarriedArtefact[] {
  const carried = new Map<string, CarriedArtefact>();
  const root = task.configuration.environment.workdir ?? "/";
  const add = (declared: string, exclude: readonly string[], file: string, field: string) => {
    const path = normalise(posix.resolve(root, declared));
    const reason = refusal(path);
    if (reason !== null)
      throw new TaskFormatError({
        code: "artefact_path_refused",
        message: `the artefact ${declared} can't be carried over: ${reason}`,
        where: { file, field },
        remedy: "declare the files or folders that the work consists of",
      });
    if (!carried.has(path) || exclude.length > 0) carried.set(path, { path, exclude });
  };
  for (const path of task.requirements?.artefacts ?? []) add(path, [], "requirements.json", "artefacts");
  for (const [index, { source, exclude, service }] of task.configuration.artifacts.entries())
    if (service === "main") add(source, exclude, "task.toml", `artifacts[${index}]`);
  if (task.requirements === null) add("/logs/artifacts", [], "task.toml", "artifacts");
  return withoutNested([...carried.values()]);
}

function refusal(path: string): string | null {
  if (path === "/") return "it is the whole file system, the verifier's own tools included";
  const within = (folder: string) => path === folder || path.startsWith(`${folder}/`);
  if (kernel.some(within)) return "that place belongs to the runner";
  if (system.some(within) || whole.includes(path)) return "it holds the tools with which the verifier works";
  return null;
}

const normalise = (path: string) => (path.length > 1 ? path.replace(/\/+$/, "") : path);

/** An artefact inside another one that excludes nothing is carried with it. */
function withoutNested(artefacts: CarriedArtefact[]): CarriedArtefact[] {
  const sorted = artefacts.sort((a, b) => (a.path < b.path ? -1 : 1));
  return sorted.filter(
    ({ path }) => !sorted.some((other) => path.startsWith(`${other.path}/`) && other.exclude.length === 0),
  );
}
