// Archives, some inside others, with outdated copies among them; a list of checksums tells which copy counts.
import { createHash } from "node:crypto";
import { gzip, tar, zip } from "../../encoding/index.ts";
import { type Stage, writeMade } from "../stage.ts";
import { altered } from "../text.ts";

const modified = 1_767_225_600;
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const collect = (folder: string) => `
import csv, hashlib, io, tarfile, zipfile

copies = []
def look(name, data):
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.namelist():
                look(member, archive.read(member))
    elif name.endswith(".tar.gz"):
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                look(member.name, archive.extractfile(member).read())
    else:
        copies.append((name, data))

import os
for name in sorted(os.listdir("${folder}")):
    if not name.endswith(".csv"):
        look(name, open(os.path.join("${folder}", name), "rb").read())
wanted = {row["path"]: row["sha256"] for row in csv.DictReader(open("${folder}/manifest.csv", newline=""))}
made = {}
`;

export const packed: Stage = {
  id: "packed",
  family: "nested-archives",
  suits: (inputs) => inputs.every(({ path, content }) => path.length < 90 && content.length > 0),
  deliver({ random, inputs, folder, difficulty, bug }) {
    const count = Math.max(2, Math.min(1 + difficulty, inputs.length));
    const parts = Array.from({ length: count }, (): { path: string; content: Uint8Array }[] => []);
    const mixed = random.shuffle([...inputs]);
    // The first archive gets the outdated copies, so whoever takes the first copy of a file takes a wrong one.
    for (const [index, input] of mixed.entries()) parts[1 + (index % (count - 1))]?.push(input);
    const outdated = random.sample(mixed, Math.min(difficulty, mixed.length));
    const stale = new Map(outdated.map(({ path, content }) => [path, altered(content, random)]));
    for (const [path, content] of stale) parts[0]?.push({ path, content });
    const pack = (members: readonly { path: string; content: Uint8Array }[], kind: "zip" | "tar.gz") => {
      const entries = members.map(({ path, content }) => ({ path, content, modified }));
      return kind === "zip" ? zip(entries).bytes : gzip(tar(entries));
    };
    const names = parts.map((_, index) => `part-${index + 1}.${random.pick(["zip", "tar.gz"] as const)}`);
    const kindOf = (name: string) => (name.endsWith(".zip") ? "zip" : "tar.gz");
    const nests = difficulty >= 3 && count > 2;
    if (nests) {
      const inner = { path: names[2] as string, content: pack(parts[2] ?? [], kindOf(names[2] as string)) };
      parts[1]?.push(inner);
    }
    const archives = names.flatMap((name, index) =>
      nests && index === 2 ? [] : [{ path: `${folder}/${name}`, content: pack(parts[index] as never, kindOf(name)) }],
    );
    const [first] = stale.keys();
    const rows = [...inputs]
      .sort((a, b) => (a.path < b.path ? -1 : 1))
      .map(
        ({ path, content }) => `${path},${sha256(bug && path === first ? (stale.get(path) as Uint8Array) : content)}`,
      );
    const manifest = `path,sha256\n${rows.join("\n")}\n`;
    return {
      files: [...archives, { path: `${folder}/manifest.csv`, content: manifest }],
      words: `They came packed, in the archives under \`/app/${folder}\`${nests ? " (an archive may hold another one)" : ""}. Some files are in there twice, one copy outdated; \`/app/${folder}/manifest.csv\` gives the SHA-256 of the copy that counts, and the path below \`/app\` where it belongs.`,
      program: `${collect(folder)}for path, data in copies:
    if wanted.get(path) == hashlib.sha256(data).hexdigest():
        made[path] = data
${writeMade}`,
      mistaken: `${collect(folder)}for path, data in copies:
    made.setdefault(path, data)
${writeMade}`,
    };
  },
};
