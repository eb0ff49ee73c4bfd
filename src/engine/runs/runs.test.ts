import { mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Engine, Flow, Json } from "../../contract/index.ts";
import { openStore, type Store } from "../../store/index.ts";
import { cancelRun, cleanRuns, listRuns, openLocalEngine, redoInfra, showRun } from "../index.ts";

let directory: string;
const stores: Store[] = [];
const open = () => {
  const store = openStore(directory, { command: "test" });
  stores.push(store);
  return { store, engine: openLocalEngine({ store }) };
};
const flow = (run: Flow<Json, Json>["run"]): Flow<Json, Json> => ({ name: "f", version: "1", run });
const submit = async (engine: Engine, id: string, run: Flow<Json, Json>["run"]) =>
  (await engine.submit(flow(run), null, { id })).result;
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "routesetter-runs-"));
});
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("runs list and show", () => {
  it("tell stages, attempts, what is in flight and who is at it, while it runs and afterwards", async () => {
    const { engine } = open();
    await submit(engine, "done", async (context) => context.step("a", async () => 1, { stage: "draft" }));
    const run = submit(engine, "r", async (context) => {
      for (const i of [1, 2]) await context.step(`draft ${i}`, async () => i, { stage: "draft" });
      await context.step("flaky", () => Promise.reject(new Error("no"))).catch(() => null);
      context.emit({ type: "halfway" });
      return context.step("trial", ({ signal }) => untilAborted(signal), { stage: "trial" });
    });
    await pause(120);
    const reader = openStore(directory, { mode: "read" });
    stores.push(reader);
    expect(listRuns(reader)).toMatchObject([
      { id: "done", status: "done", steps: 1 },
      { id: "r", status: "running", steps: 2 },
    ]);
    const running = showRun(reader, "r");
    expect(running.owner).toContain(`process ${process.pid}`);
    expect(running.stages).toEqual([
      { stage: "draft", status: "done", count: 2 },
      { stage: "", status: "failed", count: 1 },
      { stage: "trial", status: "running", count: 1 },
    ]);
    expect(running.inFlight).toMatchObject([{ key: "trial", stage: "trial", attempt: 1 }]);
    expect(running.events.map(({ type }) => type)).toEqual(["run.started", "halfway"]);
    await engine.close();
    await expect(run).rejects.toMatchObject({ code: "engine_closed" });
    const stopped = showRun(reader, "r", { events: 1 });
    expect(stopped).toMatchObject({ run: { status: "stopped" }, owner: null });
    expect(stopped.stages.at(-1)).toEqual({ stage: "trial", status: "interrupted", count: 1 });
    expect(stopped.events).toMatchObject([{ type: "run.stopped" }]);
    expect(() => showRun(reader, "nobody")).toThrowError(expect.objectContaining({ code: "run_unknown" }));
  });

  it("call a run stopped whose owner is dead", async () => {
    const { engine, store } = open();
    const run = submit(engine, "r", async (context) => context.step("s", ({ signal }) => untilAborted(signal)));
    store.database.exec("UPDATE owner SET started = '1@another-boot'");
    const reader = openStore(directory, { mode: "read" });
    stores.push(reader);
    expect(listRuns(reader)).toMatchObject([{ id: "r", status: "stopped" }]);
    await engine.close();
    await run.catch(() => {});
  });
});

describe("runs cancel", () => {
  it("asks the owner from elsewhere", async () => {
    const { engine } = open();
    const run = submit(engine, "r", async (context) => context.step("s", ({ signal }) => untilAborted(signal)));
    const outcome = run.catch((error: unknown) => error);
    expect(await cancelRun(directory, "r", "not needed")).toBe("cancelled");
    expect(await outcome).toMatchObject({ code: "run_cancelled", message: expect.stringContaining("not needed") });
  });

  it("does it itself when nobody owns the project, and leaves finished runs alone", async () => {
    const { engine, store } = open();
    await submit(engine, "done", async () => null);
    await submit(engine, "failed", () => Promise.reject(new Error("no"))).catch(() => {});
    await engine.close();
    store.close();
    expect(await cancelRun(directory, "done", "x")).toBe("done");
    expect(await cancelRun(directory, "failed", "x")).toBe("cancelled");
    await expect(cancelRun(directory, "nobody", "x")).rejects.toMatchObject({ code: "run_unknown" });
    await expect(cancelRun(join(directory, "no"), "r", "x")).rejects.toMatchObject({ code: "store_missing" });
  });
});

