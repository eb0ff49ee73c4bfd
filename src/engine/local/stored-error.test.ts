import { describe, expect, it } from "vitest";
import { ModelError, RoutesetterError, SandboxError } from "../../contract/index.ts";
import { restoreError, storeError } from "./stored-error.ts";

describe("stored errors", () => {
  it("come back as what they were", () => {
    const error = new SandboxError({
      code: "sandbox_lost",
      message: "it is gone",
      isRetryable: true,
      where: { file: "a.toml", line: 3 },
      remedy: "start another",
      details: { pid: 7 },
    });
    const restored = restoreError(storeError(error), "state.db") as SandboxError;
    expect(SandboxError.isInstance(restored)).toBe(true);
    expect(ModelError.isInstance(restored)).toBe(false);
    const { name, code, message, isRetryable, where, remedy, details } = restored;
    expect({ name, code, message, isRetryable, where, remedy, details }).toEqual({
      name: "SandboxError",
      code: "sandbox_lost",
      message: error.message,
      isRetryable: true,
      where: { file: "a.toml", line: 3 },
      remedy: "start another",
      details: { pid: 7 },
    });
  });

  it("of other kinds keep name and message", () => {
    expect(restoreError(storeError(new TypeError("x is not a function")), "state.db")).toMatchObject({
      name: "TypeError",
      message: "x is not a function",
    });
    expect(restoreError(storeError("just text"), "state.db").message).toBe("just text");
    expect(RoutesetterError.isInstance(restoreError(storeError(new Error("plain")), "state.db"))).toBe(false);
  });
});
