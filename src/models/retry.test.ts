import { describe, expect, it } from "vitest";
import { ModelError } from "../contract/index.ts";
import { RateLimiter, withRateLimit } from "./rate-limit.ts";
import { type WithRetryOptions, withRetry } from "./retry.ts";
import { ask, countingModel, usage } from "./testing/counting-model.ts";
import { FakeClock } from "./testing/fake-clock.ts";

const overloaded = (details = {}) => new ModelError({ code: "overloaded", message: "503", isRetryable: true, details });

function open(failures: number, error: () => Error, options: Partial<WithRetryOptions> = {}) {
  const clock = new FakeClock();
  const times: number[] = [];
  const counted = countingModel((count) => {
    times.push(clock.now());
    if (count <= failures) throw error();
  });
  const model = withRetry(counted.provider, { clock, seed: 1, ...options });
  const send = (text = "a") => clock.run(model.complete(ask(text)));
  return { clock, times, send, asked: counted.asked };
}

describe("retry", () => {
  it("tries again what may be tried again, with growing delays that the seed decides", async () => {
    const first = open(3, overloaded);
    expect(await first.send()).toMatchObject({ text: "4" });
    const delays = first.times.slice(1).map((time, index) => time - (first.times[index] as number));
    delays.forEach((delay, index) => {
      expect(delay).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(delay).toBeLessThanOrEqual(500 * 2 ** index);
    });
    const [again, other] = [open(3, overloaded), open(3, overloaded, { seed: 2 })];
    await Promise.all([again.send(), other.send()]);
    expect(again.times).toEqual(first.times);
    expect(other.times).not.toEqual(first.times);
  });

  it("never sends more often than it is told to, and says how often it did", async () => {
    const { send, asked } = open(9, overloaded, { attempts: 3 });
    await expect(send()).rejects.toMatchObject({ code: "overloaded", isRetryable: true, details: { attempts: 3 } });
    expect(asked()).toBe(3);
    const once = open(9, overloaded, { attempts: 1 });
    await expect(once.send()).rejects.toThrow("503");
    expect(once.asked()).toBe(1);
  });

  it.each([
    ["an error that won't change", () => new ModelError({ code: "auth", message: "401" })],
    ["an error of another kind", () => new TypeError("a fault of ours")],
  ])("sends once on %s", async (_, error) => {
    const { send, asked } = open(1, error);
    await expect(send()).rejects.toThrow(error().message);
    expect(asked()).toBe(1);
  });

  it("delays are capped", async () => {
    const { send, times } = open(9, overloaded, { attempts: 10, capMilliseconds: 1_000 });
    await send();
    expect(Math.max(...times.slice(1).map((time, index) => time - (times[index] as number)))).toBeLessThanOrEqual(
      1_000,
    );
  });

  it("waits as long as the provider asks, and gives up when that is too long", async () => {
    const patient = open(1, () => overloaded({ retryAfterMilliseconds: 20_000 }));
    await patient.send();
    expect(patient.times).toEqual([0, 20_000]);
    const long = open(1, () => overloaded({ retryAfterMilliseconds: 3_600_000 }));
    await expect(long.send()).rejects.toThrow("503");
    expect(long.asked()).toBe(1);
  });

  it("a wait that the provider asks of one caller holds the others, and attempts count against the limit", async () => {
    const clock = new FakeClock();
    const times: number[] = [];
    const counted = countingModel((count) => {
      times.push(clock.now());
      if (count === 1) throw overloaded({ retryAfterMilliseconds: 7_000 });
    });
    const limiter = new RateLimiter({ requestsPerMinute: 2 }, clock);
    const model = withRateLimit(withRetry(counted.provider, { clock, limiter }), { limiter, estimateTokens: () => 1 });
    const first = model.complete(ask("a"));
    await new Promise((resolve) => setImmediate(resolve));
    await clock.run(Promise.all([first, model.complete(ask("b"))]));
    expect(times[0]).toBe(0);
    expect(times[1]).toBeGreaterThanOrEqual(7_000);
    expect(times[2]).toBeGreaterThanOrEqual(60_000);
  });

  it("counts what each attempt used once", async () => {
    const failed = () => overloaded({ usage: { ...usage } });
    expect((await open(2, failed).send()).usage).toMatchObject({ inputTokens: 30, outputTokens: 15, costUsd: null });
    await expect(open(9, failed, { attempts: 2 }).send()).rejects.toMatchObject({
      details: { usage: { inputTokens: 20, outputTokens: 10 } },
    });
    expect((await open(1, overloaded).send()).usage).toMatchObject({ inputTokens: 10 });
  });

  it("an abort ends the wait", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const counted = countingModel(() => {
      throw overloaded();
    });
    const model = withRetry(counted.provider, { clock });
    const reply = model.complete(ask("a"), { signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("enough"));
    await expect(reply).rejects.toThrow("enough");
    expect(counted.asked()).toBe(1);
  });
});
