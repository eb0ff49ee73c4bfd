import { describe, expect, it } from "vitest";
import { resolveUser } from "./users.ts";

const files: Record<string, string> = {
  "/etc/passwd": "root:x:0:0:root:/root:/bin/sh\napp:x:1000:1001::/home/app:/bin/sh\nbroken line\n",
  "/etc/group": "root:x:0:\napp:x:1001:\nextra:x:50:app,other\n",
};
const read = (path: string): string | null => files[path] ?? null;

describe("resolveUser", () => {
  it("reads names, numbers and groups as containers do", () => {
    expect(resolveUser("", read)).toEqual({ uid: 0, gid: 0, groups: [], home: "/root" });
    expect(resolveUser("app", read)).toEqual({ uid: 1000, gid: 1001, groups: [50], home: "/home/app" });
    expect(resolveUser("1000", read)).toEqual({ uid: 1000, gid: 1001, groups: [50], home: "/home/app" });
    expect(resolveUser("4242", read)).toEqual({ uid: 4242, gid: 0, groups: [], home: "/" });
    expect(resolveUser("app:extra", read)).toMatchObject({ uid: 1000, gid: 50, groups: [] });
    expect(resolveUser("7:8", () => null)).toMatchObject({ uid: 7, gid: 8 });
  });

  it("refuses names that the image does not have", () => {
    expect(() => resolveUser("ghost", read)).toThrow(/no user named ghost/);
    expect(() => resolveUser("app:ghosts", read)).toThrow(/no group named ghosts/);
  });
});
