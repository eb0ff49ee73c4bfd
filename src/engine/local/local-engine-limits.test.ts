// What is the local engine's own: leases, flat memory, a bounded log beside readers, a full disk.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Flow, Json } from "../../contract/index.ts";
import { openStore, type Store } from "../../store/index.ts";
import { openLocalEngine } from "./index.ts";

let directory: string;
const stores: Store[] = [];
const open = (mode: "read" | "write" = "write", at = directory) => {
  const store = openStore(at, { mode, command: "test" });
  stores.push(store);
  return store;
};
const flow = (run: Flow<Json, Json>["run"]): Flow<Json, Json> => ({ name: "f", version: "1", run });
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "routesetter-local-"));
});
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  rmSync(directory, { recursive: true, force: true });
});

describe("leases", () => {
  it("keep two engines from the same run", async () => {
    const store = open();
    const [first, second] = [openLocalEngine({ store }), openLocalEngine({ store })];
    const waits = flow(async (context) =>
      context.step(
        "s",
        ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      ),
    );
    const { result } = await first.submit(waits, null, { id: "r" });
    expect(second.get("r")?.status).toBe("running");
    await expect(second.submit(waits, null, { id: "r" })).rejects.toMatchObject({ code: "run_leased" });
    await first.close();
    await expect(result).rejects.toMatchObject({ code: "engine_closed" });
    expect((await second.submit(waits, null, { id: "r" })).attached).toBe(true);
    await second.close();
  });

  it("need a store that is open for writing, and end a run whose project was taken", async () => {
    const store = open();
    expect(() => openLocalEngine({ store: open("read") })).toThrowError(
      expect.objectContaining({ code: "store_read_only" }),
    );
    const engine = openLocalEngine({ store });
    const taken = flow(async (context) => {
      await context.step("a", async () => 1);
      store.database.exec("UPDATE owner SET token = 'another'");
      await context.step("b", async () => 2).catch(() => null);
      return "swallowed";
    });
    await expect((await engine.submit(taken, null, { id: "r" })).result).rejects.toMatchObject({ code: "owner_lost" });
    await engine.close();
  });
});

describe("long runs", () => {
  // BR065
  it("stay flat in memory and keep the log bounded, and readers never wait or fail", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed / 1e6;
    };
    const store = open();
    const reader = open("read");
    const engine = openLocalEngine({ store });
    const count = 20_000;
    const sizes: number[] = [];
    let wal = 0;
    let read = 0;
    function* items() {
      for (let i = 0; i < count; i++) yield i;
    }
    const long = flow(async (context) => {
      await context.all(items(), (i) => context.step(`task ${i}`, async () => ({ i, text: "x".repeat(200) })), {
        key: "tasks",
        concurrency: 8,
        collect: false,
        onComplete: (_, i) => {
          if (i % 500 === 0) context.emit({ type: "progress", i });
          if (i % 100 === 0) read += reader.events.read({ run: "r", limit: 10 }).length;
          if (i % 4_000 !== 3_999) return;
          sizes.push(heap());
          wal = Math.max(wal, statSync(`${store.file}-wal`).size);
        },
      });
      return null;
    });
    await (await engine.submit(long, null, { id: "r" })).result;
    expect(sizes).toHaveLength(5);
    expect((sizes.at(-1) as number) - (sizes[1] as number)).toBeLessThan(4);
    expect(wal).toBeLessThan(20e6);
    expect(read).toBeGreaterThan(1_000);
    await engine.close();
  });

  it("bound the log again after a reader that held an old state for long", async () => {
    const store = open();
    const reader = open("read");
    const engine = openLocalEngine({ store });
    await (
      await engine.submit(
        flow(async () => null),
        null,
        { id: "first" },
      )
    ).result;
    reader.database.exec("BEGIN");
    reader.events.read();
    const write = (id: string, count: number) =>
      flow(async (context) => {
        for (let i = 0; i < count; i++) await context.step(`${id} ${i}`, async () => "x".repeat(20_000));
        return null;
      });
    await (await engine.submit(write("a", 1_000), null, { id: "a" })).result;
    expect(statSync(`${store.file}-wal`).size).toBeGreaterThan(18e6);
    reader.database.exec("COMMIT");
    store.checkpoint();
    expect(statSync(`${store.file}-wal`).size).toBe(0);
    await engine.close();
  });
});

const isRoot = process.getuid?.() === 0;
describe.skipIf(!isRoot)(`a full disk${isRoot ? "" : " (skipped: mounting a small one needs root)"}`, () => {
  let disk: string;
  beforeEach(() => {
    disk = join(directory, "disk");
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]);
  });
  afterEach(() => {
    for (const store of stores.splice(0)) store.close();
    execFileSync("umount", [disk]);
  });

  it.each([
    ["the journal", 20_000],
    ["a blob", 150_000],
  ])("stops a run as infrastructure while %s is written, and nothing that was done is lost", async (_, size) => {
    const executed = new Map<string, number>();
    const run = flow(async (context) => {
      let sum = 0;
      for (let i = 0; i < 60; i++) {
        const text = await context.step(`step ${i}`, async () => {
          executed.set(`${i}`, (executed.get(`${i}`) ?? 0) + 1);
          return `${i}${"x".repeat(size)}`;
        });
        sum += text.length;
      }
      return sum;
    });
    const filler = join(disk, "filler");
    const store = open("write", join(disk, "state"));
    writeFileSync(filler, Buffer.alloc(2_500_000));
    const engine = openLocalEngine({ store });
    await expect((await engine.submit(run, null, { id: "r" })).result).rejects.toMatchObject({
      code: "host_disk_full",
      details: { infrastructure: true },
      message: expect.stringContaining("free some space"),
    });
    expect(engine.get("r")?.status).toBe("stopped");
    const done = engine.get("r")?.steps as number;
    expect(done).toBeGreaterThan(3);
    await engine.close();
    store.close();
    execFileSync("mount", ["-o", "remount,size=64m", disk]);
    const again = openLocalEngine({ store: open("write", join(disk, "state")) });
    expect(again.get("r")).toMatchObject({ status: "stopped", steps: done });
    again.register(run);
    expect(await (await again.resume("r")).result).toBe(60 * size + 110);
    expect([...executed.values()].filter((times) => times > 1).length).toBeLessThanOrEqual(1);
    expect(executed.size).toBe(60);
    await again.close();
  });
});
