// Installs what the sandbox needs of the system (bubblewrap) where it may; else says exactly what to run.
import { spawnSync } from "node:child_process";

const has = (program) => spawnSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" }).status === 0;
const managers = {
  "apt-get": ["sh", "-c", "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq bubblewrap"],
  dnf: ["dnf", "install", "-y", "-q", "bubblewrap"],
  zypper: ["zypper", "--non-interactive", "install", "bubblewrap"],
  pacman: ["pacman", "-S", "--noconfirm", "bubblewrap"],
  apk: ["apk", "add", "bubblewrap", "util-linux"],
};

if (has("bwrap")) process.exit(0);
if (process.platform !== "linux") {
  console.error("The box sandbox needs Linux. Use --backend docker here.");
  process.exit(3);
}
const manager = Object.keys(managers).find(has);
const command = manager ? managers[manager] : null;
const isRoot = process.getuid?.() === 0;
const prefix = isRoot
  ? []
  : has("sudo") && spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0
    ? ["sudo", "-n"]
    : null;
if (command === null || prefix === null) {
  const text = command ? `sudo ${command.join(" ")}` : "install the package bubblewrap with your package manager";
  console.error(`The sandbox needs bubblewrap, which is not installed. Run:\n  ${text}`);
  process.exit(3);
}
console.error(`installing bubblewrap (${manager})`);
const [program, ...args] = [...prefix, ...command];
const { status } = spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
if (status !== 0 || !has("bwrap")) {
  console.error(`bubblewrap could not be installed. Run:\n  ${command.join(" ")}`);
  process.exit(3);
}
