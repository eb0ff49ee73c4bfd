import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Blobs, blobDigest } from "../store/index.ts";
import { isEvidenceLost } from "./evidence.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rs-evidence-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("isEvidenceLost", () => {
  it("sees a report that is gone or damaged", async () => {
    const blobs = new Blobs(join(folder, "blobs"), { writable: true });
    const report = await blobs.put("a report");
    const places = { blobs, folder: null };
    expect(isEvidenceLost({ report }, places)).toBe(false);
    expect(isEvidenceLost({ evidence: report }, places)).toBe(false);
    truncateSync(blobs.path(report), 3);
    expect(isEvidenceLost({ report }, places)).toBe(true);
    rmSync(blobs.path(report));
    expect(isEvidenceLost({ evidence: report }, places)).toBe(true);
  });

  it("sees a file that is gone or damaged", () => {
    const places = { blobs: new Blobs(folder, { writable: false }), folder };
    writeFileSync(join(folder, "1.json"), "{}");
    const result = { file: "1.json", fileDigest: blobDigest("{}") };
    expect(isEvidenceLost(result, places)).toBe(false);
    expect(isEvidenceLost({ ...result, fileDigest: blobDigest("[]") }, places)).toBe(true);
    expect(isEvidenceLost({ ...result, file: "2.json" }, places)).toBe(true);
  });

  it("asks nothing of other results", () => {
    const places = { blobs: new Blobs(folder, { writable: false }), folder };
    for (const result of [null, 3, "sha256:", [1], {}, { report: "text" }, { evidence: null }])
      expect(isEvidenceLost(result, places)).toBe(false);
  });
});
