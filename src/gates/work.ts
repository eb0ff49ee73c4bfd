import type { FileChange } from "../contract/index.ts";

/** What any work leaves behind, and what the runner itself puts there: logs, caches, temporary files, the solution. */
const traces =
  /^\/(solution|tests|logs|tmp|var\/tmp|run|var\/log|var\/cache|var\/lib\/(apt|dpkg)|root\/\.(cache|npm|config|local)|dev|proc|sys)(\/|$)|\/(__pycache__|\.pytest_cache)(\/|$)/;

/** The changes that are work on the task's files; a directory whose entries changed is none by itself. */
export const workOf = (changes: readonly FileChange[]): FileChange[] =>
  changes.filter(
    ({ change, path, entry }) => !traces.test(path) && !(change === "modified" && entry?.type === "directory"),
  );
