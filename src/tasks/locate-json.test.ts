import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonLocator } from "./locate-json.ts";

test("members and elements", () => {
  const text = '{\n  "a": [1, {"b\\n": null}],\n  "c": {}\n}';
  const locator = new JsonLocator(text);
  expect(locator.fault).toBeNull();
  expect(locator.find(["a"])).toEqual({ line: 2, column: 3 });
  expect(locator.find(["a", 1])).toEqual({ line: 2, column: 12 });
  expect(locator.find(["a", 1, "b\n"])).toEqual({ line: 2, column: 13 });
  expect(locator.find(["c", "missing"])).toEqual({ line: 3, column: 3 });
});

test.each([
  ["", 1, 1],
  ['{"a": }', 1, 7],
  ['{"a": 1,}', 1, 9],
  ["{\n  a: 1\n}", 2, 3],
  ["[1, 2", 1, 6],
  ['["a\nb"]', 1, 2],
  ["[1] x", 1, 5],
  ["[01]", 1, 3],
  ['{"a" 1}', 1, 6],
  ["[1}", 1, 3],
])("%j breaks at %i:%i", (text, line, column) => {
  expect(new JsonLocator(text).fault).toMatchObject({ line, column });
});

test("it calls broken exactly what JSON.parse calls broken", () => {
  const damaged = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", '"', "x", "\\", "\u0000"))
    .map(([text, at, put]) => {
      const cut = at % (text.length + 1);
      return text.slice(0, cut) + put + text.slice(cut + 1);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), damaged), (text) => {
      let isValid = true;
      try {
        JSON.parse(text);
      } catch {
        isValid = false;
      }
      expect(new JsonLocator(text).fault === null).toBe(isValid);
    }),
    { numRuns: 500 },
  );
});

test("nesting without end is a fault, not a crash", () => {
  expect(new JsonLocator("[".repeat(1_000_000)).fault).not.toBeNull();
});
