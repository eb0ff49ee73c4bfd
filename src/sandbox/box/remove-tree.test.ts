import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { removeTree } from "./remove-tree.ts";

const makeDeep = (folder: string) =>
  execFileSync(process.execPath, [
    "-e",
    'process.chdir(process.argv[1]); for (let i = 0; i < 30; i++) { require("fs").mkdirSync("0".repeat(200)); process.chdir("0".repeat(200)); }',
    folder,
  ]);

test("removes a tree whose paths are longer than the kernel takes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rs-remove-"));
  makeDeep(folder);
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
});

test("removes names that are no UTF-8, folders among them", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rs-remove-"));
  const inner = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xfe])]);
  mkdirSync(inner);
  writeFileSync(Buffer.concat([inner, Buffer.from("/"), Buffer.from([0xff])]), "x");
  await removeTree(folder);
  expect(existsSync(folder)).toBe(false);
});

test("a path that is not there is no error", async () => {
  await removeTree(join(tmpdir(), "rs-remove-nothing"));
});
