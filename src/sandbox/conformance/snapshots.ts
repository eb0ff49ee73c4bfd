// Snapshot, fork and diff lose nothing: removals, replaced directories, modes, owners, links, renames across layers.
import { describe, expect, it } from "vitest";
import type { FileChange } from "../../contract/index.ts";
import { outputOf, type Subject } from "./subject.ts";

const scenarioOf = (owners: boolean) => `set -e
rm -rf /etc/default; rm -f /etc/hostname.gone
mv /etc/profile /etc/profile.moved
mkdir -p /work/d; echo content > /work/d/f; chmod 4755 /work/d/f; ln /work/d/f /work/hard; ln -s d/f /work/soft
mkfifo /work/fifo;${owners ? " chown 1234:567 /work/d;" : ""} chmod 1777 /work/d
rm -rf /etc/skel; mkdir /etc/skel; echo new > /etc/skel/new
echo more >> /etc/passwd
mv /usr/share/base-files /moved-dir 2>/dev/null || true
`;
const listing = `cd /; find work etc moved-dir -xdev 2>/dev/null ! -path etc/hosts ! -path etc/hostname ! -path etc/resolv.conf -printf '%p %y %m %U:%G %s %n %l\\n' | sed -E 's/^([^ ]+ d [^ ]+ [^ ]+) [0-9]+ [0-9]+/\\1/' | sort; cat etc/passwd work/d/f | cksum`;

export function snapshots(subject: Subject): void {
  const owners = subject.options.without?.users === undefined;
  const scenario = scenarioOf(owners);
  describe("snapshot, fork and diff", () => {
    it("calls nothing untouched that was changed, replaced, removed or made, nor anything while processes may write", async () => {
      const sandbox = await subject.create();
      await outputOf(
        sandbox,
        "rm -rf /etc/skel; mkdir -p /etc/skel /work; echo more >> /etc/passwd; rm -f /etc/profile",
      );
      for (const path of ["/etc/passwd", "/etc/skel", "/etc/profile", "/etc", "/work", "/nowhere", "/etc/group"]) {
        const live = await sandbox.isUntouched(path);
        expect(live, path).toBe(false);
      }
      await sandbox.killAll();
      for (const path of ["/etc/passwd", "/etc/skel", "/etc/profile", "/etc", "/work", "/nowhere"])
        expect(await sandbox.isUntouched(path), path).toBe(false);
    });

    it("tells what changed, by path, with owners as inside", async () => {
      const sandbox = await subject.create();
      expect(await sandbox.diff()).toEqual([]);
      await outputOf(sandbox, scenario);
      const changes = new Map((await sandbox.diff()).map((change): [string, FileChange] => [change.path, change]));
      expect([...changes.keys()]).toEqual([...changes.keys()].sort());
      expect(changes.get("/etc/default")?.change ?? "removed").toBe("removed");
      expect(changes.get("/etc/profile")).toMatchObject({ change: "removed" });
      expect(changes.get("/etc/profile.moved")).toMatchObject({ change: "added", entry: { type: "file" } });
      expect(changes.get("/etc/passwd")).toMatchObject({ change: "modified" });
      expect(changes.get("/etc/skel/new")).toMatchObject({ change: "added" });
      expect(changes.get("/work/d")).toMatchObject({
        change: "added",
        entry: { type: "directory", mode: 0o1777, ...(owners ? { uid: 1234, gid: 567 } : { uid: 0, gid: 0 }) },
      });
      expect(changes.get("/work/d/f")).toMatchObject({ entry: { type: "file", mode: 0o4755, size: 8 } });
      expect(changes.get("/work/hard")?.entry?.inode).toBeDefined();
      expect(changes.get("/work/hard")?.entry?.inode).toBe(changes.get("/work/d/f")?.entry?.inode);
      expect(changes.get("/work/soft")).toMatchObject({ entry: { type: "symlink", target: "d/f" } });
      expect(changes.get("/work/fifo")).toMatchObject({ entry: { type: "fifo" } });
      expect(changes.has("/etc/group")).toBe(false);
    });

    it("says nothing of what ends as it began", async () => {
      const sandbox = await subject.create();
      await outputOf(sandbox, "cp -a /etc/passwd /tmp/p; echo x >> /etc/passwd; cp -a /tmp/p /etc/passwd; rm /tmp/p");
      expect((await sandbox.diff()).filter((change) => change.path.startsWith("/etc"))).toEqual([]);
    });

    it("forks the files, not the processes, and the two go separate ways", async () => {
      const sandbox = await subject.create();
      await outputOf(sandbox, `${scenario} sleep 100 & echo`);
      const before = await outputOf(sandbox, listing);
      const fork = await sandbox.fork();
      try {
        expect(await fork.processes()).toBe(0);
        expect(await outputOf(fork, listing)).toBe(before);
        await outputOf(fork, "echo forked > /work/only-here");
        expect((await sandbox.session.run("test -e /work/only-here")).exitCode).toBe(1);
        expect(await sandbox.processes()).toBeGreaterThan(0);
      } finally {
        await fork.dispose();
      }
    });

    it("starts a sandbox from a snapshot, and a snapshot of that, without loss", async () => {
      const sandbox = await subject.create();
      await outputOf(sandbox, scenario);
      const before = await outputOf(sandbox, listing);
      const first = await sandbox.snapshot();
      const second = await subject.create({ image: first.image });
      expect(await outputOf(second, listing)).toBe(before);
      expect(await second.diff()).toEqual([]);
      await outputOf(
        second,
        "rm -rf /work/d /etc/skel; mkdir /work/d; echo deep > /work/d/g; mv /work/hard /work/renamed",
      );
      const after = await outputOf(second, listing.replace("work/d/f", "work/d/g"));
      expect((await second.diff()).filter((change) => change.path === "/work/d/f")).toMatchObject([
        { change: "removed" },
      ]);
      const again = await second.snapshot();
      const third = await subject.create({ image: again.image });
      expect(await outputOf(third, listing.replace("work/d/f", "work/d/g"))).toBe(after);
      expect(first.image.digest).not.toBe(again.image.digest);
      expect(first.image.digest).not.toBe(subject.image().digest);
      await Promise.all([second.dispose(), third.dispose()]);
      await Promise.all([first.dispose(), again.dispose()]);
    });

    it("gives equal digests for equal content", async () => {
      const [a, b] = [await subject.create(), await subject.create()];
      for (const sandbox of [a, b]) await sandbox.session.writeFile("/same", "same\n");
      const [one, two] = [await a.snapshot(), await b.snapshot()];
      expect(one.image.digest).toBe(two.image.digest);
      await Promise.all([one.dispose(), two.dispose()]);
    });
  });
}
