// A Debian base without a registry: debootstrap from distribution packages, kept as a tar under the state directory.
import { existsSync, mkdirSync } from "node:fs";
import { mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { removeTree } from "../../box/remove-tree.ts";
import { runProgram } from "../builders/run-program.ts";
import { withFileLock } from "../lock.ts";

const releases: Readonly<Record<string, string>> = {
  "11": "bullseye",
  "12": "bookworm",
  "13": "trixie",
  "14": "forky",
};
const suites = new Set([...Object.values(releases), "stable", "testing", "unstable", "sid", "oldstable"]);

/** The suite of a `debian:…` reference, or null for any other image. Digest pins can't be bootstrapped. */
export function debianSuite(reference: string): string | null {
  const match = /^(?:docker\.io\/)?(?:library\/)?debian(?::([\w.-]+))?$/.exec(reference);
  if (!match) return null;
  const tag = (match[1] ?? "stable").replace(/-slim$/, "").replace(/-\d{8}(?:-slim)?$/, "");
  const suite = tag === "latest" ? "stable" : (releases[tag.split(".")[0] as string] ?? tag);
  return suites.has(suite) ? suite : null;
}

/** Why this machine can't bootstrap, or null. */
export function bootstrapProblem(): string | null {
  if (process.getuid?.() !== 0) return "bootstrapping a Debian base needs root";
  const found = (process.env.PATH ?? "").split(":").some((directory) => existsSync(join(directory, "debootstrap")));
  return found || existsSync("/usr/sbin/debootstrap")
    ? null
    : "debootstrap isn't installed (apt-get install debootstrap)";
}

/** The tar's path. About a minute the first time; a finished one is kept for good. */
export async function bootstrapDebian(
  cacheDirectory: string,
  suite: string,
  options: { signal: AbortSignal; log: (text: string) => void },
): Promise<string> {
  mkdirSync(cacheDirectory, { recursive: true });
  const file = join(cacheDirectory, `debian-${suite}.tar`);
  if (existsSync(file)) return file;
  return await withFileLock(`${file}.lock`, options.signal, async () => {
    if (existsSync(file)) return file;
    const work = await mkdtemp(join(cacheDirectory, ".bootstrap-"));
    const root = join(work, "root");
    const step = async (command: string, argv: string[]): Promise<void> => {
      const { code, output } = await runProgram(command, argv, options);
      if (code !== 0) throw new Error(`${command} failed: ${output.trim().split("\n").slice(-3).join(" | ")}`);
    };
    try {
      await step("debootstrap", ["--variant=minbase", suite, root]);
      for (const folder of ["var/cache/apt/archives", "var/lib/apt/lists"])
        for (const name of await readdir(join(root, folder)))
          if (name !== "partial" && name !== "lock")
            await rm(join(root, folder, name), { force: true, recursive: true });
      await writeFile(join(root, "usr/sbin/policy-rc.d"), "#!/bin/sh\nexit 101\n", { mode: 0o755 });
      await writeFile(join(root, "etc/apt/apt.conf.d/docker-no-languages"), 'Acquire::Languages "none";\n');
      for (const name of ["hostname", "resolv.conf", "machine-id"]) await writeFile(join(root, "etc", name), "");
      await step("tar", ["-C", root, "--numeric-owner", "--sort=name", "--exclude=./dev/*", "-cf", `${file}.new`, "."]);
      await rename(`${file}.new`, file);
      return file;
    } finally {
      await removeTree(work);
    }
  });
}
