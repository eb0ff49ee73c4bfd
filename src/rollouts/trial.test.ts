import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench } from "../../test/support/bench.ts";
import { nopAgent } from "./agents/nop.ts";
import { callsAgent } from "./agents/script.ts";
import { oracleAgent } from "./agents/solution.ts";
import { OracleBaseline } from "./oracle-baseline.ts";
import { runTrial } from "./trial.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.close());

const run = (command: string) => ({ written: command, action: { name: "run", arguments: { command } } });

describe("runTrial", () => {
  it("gives the oracle everything and the idle nothing", async () => {
    const task = await bench.task("plain");
    for (const mode of ["sealed", "restored", "live"] as const) {
      const options = { ...bench, task, mode };
      const files =
        mode === "sealed"
          ? await bench.task("declared", {
              "task.toml": 'artifacts = ["answer.txt"]\n[environment]\nworkdir = "/app"\nnetwork_mode = "no-network"\n',
            })
          : task;
      const oracle = await runTrial({ ...options, task: files, agent: oracleAgent(files) });
      expect(oracle.grading, mode).toMatchObject({ outcome: "success", verdict: { score: 1, mode } });
      const nop = await runTrial({ ...options, task: files, agent: nopAgent() });
      expect(nop.grading, mode).toMatchObject({
        outcome: "failure",
        verdict: { score: 0 },
        cause: { code: "wrong_result" },
      });
    }
  });
});
