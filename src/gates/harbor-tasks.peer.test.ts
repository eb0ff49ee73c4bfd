// Task folders as other people write them, each with an image that is built: the gauntlet accepts every one.
// ROUTESETTER_TEST_STATE: a folder for images that outlives the run.
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxBackend } from "../contract/index.ts";
import { createBoxBackend, createDockerBackend, type ImageStore, openImageStore } from "../sandbox/index.ts";
import { readTask } from "../tasks/index.ts";
import { runGauntlet } from "./index.ts";

const fixtures = "test/fixtures/harbor-tasks";
const kept = process.env.ROUTESETTER_TEST_STATE;
const stateDirectory = kept ?? mkdtempSync("/var/tmp/routesetter-gates-");
let backend: SandboxBackend;
let images: ImageStore;

const openImages = (builder: "auto" | "docker") =>
  openImageStore({
    stateDirectory,
    builder,
    substitutes: { "python:*": "debian:bookworm-slim" },
    caBundle: process.env.SSL_CERT_FILE ?? null,
  });

beforeAll(async () => {
  images = openImages("auto");
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

/** Ways in which pytest can end well, or almost, without having checked anything. */
const emptyRuns: Record<string, { tests?: string; test?: string }> = {
  "a module that the image lacks": { tests: "import pytest\n\npytest.importorskip('package_that_nobody_installed')\n" },
  "a selection that selects nothing": { test: "python3 -m pytest -k nothing_of_that_name /tests/test_outputs.py" },
  "a path that isn't there": { test: "python3 -m pytest /tests/test_output.py" },
  "-x after an error of collection": {
    tests: "import package_that_nobody_installed\n",
    test: "python3 -m pytest -x /tests",
  },
};

// BR008
describe("pytest that checked nothing", () => {
  it.each(Object.entries(emptyRuns))("%s: the oracle can't pass, and the gate says why", async (_, { tests, test }) => {
    const path = mkdtempSync(join(tmpdir(), "empty-run-"));
    try {
      cpSync(join(fixtures, "clean-contacts"), path, { recursive: true });
      if (tests) writeFileSync(join(path, "tests/test_outputs.py"), tests);
      const script = test ?? "python3 -m pytest -rA /tests/test_outputs.py";
      // Neither "no tests collected" nor an error of collection counts as failed here, as in many scripts.
      const reward = `status=$?\ncase $status in 1) reward=0 ;; *) reward=1 ;; esac\necho $reward > /logs/verifier/reward.txt\n`;
      writeFileSync(join(path, "tests/test.sh"), `#!/bin/bash\n${script}\n${reward}`);
      const { report } = await runGauntlet(await readTask(path), {
        backend,
        images,
        level: "core",
        seed: 7,
        repeats: 0,
        path,
      });
      const found = Object.fromEntries(
        report.results.map(({ gate, status, evidence }) => [gate, `${status} ${evidence[0]?.message}`]),
      );
      expect(found.reproducible_build).toMatch(/^pass/);
      expect(found.no_check_ran).toMatch(/^fail no check ran/);
      expect(found.oracle_max).toMatch(/^fail oracle: task_error \(no_check_ran\)/);
      expect(report.accepted).toBe(false);
    } finally {
      rmSync(path, { recursive: true, force: true });
    }
  });
});

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

describe("the Docker backend", () => {
  it("gives the same report, byte for byte", async () => {
    const docker = await createDockerBackend({ stateDirectory });
    const containers = openImages("docker");
    try {
      const path = join(fixtures, "fix-slug-package");
      const task = await readTask(path);
      const options = { images: containers, level: "core", seed: 7, repeats: 1, path } as const;
      const { report } = await runGauntlet(task, { ...options, backend: docker });
      const { report: boxed } = await runGauntlet(task, { ...options, backend });
      expect(report.results.filter(({ status }) => status === "fail" || status === "error")).toEqual([]);
      expect(report.accepted).toBe(true);
      expect(JSON.stringify(report)).toBe(JSON.stringify(boxed));
    } finally {
      await containers.close();
      await docker.close();
    }
  });
});
