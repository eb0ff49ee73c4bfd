// Task folders as other people write them, each with an image that is built: the gauntlet accepts every one.
// ROUTESETTER_TEST_STATE: a folder for images that outlives the run.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxBackend } from "../contract/index.ts";
import { createBoxBackend, type ImageStore, openImageStore } from "../sandbox/index.ts";
import { readTask } from "../tasks/index.ts";
import { runGauntlet } from "./index.ts";

const fixtures = "test/fixtures/harbor-tasks";
const kept = process.env.ROUTESETTER_TEST_STATE;
const stateDirectory = kept ?? mkdtempSync("/var/tmp/routesetter-gates-");
let backend: SandboxBackend;
let images: ImageStore;

beforeAll(async () => {
  images = openImageStore({
    stateDirectory,
    substitutes: { "python:*": "debian:bookworm-slim" },
    caBundle: process.env.SSL_CERT_FILE ?? null,
  });
  backend = await createBoxBackend({ stateDirectory });
});
afterAll(async () => {
  await images?.close();
  await backend?.close();
  if (kept === undefined) rmSync(stateDirectory, { recursive: true, force: true });
});

/** What the gauntlet remarks on, without refusing it. */
const warnings: Record<string, string[]> = {
  "access-log-report": ["manifest"],
  "clean-contacts": ["manifest"],
  "fix-ring-buffer": ["inputs_untouched"],
  "fix-slug-package": ["manifest"],
  "recover-lost-commit": ["inputs_untouched"],
  "static-site-nginx": [],
  "stock-totals": ["reproducible_build"],
};

describe("task folders of others", () => {
  it.each(readdirSync(fixtures))("%s", async (name) => {
    const path = join(fixtures, name);
    const task = await readTask(path);
    const { report } = await runGauntlet(task, { backend, images, level: "core", seed: 7, repeats: 1, path });
    const refused = report.results.filter(({ status }) => status === "fail" || status === "error");
    expect(refused).toEqual([]);
    expect(report.accepted).toBe(true);
    expect(report.results.filter(({ status }) => status === "warn").map(({ gate }) => gate)).toEqual(warnings[name]);
  });
});
