// The program that the process tests start beside each other in one project: argv is the role, the directory, a number.
import { statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Flow } from "../../contract/index.ts";
import { openStore } from "../../store/index.ts";
import { listRuns, showRun } from "../index.ts";
import { openLocalEngine } from "./local-engine.ts";

const [role, directory, number] = process.argv.slice(2) as [string, string, string];
const count = Number(number);

const roles: Record<string, () => Promise<unknown>> = {
  /** Writes that many steps and events, and says how large the log grew and the memory was. */
  async write() {
    const store = openStore(directory, { command: "forge --count many" });
    const engine = openLocalEngine({ store });
    let wal = 0;
    let memory = 0;
    function* items() {
      for (let i = 0; i < count; i++) yield i;
    }
    const flow: Flow<null, null> = {
      name: "write",
      version: "1",
      async run(context) {
        await context.all(items(), (i) => context.step(`task ${i}`, async () => ({ i, text: "x".repeat(300) })), {
          key: "tasks",
          concurrency: 16,
          collect: false,
          onComplete: (_, i) => {
            if (i % 10 === 0) context.emit({ type: "progress", i });
            if (i % 1_000 !== 0) return;
            wal = Math.max(wal, statSync(`${store.file}-wal`).size);
            memory = Math.max(memory, process.memoryUsage().rss);
          },
        });
        return null;
      },
    };
    console.log("ready");
    await (await engine.submit(flow, null, { id: "long" })).result;
    await engine.close();
    store.close();
    return { wal, memory };
  },

  /** Follows the log and shows the run until it is done, holding an old state for 200 ms now and then. */
  async follow() {
    let seen = 0;
    let after = 0;
    for (let round = 0; ; round++) {
      const store = openStore(directory, { mode: "read" });
      const { status } = showRun(store, "long").run;
      if (round % 20 === 0) {
        store.database.exec("BEGIN");
        listRuns(store);
        await pause(200);
        store.database.exec("COMMIT");
      }
      for (
        let page = store.events.read({ run: "long", after });
        page.length > 0;
        page = store.events.read({ run: "long", after })
      ) {
        seen += page.filter(({ type }) => type === "progress").length;
        after = page.at(-1)?.id ?? after;
      }
      store.close();
      if (status !== "running") return { seen, status, rounds: round };
      await pause(20);
    }
  },

  /** Tries to become a second owner. */
  async intrude() {
    openStore(directory);
    return "in";
  },

  /** Owns the project and waits to be killed. */
  async wait() {
    const store = openStore(directory, { command: "waits" });
    const engine = openLocalEngine({ store });
    const flow: Flow<null, null> = {
      name: "wait",
      version: "1",
      run: (context) => context.step("s", () => pause(600_000, null), { stage: "trial" }),
    };
    await engine.submit(flow, null, { id: "waits" });
    await pause(100);
    console.log("ready");
    await pause(600_000);
    return null;
  },
};

try {
  console.log(JSON.stringify(await roles[role]?.()));
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  console.log(JSON.stringify({ code, message }));
  process.exitCode = 3;
}
