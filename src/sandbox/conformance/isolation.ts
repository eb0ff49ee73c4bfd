// Isolation: what must not be seen or done from inside. Each probe has a twin on the host that succeeds, so that a probe
// that can never find anything is noticed.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxHandle } from "../../contract/index.ts";
import { outputOf, type Subject } from "./subject.ts";

const host = (command: string): string => execFileSync("sh", ["-c", command], { encoding: "utf8" }).trim();
const asRoot = process.getuid?.() === 0;

export function isolation(subject: Subject): void {
  describe("isolation", () => {
    let sandbox: SandboxHandle;
    let folder: string;
    beforeAll(async () => {
      sandbox = await subject.create();
      folder = mkdtempSync(join(tmpdir(), "conformance-host-"));
      // For everybody to see: what is hidden is not hidden by the folder's mode.
      chmodSync(folder, 0o755);
      writeFileSync(join(folder, "secret"), "the host's secret\n", { mode: 0o644 });
      process.env.CONFORMANCE_SECRET = "the host's environment";
    });
    afterAll(() => {
      delete process.env.CONFORMANCE_SECRET;
      rmSync(folder, { recursive: true, force: true });
    });
    const tryIt = async (command: string) =>
      (await sandbox.session.run(command, { timeoutMilliseconds: 20_000 })).stdout.text.trim();

    it("sees no file of the host", async () => {
      const probe = `cat ${folder}/secret 2>/dev/null || cat /proc/1/root${folder}/secret 2>/dev/null || echo hidden`;
      expect(await tryIt(probe)).toBe("hidden");
      expect(host(probe)).toBe("the host's secret");
    });

    it("reaches no file of the host through any process", async () => {
      const probe = `for p in /proc/[0-9]*; do cat $p/root${folder}/secret $p/cwd${folder}/secret 2>/dev/null; done; echo end`;
      expect(await tryIt(probe)).toBe("end");
      // A sandbox's first command may be started in another way than the later ones.
      expect(await outputOf(await subject.create(), probe)).toBe("end");
      expect(host(probe)).toContain("the host's secret");
    });

    it("sees no process of the host", async () => {
      const marker = `54${process.pid}`;
      const child = spawn("sleep", [marker], { stdio: "ignore" });
      const probe = `for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline 2>/dev/null; echo; done | grep -c "^sleep ${marker}"; true`;
      try {
        expect(await tryIt(probe)).toBe("0");
        expect(host(probe)).toBe("1");
      } finally {
        child.kill("SIGKILL");
      }
    });

    it("sees nothing of the host's environment, in no process", async () => {
      const probe =
        "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -c CONFORMANCE_SECRET; env | grep -c CONFORMANCE_SECRET; true";
      expect(await tryIt(probe)).toBe("0\n0");
      expect(host(probe)).not.toBe("0\n0");
    });

    it("inherits no open file but the standard ones", async () => {
      const probe = "ls /proc/self/fd | sort -n | tr '\\n' ' '";
      expect(await tryIt(probe)).toBe("0 1 2 3");
      expect(host(`exec 7</dev/null; ${probe}`)).toContain("7");
    });

    it("has a session of its own, and can't signal its way out", async () => {
      expect(await tryIt("kill -9 -1 2>/dev/null; echo alive")).toBe("alive");
      expect(await tryIt("kill -9 1; sleep 0.1; echo alive")).toBe("alive");
    });

    it.skipIf(!asRoot)("makes no user namespace in which to be root again", async () => {
      const probe = "unshare -U true 2>/dev/null && echo made || echo refused";
      expect(await tryIt(probe)).toBe("refused");
      expect(host(probe)).toBe("made");
    });

    it.skipIf(!asRoot)("mounts nothing", async () => {
      const probe = "mkdir -p /tmp/m; mount -t tmpfs none /tmp/m 2>/dev/null && echo mounted || echo refused";
      expect(await tryIt(probe)).toBe("refused");
      expect(host(`unshare -m sh -c '${probe}'`)).toBe("mounted");
    });

    it.skipIf(!asRoot)("makes no device", async () => {
      const probe = (path: string) => `rm -f ${path}; mknod ${path} b 7 0 2>/dev/null && echo made || echo refused`;
      const node = join(folder, "node");
      expect(await tryIt(`${probe("/tmp/node")}; head -c 1 /tmp/node 2>/dev/null | wc -c`)).toMatch(
        /^(refused|made)\n0$/,
      );
      expect(host(probe(node))).toBe("made");
    });

    it("gains nothing by a set-uid file", async () => {
      await outputOf(sandbox, "cp /usr/bin/id /tmp/suid-id && chmod 4755 /tmp/suid-id");
      const user = subject.options.without?.users === undefined ? "nobody" : "root";
      const result = await sandbox.session.run("/tmp/suid-id -u; grep NoNewPrivs /proc/self/status", { user });
      expect(result.stdout.text).toMatch(user === "nobody" ? /^65534\nNoNewPrivs:\t1/ : /^0\nNoNewPrivs:\t1/);
      if (asRoot) {
        const twin = `cp /usr/bin/id ${folder}/suid-id && chmod 4755 ${folder}/suid-id && chmod 755 ${folder} && setpriv --reuid=65534 --clear-groups ${folder}/suid-id -u`;
        expect(host(twin)).toBe("0");
      }
    });

    it("holds no more capabilities than a container", async () => {
      const text = await tryIt("grep CapEff /proc/self/status");
      const held = BigInt(`0x${/([0-9a-f]{16})/.exec(text)![1]}`);
      for (const bit of [12, 16, 17, 18, 19, 21, 22, 25]) expect(held & (1n << BigInt(bit))).toBe(0n);
      const own = BigInt(`0x${/([0-9a-f]{16})/.exec(host("grep CapEff /proc/self/status"))![1]}`);
      if (asRoot) expect(own & (1n << 21n)).not.toBe(0n);
    });

    it("writes no setting of the kernel", async () => {
      const probe =
        "echo x > /proc/sys/kernel/core_pattern; echo 1 > /proc/sys/user/max_user_namespaces; echo b > /proc/sysrq-trigger";
      const result = await sandbox.session.run(`${probe}; echo $?`);
      expect(result.stdout.text.trim()).not.toBe("0");
      expect(host("cat /proc/sys/kernel/core_pattern")).not.toBe("x");
    });

    it("keeps two sandboxes apart", async () => {
      const other = await subject.create();
      await sandbox.session.run("echo mine > /tmp/mine; sleep 100 &");
      expect(await outputOf(other, "ls /tmp/mine 2>/dev/null; echo none")).toBe("none");
      expect(
        (await other.session.run("grep -l '^Name:.sleep' /proc/[0-9]*/status 2>/dev/null | wc -l")).stdout.text.trim(),
      ).toBe("0");
      expect(await outputOf(sandbox, "grep -l '^Name:.sleep' /proc/[0-9]*/status 2>/dev/null | wc -l")).not.toBe("0");
    });
  });
}
