import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "../../contract/index.ts";
import { flowOf, type OpenEngine, Project, pause, untilAborted } from "./harness.ts";

/** Identity of runs, resuming, changed code, cancelling. */
export function runConformance(open: OpenEngine): void {
  let project: Project;
  beforeEach(() => {
    project = new Project(open);
  });
  afterEach(() => project.dispose());

  describe("identity", () => {
    it("attaches a duplicate submit to the run that exists, while it runs and when it is done", async () => {
      let executed = 0;
      const flow = flowOf(async (context) =>
        context.step("once", async () => {
          executed++;
          await pause(20);
          return { executed };
        }),
      );
      const opened = await project.open();
      const first = await opened.engine.submit(flow, { a: 1, b: 2 }, { id: "r" });
      const second = await opened.engine.submit(flow, { b: 2, a: 1 }, { id: "r" });
      expect([first.attached, second.attached]).toEqual([false, true]);
      expect(await Promise.all([first.result, second.result])).toEqual([{ executed: 1 }, { executed: 1 }]);
      const again = await project.reopen(opened);
      const third = await again.engine.submit(flow, { a: 1, b: 2 }, { id: "r" });
      expect(await third.result).toEqual({ executed: 1 });
      expect(executed).toBe(1);
      expect(again.engine.list()).toMatchObject([{ id: "r", status: "done", steps: 1, error: null }]);
    });

    it("refuses another input, flow or seed under the same id", async () => {
      const { engine } = await project.open();
      const flow = flowOf(async () => null);
      await (await engine.submit(flow, 1, { id: "r", seed: 7 })).result;
      const refused = (promise: Promise<unknown>) =>
        expect(promise).rejects.toSatisfy((e) => ConfigError.isInstance(e) && e.code === "run_input_differs");
      await refused(engine.submit(flow, 2, { id: "r", seed: 7 }));
      await refused(engine.submit(flow, 1, { id: "r", seed: 8 }));
      await refused(
        engine.submit(
          flowOf(async () => null, "1", "another"),
          1,
          { id: "r" },
        ),
      );
      expect((await engine.submit(flow, 1, { id: "r" })).attached).toBe(true);
    });

    it("says which run or flow it doesn't know", async () => {
      const { engine } = await project.open();
      await expect(engine.resume("nobody")).rejects.toMatchObject({ code: "run_unknown" });
      await expect(engine.cancel("nobody", "x")).rejects.toMatchObject({ code: "run_unknown" });
      expect(engine.get("nobody")).toBe(null);
    });
  });

  describe("resume", () => {
    it("goes on after the engine was closed, without the steps that were done", async () => {
      const executed: string[] = [];
      let blocked = true;
      const flow = flowOf(async (context) => {
        const step = (key: string, block = false) =>
          context.step(key, async ({ signal }) => {
            executed.push(key);
            if (block && blocked) await untilAborted(signal);
            return key;
          });
        return [await step("a"), await step("b", true), await step("c")];
      });
      const opened = await project.open();
      const { result } = await opened.engine.submit(flow, null, { id: "r" });
      await pause(20);
      const again = await project.reopen(opened);
      await expect(result).rejects.toMatchObject({ code: "engine_closed" });
      expect(again.engine.get("r")).toMatchObject({ status: "stopped", steps: 1 });
      blocked = false;
      again.engine.register(flow);
      expect(await (await again.engine.resume("r")).result).toEqual(["a", "b", "c"]);
      expect(executed).toEqual(["a", "b", "b", "c"]);
    });

    it("tries the failed step of a failed run again, and only that one", async () => {
      const executed: string[] = [];
      const flow = flowOf(async (context) => {
        await context.step("a", async () => void executed.push("a"));
        return context.step("b", async ({ number }) => {
          executed.push(`b${number}`);
          if (number === 1) throw new Error("the first time never works");
          return number;
        });
      });
      const { engine } = await project.open();
      await expect((await engine.submit(flow, null, { id: "r" })).result).rejects.toThrow("never works");
      expect(engine.get("r")).toMatchObject({ status: "failed", error: "the first time never works" });
      await expect((await engine.submit(flow, null, { id: "r" })).result).rejects.toThrow("never works");
      expect(await (await engine.resume("r")).result).toBe(2);
      expect(executed).toEqual(["a", "b1", "b2"]);
    });

    it("gives a flow that decided on a failure the same failure again", async () => {
      let executed = 0;
      let blocked = true;
      const flow = flowOf(async (context) => {
        const caught = await context
          .step("fails", async () => {
            executed++;
            throw new ConfigError({ code: "no_good", message: "no good", remedy: "none", details: { a: 1 } });
          })
          .catch((error: unknown) => error);
        await context.step("waits", async ({ signal }) => (blocked ? untilAborted(signal) : null));
        return ConfigError.isInstance(caught) ? [caught.code, caught.message, caught.remedy, caught.details] : null;
      });
      const opened = await project.open();
      await opened.engine.submit(flow, null, { id: "r" });
      await pause(20);
      const { engine } = await project.reopen(opened);
      blocked = false;
      expect(await (await engine.submit(flow, null, { id: "r" })).result).toEqual([
        "no_good",
        "no good → none",
        "none",
        { a: 1 },
      ]);
      expect(executed).toBe(1);
    });

    it("redoes the steps that the caller chooses, on a run that is done, and keeps the others", async () => {
      const executed: string[] = [];
      const flow = flowOf(async (context) => {
        const outcomes: string[] = [];
        await context.all(
          [0, 1, 2, 3, 4],
          (i) =>
            context.step(`trial ${i}`, async ({ number }) => {
              executed.push(`${i}#${number}`);
              return { outcome: i === 3 && number === 1 ? "infra_error" : "failure", score: 0 };
            }),
          { key: "trials", concurrency: 2, onComplete: (result) => void outcomes.push(result.outcome) },
        );
        return outcomes.sort();
      });
      const { engine } = await project.open();
      expect(await (await engine.submit(flow, null, { id: "r" })).result).toContain("infra_error");
      executed.length = 0;
      const redo = (_: string, result: unknown) => (result as { outcome?: string } | null)?.outcome === "infra_error";
      expect(await (await engine.resume("r", { redo })).result).toEqual(Array(5).fill("failure"));
      expect(executed).toEqual(["3#2"]);
      await (await engine.resume("r", { redo })).result;
      expect(executed).toEqual(["3#2"]);
    });
  });

  describe("changed code", () => {
    const run = async (before: string[], after: string[], version = "1") => {
      const flow = (keys: string[], last: () => Promise<null>, v: string) =>
        flowOf(async (context) => {
          for (const key of keys) await context.step(key, async () => key);
          return context.step("last", last);
        }, v);
      const opened = await project.open();
      const fail = async () => {
        throw new Error("stop here");
      };
      await (await opened.engine.submit(flow(before, fail, "1"), null, { id: "r" })).result.catch(() => {});
      const { engine } = await project.reopen(opened);
      engine.register(flow(after, async () => null, version));
      return (await engine.resume("r")).result;
    };

    it("is fine when only the order of the steps changed", async () => {
      expect(await run(["a", "b", "c"], ["c", "a", "b"])).toBe(null);
    });
    it("is fine when a step was added", async () => {
      expect(await run(["a", "b"], ["a", "b", "c"])).toBe(null);
    });
    it("is a clear error when a step was renamed", async () => {
      await expect(run(["a", "old name"], ["a", "new name"])).rejects.toMatchObject({
        code: "step_removed",
        message: expect.stringContaining('"old name"'),
      });
    });
    it("is a clear error when a step was removed", async () => {
      await expect(run(["a", "b"], ["a"])).rejects.toMatchObject({ code: "step_removed", details: { keys: ["b"] } });
    });
    it("is a clear error when the flow's version changed", async () => {
      await expect(run(["a"], ["a"], "2")).rejects.toMatchObject({
        code: "flow_version_changed",
        details: { journalled: "1", current: "2" },
      });
    });
    it("is a clear error when the flow is gone", async () => {
      const opened = await project.open();
      await (
        await opened.engine.submit(
          flowOf(async () => null),
          null,
          { id: "r" },
        )
      ).result;
      const { engine } = await project.reopen(opened);
      await expect(engine.resume("r")).rejects.toMatchObject({ code: "flow_unknown" });
    });
  });

  describe("cancel", () => {
    it("stops steps at work, in queues, in sleeps and in waits through the signal, and the run can go on later", async () => {
      let blocked = true;
      const flow = flowOf(async (context) => {
        const step = (key: string) =>
          context.step(key, async ({ signal }) => (blocked ? untilAborted(signal) : key), { queue: "build" });
        const parts = Promise.all([step("a"), step("b"), context.sleep("nap", blocked ? 60_000 : 0)]);
        return (await parts).slice(0, 2) as string[];
      });
      const { engine } = await project.open();
      const { result } = await engine.submit(flow, null, { id: "r" });
      await pause(20);
      await engine.cancel("r", "changed my mind");
      await expect(result).rejects.toMatchObject({ code: "run_cancelled" });
      expect(engine.get("r")).toMatchObject({ status: "cancelled", error: expect.stringContaining("changed my mind") });
      await engine.cancel("r", "again");
      blocked = false;
    });

    it("holds against a flow that swallows it", async () => {
      const flow = flowOf(async (context) => {
        await context.step("a", ({ signal }) => untilAborted(signal)).catch(() => null);
        await context.step("b", async () => null).catch(() => null);
        return "finished all the same";
      });
      const { engine } = await project.open();
      const { result } = await engine.submit(flow, null, { id: "r" });
      await pause(20);
      await engine.cancel("r", "stop");
      await expect(result).rejects.toMatchObject({ code: "run_cancelled" });
      expect(engine.get("r")?.status).toBe("cancelled");
    });

    it("leaves behind a step and a flow that ignore it, when their time is up", async () => {
      const { engine } = await project.open({ graceMilliseconds: 30 });
      const deaf = flowOf(async (context) => context.step("deaf", () => pause(60_000)).then(() => null));
      const idle = flowOf(async () => pause(60_000).then(() => null), "1", "idle");
      const runs = [await engine.submit(deaf, null, { id: "a" }), await engine.submit(idle, null, { id: "b" })];
      await pause(10);
      for (const { id, result } of runs) {
        await engine.cancel(id, "now");
        await expect(result).rejects.toMatchObject({ code: "run_cancelled" });
      }
    });

    it("leaves a finished run as it is", async () => {
      const { engine } = await project.open();
      await (
        await engine.submit(
          flowOf(async () => 5),
          null,
          { id: "r" },
        )
      ).result;
      await engine.cancel("r", "too late");
      expect(engine.get("r")?.status).toBe("done");
    });
  });
}
