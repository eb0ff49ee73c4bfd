import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { captureOutput, wholeCodePoints } from "./output-capture.ts";

describe("captureOutput", () => {
  it("keeps a whole-code-point beginning of any text, however it was cut into chunks", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(60), fc.integer({ min: 1, max: 7 }), (text, limit, size) => {
        const data = Buffer.from(text, "utf8");
        const capture = captureOutput(limit);
        for (let at = 0; at < data.length; at += size) capture.add(data.subarray(at, at + size));
        const output = capture.output();
        expect(output.bytes).toBe(data.length);
        expect(output.truncated).toBe(data.length > limit);
        expect(data.toString("utf8").startsWith(output.text)).toBe(true);
        expect(Buffer.byteLength(output.text)).toBeGreaterThanOrEqual(Math.min(data.length, limit) - 3);
      }),
    );
  });

  it("does not take bytes that are no text for a code point that has begun", () => {
    expect(wholeCodePoints(Buffer.from([0x61, 0xff]))).toBe(2);
    expect(wholeCodePoints(Buffer.from([0x61, 0xe2, 0x82]))).toBe(1);
    expect(wholeCodePoints(Buffer.from("a€"))).toBe(4);
  });
});
