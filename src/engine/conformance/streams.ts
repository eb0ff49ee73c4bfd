import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SandboxError } from "../../contract/index.ts";
import { Random } from "../../statistics/index.ts";
import { flowOf, type OpenEngine, Project, pause, untilAborted } from "./harness.ts";

/** `all`: streaming, order of completion, failures. */
export function streamConformance(open: OpenEngine): void {
  let project: Project;
  beforeEach(() => {
    project = new Project(open);
  });
  afterEach(() => project.dispose());

  describe("all", () => {
    it("takes items lazily, holds its concurrency and collects by index", async () => {
      let taken = 0;
      let working = 0;
      let most = 0;
      let ahead = 0;
      let finished = 0;
      function* items() {
        for (let i = 0; i < 30; i++) {
          ahead = Math.max(ahead, ++taken - finished);
          yield i;
        }
      }
      const flow = flowOf(async (context) =>
        context.all(
          items(),
          async (i) => {
            most = Math.max(most, ++working);
            await pause((i * 7) % 5);
            working--;
            finished++;
            return i * 2;
          },
          { key: "k", concurrency: 4 },
        ),
      );
      const { engine } = await project.open();
      expect(await (await engine.submit(flow, null, { id: "r" })).result).toEqual(
        Array.from({ length: 30 }, (_, i) => i * 2),
      );
      expect([most, ahead <= 5]).toEqual([4, true]);
    });

    it("takes asynchronous items, passes on their error and closes them", async () => {
      let closed = 0;
      async function* items(fail: boolean) {
        try {
          yield 1;
          await pause(1);
          if (fail) throw new Error("no more to read");
          yield 2;
        } finally {
          closed++;
        }
      }
      const flow = flowOf(async (context, fail) =>
        context.all(items(fail as boolean), async (i) => i, { key: "k", concurrency: 3 }),
      );
      const { engine } = await project.open();
      expect(await (await engine.submit(flow, false, { id: "good" })).result).toEqual([1, 2]);
      await expect((await engine.submit(flow, true, { id: "bad" })).result).rejects.toThrow("no more to read");
      expect(closed).toBe(2);
    });

    it("isn't aborted by one failing item: the others finish, and a resume redoes the failed one alone", async () => {
      const executed: string[] = [];
      const flow = flowOf(async (context) => {
        const done: number[] = [];
        await context.all(
          [0, 1, 2, 3, 4, 5, 6, 7],
          (i) =>
            context.step(`trial ${i}`, async ({ number }) => {
              executed.push(`${i}#${number}`);
              await pause(i % 3);
              if ([1, 4, 6].includes(i) && number === 1)
                throw new SandboxError({ code: "sandbox_lost", message: `trial ${i} lost its sandbox` });
              return i;
            }),
          { key: "group", concurrency: 3, onComplete: (i) => void done.push(i) },
        );
        return done.length;
      });
      const opened = await project.open();
      const { result } = await opened.engine.submit(flow, null, { id: "r" });
      await expect(result).rejects.toMatchObject({ code: "items_failed", details: { failed: 3, total: 8 } });
      expect(executed).toHaveLength(8);
      executed.length = 0;
      const { engine } = await project.reopen(opened);
      engine.register(flow);
      expect(await (await engine.resume("r")).result).toBe(8);
      expect(executed.sort()).toEqual(["1#2", "4#2", "6#2"]);
    });

    it("throws the error itself when a single item failed, and stops at an error of onComplete", async () => {
      let started = 0;
      const flow = flowOf(async (context, where) => {
        await context.all(
          Array.from({ length: 50 }, (_, i) => i),
          async (i) => {
            started++;
            await pause(1);
            if (where === "item" && i === 3) throw new SandboxError({ code: "sandbox_lost", message: "lost" });
          },
          {
            key: "k",
            concurrency: 2,
            onComplete: (_, i) => {
              if (where === "complete" && i === 3) throw new Error("enough");
            },
          },
        );
        return null;
      });
      const { engine } = await project.open();
      await expect((await engine.submit(flow, "item", { id: "a" })).result).rejects.toMatchObject({
        code: "sandbox_lost",
      });
      expect(started).toBe(50);
      started = 0;
      await expect((await engine.submit(flow, "complete", { id: "b" })).result).rejects.toThrow("enough");
      expect(started).toBeLessThan(8);
    });

    it("delivers in the journalled order after a resume, and a generator that decides on results sees the same", async () => {
      const executed = new Map<string, number>();
      let stopAt = 9;
      const orders: number[][] = [];
      const latency = new Random("latency");
      const flow = flowOf(async (context) => {
        const order: number[] = [];
        function* until() {
          for (let i = 0; order.filter((n) => n % 3 === 0).length < 8; i++) yield i;
        }
        orders.push(order);
        await context.all(
          until(),
          (i) =>
            context.step(`candidate ${i}`, async ({ signal }) => {
              executed.set(`${i}`, (executed.get(`${i}`) ?? 0) + 1);
              if (order.length >= stopAt) return untilAborted(signal);
              await pause(latency.integer(0, 8));
              return i;
            }),
          { key: "candidates", concurrency: 5, collect: false, onComplete: (i) => void order.push(i) },
        );
        return order;
      });
      let opened = await project.open();
      await opened.engine.submit(flow, null, { id: "r" });
      for (; stopAt < 30; stopAt += 6) {
        await pause(60);
        opened = await project.reopen(opened);
        await opened.engine.submit(flow, null, { id: "r" });
      }
      stopAt = 1_000;
      opened = await project.reopen(opened);
      const final = (await (await opened.engine.submit(flow, null, { id: "r" })).result) as number[];
      for (const order of orders) expect(final.slice(0, order.length)).toEqual(order);
      expect(final).not.toEqual([...final].sort((a, b) => a - b));
      expect(executed.size).toBe(final.length);
    });

    it("says so when a resumed flow gives it fewer items than had finished", async () => {
      let count = 6;
      const flow = flowOf(async (context) => {
        await context.all(
          Array.from({ length: count }, (_, i) => i),
          async (i) => i,
          { key: "k", concurrency: 2, onComplete: () => {} },
        );
        return context.step("last", () => Promise.reject(new Error("not yet")));
      });
      const { engine } = await project.open();
      await (await engine.submit(flow, null, { id: "r" })).result.catch(() => {});
      count = 4;
      await expect((await engine.resume("r")).result).rejects.toMatchObject({ code: "order_changed" });
    });
  });
}
