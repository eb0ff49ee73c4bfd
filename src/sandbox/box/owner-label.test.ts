import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { isOwnerAlive, ownerLabel } from "./owner-label.ts";

describe("ownerLabel", () => {
  it("names a living process, and no other with the same number", async () => {
    const own = ownerLabel();
    expect(isOwnerAlive(own)).toBe(true);
    const [pid, start, boot] = own.split("-");
    expect(isOwnerAlive(`${pid}-${Number(start) - 1}-${boot}`)).toBe(false);
    expect(isOwnerAlive(`${pid}-${start}-00000000`)).toBe(false);
    expect(isOwnerAlive("something else")).toBe(false);
    const child = spawn("sleep", ["100"]);
    const label = ownerLabel(child.pid);
    expect(isOwnerAlive(label)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(isOwnerAlive(label)).toBe(false);
  });
});
