// Runs the unit suite on other versions of Node, which npm's package `node` brings: `node scripts/test-node.mjs 22 24`.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const project = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const versions = process.argv.slice(2);
if (versions.length === 0 || versions.some((version) => !/^\d+$/.test(version))) {
  console.error("usage: node scripts/test-node.mjs VERSION… (22 24)");
  process.exit(2);
}
for (const version of versions) {
  const home = join(project, ".cache/node", version);
  const binaries = join(home, "node_modules/node/bin");
  const node = join(binaries, "node");
  if (!existsSync(node)) {
    mkdirSync(home, { recursive: true });
    execFileSync("npm", ["install", "--no-save", "--silent", "--prefix", home, `node@${version}`], {
      stdio: "inherit",
    });
  }
  console.log(`unit suite on Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
  const { status } = spawnSync(node, [join(project, "node_modules/vitest/vitest.mjs"), "run", "--project", "unit"], {
    cwd: project,
    // What families do in sandboxes doesn't depend on Node: one task of each level instead of three.
    env: { ROUTESETTER_FAMILY_TASKS: "1", ...process.env, PATH: `${binaries}:${process.env.PATH}` },
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}
