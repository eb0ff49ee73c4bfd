import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Cassette, type CassetteMode, withCassette } from "../cassette/index.ts";
import { findPrice } from "../prices/index.ts";
import { ask, countingModel, identity } from "../testing/counting-model.ts";
import { describeSpending, Ledger, withBudget } from "./index.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ledger-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(mode: CassetteMode, calls: number) {
  const cassette = new Cassette({ file: join(folder, "tape.jsonl"), mode });
  const ledger = new Ledger({ limits: { calls } });
  const recorded = withCassette(countingModel().provider, { cassette, identity });
  const model = withBudget(recorded, {
    ledger,
    model: "m",
    purpose: "agent",
    price: findPrice("openai", "gpt-4.1"),
    isFree: (request) => cassette.holds(identity, request),
  });
  return { model, ledger };
}

it("a replayed reply costs nothing, is counted apart, and passes an exhausted budget", async () => {
  const first = open("record", 1);
  const paid = await first.model.complete(ask("a"));
  expect(paid.usage.costUsd).toBe((10 * 2 + 5 * 8) / 1e6);
  await first.model.complete(ask("a"));
  await expect(first.model.complete(ask("b"))).rejects.toMatchObject({ code: "budget_exhausted" });
  const again = open("replay", 0);
  const replayed = await again.model.complete(ask("a"));
  expect(replayed).toEqual({ ...paid, usage: { ...paid.usage, costUsd: 0 } });
  await expect(again.model.complete(ask("b"))).rejects.toMatchObject({ code: "budget_exhausted" });
  expect(describeSpending(again.ledger.totals())).toBe(
    "0 calls (1 more replayed at no cost), 0 input and 0 output tokens, $0.0000",
  );
});

it("equal requests at the same time are one call and a replay", async () => {
  const { model, ledger } = open("replay", 5);
  await Promise.all([model.complete(ask("a")), model.complete(ask("a"))]);
  expect(ledger.totals()).toMatchObject({ calls: 1, replayed: 1, inputTokens: 10 });
});
