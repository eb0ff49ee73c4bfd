import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EngineError, type Flow, type Json } from "../../contract/index.ts";
import { openStore } from "../../store/index.ts";
import { openLocalEngine } from "./index.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "rs-host-faults-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const diskFull = () => Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC", path: "/full" });
const ownerGone = () => new EngineError({ code: "gone", message: "gone", details: { infrastructure: true } });

describe("a fault of the host inside of a step", () => {
  it.each([
    ["a full disk", diskFull, "host_disk_full"],
    ["a fault that says so", ownerGone, "gone"],
  ])("%s stops the run, is no result of the step, and the run goes on when it is gone", async (_, fault, code) => {
    const store = openStore(directory);
    let broken = true;
    const flow: Flow<Json, Json> = {
      name: "f",
      version: "1",
      async run(context) {
        await context.step("first", async () => 1);
        return context
          .step("second", async () => {
            if (broken) throw fault();
            return 2;
          })
          .catch((error: unknown) => `swallowed ${error}`);
      },
    };
    for (const again of [true, true, false]) {
      const engine = openLocalEngine({ store });
      const { result } = await engine.submit(flow, null, { id: "r" });
      if (again) await expect(result).rejects.toMatchObject({ code });
      else expect(await result).toBe(2);
      expect(engine.get("r")?.status).toBe(again ? "stopped" : "done");
      await engine.close();
      if (!again) break;
      broken = store.events.read({ run: "r" }).filter(({ type }) => type === "run.stopped").length < 2;
    }
    store.close();
  });
});
