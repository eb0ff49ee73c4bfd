import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelError, type ModelProvider, type Usage } from "../../contract/index.ts";
import { freePrice, type Price } from "../prices/index.ts";
import { ask, countingModel, replyOf, usage } from "../testing/counting-model.ts";
import { unknownUsage } from "../usage.ts";
import { describeForecast, describeSpending, forecast, Ledger, withBudget } from "./index.ts";

const price: Price = {
  inputUsdPerMillion: 1,
  cachedInputUsdPerMillion: 0.1,
  outputUsdPerMillion: 10,
  source: "test",
};

const withUsage = (told: Usage): ModelProvider => ({
  id: "scripted",
  complete: async () => replyOf("a", { usage: told }),
});

const limited = (
  limits: { calls?: number; tokens?: number; usd?: number },
  model: ModelProvider,
  ledger = new Ledger({ limits }),
) => ({
  ledger,
  model: withBudget(model, { ledger, model: "m", purpose: "agent", price }),
});

const short = ask("a", { sampling: { maximumTokens: 5 } });

describe("a budget", () => {
  it.each([
    ["calls", { calls: 3 }, 3],
    ["tokens", { tokens: 60 }, 3],
    ["dollars", { usd: 0.00022 }, 3],
  ])(
    "of %s refuses the call that doesn't fit before it is sent; without it the call is sent",
    async (_, limits, sent) => {
      const counted = countingModel();
      const { model } = limited(limits, counted.provider);
      for (let call = 0; call < sent; call++) await model.complete(short);
      await expect(model.complete(short)).rejects.toMatchObject({ code: "budget_exhausted", isRetryable: false });
      expect(counted.asked()).toBe(sent);
      await limited({}, counted.provider).model.complete(short);
      expect(counted.asked()).toBe(sent + 1);
    },
  );

  it("says what is spent, what the next call may use and what to do", async () => {
    const { model } = limited({ tokens: 60 }, countingModel().provider);
    for (let call = 0; call < 3; call++) await model.complete(short);
    await expect(model.complete(short)).rejects.toThrow(
      /the budget is 60 tokens; 45 tokens are spent, and the next call may use \d+ tokens → raise the limit/,
    );
  });

  it("is not overshot by calls at the same time, whatever they use and in whatever order they end", async () => {
    const uses = fc.array(
      fc.record({ input: fc.nat(20), output: fc.nat(50), ms: fc.nat(5), fails: fc.boolean(), maximum: fc.nat(50) }),
      { minLength: 1, maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(uses, fc.nat(600), fc.scheduler(), async (calls, tokens, scheduler) => {
        let used = 0;
        let sent = 0;
        const provider: ModelProvider = {
          id: "scripted",
          async complete(request) {
            sent++;
            const use = calls[Number(request.messages[0]?.text)]!;
            await scheduler.schedule(Promise.resolve());
            const outputTokens = Math.min(use.output, use.maximum);
            used += use.input + outputTokens;
            const told = { ...usage, inputTokens: use.input, outputTokens };
            if (use.fails) throw new ModelError({ code: "x", message: "x", details: { usage: { ...told } } });
            return replyOf("a", { usage: told });
          },
        };
        const { model, ledger } = limited({ tokens }, provider);
        const ends = calls.map((use, index) =>
          model.complete(ask(String(index), { sampling: { maximumTokens: use.maximum } })).then(
            () => "answered",
            (error: ModelError) => error.code,
          ),
        );
        await scheduler.waitFor(Promise.all(ends));
        const codes = await Promise.all(ends);
        expect(used).toBeLessThanOrEqual(tokens);
        expect(codes.filter((code) => code !== "budget_exhausted")).toHaveLength(sent);
        const { inputTokens, outputTokens, calls: counted } = ledger.totals();
        expect([inputTokens + outputTokens, counted]).toEqual([used, sent]);
      }),
      { numRuns: 100, seed: 2 },
    );
  });

  it("would be overshot by the same calls if it looked only at what is spent", async () => {
    let spent = 0;
    const naive = async () => {
      if (spent + 15 > 30) return;
      await Promise.resolve();
      spent += 15;
    };
    await Promise.all([1, 2, 3, 4].map(naive));
    expect(spent).toBeGreaterThan(30);
    const { model, ledger } = limited({ tokens: 30 }, countingModel().provider);
    await Promise.allSettled([1, 2, 3, 4].map(() => model.complete(short)));
    expect(ledger.totals().inputTokens + ledger.totals().outputTokens).toBeLessThanOrEqual(30);
  });

  it("lets a call wait for those in flight where they may leave room, and lets it go when it is aborted", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const counted = countingModel(() => gate);
    const { model } = limited({ tokens: 35 }, counted.provider);
    const controller = new AbortController();
    const first = model.complete(short);
    const aborted = model.complete(short, { signal: controller.signal });
    const second = model.complete(short);
    controller.abort(new Error("enough"));
    await expect(aborted).rejects.toThrow("enough");
    expect(counted.asked()).toBe(1);
    release();
    await Promise.all([first, second]);
    expect(counted.asked()).toBe(2);
  });

  it("of a purpose holds for that purpose alone", async () => {
    const ledger = new Ledger({ limits: { calls: 3 }, purposes: { judge: { calls: 1 } } });
    const counted = countingModel();
    const judge = withBudget(counted.provider, { ledger, model: "m", purpose: "judge", price });
    const author = withBudget(counted.provider, { ledger, model: "m", purpose: "author", price });
    await judge.complete(short);
    await expect(judge.complete(short)).rejects.toThrow("the budget of judge is 1 calls");
    await author.complete(short);
    await author.complete(short);
    await expect(author.complete(short)).rejects.toThrow("the budget is 3 calls");
    expect(ledger.rows().map(({ purpose, calls }) => [purpose, calls])).toEqual([
      ["author", 2],
      ["judge", 1],
    ]);
  });

  it("in dollars can't be held for a model without a price; one that is free has one", async () => {
    const ledger = new Ledger({ limits: { usd: 1 } });
    const counted = countingModel();
    const options = { ledger, model: "m", purpose: "agent" };
    const unknown = withBudget(counted.provider, { ...options, price: null });
    await expect(unknown.complete(short)).rejects.toMatchObject({ code: "price_unknown" });
    expect(counted.asked()).toBe(0);
    await withBudget(counted.provider, { ...options, price: freePrice }).complete(short);
    expect(ledger.totals()).toMatchObject({ calls: 1, costNanoUsd: 0, callsOfUnknownCost: 0 });
  });

  it("goes on after a resume where it was", async () => {
    const before = limited({ calls: 2 }, countingModel().provider);
    await before.model.complete(short);
    const state = JSON.parse(JSON.stringify(before.ledger.state()));
    const counted = countingModel();
    const after = limited({}, counted.provider, new Ledger({ limits: { calls: 2 }, state }));
    await after.model.complete(short);
    await expect(after.model.complete(short)).rejects.toMatchObject({ code: "budget_exhausted" });
    expect(after.ledger.state().rows).toMatchObject([{ calls: 2, inputTokens: 20 }]);
  });

  it.each([{}, { version: 2, rows: [] }, { version: 1, rows: [{ model: "m" }] }, null, "x"])(
    "refuses a stored ledger %j that it didn't write",
    (state) => expect(() => new Ledger({ state })).toThrow(/stored ledger/),
  );
});

