import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { copyOutOf } from "./copy-out.ts";
import { copyInto } from "./file-operations.ts";
import { FileView, noOpaqueDirectories } from "./file-view.ts";

const root = mkdtempSync(join(tmpdir(), "rs-copy-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const openFiles = () => readdirSync("/proc/self/fd").length;

test("a tree of many folders needs few open files, out and in", async () => {
  for (let index = 0; index < 300; index++) mkdirSync(join(root, "from/work", String(index)), { recursive: true });
  mkdirSync(join(root, "to"));
  const before = openFiles();
  const from = new FileView([join(root, "from")], [], [noOpaqueDirectories]);
  expect(await copyOutOf(from, "/work", join(root, "copy"), { bytes: 1000, files: 1000 })).toBe(true);
  const to = new FileView([join(root, "to")], [], [noOpaqueDirectories]);
  await copyInto(to, join(root, "copy"), "/work", { uid: process.getuid!(), gid: process.getgid!() });
  expect(openFiles() - before).toBeLessThan(20);
  from.close();
  to.close();
  expect(readdirSync(join(root, "to/work"))).toHaveLength(300);
});
