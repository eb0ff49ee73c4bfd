import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { answersInImage } from "./leaks.ts";
import { demandedNames } from "./vocabulary.ts";

const directory = mkdtempSync(join(tmpdir(), "leaks-"));
afterAll(() => rmSync(directory, { recursive: true }));

describe("what the suite of families looks for", () => {
  it("finds an answer that is in the image already, in a file or a folder of answers, and nothing else", () => {
    mkdirSync(join(directory, "tree/deep"), { recursive: true });
    writeFileSync(join(directory, "tree/deep/a.txt"), "the answer\n");
    writeFileSync(join(directory, "empty"), "");
    const fixtures = [
      { path: "hidden/answer.txt", content: "the answer\n" },
      { path: "input.txt", content: "the question\n" },
      { path: "empty", content: "" },
      { path: "bytes", content: new Uint8Array(Buffer.from("the answer\n")) },
    ];
    const places = ["tree", "empty", "missing"].map((name) => join(directory, name));
    expect(answersInImage(fixtures, places)).toEqual(["hidden/answer.txt", "bytes"]);
  });

  it("doesn't call a file that was left as it came an answer", () => {
    mkdirSync(join(directory, "app/etc"), { recursive: true });
    writeFileSync(join(directory, "app/etc/kept.conf"), "as it came\n");
    const fixtures = [{ path: "etc/kept.conf", content: "as it came\n" }];
    expect(answersInImage(fixtures, [join(directory, "app/etc")])).toEqual([]);
  });

  it("collects the keys and columns that a verifier demands, the top level's aside", () => {
    const expected = {
      totals: { sum: 1, by: { north: 2 } },
      table: { columns: ["a", "b"], rows: [["x", "y"]] },
      list: [{ id: 1 }],
    };
    expect(demandedNames(expected).sort()).toEqual(["a", "b", "by", "id", "north", "sum"]);
  });
});
