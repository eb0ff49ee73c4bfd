import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { expect, test } from "vitest";
import { TomlLocator } from "./locate-toml.ts";

test("tables, arrays of tables, dotted and quoted keys, inline values, strings that look like keys", () => {
  const text = `top = """
fake = 1
[fake]
"""
[a.b]
  c = [1, # not, here ]
    { d = "x", 'e f' = ''' ]} ''' },
  ]
"q\\"k" = 2
x.y = 3
[[list]]
n = 1
[list.sub]
m = 2
[[list]]
n = 3
`;
  parse(text);
  const locator = new TomlLocator(text);
  const at = (...path: (string | number)[]) => {
    const found = locator.find(path);
    return found && [found.line, found.column];
  };
  expect(at("top")).toEqual([1, 1]);
  expect(at("fake")).toBeUndefined();
  expect(at("a", "b", "c")).toEqual([6, 3]);
  expect(at("a", "b", "c", 1)).toEqual([7, 5]);
  expect(at("a", "b", "c", 1, "d")).toEqual([7, 7]);
  expect(at("a", "b", "c", 1, "e f")).toEqual([7, 16]);
  expect(at("a", "b", 'q"k')).toEqual([9, 1]);
  expect(at("a", "b", "x", "y")).toEqual([10, 1]);
  expect(at("list", 0, "n")).toEqual([12, 1]);
  expect(at("list", 0, "sub", "m")).toEqual([14, 1]);
  expect(at("list", 1, "n")).toEqual([16, 1]);
  expect(at("list", 1, "missing", "deep")).toEqual([15, 1]);
});

test("every key of a table is found where the text names it", () => {
  const text = fc.string({ unit: "binary" }).filter((value) => !/\p{Surrogate}/u.test(value) && value !== "__proto__");
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      { maxDepth: 3 },
      fc.integer(),
      text,
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(text, tie("any"), { maxKeys: 3 }),
    ),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(text, value, { maxKeys: 5 }), (table) => {
      const toml = stringify(table);
      const lines = toml.split("\n");
      const locator = new TomlLocator(toml);
      const visit = (at: unknown, path: (string | number)[]) => {
        if (Array.isArray(at)) for (const [index, item] of at.entries()) visit(item, [...path, index]);
        else if (typeof at === "object" && at !== null)
          for (const [key, item] of Object.entries(at)) {
            const own = [...path, key];
            const found = locator.find(own);
            expect(found, JSON.stringify(own)).toBeDefined();
            const name = /^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key).replaceAll("\u007f", "\\u007f");
            expect(lines[(found?.line ?? 0) - 1]?.slice((found?.column ?? 0) - 1)).toContain(name);
            visit(item, own);
          }
      };
      visit(table, []);
    }),
    { numRuns: 300 },
  );
});
