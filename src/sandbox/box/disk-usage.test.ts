import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { diskUsage } from "./disk-usage.ts";
import { removeTree } from "./remove-tree.ts";

const root = mkdtempSync(join(tmpdir(), "rs-usage-"));
afterAll(() => removeTree(root));

test("counts files whose names are no UTF-8", async () => {
  const before = (await diskUsage([root])).bytes;
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff])]), Buffer.alloc(1_000_000));
  expect((await diskUsage([root])).bytes - before).toBeGreaterThanOrEqual(1_000_000);
});

test("counts files behind paths that are longer than the kernel takes", async () => {
  const before = (await diskUsage([root])).bytes;
  execFileSync(process.execPath, [
    "-e",
    'process.chdir(process.argv[1]); for (let i = 0; i < 60; i++) { require("fs").mkdirSync("0".repeat(200)); process.chdir("0".repeat(200)); } require("fs").writeFileSync("x", Buffer.alloc(1e6));',
    root,
  ]);
  const { bytes, largestFile } = await diskUsage([root]);
  expect(bytes - before).toBeGreaterThanOrEqual(1_000_000);
  expect(largestFile).toBe(1_000_000);
});
