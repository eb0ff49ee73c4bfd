// The image that is attacked: for the box the machine's own system, as tasks use it; for a container a few programs of
// this machine with their libraries, so that neither a registry nor a build is needed.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Image, SandboxError } from "../../contract/index.ts";
import { hostSkeleton } from "../box/index.ts";
import { findTool, launchEnvironment } from "../box/tools.ts";

const programs = [
  ...["sh", "perl", "awk", "cat", "chmod", "cp", "cut", "env", "find", "grep", "head", "id", "ln", "ls", "mkdir"],
  ...["mkfifo", "mknod", "mount", "umount", "readlink", "rm", "rmdir", "sed", "setsid", "sleep", "sort", "stat"],
  ...["tail", "tr", "wc", "yes", "pkill", "true", "du", "echo"],
];

/** Made in `folder`, which should be empty. Errors: SandboxError `image_missing`. */
export async function attackImage(kind: "host system" | "few programs", folder: string): Promise<Image> {
  if (kind === "host system") {
    await hostSkeleton(folder);
    return imageOf("host", folder, true);
  }
  if (process.platform !== "linux")
    throw new SandboxError({
      code: "image_missing",
      message: `the programs of ${process.platform} don't run in a container`,
      remedy: "docker pull debian:bookworm-slim, which has what the attacks need",
    });
  const hash = createHash("sha256");
  for (const name of ["dev", "etc", "proc", "root", "run", "sys", "tmp", "usr/bin", "var/tmp", "bin", "dev/shm"])
    mkdirSync(join(folder, name), { recursive: true });
  for (const name of ["tmp", "var/tmp"]) chmodSync(join(folder, name), 0o1777);
  writeFileSync(join(folder, "etc/passwd"), "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n");
  writeFileSync(join(folder, "etc/group"), "root:x:0:\nnogroup:x:65534:\n");
  for (const name of programs) {
    const program = findTool(name);
    if (program === null) continue;
    put(program, join(folder, name === "sh" ? "bin/sh" : `usr/bin/${name}`), hash);
    for (const library of librariesOf(program)) put(library, join(folder, library), hash);
  }
  return imageOf(hash.digest("hex"), folder, false);
}

function put(source: string, target: string, hash: ReturnType<typeof createHash>): void {
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
  chmodSync(target, 0o755);
  hash.update(source).update(readFileSync(source));
}

/** None for a program that is linked statically, or a script. */
function librariesOf(program: string): string[] {
  try {
    const text = execFileSync("ldd", [program], { env: launchEnvironment, encoding: "utf8", stdio: "pipe" });
    return [...text.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path!);
  } catch {
    return [];
  }
}

const imageOf = (digest: string, layer: string, hostSystem: boolean): Image => ({
  digest: `sha256:${digest}`,
  layers: [layer],
  hostSystem,
  configuration: { environment: {}, workingDirectory: "/tmp", user: "" },
  provenance: { base: hostSystem ? "host" : "programs of this machine", how: "host" },
});
