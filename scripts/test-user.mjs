// Runs the box suite, the attacks and the demo as an ordinary user, in a copy of the checkout that is theirs. Needs root to become one.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

if (process.getuid?.() !== 0) {
  console.error("You are an ordinary user already: npm test and npm run demo are this suite.");
  process.exit(2);
}
const project = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const nobody = "65534";
const home = mkdtempSync(join(tmpdir(), "routesetter-user-"));
let status = 0;
try {
  for (const part of ["package.json", "tsconfig.json", "vitest.config.ts", "src", "test", "dist", "node_modules"])
    cpSync(join(project, part), join(home, part), { recursive: true, verbatimSymlinks: true });
  execFileSync("chown", ["-R", `${nobody}:${nobody}`, home]);
  const runs = [
    [
      join(home, "node_modules/vitest/vitest.mjs"),
      "run",
      "--project",
      "unit",
      "src/sandbox/box",
      "src/sandbox/self-check",
    ],
    [join(home, "dist/cli/main.js"), "doctor", "--backend", "box"],
    [join(home, "dist/cli/main.js"), "demo"],
  ];
  for (const words of runs) {
    const asUser = [`--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups", "--", process.execPath, ...words];
    const environment = { PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir() };
    const run = spawnSync("setpriv", asUser, { cwd: home, env: environment, stdio: "inherit" });
    status ||= run.status ?? 1;
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exit(status);
