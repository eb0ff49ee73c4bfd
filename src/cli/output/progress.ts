/** "12/300 · accepted 11 · rejected 1 · about 2 min left": counts first, then an estimate from the pace so far. */
export function progressText(
  progress: { done: number; total: number | null; counts: Readonly<Record<string, number>> },
  elapsedMilliseconds: number,
): string {
  const { done, total, counts } = progress;
  const parts = [total === null ? `${done}` : `${done}/${total}`];
  for (const [name, count] of Object.entries(counts)) if (count > 0) parts.push(`${name} ${count}`);
  if (total !== null && done > 0 && done < total) {
    parts.push(`${durationText((elapsedMilliseconds / done) * (total - done))} left`);
  }
  return parts.join(" · ");
}

export function durationText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
