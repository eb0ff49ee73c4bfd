// The same attacks on any backend: fooled is the naive verifier, and never a sealed or a restored one.
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Image, SandboxBackend } from "../../src/contract/index.ts";
import {
  callsAgent,
  nopAgent,
  OracleBaseline,
  oracleAgent,
  runTrial,
  type TrialOptions,
} from "../../src/rollouts/index.ts";
import { type ImageStore, removeTree } from "../../src/sandbox/index.ts";
import type { Task } from "../../src/tasks/index.ts";
import { attackScript, attacks } from "./attacks.ts";
import { naiveReward } from "./naive/verify.ts";
import { tamperingTask } from "./tasks.ts";

export type TamperingPlace = {
  readonly backend: SandboxBackend;
  readonly images: ImageStore;
  readonly image: Image;
  readonly hasPytest: boolean;
  close(): Promise<void>;
};

const modes = ["sealed", "restored"] as const;

export function tamperingSuite(name: string, open: (directory: string) => Promise<TamperingPlace>): void {
  describe(`tampering on ${name}`, () => {
    let directory: string;
    let place: TamperingPlace;
    let baseline: OracleBaseline;
    let preload: Uint8Array | null = null;
    const run = (task: Task, agent: TrialOptions["agent"]) =>
      runTrial({ backend: place.backend, images: place.images, image: place.image, baseline, task, agent });

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "rs-tampering-"));
      place = await open(directory);
      baseline = new OracleBaseline((task) => run(task, oracleAgent(task)));
      preload = await compilePreload(directory);
    }, 300_000);
    afterAll(async () => {
      await place?.close();
      await removeTree(directory);
    }, 60_000);

    const files = (): Record<string, Uint8Array> => (preload ? { "/app/preload.so": preload } : {});
    const script = (text: string) => {
      const calls = [text].map((command) => ({ written: command, action: { name: "run", arguments: { command } } }));
      if (!preload || !text.includes("preload.so")) return callsAgent("script", calls);
      const bytes = Buffer.from(preload).toString("base64");
      const decode = `python3 -c 'import base64; open("/app/preload.so", "wb").write(base64.b64decode("${bytes}"))'\n`;
      return callsAgent("script", [
        { written: "attack", action: { name: "run", arguments: { command: decode + text } } },
      ]);
    };

    it.each(["report", "program"] as const)(
      "%s: the honest solution earns everything and the idle nothing, naively too",
      async (kind) => {
        for (const mode of modes) {
          const { task, honest } = await tamperingTask(directory, kind, mode);
          expect((await run(task, oracleAgent(task))).grading, mode).toMatchObject({ outcome: "success" });
          expect((await run(task, nopAgent())).grading, mode).toMatchObject({
            outcome: "failure",
            verdict: { score: 0 },
          });
          const naive = await naiveReward(place.backend, place.image, task, honest, {});
          expect(naive.reward, naive.output).toBe(1);
          expect((await naiveReward(place.backend, place.image, task, "true", {})).reward).toBe(0);
        }
      },
    );

    for (const attack of attacks) {
      it(`${attack.name}: earns what the work earns`, async (context) => {
        if (attack.needs === "pytest") context.skip(!place.hasPytest, "this machine has no pytest to copy");
        if (attack.needs === "compiler") context.skip(preload === null, "this machine has no C compiler");
        const outcomes = await Promise.all(
          modes.map(async (mode) => {
            const { task, honest } = await tamperingTask(directory, attack.task, mode);
            const alone = attackScript(attack, honest, false);
            const [naive, without, beside] = await Promise.all([
              mode === "sealed" ? naiveReward(place.backend, place.image, task, alone, files()) : null,
              run(task, script(alone)),
              run(task, script(attackScript(attack, honest, true))),
            ]);
            return { mode, naive, without: without.grading, beside: beside.grading };
          }),
        );
        for (const { mode, naive, without, beside } of outcomes) {
          if (naive) expect(naive.reward, `fools the naive verifier: ${naive.output}`).toBe(1);
          expect(without, `${mode}, alone`).toMatchObject({ outcome: "failure", verdict: { score: 0 } });
          expect(beside, `${mode}, beside the work`).toMatchObject({ outcome: "success", verdict: { score: 1 } });
        }
      });
    }
  });
}

/** A library that forges the reward in every process that loads it; null without a compiler. */
async function compilePreload(directory: string): Promise<Uint8Array | null> {
  const source = join(directory, "preload.c");
  const library = join(directory, "preload.so");
  await writeFile(
    source,
    `#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void forge(void) {
  if (access("/app/test_report.py", F_OK)) return;
  int file = open("/logs/verifier/reward.json", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) return;
  (void)!write(file, "{\\"reward\\": 1}", 13);
  close(file);
}
`,
  );
  try {
    execFileSync("cc", ["-shared", "-fPIC", "-O1", "-s", "-o", library, source], { stdio: "ignore" });
    return await readFile(library);
  } catch {
    return null;
  }
}
