// Links and `..`: files are read, written and taken out from outside, where a path of the agent's must lead nowhere else.
import { lstatSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type SandboxHandle, shellQuote } from "../../../contract/index.ts";
import { type Attack, type Subject, unless } from "../attack.ts";
import { shell } from "../inside.ts";

/** Ways that lead from inside to a path of the host, once the links are laid. */
function waysTo(path: string): string[] {
  const up = "../".repeat(20).slice(0, -1);
  return ["/tmp/trap/file", `/tmp/trap/root${path}`, `/tmp/trap/up${path}`, `/tmp/${up}${path}`, `/proc/1/root${path}`];
}

async function layLinks(sandbox: SandboxHandle, path: string): Promise<void> {
  const up = "../".repeat(20).slice(0, -1);
  await shell(
    sandbox,
    `rm -rf /tmp/trap; mkdir -p /tmp/trap; ln -s ${shellQuote(path)} /tmp/trap/file; ln -s / /tmp/trap/root; ln -s ${up} /tmp/trap/up; ln -s /proc/self/cwd /tmp/trap/here`,
  );
}

const readEscape: Attack = {
  id: "link-read",
  title: "have a file of the host read through a link",
  proves: "reading a file of the sandbox from outside follows links inside only",
  async run({ create, host }) {
    const sandbox = await create();
    await layLinks(sandbox, host.file);
    const evidence: string[] = [];
    for (const way of waysTo(host.file)) {
      const content = await sandbox.session.readFile(way).catch(() => new Uint8Array());
      if (Buffer.from(content).toString().includes(host.secret)) evidence.push(`${way} gave the host's file`);
    }
    return unless(evidence, `${waysTo(host.file).length} ways, none leads out`);
  },
};

const writeEscape: Attack = {
  id: "link-write",
  title: "have a file of the host written through a link",
  proves: "writing a file into the sandbox from outside stays inside",
  async run({ create, host }) {
    const sandbox = await create();
    await layLinks(sandbox, host.file);
    const evidence: string[] = [];
    const beside = `${host.file}-new`;
    for (const way of [...waysTo(host.file), ...waysTo(beside).slice(1)]) {
      await sandbox.session.writeFile(way, "written from a sandbox").catch(() => undefined);
      if (!host.isFileUntouched() || exists(beside)) evidence.push(`${way} wrote to the host`);
      if (evidence.length > 0) break;
    }
    rmSync(beside, { force: true });
    return unless(evidence, `${2 * waysTo(host.file).length - 1} ways, none leads out`);
  },
};

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** Everything under a folder that is the secret, a device, a link out of it, or a socket. */
function strange(folder: string, secret: string): string[] {
  const status = lstatSync(folder, { throwIfNoEntry: false });
  if (status === undefined) return [];
  if (status.isDirectory()) return readdirSync(folder).flatMap((name) => strange(join(folder, name), secret));
  if (status.isSymbolicLink()) return [`a link was taken out: ${folder}`];
  if (!status.isFile()) return [`${folder} is no file`];
  return readFileSync(folder, "utf8").includes(secret) ? ["the content of the host's file was taken out"] : [];
}

const traps: readonly (readonly [name: string, made: (file: string) => string])[] = [
  ["a link to a file of the host", (file) => `ln -s ${file} /tmp/out/f`],
  ["a link to the root", () => "ln -s / /tmp/out/f"],
  ["a link up", (file) => `ln -s ../../../../../../../../..${file} /tmp/out/f`],
  ["a FIFO", () => "mkfifo /tmp/out/f"],
  ["a device", () => "mknod /tmp/out/f c 1 3 2>/dev/null || mkfifo /tmp/out/f"],
  ["a link in place of the folder", (file) => `rmdir /tmp/out; ln -s ${file.replace(/\/[^/]*$/, "")} /tmp/out`],
];

const copyEscape: Attack = {
  id: "artefact-copy",
  title: "have something else taken out as an artefact",
  proves: "an artefact holds plain files of the sandbox, and no more than its quota",
  async run({ create, host }: Subject) {
    const sandbox = await create();
    const evidence: string[] = [];
    const take = async (name: string, path: string): Promise<void> => {
      const destination = join(host.folder, "taken");
      await sandbox.copyOut(path, destination, { bytes: 100_000, files: 10 }).catch(() => undefined);
      evidence.push(...strange(destination, host.secret).map((found) => `${name}: ${found}`));
      rmSync(destination, { recursive: true, force: true });
    };
    for (const [name, made] of traps) {
      await shell(sandbox, `rm -rf /tmp/out; mkdir -p /tmp/out; ${made(host.file)}`);
      await take(name, "/tmp/out");
    }
    await layLinks(sandbox, host.file);
    for (const way of waysTo(host.file)) await take(way, way);
    await shell(sandbox, "rm -rf /tmp/out; mkdir -p /tmp/out; head -c 300000 /dev/zero > /tmp/out/f");
    const destination = join(host.folder, "large");
    const copied = await sandbox.copyOut("/tmp/out", destination, { bytes: 100_000, files: 10 }).catch(() => false);
    if (copied) evidence.push("300 kB were taken out with a quota of 100 kB");
    rmSync(destination, { recursive: true, force: true });
    return unless([...new Set(evidence)], `${traps.length + waysTo(host.file).length + 1} kinds, all refused`);
  },
};

export const paths: readonly Attack[] = [readEscape, writeEscape, copyEscape];
