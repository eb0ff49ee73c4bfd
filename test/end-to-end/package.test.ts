import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const repository = new URL("../..", import.meta.url).pathname;
const consumer = mkdtempSync(join(tmpdir(), "consumer-"));
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: consumer, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

const script = `
import { Random, wilson } from "routesetter/statistics";
import { readTask, writeTask } from "routesetter/tasks";
import { families, layoutTask } from "routesetter/forge";
import { type Outcome, TaskFormatError } from "routesetter";

const family = families[0];
if (family === undefined) throw new Error("no families");
const folder = layoutTask(family, family.draft(new Random("consumer"), 2), { seed: 1, index: 0 });
await writeTask(folder.slug, [...folder.files].map(([path, file]) => ({ path, ...file })));
const task = await readTask(folder.slug);
const outcome: Outcome = "success";
const interval = wilson(8, 10);
let refused = false;
try {
  await readTask("nowhere");
} catch (error) {
  refused = TaskFormatError.isInstance(error);
}
console.log(JSON.stringify({ digest: task.digest, partials: task.partials.length, outcome, interval, refused }));
`;

describe("the packed package", () => {
  beforeAll(() => {
    const tarball = execFileSync("npm", ["pack", "--silent", "--pack-destination", consumer], {
      cwd: repository,
      encoding: "utf8",
    }).trim();
    writeFileSync(join(consumer, "package.json"), JSON.stringify({ name: "consumer", type: "module", private: true }));
    run(
      "npm",
      "install",
      "--silent",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--ignore-scripts",
      `./${tarball}`,
    );
    // Node 20's native module was compiled once by the checkout's own install; again would prove nothing more.
    const built = "node_modules/better-sqlite3/build";
    mkdirSync(join(consumer, built), { recursive: true });
    cpSync(join(repository, built), join(consumer, built), { recursive: true });
  }, 180_000);
  afterAll(() => rmSync(consumer, { recursive: true, force: true }));

  it("gives a typed API that a consumer compiles and runs", () => {
    writeFileSync(join(consumer, "script.ts"), script);
    writeFileSync(
      join(consumer, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          module: "NodeNext",
          moduleResolution: "NodeNext",
          target: "ES2023",
          types: ["node"],
        },
        files: ["script.ts"],
      }),
    );
    execFileSync(join(repository, "node_modules/.bin/tsc"), ["-p", consumer], { cwd: consumer, encoding: "utf8" });
    const said = JSON.parse(run("node", "script.js"));
    expect(said).toMatchObject({ outcome: "success", refused: true });
    expect(said.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(said.partials).toBeGreaterThanOrEqual(2);
  });

  it("has a command line that answers", () => {
    expect(run("npx", "routesetter", "--version")).toMatch(/^\d+\.\d+\.\d+/);
    expect(run("npx", "routesetter", "forge", "--help")).toContain("--count");
  });
});
