// Items streamed through bounded concurrency, delivered in an order that is the same after a resume.
import { EngineError } from "../../contract/index.ts";

export type AllPlan<I, T> = {
  readonly key: string;
  readonly items: Iterable<I> | AsyncIterable<I>;
  readonly work: (item: I, index: number) => Promise<T>;
  /** Items worked on at once. */
  readonly workers: number;
  /** Items taken and not yet delivered: an item is taken right when the delivery that makes room for it is over. */
  readonly window: number;
  /** Item indexes in their journalled order of completion; null when the order doesn't matter. */
  readonly order: Iterator<number, undefined> | null;
  /** Journals the completion of an item before it is delivered. */
  readonly record: (position: number, index: number) => void;
  readonly deliver: (result: T, item: I, index: number) => void | Promise<void>;
  /** What ends the run, if anything does: no further item is taken. */
  readonly ended: () => { reason: unknown } | null;
  /** Called with an error that stands for the errors of several items. */
  readonly joined: (joint: EngineError, parts: readonly unknown[]) => void;
};

type Settled<I, T> = { readonly item: I } & ({ readonly result: T } | { readonly error: unknown });
const keptErrors = 10_000;

/**
 * Runs all items. A failing item doesn't stop the others: when all are through, its error is thrown, or one EngineError
 * `items_failed` when there are several. What ends the run, and an error of `deliver`, stop it at once.
 */
export async function runAll<I, T>(plan: AllPlan<I, T>): Promise<void> {
  const source = openItems(plan.items);
  const settled = new Map<number, Settled<I, T>>();
  const errors: unknown[] = [];
  let failed = 0;
  let firstFailed = 0;
  let taken = 0;
  let delivered = 0;
  let working = 0;
  let isOver = false;
  let isTaking = false;
  let broken: { reason: unknown } | null = null;
  let wake = () => {};

  const begin = (item: I) => {
    const index = taken++;
    working++;
    const settle = (outcome: Settled<I, T>) => {
      settled.set(index, outcome);
      working--;
      wake();
    };
    plan.work(item, index).then(
      (result) => settle({ item, result }),
      (error: unknown) => settle({ item, error }),
    );
  };
  const take = () => {
    while (!isOver && !isTaking && !broken && working < plan.workers && taken - delivered < plan.window) {
      const next = source.next();
      if (!("then" in next)) {
        if (next.done) isOver = true;
        else begin(next.value);
        continue;
      }
      isTaking = true;
      next
        .then(
          (answer) => {
            if (answer.done) isOver = true;
            else if (!broken) begin(answer.value);
          },
          (error: unknown) => {
            broken ??= { reason: error };
          },
        )
        .finally(() => {
          isTaking = false;
          wake();
        });
    }
  };

  let expected = plan.order?.next().value;
  const nextIndex = () =>
    expected === undefined ? settled.keys().next().value : settled.has(expected) ? expected : undefined;
  for (;;) {
    broken ??= plan.ended();
    try {
      take();
      const index = broken ? undefined : nextIndex();
      if (index !== undefined) {
        const outcome = settled.get(index) as Settled<I, T>;
        settled.delete(index);
        if (expected === undefined) plan.record(delivered, index);
        else expected = plan.order?.next().value;
        if ("error" in outcome) {
          if (failed++ === 0) firstFailed = index;
          if (errors.length < keptErrors) errors.push(outcome.error);
        } else await plan.deliver(outcome.result, outcome.item, index);
        delivered++;
        continue;
      }
    } catch (error) {
      broken ??= { reason: error };
    }
    if (working === 0 && !isTaking) {
      if (!broken && (settled.size > 0 || expected !== undefined))
        broken = { reason: orderChanged(plan.key, expected, taken) };
      if (broken || isOver) break;
    }
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  if (broken) {
    if (!isOver) await source.close();
    throw broken.reason;
  }
  if (failed === 1) throw errors[0];
  if (failed > 1) throw joint(plan, errors, failed, firstFailed, delivered);
}

function joint<I, T>(
  plan: AllPlan<I, T>,
  errors: unknown[],
  failed: number,
  first: number,
  total: number,
): EngineError {
  const text = errors[0] instanceof Error ? errors[0].message : String(errors[0]);
  const error = new EngineError({
    code: "items_failed",
    message: `${failed} of ${total} items of ${JSON.stringify(plan.key)} failed, first item ${first}: ${text}`,
    remedy: "mend what the first one names and resume the run; the items that are done are kept",
    cause: errors[0],
    details: { failed, total },
  });
  plan.joined(error, errors);
  return error;
}

function orderChanged(key: string, expected: number | undefined, taken: number): EngineError {
  return new EngineError({
    code: "order_changed",
    message: `${JSON.stringify(key)} finished item ${expected} before, and the flow gives it ${taken} items now`,
    remedy: "give it the same items after a resume, or change the flow's version and start a new run",
    details: { key },
  });
}

type Items<I> = { next(): IteratorResult<I> | Promise<IteratorResult<I>>; close(): Promise<void> };

function openItems<I>(items: Iterable<I> | AsyncIterable<I>): Items<I> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  return {
    next: () => iterator.next(),
    close: async () => {
      await Promise.resolve(iterator.return?.()).catch(() => {});
    },
  };
}
