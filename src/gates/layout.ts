import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Evidence } from "../contract/index.ts";
import { requirementsOf } from "../tasks/index.ts";
import { defineGate } from "./gate.ts";
import type { TaskFiles } from "./task-files.ts";

const junk = /(^|\/)(__MACOSX|\.DS_Store|Thumbs\.db|__pycache__|\.git|\.venv|node_modules)(\/|$)|\.(pyc|swp|swo)$|~$/;

/**
 * `layout`: the folder holds what a run needs, nothing that it can't run, and nothing of tests or solution where the
 * agent would find it.
 */
export const layout = defineGate({
  id: "layout",
  cost: "static",
  measures:
    "The folder holds instruction, environment, solution and test script, and hides the last two from the agent.",
  requiredAt: ["static", "core"],
  async look(task, { files }) {
    const problems: Evidence[] = [];
    const remarks: Evidence[] = [];
    if (task.instruction.trim() === "") problems.push({ message: "the instruction is empty", file: "instruction.md" });
    if (task.solution === null)
      problems.push({
        message: "there is no solution/solve.sh: nothing can show that the task can be solved",
        file: "solution/solve.sh",
      });
    for (const { need, field, detail, supported, reason } of await requirementsOf(task))
      if (!supported) problems.push({ message: `${field} (${detail}): ${reason}`, file: "task.toml", rule: need });
    for (const path of leaks(task.directory, files))
      problems.push({
        message: `the agent's image is built from a copy of ${path.of}`,
        file: path.copy,
        rule: "leaked_file",
      });
    for (const path of files.paths)
      if (junk.test(path)) remarks.push({ message: "does not belong to a task", file: path });
    return {
      status: problems.length > 0 ? "fail" : remarks.length > 0 ? "warn" : "pass",
      measured: {
        files: files.paths.length,
        partials: task.partials.length,
        requirements: task.requirements?.requirements.length ?? null,
      },
      evidence: [...problems, ...remarks],
      remediation:
        "Give the files that are missing; move what only the verifier or the solution needs out of environment/.",
    };
  },
});

/** Files under environment/ with the same content as a secret of tests/ or solution/; short ones are left out. */
function leaks(directory: string, files: TaskFiles): { copy: string; of: string }[] {
  const hidden = files.paths.filter(
    (path) => isSecret(path) && files.size(path) >= (/^(steps\/[^/]+\/)?solution\//.test(path) ? 24 : 64),
  );
  const sizes = new Set(hidden.map((path) => files.size(path)));
  const visible = files.paths.filter(
    (path) => /^environment\/|^steps\/[^/]+\/workdir\//.test(path) && sizes.has(files.size(path)),
  );
  if (visible.length === 0) return [];
  const byDigest = new Map<string, string>();
  for (const path of hidden) {
    const content = read(directory, path);
    if (content !== null) byDigest.set(digest(content), path);
  }
  return visible.flatMap((copy) => {
    const content = read(directory, copy);
    const of = content === null ? undefined : byDigest.get(digest(content));
    return of === undefined ? [] : [{ copy, of }];
  });
}
/**
 * What the agent must not read: solutions, the test script, expected results. A verifier may keep pristine copies of
 * files that the agent gets, tests among them, so the rest of tests/ is no secret by itself.
 */
const isSecret = (path: string): boolean =>
  /^(steps\/[^/]+\/)?solution\/(.*\.(sh|bat|patch|diff))$/.test(path) ||
  /^(steps\/[^/]+\/)?tests\/test\.(sh|bat)$/.test(path) ||
  /^(steps\/[^/]+\/)?tests\/(.*\/)?[^/]*(expect|answer|truth|golden|solution)[^/]*$/i.test(path);
const digest = (content: Buffer): string => createHash("sha256").update(content).digest("hex");
function read(directory: string, path: string): Buffer | null {
  try {
    return readFileSync(join(directory, path));
  } catch {
    return null;
  }
}
