// npm run proof -- [name…]: the long versions of the checks; each writes docs/proof/NAME.json with commit, machine and scale.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, tmpdir, totalmem } from "node:os";
import { join } from "node:path";

const root = new URL("../../..", import.meta.url).pathname;
const cli = join(root, "dist/cli/main.js");
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}, Node ${process.version}`;
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" }).trim();

type Index = { funnel: object; tasks: { task: string; family: string; difficulty: number; distinctness: string }[] };

/** 300 tasks of seed 7: how many of each family and difficulty, how many different, how long. */
function forge300(): object {
  const project = mkdtempSync(join(tmpdir(), "proof-"));
  try {
    const start = performance.now();
    execFileSync(
      process.execPath,
      [cli, "forge", "--author", "procedural", "--count", "300", "--seed", "7", "--project", project],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    const minutes = (performance.now() - start) / 60_000;
    const { funnel, tasks } = JSON.parse(readFileSync(join(project, "tasks", "forge.json"), "utf8")) as Index;
    const count = (key: (task: Index["tasks"][number]) => string) => {
      const counts: Record<string, number> = {};
      for (const task of tasks) counts[key(task)] = (counts[key(task)] ?? 0) + 1;
      return counts;
    };
    const different = new Set(tasks.map(({ distinctness }) => distinctness)).size;
    return {
      minutes,
      funnel,
      different,
      families: count((t) => t.family),
      difficulties: count((t) => String(t.difficulty)),
    };
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
}

/** The kill test at full scale; its log of moments and stages is part of the proof. */
function kills(): object {
  const log = join(root, ".cache", "kills.log");
  const { status } = spawnSync("npx", ["vitest", "run", "--project", "peers", "test/peers/kills.peer.test.ts"], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ROUTESETTER_KILLS: "120", ROUTESETTER_KILL_TASKS: "300", ROUTESETTER_KILL_LOG: log },
  });
  return { passed: status === 0, kills: readFileSync(log, "utf8").trim().split("\n") };
}

/** The conformance suites of the engine and the box in full: 100 random kills, both ways to launch a sandbox. */
function conformance(): object {
  const report = join(root, ".cache", "conformance.json");
  const files = ["src/engine/engine.peer.test.ts", "src/sandbox/box/box.peer.test.ts"];
  const { status } = spawnSync(
    "npx",
    ["vitest", "run", "--project", "peers", "--reporter=json", `--outputFile=${report}`, ...files],
    {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ROUTESETTER_LONG: "1" },
    },
  );
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
  return { exitStatus: status, passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
}

const bench = (): object =>
  JSON.parse(
    spawnSync(process.execPath, [join(root, ".cache/tools/bench/main.js"), "--json"], { cwd: root, encoding: "utf8" })
      .stdout,
  );

const proofs: Record<string, () => object> = { "forge-300": forge300, kills, conformance, bench };
const wanted = process.argv.slice(2);
mkdirSync(join(root, "docs/proof"), { recursive: true });
for (const [name, prove] of Object.entries(proofs)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`${name} …`);
  const result = prove();
  writeFileSync(
    join(root, "docs/proof", `${name}.json`),
    `${JSON.stringify({ commit, machine, ...result }, null, 2)}\n`,
  );
}
