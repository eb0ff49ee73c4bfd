import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { deflate, gzip, tar, utf8, xz, zip } from "./index.ts";

const directory = mkdtempSync(join(tmpdir(), "encoding-"));
afterAll(() => rmSync(directory, { recursive: true }));

const members = [
  { path: "a/one.txt", content: utf8("one\n".repeat(400)), modified: 1_700_000_000 },
  { path: "a/empty", content: utf8(""), modified: 1_700_000_002 },
  {
    path: "ü.bin",
    content: Uint8Array.from({ length: 70_001 }, (_, index) => (index * index) % 251),
    modified: 1_700_000_004,
  },
];
const python = (code: string, file: Uint8Array) => {
  const path = join(directory, "file");
  writeFileSync(path, file);
  const run = spawnSync("/usr/bin/python3", ["-I", "-c", code, path], { encoding: "utf8" });
  expect(run.stderr).toBe("");
  return JSON.parse(run.stdout) as unknown;
};
const listing = members.map((member) => [
  member.path,
  Buffer.from(member.content).toString("hex").slice(0, 40),
  member.content.length,
]);

describe("archive formats", () => {
  it("deflates what zlib inflates", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 3000 }),
          fc.string({ maxLength: 40 }).map((s) => utf8(s.repeat(90))),
        ),
        (bytes) => {
          expect(Buffer.compare(inflateRawSync(deflate(bytes)), bytes)).toBe(0);
        },
      ),
    );
    const text = utf8("2026-03-01 INFO request handled\n".repeat(500));
    expect(deflate(text).length).toBeLessThan(text.length / 20);
    expect(gunzipSync(gzip(text, "app.log")).length).toBe(text.length);
  });

  it("writes tar, zip and xz that Python reads", () => {
    const show = "print(json.dumps([[n, d[:20].hex(), len(d)] for n, d in rows]))";
    const head = "import sys, json, tarfile, zipfile, lzma\n";
    expect(
      python(
        `${head}t = tarfile.open(sys.argv[1])\nrows = [(m.name, t.extractfile(m).read()) for m in t]\n${show}`,
        tar(members),
      ),
    ).toEqual(listing);
    for (const stored of [true, false]) {
      const { bytes } = zip(members, { stored });
      expect(
        python(
          `${head}z = zipfile.ZipFile(sys.argv[1])\nz.testzip()\nrows = [(n, z.read(n)) for n in z.namelist()]\n${show}`,
          bytes,
        ),
      ).toEqual(listing);
    }
    const sizes = python(`${head}print(json.dumps(len(lzma.open(sys.argv[1]).read())))`, xz(members[2]!.content));
    expect(sizes).toBe(70_001);
  });
});
