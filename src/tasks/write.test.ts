import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { demoTask } from "./fixtures/folder.ts";
import { readTask } from "./read.ts";
import { writeTask } from "./write.ts";
import { formatConfiguration } from "./write-configuration.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "write-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const demo = Object.entries(demoTask).map(([path, content]) => ({ path, content }));
const mode = async (path: string) => (await lstat(join(root, path))).mode & 0o777;

test("written, it is read back the same, with its modes whatever the umask", async () => {
  const before = process.umask(0o077);
  try {
    expect(
      await writeTask(join(root, "set/task"), [...demo, { path: "environment/run", content: "x", mode: 0o700 }]),
    ).toBe(true);
  } finally {
    process.umask(before);
  }
  expect((await readTask(join(root, "set/task"))).id).toBe("demo/hello");
  expect(await mode("set/task")).toBe(0o755);
  expect(await mode("set/task/environment")).toBe(0o755);
  expect(await mode("set/task/environment/run")).toBe(0o700);
  expect(await mode("set/task/tests/test.sh")).toBe(0o755);
  expect(await mode("set/task/task.toml")).toBe(0o644);
  expect(await readdir(join(root, "set"))).toEqual(["task"]);
});

test("again changes nothing; other content needs leave", async () => {
  const at = join(root, "task");
  await writeTask(at, demo);
  const inode = (await lstat(at)).ino;
  expect(await writeTask(at, [...demo].reverse())).toBe(false);
  expect((await lstat(at)).ino).toBe(inode);
  const other = [...demo, { path: "README.md", content: "new" }];
  await expect(writeTask(at, other)).rejects.toMatchObject({ code: "folder_exists", where: { file: at } });
  expect(await writeTask(at, other, { replace: true })).toBe(true);
  expect(await readFile(join(at, "README.md"), "utf8")).toBe("new");
  expect(await writeTask(at, demo, { replace: true })).toBe(true);
  expect(await readdir(root)).toEqual(["task"]);
});

test("a changed mode, a missing and a surplus file are other content", async () => {
  const at = join(root, "task");
  for (const change of [
    { files: demo.map((file) => ({ ...file, mode: 0o600 })) },
    { files: demo.slice(1) },
    { files: [...demo, { path: "tests/more", content: "" }] },
  ]) {
    await writeTask(at, demo, { replace: true });
    await expect(writeTask(at, change.files)).rejects.toMatchObject({ code: "folder_exists" });
  }
});

test("what a killed writer left is tidied, and a folder that it moved away comes back", async () => {
  const at = join(root, "task");
  await mkdir(join(root, ".task.partial/environment"), { recursive: true });
  await writeFile(join(root, ".task.partial/half"), "x");
  expect(await writeTask(at, demo)).toBe(true);
  await rename(at, join(root, ".task.replaced"));
  expect(await writeTask(at, demo)).toBe(false);
  expect(await readdir(root)).toEqual(["task"]);
});

test("paths that lead out, twice, or below a file are refused before anything is written", async () => {
  for (const paths of [
    ["../x"],
    ["/x"],
    ["a//b"],
    ["./a"],
    ["a", "a"],
    ["a", "a/b"],
    [""],
    ["a\\b"],
    ["a\0b"],
    ["\ud800"],
  ])
    await expect(
      writeTask(
        join(root, "t"),
        paths.map((path) => ({ path, content: "" })),
      ),
      JSON.stringify(paths),
    ).rejects.toMatchObject({ code: "path_invalid" });
  expect(await readdir(root)).toEqual([]);
});

test("any bytes and any name survive the way to disk and back", async () => {
  const name = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .filter((value) => !/[/\\\0]/.test(value) && value !== "." && value !== "..");
  let round = 0;
  await fc.assert(
    fc.asyncProperty(name, fc.uint8Array({ maxLength: 64 }), fc.string(), async (file, bytes, text) => {
      fc.pre(!/\p{Surrogate}/u.test(text) && Buffer.byteLength(file) < 200);
      const at = join(root, String(round++));
      const toml = formatConfiguration({ metadata: { text } });
      await writeTask(at, [
        ...demo.filter((entry) => entry.path !== "task.toml"),
        { path: "task.toml", content: toml },
        { path: `environment/files/${file}`, content: bytes },
      ]);
      expect(new Uint8Array(await readFile(join(at, "environment/files", file)))).toEqual(bytes);
      expect((await readTask(at)).configuration.metadata.text).toBe(text);
    }),
    { numRuns: 30 },
  );
});
