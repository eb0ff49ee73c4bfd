// forge, rollout and demo: the same seed gives the same shelf, unbroken or not, and the demo does what it says.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk, type Ended, processesNaming, tree } from "../support/command-line.ts";

let first: Desk;
let second: Desk;
let forged: Ended;
const forge = ["forge", "--count", "3", "--seed", "11", "--difficulty", "2", "--json"];
const idOf = (text: string) => /"run":"([^"]+)"/.exec(text)?.[1] as string;

beforeAll(async () => {
  first = new Desk();
  second = new Desk(first.cache);
  forged = await first.run(...forge);
}, 60_000);
afterAll(async () => {
  await second?.close();
  await first?.close();
});

describe("forge", () => {
  it("says what was found, loaded and rejected, what it cost and where things are", () => {
    expect(forged.code, forged.stderr).toBe(0);
    const { command, counts, cost, outputs, seed } = forged.result();
    expect([command, outputs, seed]).toEqual(["forge", ["tasks"], 11]);
    expect(counts).toMatchObject({ found: 3, loaded: 3, rejected: 0, accepted: 3 });
    expect(cost.trials).toBeGreaterThan(3 * 5);
    const index = JSON.parse(readFileSync(first.path("tasks", "forge.json"), "utf8"));
    expect(index.tasks.map(({ task }: { task: string }) => existsSync(first.path("tasks", task, "task.toml")))).toEqual(
      [true, true, true],
    );
  });

  it("interrupted and continued in another project gives the same tree of files", async () => {
    const broken = second.start([...forge, "--concurrency", "1"]);
    await broken.until("run-started");
    await broken.until("task-accepted");
    broken.process.kill("SIGINT");
    const stopped = await broken.ended;
    expect(stopped.code).toBe(130);
    expect(stopped.result()).toMatchObject({ status: "interrupted", outputs: ["tasks"] });
    const piped = await second.shell(`set -o pipefail; $R ${forge.join(" ")} | head -n 1`);
    expect([piped.code, piped.stderr]).toEqual([0, ""]);
    const ended = await second.run(...forge);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.result().counts).toMatchObject({ found: 3, accepted: 3 });
    expect(ended.result().run).toBe(forged.result().run);
    expect(tree(second.path("tasks"))).toEqual(tree(first.path("tasks")));
    expect(existsSync(second.path(".routesetter", "work", idOf(ended.stdout)))).toBe(false);
    expect(processesNaming(first.cache)).toEqual([]);
  });

  it("makes again what is gone from the shelf, and only that", async () => {
    const before = tree(second.path("tasks"));
    const [name] = readdirSync(second.path("tasks")).filter((one) => one !== "forge.json");
    rmSync(second.path("tasks", name as string), { recursive: true });
    const ended = await second.run(...forge);
    expect(ended.result().counts).toMatchObject({ accepted: 3, retaken: 1, kept: 2 });
    expect(tree(second.path("tasks"))).toEqual(before);
  });
});

describe("rollout", () => {
  it("compares agents in one table, paired, and writes ATIF beside the trajectories", async () => {
    const ended = await first.run(
      "rollout",
      "tasks",
      "--agent",
      "oracle",
      "--agent",
      "nop",
      "-k",
      "2",
      "--atif",
      "--json",
    );
    expect(ended.code, ended.stderr).toBe(0);
    const { agents, outputs, counts } = ended.result() as unknown as {
      agents: { rows: { agent: string; rate: { rate: number }; passAtK: { k: number; value: number } }[] };
      outputs: string[];
      counts: Record<string, number>;
    };
    expect(counts.attempted).toBe((counts.loaded ?? 0) * 4);
    expect(agents.rows.map(({ agent, rate, passAtK }) => [agent, rate.rate, passAtK.k, passAtK.value])).toEqual([
      ["oracle", 1, 2, 1],
      ["nop", 0, 2, 0],
    ]);
    const episode = ended.events().find(({ type }) => type === "episode");
    const atif = JSON.parse(
      readFileSync(first.path(outputs[0] as string, String(episode?.file).replace(/json$/, "atif.json")), "utf8"),
    );
    expect(atif.schema_version).toBe("ATIF-v1.7");
  }, 120_000);

  it("writes a trajectory for each attempt, says the rate, and replays one", async () => {
    const ended = await first.run("rollout", "tasks", "--attempts", "2", "--limit", "2", "--out", "played", "--json");
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.result().counts).toMatchObject({ found: 2, loaded: 2, rejected: 0, attempted: 4, success: 4 });
    expect(ended.result().outputs).toEqual([join("played", idOf(ended.stdout))]);
    const [episode] = ended.events().filter(({ type }) => type === "episode");
    const file = join("played", idOf(ended.stdout), episode?.file);
    const replayed = await first.run("rollout", "tasks", "--limit", "1", "--agent", `replay:${file}`);
    expect(replayed.code, replayed.stderr).toBe(0);
    expect(replayed.stdout).toMatch(/of 1 graded succeeded/);
    first.write({ "lazy.sh": "echo nothing\n" });
    const lazy = await first.run("rollout", "tasks", "--limit", "1", "--agent", "script:lazy.sh");
    expect(lazy.code).toBe(0);
    expect(lazy.stdout).toMatch(/^failure {5}0\.000 {2}.*wrong_result/m);
    expect(lazy.stdout).toContain("0 of 1 graded succeeded");
  });
});

describe("demo", () => {
  it("ends and shows what it made, twice", async () => {
    const ended = await first.run("demo", "--count", "2");
    expect(ended.code, ended.stderr).toBe(0);
    for (const part of ["1. forge 2 tasks", "2. check", "3. let three agents", "4. one of them"])
      expect(ended.stdout).toContain(part);
    expect(ended.stdout).toMatch(/oracle +2 of 2 +100\.0 %/);
    expect(ended.stdout).toMatch(/nop +2 of 2 +0\.0 %/);
    expect(ended.stdout).toMatch(/script:forger\.sh +2 of 2 +0\.0 %/);
    expect(ended.stdout).toContain("→ demo/tasks\n");
    const json = await first.run("demo", "--count", "2", "--json");
    expect(json.code, json.stderr).toBe(0);
    expect(json.result()).toMatchObject({ command: "demo", status: "ok", counts: { accepted: 2 } });
  }, 120_000);
});
