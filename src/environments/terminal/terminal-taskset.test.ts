import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench } from "../../../test/support/bench.ts";
import type { Task } from "../../tasks/index.ts";
import { TerminalTaskset } from "./terminal-taskset.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.close());

describe("TerminalTaskset", () => {
  it("lists, names and opens tasks; the splits are apart and complete", async () => {
    const tasks: Task[] = [];
    for (let index = 0; index < 40; index++) tasks.push(await bench.task(`task-${index}`));
    const set = new TerminalTaskset("mine", tasks, bench);
    const list = async (split: "all" | "train" | "validation" | "test") => {
      const ids: string[] = [];
      for await (const { id } of set.list(split)) ids.push(id);
      return ids;
    };
    const parts = [await list("train"), await list("validation"), await list("test")];
    expect(parts.flat().sort()).toEqual(await list("all"));
    expect(parts[0]!.length).toBeGreaterThan(20);
    const ref = { taskset: "mine", id: tasks[0]!.id };
    expect(await set.digest(ref)).toBe(tasks[0]!.digest);
    const opened = await set.open(ref);
    expect((await opened.environment.reset({})).text).toContain("done");
    expect((await opened.judge.verdict()).score).toBe(0);
    await opened.close();
    await expect(set.digest({ taskset: "mine", id: "nope" })).rejects.toMatchObject({ code: "unknown_task" });
    expect(() => new TerminalTaskset("twice", [tasks[0]!, tasks[0]!], bench)).toThrow("two tasks are called");
  });
});
