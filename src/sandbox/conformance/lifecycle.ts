// Lifecycle: kill, dispose, many at once, and what a dead owner left.
import { describe, expect, it } from "vitest";
import { SandboxError } from "../../contract/index.ts";
import { outputOf, type Subject } from "./subject.ts";

export function lifecycle(subject: Subject): void {
  describe("lifecycle", () => {
    it("kills every process and keeps every file", async () => {
      const sandbox = await subject.create();
      await outputOf(
        sandbox,
        "echo kept > /tmp/kept; (setsid sh -c 'trap \"\" TERM HUP INT; while :; do sleep 1; done' &) ; sleep 50 &",
      );
      expect(await sandbox.processes()).toBeGreaterThanOrEqual(2);
      await sandbox.killAll();
      expect(await sandbox.processes()).toBe(0);
      expect(await outputOf(sandbox, "cat /tmp/kept")).toBe("kept");
      await sandbox.killAll();
      expect(Buffer.from(await sandbox.session.readFile("/tmp/kept")).toString()).toBe("kept\n");
    });

    it("ends a running command with killAll", async () => {
      const sandbox = await subject.create();
      const running = sandbox.session.run("echo begun; sleep 60");
      await new Promise((resolve) => setTimeout(resolve, 700));
      await sandbox.killAll();
      const result = await running;
      expect(result.exitCode).toBeNull();
      expect(result.stdout.text).toBe("begun\n");
      expect(await outputOf(sandbox, "echo on")).toBe("on");
    });

    it("refuses use after dispose, and disposes twice without complaint", async () => {
      const sandbox = await subject.create();
      await outputOf(sandbox, "sleep 100 & mkdir -p /tmp/a/b; chmod 000 /tmp/a; touch /tmp/c");
      await sandbox.dispose();
      await sandbox.dispose();
      const error = await sandbox.session.run("true").catch((reason) => reason);
      expect(SandboxError.isInstance(error) && error.code).toBe("sandbox_disposed");
    });

    it("makes many at once, each its own", async () => {
      const sandboxes = await Promise.all(Array.from({ length: 6 }, () => subject.create()));
      const texts = await Promise.all(
        sandboxes.map((sandbox, index) => outputOf(sandbox, `echo ${index} > /tmp/i; cat /tmp/i`)),
      );
      expect(texts).toEqual(["0", "1", "2", "3", "4", "5"]);
      expect(new Set(sandboxes.map((sandbox) => sandbox.id)).size).toBe(6);
      await Promise.all(sandboxes.map((sandbox) => sandbox.dispose()));
    });

    it("reaps nothing of a living owner", async () => {
      const sandbox = await subject.create();
      await outputOf(sandbox, "echo x > /tmp/x");
      expect((await subject.backend().reap()).filter((item) => item.includes(sandbox.id))).toEqual([]);
      expect(await outputOf(sandbox, "cat /tmp/x")).toBe("x");
    });

    it("says what this machine can hold", async () => {
      const { problems, enforcement } = await subject.backend().probe();
      expect(problems).toEqual([]);
      expect(enforcement.map((item) => item.limit)).toEqual(
        expect.arrayContaining(["memory", "processes", "disk", "cpu", "time", "output"]),
      );
      for (const item of enforcement) expect(item.by.length).toBeGreaterThan(3);
    });
  });
}
