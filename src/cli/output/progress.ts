export type Progress = {
  readonly done: number;
  /** null when it isn't known. */
  readonly total: number | null;
  readonly counts: Readonly<Record<string, number>>;
};

const windowSize = 24;

/** How fast things are done: from the last few, so that what a resumed run repeats at once soon no longer counts. */
export class Pace {
  readonly #marks: { done: number; at: number }[];

  constructor(now: number) {
    this.#marks = [{ done: 0, at: now }];
  }

  record(done: number, now: number): void {
    if (done === this.#marks.at(-1)?.done) return;
    this.#marks.push({ done, at: now });
    if (this.#marks.length > windowSize) this.#marks.shift();
  }

  /** Milliseconds until `total` are done; null when that can't be told. */
  left(total: number | null): number | null {
    const first = this.#marks[0] as { done: number; at: number };
    const last = this.#marks.at(-1) as { done: number; at: number };
    if (total === null || last.done <= first.done) return null;
    return ((last.at - first.at) / (last.done - first.done)) * Math.max(0, total - last.done);
  }
}

/** "12/300 · accepted 11 · rejected 1 · about 2 min left": counts first, then the estimate. */
export function progressText({ done, total, counts }: Progress, millisecondsLeft: number | null): string {
  const parts = [total === null ? `${done}` : `${done}/${total}`];
  for (const [name, count] of Object.entries(counts)) if (count > 0) parts.push(`${name} ${count}`);
  if (millisecondsLeft !== null && done !== total) parts.push(`about ${durationText(millisecondsLeft)} left`);
  return parts.join(" · ");
}

export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
