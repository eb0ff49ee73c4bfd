import { printableLine } from "../../contract/index.ts";
import { locateTasks, type Task, walkTasks } from "../../tasks/index.ts";
import type { Reporter } from "../output/events.ts";
import type { Project } from "../project.ts";
import { shownPath, storedPath } from "../run-identity.ts";

/** `path` is relative to the project, `shown` to where the command runs. */
export type StreamedTask = { readonly path: string; readonly shown: string; readonly task: Task };
export type RejectedTask = { readonly path: string; readonly reason: string };

/** How many folders below the paths look like tasks, for the estimate; nothing is read. */
export async function countTasks(project: Project, paths: readonly string[], limit: number | null): Promise<number> {
  let count = 0;
  for await (const _ of locateTasks(paths.map((path) => shownPath(project, path)))) if (++count === limit) break;
  return count;
}

/** Reads the tasks below the paths one by one, warns of what was read leniently, and tells of what can't be read. */
export async function* streamTasks(
  project: Project,
  report: Reporter,
  input: { paths: readonly string[]; limit: number | null },
  onRejected: (rejected: RejectedTask) => void,
): AsyncGenerator<StreamedTask> {
  let found = 0;
  for await (const item of walkTasks(input.paths.map((path) => shownPath(project, path)))) {
    if (found++ === input.limit) return;
    const path = storedPath(project, item.path);
    if ("error" in item) {
      onRejected({ path, reason: item.error.message });
      report.event({ type: "task-rejected", path: item.path, message: item.error.message });
      continue;
    }
    for (const { file, message, line } of item.task.warnings)
      report.warning(printableLine(`${item.path}/${file}${line === undefined ? "" : `:${line}`}: ${message}`));
    yield { path, shown: item.path, task: item.task };
  }
}
