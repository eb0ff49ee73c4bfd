import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "../../../statistics/index.ts";
import { familySuite } from "../testing/index.ts";
import { patchApplicationFamily } from "./index.ts";
import { fileText } from "./tree.ts";
import { drawWorld } from "./world.ts";

familySuite(patchApplicationFamily, { shapes: 10 });

const hasPatch = spawnSync("patch", ["--version"]).status === 0;

describe.skipIf(!hasPatch)("what GNU patch makes of it (skipped where it isn't installed)", () => {
  it("comes to the same tree on the levels where its rules are the same", () => {
    for (const difficulty of [1, 2] as const)
      for (let index = 0; index < 4; index++) {
        const draft = patchApplicationFamily.draft(new Random(`gnu/${index}`), difficulty);
        const world = drawWorld(new Random(`gnu/${index}`).fork("world"), difficulty, null);
        const root = mkdtempSync(join(tmpdir(), "patches-"));
        for (const { path, content } of draft.files) {
          mkdirSync(dirname(join(root, path)), { recursive: true });
          writeFileSync(join(root, path), content);
        }
        const queue = draft.files.find(({ path }) => path.endsWith("/series"))?.path.slice(0, -"/series".length) ?? "";
        for (const { name, strip } of world.patches) {
          const words = [`-p${strip}`, "-s", "-f", "-F0", "--no-backup-if-mismatch", "-i", join(root, queue, name)];
          const run = spawnSync("patch", ["-d", join(root, world.project), ...words], { encoding: "utf8" });
          expect(run.status, `${name}: ${run.stdout}${run.stderr}`).toBe(0);
        }
        for (const [path, file] of world.after)
          expect(readFileSync(join(root, world.project, path), "utf8"), path).toBe(fileText(file));
        rmSync(root, { recursive: true });
      }
  });
});