describe("the ledger", () => {
  it("fills in what a reply cost, cached input at its own price", async () => {
    const told = { ...usage, inputTokens: 1000, cachedInputTokens: 400, outputTokens: 100 };
    const { model, ledger } = limited({}, withUsage(told));
    expect((await model.complete(short)).usage.costUsd).toBeCloseTo((600 + 40 + 1000) / 1e6, 12);
    expect(ledger.totals().costNanoUsd).toBe(1_640_000);
    const fromProvider = limited({}, withUsage({ ...told, costUsd: 0.5 }));
    expect((await fromProvider.model.complete(short)).usage.costUsd).toBe(0.5);
  });

  it("takes an unknown price and unknown tokens for unknown, not for zero", async () => {
    const ledger = new Ledger();
    const options = { ledger, purpose: "agent" };
    const known = withBudget(withUsage(usage), { ...options, model: "a", price });
    const unpriced = withBudget(withUsage(usage), { ...options, model: "b", price: null });
    const silent = withBudget(withUsage(unknownUsage), { ...options, model: "c", price });
    expect((await unpriced.complete(short)).usage.costUsd).toBeNull();
    expect(describeSpending(ledger.totals())).toBe("1 call, 10 input and 5 output tokens, cost not known");
    await known.complete(short);
    await silent.complete(short);
    expect(describeSpending(ledger.totals())).toBe(
      "3 calls, at least 20 input and 10 output tokens (1 call didn't tell), " +
        "at least $0.0001 (the cost of 2 calls is not known)",
    );
    expect(ledger.totals().assumedTokens).toBeGreaterThan(5);
  });

  it("counts calls that failed, with what they used where they say so", async () => {
    const failing: ModelProvider = {
      id: "scripted",
      complete: async () => {
        throw new ModelError({ code: "no_answer", message: "m", details: { usage: { ...usage } } });
      },
    };
    const { model, ledger } = limited({}, failing);
    await expect(model.complete(short)).rejects.toMatchObject({ code: "no_answer" });
    expect(ledger.totals()).toMatchObject({ calls: 1, failed: 1, inputTokens: 10, costNanoUsd: 60_000 });
    expect(describeSpending(ledger.totals())).toBe("1 call (1 failed), 10 input and 5 output tokens, $0.0001");
  });

  it("doesn't depend on the order in which calls end", async () => {
    const costs = [0.1, 0.2, 0.3, 1e-9, 0.7];
    const sums = [costs, [...costs].reverse()].map(async (order) => {
      const ledger = new Ledger();
      for (const costUsd of order)
        await withBudget(withUsage({ ...usage, costUsd }), { ledger, model: "m", purpose: "p", price }).complete(short);
      return JSON.stringify(ledger.state());
    });
    const [there, back] = await Promise.all(sums);
    expect(there).toBe(back);
  });
});

