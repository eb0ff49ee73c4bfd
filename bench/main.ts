// npm run bench -- [--json] [id…]: the performance targets, each with its median and whether it holds.
import { execFileSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";

import { gateLightTask, streamMemory } from "./gauntlet.ts";
import { journalResume, journalStep } from "./journal.ts";
import { type Measure, summary } from "./measure.ts";
import { measureBoxLifecycle, measureBoxThroughput } from "./sandboxes.ts";

const measures: Record<string, () => Promise<Measure>> = {
  "box-lifecycle": measureBoxLifecycle,
  "box-throughput": measureBoxThroughput,
  "gate-light-task": gateLightTask,
  "journal-step": journalStep,
  "journal-resume": journalResume,
  "stream-memory": streamMemory,
};

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const json = process.argv.includes("--json");
const unknown = wanted.filter((id) => !(id in measures));
if (unknown.length > 0) {
  console.error(`no measure ${unknown.join(", ")}; there are ${Object.keys(measures).join(", ")}`);
  process.exit(2);
}

const results = [];
for (const [id, measure] of Object.entries(measures)) {
  if (wanted.length > 0 && !wanted.includes(id)) continue;
  if (!json) process.stderr.write(`${id} …\n`);
  const result = summary(await measure());
  results.push(result);
  if (!json) {
    const peer = result.baseline ? `, ${result.baseline.name} ${result.baseline.median} (ratio ${result.ratio})` : "";
    console.log(
      `${result.holds ? "✓" : "✗"} ${id}: ${result.median} ${result.unit} (${result.p10}–${result.p90}, n ${result.samples}${peer}); goal ${result.goal}`,
    );
  }
}
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`;
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
if (json) console.log(JSON.stringify({ machine, commit, measures: results }, null, 2));
process.exitCode = results.every(({ holds }) => holds) ? 0 : 1;
