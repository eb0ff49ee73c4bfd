import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SandboxError } from "../../contract/index.ts";
import { hostStorage, openWorkspace, reapWorkspaces } from "./workspace.ts";

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "rs-work-"));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

describe("openWorkspace", () => {
  it("removes what dead owners left, trees that nobody may enter too, and nothing of the living", async () => {
    const dead = join(parent, "rs-judge-999999999.1-abc");
    const reused = join(parent, `rs-judge-${process.pid}.1-abc`);
    const other = join(parent, "other");
    for (const folder of [join(dead, "closed"), reused, other]) await mkdir(folder, { recursive: true });
    await writeFile(join(dead, "closed/file"), "x");
    await chmod(join(dead, "closed"), 0);
    const mine = await openWorkspace(parent);
    expect([existsSync(dead), existsSync(reused), existsSync(other)]).toEqual([false, false, true]);
    expect(await reapWorkspaces(parent)).toEqual([]);
    expect(existsSync(mine.directory)).toBe(true);
    await mine.dispose();
    expect(existsSync(mine.directory)).toBe(false);
  });

  it("names a fault of the host's disk", async () => {
    const fault = (code: string) => hostStorage(() => Promise.reject(Object.assign(new Error(code), { code })));
    await expect(fault("ENOSPC")).rejects.toMatchObject({ code: "host_disk_full" });
    await expect(fault("EACCES")).rejects.toMatchObject({ code: "host_storage_failed" });
    await expect(openWorkspace(join(parent, "missing"))).rejects.toSatisfy(SandboxError.isInstance);
    await expect(hostStorage(() => Promise.reject(new TypeError("mine")))).rejects.toThrow(TypeError);
  });
});
