// A root file system of its own, for attacks on system binaries: the machine's shell, small tools, curl and Python with
// pytest, copied with the libraries that they need. No registry, no network, a few seconds.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, copyFile, cp, lstat, mkdir, realpath, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Image } from "../../src/contract/index.ts";
import { shiftOwners } from "../../src/sandbox/index.ts";

const run = promisify(execFile);
const programs =
  `bash dash cat chmod chown cp cut date dirname basename dd df du echo env expr false find grep head id kill ln ls mkdir
  mkfifo mktemp mv nproc od printf pwd readlink realpath rm rmdir sed seq sha256sum sleep sort stat tail tar tee test
  timeout touch tr true uname uniq wc xargs curl setsid`.split(/\s+/);

export type CopiedRoot = { readonly image: Image; readonly hasPytest: boolean };

/** Makes the root in `directory`. `shift` gives its files to the uids of box sandboxes. */
export async function copyRoot(directory: string, options: { shift: boolean }): Promise<CopiedRoot> {
  for (const name of [
    "usr/bin",
    "usr/lib/python3/dist-packages",
    "usr/lib64",
    "usr/sbin",
    "usr/local/bin",
    "etc",
    "app",
    "root",
    "home",
    "opt",
    "srv",
    "tmp",
    "var/tmp",
    "run",
    "proc",
    "sys",
    "dev",
  ])
    await mkdir(join(directory, name), { recursive: true });
  for (const name of ["bin", "lib", "lib64", "sbin"]) await symlink(`usr/${name}`, join(directory, name));
  for (const name of ["tmp", "var/tmp"]) await chmod(join(directory, name), 0o1777);
  await writeFile(
    join(directory, "etc/passwd"),
    "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/:/bin/false\n",
  );
  await writeFile(join(directory, "etc/group"), "root:x:0:\nnogroup:x:65534:\n");
  await writeFile(join(directory, "root/.bashrc"), "# empty\n");

  const python = await realpath("/usr/bin/python3");
  const version = basename(python);
  const binaries = [python];
  for (const name of programs) binaries.push(await realpath(await which(name)));
  for (const binary of binaries) await place(directory, binary, `/usr/bin/${basename(binary)}`);
  await symlink("dash", join(directory, "usr/bin/sh"));
  await symlink(version, join(directory, "usr/bin/python3"));
  await symlink("test", join(directory, "usr/bin/["));
  await cp(`/usr/lib/${version}`, join(directory, `usr/lib/${version}`), {
    recursive: true,
    verbatimSymlinks: true,
    preserveTimestamps: true,
    filter: (source) =>
      !/\/(?:test|tests|idlelib|tkinter|turtledemo|ensurepip|lib2to3|sitecustomize\.py)$/.test(source),
  });
  const extensions = await run("find", [`/usr/lib/${version}/lib-dynload`, "-name", "*.so"]);
  for (const library of await libraries([...binaries, ...extensions.stdout.split("\n").filter(Boolean)]))
    await place(directory, await realpath(library), library);

  const hasPytest = await copyPytest(join(directory, "usr/lib/python3/dist-packages"));
  if (options.shift) await shiftOwners(directory);
  return {
    hasPytest,
    image: {
      digest: `sha256:${createHash("sha256").update(`copied root ${version} ${hasPytest}`).digest("hex")}`,
      layers: [directory],
      hostSystem: false,
      configuration: {
        environment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
        workingDirectory: "/app",
        user: "",
      },
      provenance: { base: "the machine's own programs", how: "imported" },
    },
  };
}

async function which(name: string): Promise<string> {
  for (const folder of ["/usr/bin", "/bin", "/usr/sbin"])
    if (await lstat(join(folder, name)).catch(() => null)) return join(folder, name);
  throw new Error(`this machine has no ${name}`);
}

async function libraries(files: readonly string[]): Promise<Set<string>> {
  const { stdout } = await run("ldd", [...files], { maxBuffer: 16 * 1024 * 1024 }).catch(
    (error) => error as { stdout: string },
  );
  return new Set([...stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1]!));
}

/** Copies to the place of the same name, under /usr when the name goes through a link like /lib. */
async function place(directory: string, source: string, path: string): Promise<void> {
  const target = join(directory, path.startsWith("/usr/") ? path : `/usr${path}`);
  await mkdir(dirname(target), { recursive: true });
  if (await lstat(target).catch(() => null)) return;
  await copyFile(source, target);
  await chmod(target, 0o755);
}

/** Everything outside the standard library that pytest loads, with what it reads of its own metadata. */
const locate = `import os, sys, pytest, pygments, importlib.metadata as metadata
found = {metadata.distribution(name)._path for name in ("pytest", "pluggy")}
for name, module in list(sys.modules.items()):
    file = getattr(module, "__file__", None) if "." not in name else None
    if file and ("/dist-packages/" in file or "/site-packages/" in file):
        found.add(os.path.dirname(file) if os.path.basename(file).startswith("__init__.") else file)
print("\\n".join(map(str, found)))`;

async function copyPytest(target: string): Promise<boolean> {
  for (const python of ["/usr/bin/python3", "python3"]) {
    const found = await run(python, ["-c", locate]).catch(() => null);
    if (!found) continue;
    for (const folder of found.stdout.split("\n").filter(Boolean))
      await cp(folder, join(target, basename(folder)), {
        recursive: true,
        preserveTimestamps: true,
      });
    return true;
  }
  return false;
}