describe("a forecast", () => {
  const fixed = (value: number) => ({ low: value, likely: value, high: value });
  const item = {
    purpose: "author",
    model: "m",
    calls: { low: 100, likely: 200, high: 400 },
    inputTokens: fixed(10_000),
    outputTokens: { low: 500, likely: 1_000, high: 2_000 },
    price,
  };

  it("is calls × tokens × price, as low, likely and high", () => {
    const told = forecast([item]);
    expect(told.usd).toEqual({ low: 1.5, likely: 4, high: 12 });
    expect(told.tokens).toEqual({ low: 1_050_000, likely: 2_200_000, high: 4_800_000 });
    expect(describeForecast(told)).toBe(
      "author, m: 200 (100 to 400) calls, 2,200,000 (1,050,000 to 4,800,000) tokens, $4.00 ($1.50 to $12.00)\n" +
        "expected: $4.00 ($1.50 to $12.00)",
    );
  });

  it("says at least where a price isn't known", () => {
    const unknown = { ...item, purpose: "judge", model: "n", calls: fixed(10), price: null };
    const told = forecast([item, unknown]);
    expect(told).toMatchObject({ isComplete: false, calls: { likely: 210 }, usd: { likely: 4 } });
    expect(describeForecast(told)).toContain(
      "expected: at least $4.00 ($1.50 to $12.00) (without 1 of 2 lines, whose price is not known)",
    );
    expect(describeForecast(forecast([unknown]))).toContain("expected: cost not known");
  });
});
