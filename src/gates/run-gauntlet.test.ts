// Every kind of defect, in a task folder of its own, through real sandboxes; and sound tasks, which no gate refuses.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { GateReport, SandboxBackend } from "../contract/index.ts";
import { createBoxBackend, type ImageStore, openImageStore } from "../sandbox/index.ts";
import { readTask } from "../tasks/index.ts";
import { type GateLevel, reportOfRejected, runGauntlet, verdictOf } from "./index.ts";

const fixtures = "test/fixtures/broken-tasks";
const stateDirectory = mkdtempSync(join(tmpdir(), "gates-"));
let backend: SandboxBackend;
let images: ImageStore;
let problem = "";

beforeAll(async () => {
  images = openImageStore({ stateDirectory, builder: "host" });
  try {
    backend = await createBoxBackend({ stateDirectory });
    problem = (await backend.probe()).problems.join("; ");
  } catch (error) {
    problem = String(error);
  }
});
beforeEach(({ skip }) => skip(problem !== "", `the box can't run here: ${problem}`));
afterAll(async () => {
  await images?.close();
  await backend?.close();
  rmSync(stateDirectory, { recursive: true, force: true });
});

type Options = { repeats?: number; gates?: string[]; level?: GateLevel };
async function check(name: string, options: Options = {}) {
  const path = `${fixtures}/${name}`;
  return runGauntlet(await readTask(path), { backend, images, level: "core", seed: 7, repeats: 0, path, ...options });
}
const failing = ({ results }: GateReport) => results.filter(({ status }) => status === "fail").map(({ gate }) => gate);
const evidence = ({ results }: GateReport, gate: string) =>
  results
    .filter((result) => result.gate === gate)
    .flatMap((result) => result.evidence.map(({ message, file, line }) => `${file ?? ""}:${line ?? ""} ${message}`))
    .join("\n");

