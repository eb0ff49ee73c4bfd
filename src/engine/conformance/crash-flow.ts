// The flow that the crash tests kill at every boundary of its steps, and the program that runs it in a child process.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Flow, Json, RunContext } from "../../contract/index.ts";
import { Random } from "../../statistics/index.ts";
import { type OpenEngine, pause, queues } from "./harness.ts";

export type CrashPlan = {
  readonly directory: string;
  /** `KEY:before`, `KEY:after` (done, not yet journalled) or `KEY:journalled`: the process kills itself there. */
  readonly killAt: string | null;
  readonly latencySeed: string;
  /** Asks for the parallel steps the other way round. */
  readonly reversed: boolean;
};

const parallel = ["alpha", "beta", "gamma", "delta", "epsilon"];
export const crashKeys = ["first", ...parallel, ...[0, 1, 2, 3].map((i) => `item ${i}`), "inner", "large", "last"];
export const crashPoints = crashKeys.flatMap((key) => ["before", "after", "journalled"].map((at) => `${key}:${at}`));

/** Its result doesn't depend on when it was killed, but for the order of completion, which it decides on twice. */
export function crashFlow(plan: CrashPlan): Flow<Json, Json> {
  const latency = new Random(plan.latencySeed);
  const log = (line: string) => appendFileSync(join(plan.directory, "executions.log"), `${line}\n`);
  const point = (name: string) => {
    if (plan.killAt === name) process.kill(process.pid, "SIGKILL");
  };
  const step = async (context: RunContext, name: string, value: () => Json): Promise<Json> => {
    const result = await context.step(
      name,
      async () => {
        log(`start ${name}`);
        point(`${name}:before`);
        await pause(latency.integer(0, 6));
        point(`${name}:after`);
        return value();
      },
      { stage: name.split(" ")[0] as string, queue: "trial" },
    );
    log(`done ${name}`);
    point(`${name}:journalled`);
    return result;
  };
  const child: Flow<null, Json> = {
    name: "crash-child",
    version: "1",
    run: (context) => step(context, "inner", () => 5),
  };
  return {
    name: "crash",
    version: "1",
    async run(context) {
      const first = await step(context, "first", () => 1);
      const names = plan.reversed ? [...parallel].reverse() : parallel;
      const values = await Promise.all(names.map(async (name) => [name, await step(context, name, () => name.length)]));
      const order: number[] = [];
      await context.all([0, 1, 2, 3], (i) => step(context, `item ${i}`, () => i), {
        key: "items",
        concurrency: 3,
        onComplete: (_, i) => void order.push(i),
      });
      const decided = await context.step("decided", async () => order);
      await context.sleep("nap", 3);
      const inner = await context.child("child", child, null);
      const large = await step(context, "large", () => "y".repeat(70_000));
      const last = await step(context, "last", () => context.random("draw"));
      const sum = (values as [string, number][]).reduce((total, [, length]) => total + length, 0);
      return {
        first,
        sum,
        isSameOrder: String(decided) === String(order),
        inner,
        large: (large as string).length,
        last,
      };
    },
  };
}

/** What a child process of the crash tests does: argv[2] is the plan. Prints `ready`, then the result. */
export async function runCrashChild(open: OpenEngine): Promise<void> {
  const plan = JSON.parse(process.argv[2] as string) as CrashPlan;
  const { engine, close } = await open({ directory: plan.directory, queues });
  console.log("ready");
  const { result } = await engine.submit(crashFlow(plan), null, { id: "crash", seed: 11 });
  console.log(JSON.stringify(await result));
  await close();
}
