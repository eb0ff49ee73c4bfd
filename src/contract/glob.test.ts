import { describe, expect, test } from "vitest";
import { anyCharacter, characterSet, compileGlob, type GlobPart, literal, withinName } from "./glob.ts";

const star: GlobPart = { many: withinName };
describe("compileGlob", () => {
  test.each<[string, GlobPart[], string[], string[]]>([
    ["nothing", [], [""], ["a"]],
    ["a text", literal("a/b"), ["a/b"], ["a", "a/bc", ""]],
    ["a star", [...literal("a"), star, ...literal("c")], ["ac", "abc", "abcc"], ["a/c", "abcd", "c"]],
    ["one", [{ one: withinName }], ["a", "🧗"], ["", "ab", "/"]],
    ["optional", [{ optional: literal("a/") }, ...literal("b")], ["b", "a/b"], ["a/a/b", "a/"]],
    [
      "repeated",
      [{ repeated: [{ many: withinName }, ...literal("/")] }, ...literal("b")],
      ["b", "a/b", "a/c/b"],
      ["ab"],
    ],
    ["repeated nothing", [{ repeated: [{ repeated: [] }] }, ...literal("b")], ["b"], [""]],
    ["anything", [{ many: anyCharacter }], ["", "a/b\n"], []],
  ])("%s", (_, parts, yes, no) => {
    const glob = compileGlob(parts);
    for (const text of yes) expect([text, glob.test(text)]).toEqual([text, true]);
    for (const text of no) expect([text, glob.test(text)]).toEqual([text, false]);
  });

  test("thirty stars over a long name end at once, as a regular expression of the same pattern would not", () => {
    const parts = Array.from({ length: 30 }, () => [star, ...literal("a")]).flat();
    const glob = compileGlob([...parts, ...literal("b")]);
    expect(glob.test("a".repeat(4000))).toBe(false);
    expect(glob.test(`${"a".repeat(4000)}b`)).toBe(true);
    expect(compileGlob(literal("a".repeat(20_000))).test("a".repeat(20_000))).toBe(false);
  });
});

test.each<[string, boolean, string, string]>([
  ["abc", false, "abc", "d-"],
  ["a-c", false, "abc", "d-"],
  ["a-", false, "a-", "b"],
  ["z-a", false, "", "az-m"],
  ["a-c", true, "d/", "b"],
])("characterSet %s, negated: %s", (members, isNegated, yes, no) => {
  const set = characterSet(members, isNegated);
  for (const character of yes) expect(set(character)).toBe(true);
  for (const character of no) expect(set(character)).toBe(false);
});
