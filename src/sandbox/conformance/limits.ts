// Limits: the one that fired is named, with its value; one that did not fire is not.
import { describe, expect, it } from "vitest";
import { outputOf, type Subject } from "./subject.ts";

const megabyte = 1024 ** 2;

export function limits(subject: Subject): void {
  const reason = subject.options.without?.limits;
  describe.skipIf(reason !== undefined)(`limits${reason === undefined ? "" : ` (${reason})`}`, () => {
    const eat = (megabytes: number) =>
      `head -c ${megabytes * megabyte} /dev/zero | tail -c ${megabytes * megabyte} | wc -c`;

    it("memory: resident bytes, named when it ends a command", async () => {
      const sandbox = await subject.create({ limits: { memoryBytes: 64 * megabyte } });
      const over = await sandbox.session.run(`${eat(200)}; exit 9`, {
        timeoutMilliseconds: 60_000,
      });
      expect(over.limit).toMatchObject({ code: "memory_limit", limit: 64 * megabyte });
      const under = await sandbox.session.run(eat(8), { timeoutMilliseconds: 60_000 });
      expect(under).toMatchObject({ exitCode: 0, limit: null });
      expect((await sandbox.session.run("exit 3")).limit).toBeNull();
    });

    it("memory: twin, the same command without a limit", async () => {
      const sandbox = await subject.create();
      expect(await outputOf(sandbox, eat(200))).toBe(String(200 * megabyte));
    });

    it("processes: a fork bomb ends and is named", async () => {
      const sandbox = await subject.create({ limits: { processes: 40 } });
      const bomb = await sandbox.session.run(
        "i=0; while [ $i -lt 100 ]; do sleep 20 & i=$((i+1)); done; wait; exit 7",
        {
          timeoutMilliseconds: 15_000,
        },
      );
      expect(bomb.limit).toMatchObject({ code: "process_limit", limit: 40 });
      await sandbox.killAll();
      expect(await sandbox.session.run("sleep 0 & sleep 0 & wait; echo fine")).toMatchObject({
        exitCode: 0,
        limit: null,
      });
    });

    it("disk: bytes written, in one file or in many, named; the rest works afterwards", async () => {
      const sandbox = await subject.create({ limits: { diskBytes: 20 * megabyte } });
      const one = await sandbox.session.run("head -c 60000000 /dev/zero > /tmp/big", { timeoutMilliseconds: 60_000 });
      expect(one.limit).toMatchObject({ code: "disk_limit", limit: 20 * megabyte });
      await sandbox.session.run("rm -f /tmp/big");
      const many = await sandbox.session.run(
        "for i in $(seq 1 60); do head -c 1000000 /dev/zero > /tmp/f$i || exit 1; done; sleep 2",
        { timeoutMilliseconds: 60_000 },
      );
      expect(many.limit).toMatchObject({ code: "disk_limit", limit: 20 * megabyte });
      await sandbox.session.run("rm -f /tmp/f*");
      expect(await sandbox.session.run("head -c 1000000 /dev/zero > /tmp/small && echo fine")).toMatchObject({
        exitCode: 0,
        limit: null,
      });
    });

    it("CPU seconds of a process", async () => {
      const sandbox = await subject.create({ limits: { cpuSeconds: 1 } });
      const busy = await sandbox.session.run("while :; do :; done", { timeoutMilliseconds: 20_000 });
      expect(busy.limit).toMatchObject({ code: "cpu_limit", limit: 1 });
      const idle = await sandbox.session.run("sleep 1.5; echo fine", { timeoutMilliseconds: 20_000 });
      expect(idle).toMatchObject({ exitCode: 0, limit: null });
    });

    it("names no limit when a command merely fails", async () => {
      const sandbox = await subject.create({
        limits: { memoryBytes: 256 * megabyte, processes: 100, diskBytes: 50 * megabyte, cpuSeconds: 60 },
      });
      expect(await sandbox.session.run("exit 1")).toMatchObject({ exitCode: 1, limit: null });
      expect((await sandbox.session.run("kill -KILL $$")).limit).toBeNull();
      expect((await sandbox.session.run("sleep 60", { timeoutMilliseconds: 400 })).limit?.code).toBe("time_limit");
    });
  });
}
