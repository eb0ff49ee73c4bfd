// Output: bytes first, bounded, decoded with replacement, whole code points, kept when a limit ends the command.
import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxHandle } from "../../contract/index.ts";
import type { Subject } from "./subject.ts";

export function output(subject: Subject): void {
  describe("output", () => {
    let sandbox: SandboxHandle;
    beforeAll(async () => {
      sandbox = await subject.create();
    });

    it("keeps what was printed before a time limit, and names the limit", async () => {
      const result = await sandbox.session.run("echo start; sleep 60", { timeoutMilliseconds: 1000 });
      expect(result.stdout.text).toBe("start\n");
      expect(result).toMatchObject({ exitCode: null, limit: { code: "time_limit", limit: 1 } });
      expect(result.milliseconds).toBeLessThan(10_000);
    });

    it("ends what a timed-out command started, and nothing else", async () => {
      await sandbox.session.run("sleep 333 & echo");
      await sandbox.session.run("sleep 444 & sleep 60", { timeoutMilliseconds: 700 });
      const list = await sandbox.session.run(
        "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline 2>/dev/null; echo; done | grep '^sleep' | sort",
      );
      expect(list.stdout.text.trim()).toBe("sleep 333");
    });

    it("counts what it does not keep", async () => {
      const result = await sandbox.session.run("yes | head -c 3000000; echo end >&2", { outputBytes: 1000 });
      expect(result.stdout).toMatchObject({ bytes: 3_000_000, truncated: true });
      expect(Buffer.byteLength(result.stdout.text)).toBe(1000);
      expect(result.stderr).toEqual({ text: "end\n", bytes: 4, truncated: false });
      expect(result.exitCode).toBe(0);
    });

    it("never cuts inside a code point", async () => {
      for (const outputBytes of [4, 5, 6, 7, 8]) {
        const { stdout } = await sandbox.session.run("printf 'ab€€€🙂🙂'", { outputBytes });
        expect("ab€€€🙂🙂".startsWith(stdout.text)).toBe(true);
        expect(stdout.truncated).toBe(true);
        expect(stdout.bytes).toBe(19);
      }
    });

    it("decodes bytes that are no text with replacement", async () => {
      const { stdout } = await sandbox.session.run("printf 'a\\377b\\000c'");
      expect(stdout.text).toBe("a\ufffdb\u0000c");
      expect(stdout.bytes).toBe(5);
    });

    it("survives endless output", async () => {
      const result = await sandbox.session.run("yes", { timeoutMilliseconds: 600, outputBytes: 100 });
      expect(result.limit?.code).toBe("time_limit");
      expect(result.stdout.truncated).toBe(true);
      expect((await sandbox.session.run("echo ok")).stdout.text).toBe("ok\n");
    });

    it("stops when the caller cancels", async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 300);
      const result = await sandbox.session.run("echo begun; sleep 60", { signal: controller.signal });
      expect(result).toMatchObject({ exitCode: null, limit: { code: "cancelled" } });
      expect(result.stdout.text).toBe("begun\n");
    });
  });
}
