// How many forged tasks an hour pass the core gates, and whether memory stays flat while tasks stream through.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Flow } from "../src/contract/index.ts";
import { openLocalEngine } from "../src/engine/index.ts";
import {
  type Difficulty,
  drawTask,
  type ForgeInput,
  families,
  folderFiles,
  forgeFlow,
  proceduralCandidate,
} from "../src/forge/index.ts";
import { runGauntlet } from "../src/gates/index.ts";
import { limitConcurrency } from "../src/rollouts/index.ts";
import { createBoxBackend, openImageStore } from "../src/sandbox/index.ts";
import { openStore } from "../src/store/index.ts";
import { readTask, writeTask } from "../src/tasks/index.ts";
import type { Measure } from "./measure.ts";

/** Light families of one step; what the goal was set for. */
const light = [
  "log-forensics",
  "tabular-reconciliation",
  "nested-archives",
  "failing-program",
  "sqlite-investigation",
  "service-configuration",
];
const plan = { seed: 7, families: light, difficulties: [1, 2, 3, 4, 5] as Difficulty[] };

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "routesetter-bench-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tasks an hour through the core gates, one sample for each batch that holds every family and difficulty once. */
export function gateLightTask(batches = 3): Promise<Measure> {
  return inFolder(async (folder) => {
    const backend = await createBoxBackend({ stateDirectory: join(folder, "box") });
    const images = openImageStore({ stateDirectory: folder, builder: "host" });
    const turn = limitConcurrency(3);
    const samples: number[] = [];
    const size = plan.families.length * plan.difficulties.length;
    for (let batch = 0; batch < batches; batch++) {
      const tasks = [];
      for (let index = batch * size; index < (batch + 1) * size; index++) {
        const design = proceduralCandidate(index, plan).design;
        const directory = join(folder, design.slug);
        await writeTask(directory, folderFiles(drawTask(design)));
        const task = await readTask(directory);
        await images.resolve({ context: join(directory, "environment") });
        tasks.push(task);
      }
      const start = performance.now();
      const work = tasks.values();
      const worker = async () => {
        for (const task of work) {
          const { report } = await runGauntlet(task, { backend, images, level: "core", seed: 7, repeats: 1, turn });
          if (!report.accepted) throw new Error(`${task.id} was not accepted`);
        }
      };
      await Promise.all([worker(), worker(), worker()]);
      samples.push((tasks.length / (performance.now() - start)) * 3_600_000);
    }
    await images.close();
    await backend.close();
    return { id: "gate-light-task", unit: "tasks/h", samples, goal: 4_000, better: "higher" };
  });
}

/** Megabytes by which the heap grows between the 1,000th and the last of `count` tasks that are drawn, laid out, read and journalled. */
export function streamMemory(count = 10_000): Promise<Measure> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heap = () => {
    collect();
    return process.memoryUsage().heapUsed / 1e6;
  };
  return inFolder(async (folder) => {
    const store = openStore(join(folder, "state"));
    const engine = openLocalEngine({ store, queues: { trial: 4 } });
    const readings: number[] = [];
    const flow = forgeFlow({
      concurrency: 4,
      families,
      async evaluate({ design }) {
        const directory = join(folder, design.slug);
        await writeTask(directory, folderFiles(drawTask(design)));
        await readTask(directory);
        rmSync(directory, { recursive: true });
        return {
          accepted: true,
          stage: "decide",
          reasons: [],
          outcome: "success",
          warnings: 0,
          trials: 0,
          evidence: null,
        };
      },
      archive: async () => {},
      onDecision: (_, funnel) => {
        if (funnel.proposed % 1_000 === 0) readings.push(heap());
      },
      finish: async () => {},
    });
    const input: ForgeInput = {
      ...plan,
      author: "procedural",
      goal: count,
      maximumCandidates: count * 2,
      repeats: 1,
      out: "tasks",
      ownFamilies: null,
    };
    await (await engine.submit(flow as Flow, input as never, { id: "stream" })).result;
    await engine.close();
    store.close();
    const [first = 0] = readings;
    return { id: "stream-memory", unit: "MB", samples: [(readings.at(-1) ?? first) - first], goal: 24 };
  });
}
