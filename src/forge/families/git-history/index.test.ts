import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "../../../statistics/index.ts";
import type { TaskDraft } from "../family.ts";
import { familySuite } from "../testing/index.ts";
import { gitHistoryFamily } from "./index.ts";

familySuite(gitHistoryFamily, { shapes: 11 });

const hasGit = spawnSync("git", ["--version"]).status === 0;

function withRepository(draft: TaskDraft, use: (git: (...words: string[]) => string) => void): void {
  const root = mkdtempSync(join(tmpdir(), "repository-"));
  try {
    for (const { path, content } of draft.files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    const head = draft.files.find(({ path }) => path.endsWith(".git/HEAD"))?.path as string;
    use((...words) => {
      const run = spawnSync("git", ["--git-dir", join(root, dirname(head)), ...words], { encoding: "utf8" });
      return run.stdout + run.stderr;
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe.skipIf(!hasGit)("what Git itself says (skipped where there is no git)", () => {
  it("finds every object whole but the one that level 5 damages", () => {
    for (const difficulty of [1, 3, 4, 5] as const)
      withRepository(gitHistoryFamily.draft(new Random(`git/${difficulty}`), difficulty), (git) => {
        const found = git("fsck", "--full", "--strict", "--no-dangling");
        if (difficulty === 5) expect(found).toMatch(/corrupt|missing/);
        else expect(found).not.toMatch(/error|missing|corrupt|warning/);
      });
  });

  it("counts the same contributors", () => {
    for (let index = 0; index < 3; index++) {
      const draft = gitHistoryFamily.draft(new Random(`shortlog/${index}`), 2);
      withRepository(draft, (git) => {
        const found = git("shortlog", "-sne", "--no-merges", "--branches", "--tags")
          .split("\n")
          .flatMap((line) => [...line.matchAll(/^\s*(\d+)\t(.*) <(.*)>$/g)])
          .map(([, count, name, email]) => [name, email, count]);
        const { rows } = (draft.expected as { contributors: { rows: string[][] } }).contributors;
        expect(found.sort()).toEqual([...rows].sort());
      });
    }
  });
});
