import { describe, expect, it } from "vitest";
import { Limits } from "./limits.ts";
import { TokenBucket } from "./token-bucket.ts";

const never = new AbortController().signal;

describe("Limits", () => {
  it("gives slots in turn, once each, and forgets who gave up waiting", async () => {
    const limits = new Limits({ build: 1 });
    const order: string[] = [];
    const first = await limits.enter({ queue: "build" }, never);
    const quitter = new AbortController();
    const second = limits.enter({ queue: "build" }, quitter.signal).catch((reason) => order.push(`left: ${reason}`));
    const third = limits.enter({ queue: "build" }, never).then((release) => {
      order.push("third");
      return release;
    });
    quitter.abort("bored");
    await second;
    first?.();
    first?.();
    const release = await third;
    const fourth = limits.enter({ queue: "build" }, never).then(() => order.push("fourth"));
    await Promise.resolve();
    expect(order).toEqual(["left: bored", "third"]);
    release?.();
    await fourth;
    expect(order.at(-1)).toBe("fourth");
  });

  it("refuses queues without slots, and names the ones there are", async () => {
    expect(() => new Limits({ build: 0 })).toThrowError(expect.objectContaining({ code: "queue_invalid" }));
    const unknown = new Limits({ build: 1, trial: 2 }).enter({ queue: "tril" }, never);
    await expect(unknown).rejects.toMatchObject({
      code: "queue_unknown",
      remedy: expect.stringContaining("build, trial"),
    });
  });

  it("gives the slot back when the wait for the rate is aborted", async () => {
    const limits = new Limits({ build: 1 });
    const rate = { key: "k", perSecond: 0.01 };
    (await limits.enter({ queue: "build", rate }, never))?.();
    const quitter = new AbortController();
    const waits = limits.enter({ queue: "build", rate }, quitter.signal);
    setTimeout(() => quitter.abort(new Error("stop")), 5);
    await expect(waits).rejects.toThrow("stop");
    await limits.enter({ queue: "build" }, never);
  });
});

describe("TokenBucket", () => {
  it("spaces the starts", async () => {
    const bucket = new TokenBucket();
    const start = performance.now();
    await Promise.all([1, 2, 3, 4, 5].map(() => bucket.take(100, never)));
    expect(performance.now() - start).toBeGreaterThan(38);
  });
});
