import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VerifierError } from "../../../contract/index.ts";
import { parseReward } from "./reward.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const fromText = (text: string) => parseReward({ json: null, text: bytes(text) });
const fromJson = (text: string) => parseReward({ json: bytes(text), text: null });
const codeOf = (work: () => unknown) => {
  try {
    work();
    return "no error";
  } catch (error) {
    return VerifierError.isInstance(error) ? error.code : `another error: ${error}`;
  }
};

describe("reward.txt", () => {
  it.each(["0", "1", "1\n", "0.5", " 0.25\r\n", ".5", "1.", "1e0", "1.0e-3", "+1", "0.0000"])(
    "%j is a reward",
    (text) => {
      expect(fromText(text).score).toBe(Number(text));
    },
  );

  it.each([
    ["100", "reward_out_of_range"],
    ["1.5", "reward_out_of_range"],
    ["-1", "reward_out_of_range"],
    ["-0", "reward_out_of_range"],
    ["1abc", "reward_not_a_number"],
    ["nan", "reward_not_a_number"],
    ["inf", "reward_not_a_number"],
    ["1e999", "reward_not_a_number"],
    ["0x1", "reward_not_a_number"],
    ["0b1", "reward_not_a_number"],
    ["1_0", "reward_not_a_number"],
    ["0,5", "reward_not_a_number"],
    ["true", "reward_not_a_number"],
    ["１", "reward_not_a_number"],
    ["0\n1\n", "reward_not_a_number"],
    ["1 1", "reward_not_a_number"],
    ["\ufeff1", "reward_not_a_number"],
    ["\u00a01", "reward_not_a_number"],
    ["", "reward_not_a_number"],
    ["\n", "reward_not_a_number"],
    ["+", "reward_not_a_number"],
    [".", "reward_not_a_number"],
    ["reward: 1", "reward_not_a_number"],
    ["1\0", "reward_not_a_number"],
  ])("%j is no reward", (text, code) => {
    expect(codeOf(() => fromText(text))).toBe(code);
  });

  // BR004
  it("quotes the raw text", () => {
    expect(() => fromText("1abc")).toThrow('"1abc"');
  });

  it("refuses bytes that are no UTF-8", () => {
    expect(codeOf(() => parseReward({ json: null, text: new Uint8Array([0x31, 0xff]) }))).toBe("reward_unreadable");
  });

  it("never gives anything but a number in 0..1", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const code = codeOf(() => expect(fromText(text).score).toSatisfy((x: number) => x >= 0 && x <= 1));
        expect(code).toMatch(/^(no error|reward_)/);
      }),
    );
  });
});

describe("reward.json", () => {
  it("reads every named number", () => {
    expect(fromJson('{"reward": 0.5, "R1": 1,\n "R2": 0, "seconds": 12.5}\n')).toEqual({
      score: 0.5,
      rewards: { reward: 0.5, R1: 1, R2: 0, seconds: 12.5 },
    });
    expect(fromJson('{"a:b,}": 1, "reward": 1}').rewards).toEqual({ "a:b,}": 1, reward: 1 });
  });

  it.each([
    ["{}", "reward_key_missing"],
    ['{"accuracy": 1}', "reward_key_missing"],
    ['{"reward": 2}', "reward_out_of_range"],
    ['{"reward": -0.1}', "reward_out_of_range"],
    ['{"reward": NaN}', "reward_not_a_number"],
    ['{"reward": Infinity}', "reward_not_a_number"],
    ['{"reward": 1e999}', "reward_not_a_number"],
    ['{"reward": true}', "reward_not_a_number"],
    ['{"reward": "1"}', "reward_not_a_number"],
    ['{"reward": null}', "reward_not_a_number"],
    ['{"reward": 1, "note": "x"}', "reward_not_a_number"],
    ['{"reward": 1, "parts": {"a": 1}}', "reward_not_a_number"],
    ['{"reward": 1, "parts": [1]}', "reward_not_a_number"],
    ['{"reward": 0, "reward": 1}', "reward_ambiguous"],
    ['{"reward": 0, "r\\u0065ward": 1}', "reward_ambiguous"],
    ['{"reward": 1,}', "reward_not_a_number"],
    ['{"reward": 1} {"reward": 0}', "reward_not_a_number"],
    ['{"reward": 1 "b": 2}', "reward_not_a_number"],
    ["[1]", "reward_not_a_number"],
    ["1", "reward_not_a_number"],
    ["", "reward_not_a_number"],
    ["{", "reward_not_a_number"],
    ['\ufeff{"reward": 1}', "reward_not_a_number"],
    ["{'reward': 1}", "reward_not_a_number"],
  ])("%j is no reward", (text, code) => {
    expect(codeOf(() => fromJson(text))).toBe(code);
  });

  it("reads what JSON.stringify writes, whatever the keys are", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.double({ min: 0, max: 1e300, noNaN: true })),
        fc.boolean(),
        (rest, pretty) => {
          const { reward: _, ["__proto__"]: __, ...others } = rest;
          const written = { ...others, reward: 1 };
          expect(fromJson(JSON.stringify(written, null, pretty ? 2 : 0)).rewards).toEqual(
            JSON.parse(JSON.stringify(written)),
          );
        },
      ),
    );
  });
});

describe("both files", () => {
  it("agree, or there is no verdict", () => {
    expect(parseReward({ json: bytes('{"reward": 1}'), text: bytes("1.0\n") }).score).toBe(1);
    expect(codeOf(() => parseReward({ json: bytes('{"reward": 1}'), text: bytes("0") }))).toBe("reward_ambiguous");
    expect(codeOf(() => parseReward({ json: bytes('{"reward": 1}'), text: bytes("x") }))).toBe("reward_not_a_number");
    expect(codeOf(() => parseReward({ json: null, text: null }))).toBe("reward_missing");
  });
});
