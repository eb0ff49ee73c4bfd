import { describe, expect, it } from "vitest";
import { ConfigError, EngineError, SandboxError, TaskFormatError } from "../../contract/index.ts";
import { faultOf } from "./fault.ts";

const about = { code: "x", message: "what" };

describe("faultOf", () => {
  it.each([
    [new ConfigError(about), "usage"],
    [new TaskFormatError(about), "usage"],
    [new SandboxError(about), "infrastructure"],
    [new EngineError(about), "infrastructure"],
    [new EngineError({ ...about, code: "run_unknown" }), "usage"],
    [new EngineError({ ...about, code: "run_cancelled" }), "interrupted"],
    [new TypeError("ours"), "infrastructure"],
    ["a string", "infrastructure"],
    [null, "infrastructure"],
  ])("%s", (error, status) => {
    expect(faultOf(error).status).toBe(status);
  });

  it("names a full disk and the file, and shows the stack of our own faults", () => {
    const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC", path: "/from", dest: "/to" });
    expect(faultOf(full)).toMatchObject({ status: "infrastructure", code: "host_disk_full" });
    expect(faultOf(full).message).toMatch(/^\/to: the disk .*free some space/);
    expect(faultOf(new TypeError("ours"))).toMatchObject({ code: "unexpected" });
    expect(faultOf(new TypeError("ours")).message).toContain("fault.test.ts");
  });
});
