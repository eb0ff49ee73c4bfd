import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EngineError, type Json, SandboxError } from "../../contract/index.ts";
import { flowOf, type OpenEngine, Project, pause, untilAborted } from "./harness.ts";

/** Keys, results, retries, queues, rates, events, and the context's small methods. */
export function stepConformance(open: OpenEngine): void {
  let project: Project;
  beforeEach(() => {
    project = new Project(open);
  });
  afterEach(() => project.dispose());
  const once = async (run: Parameters<typeof flowOf>[0], id = "r") => {
    const { engine } = await project.open();
    return (await engine.submit(flowOf(run), null, { id })).result;
  };

  describe("keys", () => {
    it("are unique in a run, even for a flow that swallows the error", async () => {
      const twice = once(async (context) => {
        await context.step("same", async () => 1);
        await context.step("same", async () => 2).catch(() => null);
        return "went on";
      });
      await expect(twice).rejects.toSatisfy((e) => EngineError.isInstance(e) && e.code === "key_duplicate");
    });
    it("are unique among steps in flight", async () => {
      const twice = once(async (context) => {
        await Promise.all([context.step("same", () => pause(20)), context.step("same", () => pause(20))]);
        return null;
      });
      await expect(twice).rejects.toMatchObject({ code: "key_duplicate" });
    });
    it("are not asked for inside of a step", async () => {
      const nested = once(async (context) => context.step("outer", async () => context.step("inner", async () => 1)));
      await expect(nested).rejects.toMatchObject({ code: "step_nested" });
    });
  });

  describe("results", () => {
    it("come back as JSON, absent ones included, the first time and after a resume", async () => {
      const seen: unknown[][] = [];
      const flow = flowOf(async (context) => {
        seen.push([
          await context.step("object", async () => ({ b: [1, null, "é"], a: { c: true } })),
          await context.step("null", async () => null),
          await context.step("nothing", async () => {}),
          await context.step("optional", async () => ({ here: 1, gone: undefined }) as unknown as Json),
        ]);
        return context.step("last", async ({ number }) => {
          if (number === 1) throw new Error("not yet");
          return null;
        });
      });
      const { engine } = await project.open();
      await (await engine.submit(flow, null, { id: "r" })).result.catch(() => {});
      await (await engine.resume("r")).result;
      expect(seen[0]).toEqual([{ b: [1, null, "é"], a: { c: true } }, null, undefined, { here: 1 }]);
      expect(seen[1]).toStrictEqual(seen[0]);
    });

    it.each([
      ["NaN", { score: Number.NaN }, "result.score is NaN"],
      ["a date", [new Date(0)], "result[0] is a Date"],
      ["a function", { f: () => 1 }, "result.f is a function"],
    ])("that hold %s are refused with the place", async (_, value, place) => {
      const run = once(async (context) => context.step("bad", async () => value as unknown as Json));
      await expect(run).rejects.toMatchObject({ code: "result_not_json", message: expect.stringContaining(place) });
    });

    it("over 64 kB travel through the blob store by themselves", async () => {
      const large = { text: "x".repeat(100_000) };
      let executed = 0;
      const flow = flowOf(async (context) => {
        const value = await context.step("large", async () => {
          executed++;
          return large;
        });
        await context.step("last", async ({ number }) => {
          if (number === 1) throw new Error("not yet");
        });
        return value;
      });
      const opened = await project.open();
      await (await opened.engine.submit(flow, null, { id: "r" })).result.catch(() => {});
      const { engine } = await project.reopen(opened);
      engine.register(flow);
      expect(await (await engine.resume("r")).result).toEqual(large);
      expect(await (await engine.submit(flow, null, { id: "r" })).result).toEqual(large);
      expect(executed).toBe(1);
    });
  });

  describe("retries", () => {
    const failing =
      (times: number, isRetryable: boolean) =>
      async ({ number }: { number: number }) => {
        if (number <= times) throw new SandboxError({ code: "flaky", message: `attempt ${number}`, isRetryable });
        return number;
      };
    const policy = { retries: 2, retryWaitMilliseconds: 1 };
    it("follow the policy for errors that can be retried", async () => {
      expect(await once(async (context) => context.step("s", failing(2, true), policy))).toBe(3);
    });
    it("end when the policy says so", async () => {
      await expect(once(async (context) => context.step("s", failing(3, true), policy))).rejects.toThrow("attempt 3");
    });
    it("are not for other errors", async () => {
      await expect(once(async (context) => context.step("s", failing(1, false), policy))).rejects.toThrow("attempt 1");
    });
  });

  describe("limits", () => {
    it("hold the concurrency of a queue over all runs", async () => {
      let now = 0;
      const most: Record<string, number> = {};
      const flow = flowOf(async (context, input) => {
        await context.all(
          Array.from({ length: 12 }, (_, i) => i),
          (i) => {
            const queue = i % 2 ? "trial" : "build";
            return context.step(
              `${i}`,
              async () => {
                now++;
                counts[queue] = (counts[queue] ?? 0) + 1;
                most[queue] = Math.max(most[queue] ?? 0, counts[queue]);
                await pause(3);
                counts[queue]--;
              },
              { queue },
            );
          },
          { key: "all", concurrency: 12 },
        );
        return input;
      });
      const counts: Record<string, number> = {};
      const { engine } = await project.open();
      const runs = await Promise.all(["x", "y", "z"].map((id) => engine.submit(flow, id, { id })));
      await Promise.all(runs.map(({ result }) => result));
      expect([now, most]).toEqual([36, { trial: 2, build: 1 }]);
    });

    it("refuse a queue that isn't there", async () => {
      const run = once(async (context) => context.step("s", async () => 1, { queue: "nope" }));
      await expect(run).rejects.toMatchObject({ code: "queue_unknown" });
    });

    it("hold a rate over all runs", async () => {
      const starts: number[] = [];
      const flow = flowOf(async (context, input) => {
        await context.all(
          Array.from({ length: 8 }, (_, i) => i),
          (i) =>
            context.step(`${i}`, async () => void starts.push(performance.now()), {
              rate: { key: "provider", perSecond: 50 },
            }),
          { key: "all", concurrency: 8 },
        );
        return input;
      });
      const { engine } = await project.open();
      const runs = await Promise.all(["x", "y"].map((id) => engine.submit(flow, id, { id })));
      await Promise.all(runs.map(({ result }) => result));
      expect(starts).toHaveLength(16);
      expect((starts.at(-1) as number) - (starts[0] as number)).toBeGreaterThan(15 * 20 * 0.9);
    });

    it("free the slot of a step that failed or was cancelled", async () => {
      const { engine } = await project.open();
      const fails = flowOf(async (context) => {
        for (const key of ["a", "b", "c"])
          await context.step(key, () => Promise.reject(new Error("no")), { queue: "build" }).catch(() => null);
        return context.step("waits", ({ signal }) => untilAborted(signal), { queue: "build" });
      });
      await engine.submit(fails, null, { id: "r" });
      await pause(10);
      await engine.cancel("r", "enough");
      const next = flowOf(async (context) => context.step("s", async () => "in", { queue: "build" }));
      expect(await (await engine.submit(next, null, { id: "s" })).result).toBe("in");
    });
  });

  it("keeps time, random numbers and children the same after a resume", async () => {
    const seen: Json[] = [];
    const child = flowOf(async (context, input) => [input, context.random("r"), await context.now("t")], "1", "child");
    const flow = flowOf(async (context) => {
      const value: Json = [
        await context.now("t"),
        context.random("r"),
        await context.child("c1", child, 1),
        await context.child("c2", child, 2),
      ];
      seen.push(value);
      await context.sleep("nap", 5);
      await context.step("last", async ({ number }) => {
        if (number === 1) throw new Error("not yet");
      });
      return value;
    });
    const opened = await project.open();
    await (await opened.engine.submit(flow, null, { id: "r", seed: 3 })).result.catch(() => {});
    const { engine } = await project.reopen(opened);
    engine.register(flow);
    await (await engine.resume("r")).result;
    expect(seen[1]).toEqual(seen[0]);
    const [, own, first, second] = seen[0] as [number, number, number[], number[]];
    expect(new Set([own, first[1], second[1]]).size).toBe(3);
    await (await engine.submit(flow, null, { id: "other", seed: 4 })).result.catch(() => {});
    expect((seen[2] as number[])[1]).not.toBe(own);
  });

  it("logs each event once, whatever is replayed", async () => {
    const live: string[] = [];
    const flow = flowOf(async (context) => {
      context.emit({ type: "begin" });
      await context.all(
        [0, 1, 2],
        async (i) => {
          context.emit({ type: `item ${i}` });
          await context.step(`s${i}`, async ({ number }) => {
            context.emit({ type: `inside ${i}#${number}` });
            if (i === 2 && number === 1) throw new Error("not yet");
          });
          context.emit({ type: `after ${i}` });
        },
        { key: "items", concurrency: 2, onComplete: (_, i) => context.emit({ type: `complete ${i}` }) },
      );
      context.emit({ type: "end" });
      return null;
    });
    const onEvent = (event: { type: string }) => void live.push(event.type);
    const opened = await project.open({ onEvent });
    await (await opened.engine.submit(flow, null, { id: "r" })).result.catch(() => {});
    const again = await project.reopen(opened, { onEvent });
    again.engine.register(flow);
    await (await again.engine.resume("r")).result;
    const own = (types: string[]) => types.filter((type) => !type.startsWith("run.")).sort();
    const expected = [
      ...["begin", "end", "item 0", "item 1", "item 2", "after 0", "after 1", "after 2"],
      ...["complete 0", "complete 1", "complete 2", "inside 0#1", "inside 1#1", "inside 2#1", "inside 2#2"],
    ].sort();
    expect(own(again.events("r").map(({ type }) => type))).toEqual(expected);
    expect(own(live)).toEqual(expected);
  });
}