describe("runs clean", () => {
  it("removes finished runs with the blobs that only they use, keeps the log, and lets the id be used again", async () => {
    const { engine, store } = open();
    const large = (letter: string) => letter.repeat(70_000);
    await submit(engine, "a", async (context) => {
      context.emit({ type: "told" });
      await context.step("shared", async () => large("s"));
      return context.step("own", async () => large("a"));
    });
    await submit(engine, "b", async (context) => {
      await context.step("shared", async () => large("s"));
      return null;
    });
    await submit(engine, "c", () => Promise.reject(new Error("no"))).catch(() => {});
    const blobs = () =>
      readdirSync(store.blobs.directory).flatMap((name) => readdirSync(join(store.blobs.directory, name))).length;
    expect(blobs()).toBe(2);
    expect(await cleanRuns(store, { ids: ["a"], before: 5 })).toEqual({ removed: [], kept: ["a"], blobs: 0 });
    expect(await cleanRuns(store, { ids: ["a"] })).toEqual({ removed: ["a"], kept: [], blobs: 1 });
    expect(blobs()).toBe(1);
    expect(await cleanRuns(store)).toEqual({ removed: ["b"], kept: ["c"], blobs: 1 });
    await submit(engine, "a", async (context) => {
      context.emit({ type: "told" });
      return context.step("own", async () => 2);
    });
    expect(engine.get("a")).toMatchObject({ status: "done", steps: 1 });
    expect(store.events.read({ run: "a" }).map(({ type }) => type)).toEqual([
      "run.started",
      "told",
      "run.done",
      "run.cleaned",
      "run.started",
      "told",
      "run.done",
    ]);
    for (const table of ["step", "attempt", "completion"])
      expect(store.database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()).toBe(table === "step" ? 1 : 0);
  });
});

describe("resume --only infra", () => {
  // BR058
  it("redoes exactly the trials that aren't graded, a damaged result among them, and keeps the attempts", async () => {
    const { engine, store } = open();
    const executed: string[] = [];
    const trials = flow(async (context) => {
      const outcomes: Record<string, number> = {};
      await context.all(
        Array.from({ length: 300 }, (_, i) => i),
        (i) =>
          context.step(
            `trial ${i}`,
            async ({ number }) => {
              executed.push(`${i}#${number}`);
              const outcome = [7, 70, 170].includes(i) && number === 1 ? "infra_error" : i % 4 ? "success" : "failure";
              const trajectory = { outcome, log: i === 200 ? "x".repeat(70_000) : "" };
              return i % 2 ? { outcome, score: outcome === "success" ? 1 : 0 } : { trajectory };
            },
            { stage: "trial" },
          ),
        {
          key: "trials",
          concurrency: 4,
          collect: false,
          onComplete: (result) => {
            const { outcome } = "trajectory" in result ? result.trajectory : result;
            outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
          },
        },
      );
      context.emit({ type: "summary", outcomes: { ...outcomes } });
      return outcomes;
    });
    expect(await (await engine.submit(trials, null, { id: "r" })).result).toEqual({
      infra_error: 3,
      success: 222,
      failure: 75,
    });
    const blob = store.database.prepare("SELECT blob FROM step WHERE blob IS NOT NULL").pluck().get() as string;
    truncateSync(store.blobs.path(blob), 100);
    executed.length = 0;
    expect(await (await engine.resume("r", { redo: redoInfra })).result).toEqual({ success: 225, failure: 75 });
    expect(executed.sort()).toEqual(["170#2", "200#2", "70#2", "7#2"].sort());
    expect(showRun(store, "r")).toMatchObject({
      attempts: { failed: 0, interrupted: 0, redone: 4 },
      stages: [{ stage: "trial", status: "done", count: 300 }],
    });
    const summaries = store.events.read({ run: "r" }).filter(({ type }) => type === "summary");
    expect(summaries.map(({ body }) => (body as { outcomes: Json }).outcomes)).toEqual([
      { infra_error: 3, success: 222, failure: 75 },
      { success: 225, failure: 75 },
    ]);
    const kept = store.database.prepare("SELECT result FROM attempt WHERE key = 'trial 7'").pluck().get() as string;
    expect(JSON.parse(kept)).toEqual({ outcome: "infra_error", score: 0 });
  });
});
