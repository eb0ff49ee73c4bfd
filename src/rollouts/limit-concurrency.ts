/** Runs a piece of work when a place is free. */
export type Turn = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `count` pieces of work at once, first come, first served. One turn shared by many callers bounds them together. */
export function limitConcurrency(count: number): Turn {
  let free = Math.max(1, count);
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((go) => waiting.push(go));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
