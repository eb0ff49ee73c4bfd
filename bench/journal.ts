// What durability costs: a journalled step, and the replay of a long run.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, Flow } from "../src/contract/index.ts";
import { openLocalEngine } from "../src/engine/index.ts";
import { openStore } from "../src/store/index.ts";

export type Measure = { id: string; unit: string; samples: number[]; goal: number };

async function inProject<T>(
  work: (open: () => { engine: Engine; close: () => Promise<void> }) => Promise<T>,
): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "routesetter-bench-"));
  try {
    return await work(() => {
      const store = openStore(directory, { command: "bench" });
      const engine = openLocalEngine({ store });
      const close = async () => {
        await engine.close();
        store.close();
      };
      return { engine, close };
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const result = (index: number) => ({ outcome: "success", reward: 1, index });

/** Milliseconds of one sequential step whose work does nothing, for each of `steps` steps. */
export async function journalStep(steps = 5_000): Promise<Measure> {
  const samples: number[] = [];
  const flow: Flow<null, number> = {
    name: "bench-step",
    version: "1",
    async run(context) {
      for (let i = 0; i < steps; i++) {
        const start = performance.now();
        await context.step(`task ${i}`, async () => result(i), { stage: "trial" });
        samples.push(performance.now() - start);
      }
      return steps;
    },
  };
  await inProject(async (open) => {
    const { engine, close } = open();
    await (await engine.submit(flow, null, { id: "bench" })).result;
    await close();
  });
  return { id: "journal-step", unit: "ms", samples, goal: 0.1 };
}

/** Milliseconds from opening the project to the end of a run of which `steps` steps had finished and one had not. */
export async function journalResume(steps = 100_000, repeats = 3): Promise<Measure> {
  const samples: number[] = [];
  let isLastDone = false;
  const flow: Flow<null, number> = {
    name: "bench-resume",
    version: "1",
    async run(context) {
      const indexes = Array.from({ length: steps }, (_, index) => index);
      await context.all(indexes, (i) => context.step(`task ${i}`, async () => result(i), { stage: "trial" }), {
        key: "tasks",
        concurrency: 16,
        collect: false,
        onComplete: () => {},
      });
      await context.step("last", async () => {
        if (!isLastDone) throw new Error("not yet");
        return null;
      });
      return steps;
    },
  };
  await inProject(async (open) => {
    const first = open();
    await (await first.engine.submit(flow, null, { id: "bench" })).result.catch(() => {});
    await first.close();
    for (let i = 0; i < repeats; i++) {
      isLastDone = i === repeats - 1;
      const start = performance.now();
      const { engine, close } = open();
      engine.register(flow);
      await (await engine.resume("bench")).result.catch(() => {});
      samples.push(performance.now() - start);
      await close();
    }
  });
  return { id: "journal-resume", unit: "ms", samples, goal: 2_000 };
}
