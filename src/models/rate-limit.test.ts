import { expect, it } from "vitest";
import { RateLimiter, withRateLimit } from "./rate-limit.ts";
import { ask, countingModel } from "./testing/counting-model.ts";
import { FakeClock } from "./testing/fake-clock.ts";

function open(limits: { requestsPerMinute?: number; tokensPerMinute?: number }, tokens = 15) {
  const clock = new FakeClock();
  const times: number[] = [];
  const limiter = new RateLimiter(limits, clock);
  const counted = countingModel(() => void times.push(clock.now()));
  const model = withRateLimit(counted.provider, { limiter, estimateTokens: () => tokens });
  const send = (count: number) => clock.run(Promise.all(Array.from({ length: count }, () => model.complete(ask("a")))));
  return { clock, limiter, times, send };
}

const busiestMinute = (times: number[]) =>
  Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + 60_000).length));

it("no minute holds more requests than the limit; without one all are sent at once", async () => {
  const limited = open({ requestsPerMinute: 3 });
  await limited.send(8);
  expect(limited.times).toEqual([0, 0, 0, 60_000, 60_000, 60_000, 120_000, 120_000]);
  expect(busiestMinute(limited.times)).toBe(3);
  const free = open({});
  await free.send(8);
  expect(busiestMinute(free.times)).toBe(8);
});

it("no minute holds more tokens than the limit, counted as used once that is told", async () => {
  const limited = open({ tokensPerMinute: 45 }, 15);
  await limited.send(6);
  expect(limited.times).toEqual([0, 0, 0, 60_000, 60_000, 60_000]);
  const told = open({ tokensPerMinute: 45 }, 30);
  await told.send(1);
  await told.send(1);
  expect(told.times).toEqual([0, 0]);
});

it("a call that is larger than a minute's tokens goes alone and doesn't wait for ever", async () => {
  const limited = open({ tokensPerMinute: 10 }, 15);
  await limited.send(2);
  expect(limited.times).toEqual([0, 60_000]);
});

it("a wait that the provider asks for holds every caller", async () => {
  const limited = open({});
  limited.limiter.pause(5_000);
  await limited.send(2);
  expect(limited.times).toEqual([5_000, 5_000]);
});

it("an aborted caller leaves the line to the others", async () => {
  const { clock, limiter } = open({ requestsPerMinute: 1 });
  await limiter.acquire(1);
  const controller = new AbortController();
  const aborted = limiter.acquire(1, controller.signal).catch((error: Error) => error.message);
  const next = limiter.acquire(1).then(() => clock.now());
  await new Promise((resolve) => setImmediate(resolve));
  controller.abort(new Error("enough"));
  expect(await clock.run(Promise.all([aborted, next]))).toEqual(["enough", 60_000]);
});
