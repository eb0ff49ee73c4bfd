import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyOverride } from "./overrides.ts";

const applied = (...overrides: string[]) => {
  const data: Record<string, unknown> = {};
  for (const override of overrides) applyOverride(data, override);
  return data;
};

describe("applyOverride", () => {
  it("reads TOML keys and values, and takes the rest as text", () => {
    expect(applied("a.b=1", "a.c=true", 'a."x.y"=text', 'a.list=["p", "q"]', "d=a=b", "e=", 'f="3"')).toEqual({
      a: { b: 1, c: true, "x.y": "text", list: ["p", "q"] },
      d: "a=b",
      e: "",
      f: "3",
    });
    expect(applied("when=2026-01-02")).toEqual({ when: "2026-01-02" });
  });

  it("lets the last one win", () => {
    expect(applied("a.b=1", "a.b=2")).toEqual({ a: { b: 2 } });
  });

  it.each(["a", "=1", "a..b=1", "a b=1", "a.b"])("refuses %s", (override) => {
    expect(() => applied(override)).toThrowError(expect.objectContaining({ code: "bad_override" }));
  });

  it("refuses a field of what is no table", () => {
    expect(() => applied("a=1", "a.b=2")).toThrowError(/a, which is no table/);
  });

  it("reaches no prototype, and throws nothing but ConfigError", () => {
    applied("__proto__.polluted=1", "constructor.prototype.polluted=1");
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          applied(text);
        } catch (error) {
          expect(error).toMatchObject({ code: "bad_override" });
        }
      }),
    );
  });
});
