import { failedTrial } from "./trial.ts";
import type { TrialResult } from "./trial-result.ts";

export type GroupItem = {
  readonly task: { readonly id: string; readonly digest: string };
  readonly agent: { readonly name: string; readonly version: string };
};

/**
 * Runs a group of trials, at most `concurrency` at once; one that fails never ends another. Results stand in the order
 * of the items; those that were not begun when `signal` fired are `cancelled`.
 */
export async function runGroup<I extends GroupItem>(
  items: readonly I[],
  run: (item: I, index: number) => Promise<TrialResult>,
  options: { concurrency: number; signal?: AbortSignal; onResult?: (result: TrialResult, index: number) => void },
): Promise<TrialResult[]> {
  const results = new Array<TrialResult>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      const item = items[index]!;
      try {
        options.signal?.throwIfAborted();
        results[index] = await run(item, index);
      } catch (error) {
        results[index] = failedTrial(item, error, { cancelled: options.signal?.aborted === true, milliseconds: 0 });
      }
      options.onResult?.(results[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(options.concurrency, items.length)) }, worker));
  return results;
}
