// The table of agents that played the same tasks, for people.
import { type AgentComparison, type AgentRow, minimumTasksForDifference } from "../rollouts/index.ts";

export function comparisonLines({ rows, differences }: AgentComparison): string[] {
  const k = rows[0]?.passAtK.k ?? 1;
  const heads = ["agent", "graded", "success rate (95 %)", ...(k > 1 ? [`pass@${k}`] : []), "median time", "tokens"];
  const cells = rows.map((row) => [
    row.agent,
    `${row.rate.graded} of ${row.rate.attempted}`,
    rateCell(row),
    ...(k > 1 ? [row.passAtK.value === null ? "–" : percent(row.passAtK.value)] : []),
    row.medianSeconds === null ? "–" : `${row.medianSeconds.toFixed(1)} s`,
    row.tokens === null ? "unknown" : String(row.tokens),
    row.costUsd === null ? "unknown" : `$${row.costUsd.toFixed(4)}`,
    percent(row.rate.infrastructureShare),
  ]);
  const table = [[...heads, "cost", "infra"], ...cells];
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => (line[column] as string).length)));
  const lines = table.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] as number))
      .join("  ")
      .trimEnd(),
  );
  const paired = differences.map(({ agent, against, tasks, difference }) =>
    difference === null
      ? `${agent} – ${against}: no difference can be given (${tasks} tasks in common, ${minimumTasksForDifference} are the least; or a rate is refused)`
      : `${agent} – ${against}: ${signed(difference.mean)} (95 % interval ${signed(difference.low)} to ${signed(difference.high)}, paired over ${tasks} tasks)`,
  );
  return [...lines, ...paired];
}

function rateCell({ rate: { rate, interval, refused } }: AgentRow): string {
  if (rate === null || interval === null) return refused ? "refused" : "–";
  return `${percent(rate)} (${(interval.low * 100).toFixed(1)}–${(interval.high * 100).toFixed(1)})`;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const signed = (share: number): string => `${share < 0 ? "−" : "+"}${Math.abs(share * 100).toFixed(1)} points`;