/** The gates that fail, and what the first of them says. */
const defects: Record<string, { gates: string[]; says: RegExp; options?: Options }> = {
  "all-skipped": { gates: ["no_check_ran", "oracle_max", "floor_gap"], says: /no check ran.*skipped/ },
  "apt-asks": { gates: ["dockerfile_lint"], says: /Dockerfile:2 `apt-get install` asks/ },
  "copy-missing": { gates: ["dockerfile_lint"], says: /Dockerfile:4 tools\/ is not in the build context/ },
  "done-before": { gates: ["floor_gap", "partials_below_max"], says: /R2 asks for work, but holds before any action/ },
  "empty-instruction": { gates: ["layout"], says: /instruction is empty/ },
  "flaky-verifier": {
    gates: ["verifier_determinism"],
    says: /oracle: reward 1, but oracle#\d: reward 0/,
    options: { repeats: 2 },
  },
  "inputs-changed": { gates: ["inputs_untouched"], says: /\/app\/numbers.txt is modified/ },
  "leaked-solution": { gates: ["layout"], says: /environment\/files\/notes.sh.*copy of solution\/solve.sh/ },
  // BR007
  "masked-by-or-true": { gates: ["test_script_lint"], says: /test.sh:3 .*`\|\| true` swallows it/ },
  "masked-by-pipe": { gates: ["test_script_lint"], says: /test.sh:2 .*the pipe's status is that of `tee`/ },
  "masked-by-statement": { gates: ["test_script_lint"], says: /test.sh:2 .*`\$\?` on line 4/ },
  "needs-network": {
    gates: ["verifier_portability", "oracle_max", "floor_gap"],
    says: /curl fetches https:\/\/checks.invalid/,
  },
  "none-collected": { gates: ["no_check_ran", "oracle_max", "floor_gap"], says: /no check ran/ },
  "nop-passes": { gates: ["floor_gap"], says: /doing nothing earns reward 1/ },
  "oracle-fails": { gates: ["oracle_max"], says: /oracle: reward 0\n.*sum fails/ },
  "partial-breaks-other": { gates: ["partials_below_max"], says: /says that it breaks R2, but breaks R1/ },
  "partial-does-nothing": {
    gates: ["partials_below_max"],
    says: /partial_breaks_down did not run to its end \(exit status 3\)\n.*partial_idle changed nothing/,
  },
  "partial-passes": { gates: ["partials_below_max"], says: /partial_same earns the full reward/ },
  // BR003
  "pays-for-nothing": {
    gates: ["floor_gap"],
    says: /reward 0.6\n.*unchanged holds.*\n.*no_leftovers holds.*\n.*srv_empty holds/,
  },
  "reward-before-checks": { gates: ["test_script_lint"], says: /test.sh:2 reward 1 is written before the checks/ },
  "reward-elsewhere": { gates: ["test_script_lint"], says: /written to \/app\/reward.txt/ },
  "reward-out-of-range": { gates: ["reward_well_formed", "oracle_max"], says: /7, .*outside 0\.\.1/ },
  "solution-missing": { gates: ["layout"], says: /no solution\/solve.sh/ },
  "solution-too-slow": { gates: ["resource_envelope", "oracle_max"], says: /time_limit/ },
  "unrequired-check": { gates: ["requirements_traced", "partials_below_max"], says: /check tidy belongs to no/ },
  "untested-requirement": { gates: ["requirements_traced", "oracle_max"], says: /R2 has no check/ },
  "verifier-hangs": { gates: ["resource_envelope", "oracle_max"], says: /verifier_timeout/ },
  "verifier-image-without-script": {
    gates: ["dockerfile_lint", "layout"],
    says: /tests\/Dockerfile:2 no COPY puts test.sh at \/tests\/test.sh/,
  },
};
const sound = ["sound", "sound-with-requirements", "verifier-crashes-on-nothing", "live-only"];
const unreadable = ["unreadable"];

describe("a task with one defect is refused, with the evidence", () => {
  it.concurrent.each(Object.entries(defects))("%s", async (name, { gates, says, options }) => {
    const { report } = await check(name, options);
    expect(failing(report).sort()).toEqual([...gates].sort());
    expect(evidence(report, gates[0] as string)).toMatch(says);
    expect(report.counts.error).toBe(0);
    expect(verdictOf(report)).toBe("failed");
    for (const { status, remediation, rerun, gate } of report.results) {
      if (status === "fail") expect(remediation).not.toBe("");
      expect(rerun).toBe(`routesetter check ${fixtures}/${name} --gate ${gate} --seed 7`);
    }
  });

  it("covers every folder", () => {
    expect([...Object.keys(defects), ...sound, ...unreadable].sort()).toEqual(readdirSync(fixtures).sort());
  });

  it("a folder that can't be read has a report too", async () => {
    const path = `${fixtures}/unreadable`;
    const error = await readTask(path).catch((thrown: unknown) => thrown);
    const report = reportOfRejected(path, error, { level: "core", seed: 7 });
    expect(report.accepted).toBe(false);
    expect(report.results[0]).toMatchObject({ gate: "manifest", status: "fail" });
    expect(report.results[0]?.evidence[0]).toMatchObject({ file: "task.toml", line: 1 });
  });
});

describe("sound tasks", () => {
  it.each(sound)("%s is accepted, and again with the same bytes", async (name) => {
    const first = await check(name, { repeats: 1 });
    expect(failing(first.report)).toEqual([]);
    expect(first.report.counts.error).toBe(0);
    expect(first.report.accepted).toBe(true);
    const second = await check(name, { repeats: 1 });
    expect(JSON.stringify(second.report)).toBe(JSON.stringify(first.report));
    expect(Object.keys(first.timings.trials)).toContain("oracle#1");
  });

  it("a verifier that breaks down on nothing is a warning", async () => {
    const { report } = await check("verifier-crashes-on-nothing", { gates: ["floor_gap"] });
    expect(report.results[0]).toMatchObject({ gate: "floor_gap", status: "warn" });
    expect(report.notes).toHaveLength(1);
  });

  it("work in system files is verified live, with a warning, and by every other trial too", async () => {
    const { report } = await check("live-only");
    const oracle = report.results.find(({ gate }) => gate === "oracle_max");
    expect(oracle).toMatchObject({ status: "warn", measured: { reward: 1, mode: "live", network: "none" } });
    expect(report.results.find(({ gate }) => gate === "floor_gap")?.status).toBe("pass");
  });

  it("no trial is paid for when a static gate fails", async () => {
    const { report, timings } = await check("masked-by-pipe");
    expect(timings.trials).toEqual({});
    expect(timings.imageMilliseconds).toBeNull();
    expect(evidence(report, "oracle_max")).toContain("not run: test_script_lint must pass first");
  });

  it("the nop gate catches by running what the lint catches by reading", async () => {
    const { report } = await check("masked-by-or-true", { gates: ["floor_gap"] });
    expect(evidence(report, "floor_gap")).toContain("doing nothing earns reward 1");
  });
});
