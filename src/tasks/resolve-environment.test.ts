import fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigError } from "../contract/index.ts";
import { resolveEnvironment } from "./resolve-environment.ts";

const where = { file: "task.toml", field: "solution.env" };
const template = (inner: string) => `\${${inner}}`;

test("a variable, a default, a default that isn't needed", () => {
  const host = { HOST_A: "from host", EMPTY: "" };
  for (const [inner, expected] of [
    ["HOST_A", "from host"],
    ["HOST_B:-x", "x"],
    ["HOST_A:-x", "from host"],
    ["EMPTY:-x", ""],
    ["HOST_B:-", ""],
    ["HOST_B:-a:-b", "a:-b"],
    ["HOST_B:-a$b'c", "a$b'c"],
  ] as const)
    expect(resolveEnvironment({ V: template(inner) }, host, where), inner).toEqual({ V: expected });
});

// BR024
test("an unset variable without default names variable, field and file", () => {
  try {
    resolveEnvironment({ A: template("HOST_A") }, {}, where);
    expect.unreachable();
  } catch (error) {
    expect(ConfigError.isInstance(error)).toBe(true);
    expect((error as ConfigError).code).toBe("variable_unset");
    expect((error as ConfigError).message).toMatch(/task\.toml solution\.env\.A: .*HOST_A.* not set → set HOST_A/);
  }
});

test("an inherited property of the host's object is not a variable", () => {
  expect(() => resolveEnvironment({ A: template("toString") }, {}, where)).toThrow(/toString/);
});

test("values with dollars, quotes and newlines arrive byte for byte", () => {
  const [a, b] = [template("A"), template("B")];
  for (const value of [
    "a$b'c",
    'x"y',
    "two\nlines",
    "$HOME",
    `${a} ${b}`,
    `pre-${a}`,
    "$A}",
    `\\${a}`,
    "$(id)",
    "`id`",
  ])
    expect(resolveEnvironment({ V: value }, { A: "1", B: "2" }, where)).toEqual({ V: value });
  fc.assert(
    fc.property(fc.string(), (value) => {
      fc.pre(!value.startsWith("$"));
      expect(resolveEnvironment({ V: value }, {}, where)).toEqual({ V: value });
      expect(resolveEnvironment({ V: template("X") }, { X: value }, where)).toEqual({ V: value });
    }),
  );
});
