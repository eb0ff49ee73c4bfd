import type { Random } from "../../../statistics/index.ts";
import { type ArchiveMember, concat, gzip, gzipCutOff, tar, tarMember, utf8, xz, zip } from "../encoding/index.ts";
import type { Difficulty, FixtureFile } from "../family.ts";
import type { Leaf } from "./leaves.ts";

/** What became of one copy of a file. */
export type Fate = "intact" | "altered" | "cut-off" | "headless";
export type Placement = { readonly leaf: Leaf; readonly container: string; readonly fate: Fate };
type Drawn = {
  readonly placements: readonly Placement[];
  readonly formats: Record<string, string[]>;
  readonly files: readonly FixtureFile[];
};

const disguises = ["jpg", "dat", "bak", "zip", "tar", "gz", "old", "bin", "txt", "img"];
const stems = [
  "disk2",
  "upload",
  "transfer",
  "mail-attachment",
  "usb",
  "server",
  "nightly",
  "export",
  "misc",
  "copy",
  "week-31",
  "returned",
];

/** Draws the containers of a level: each level keeps the kinds of the one before and brings new ones. */
export function drawContainers(random: Random, difficulty: Difficulty, leaves: readonly Leaf[]): Drawn {
  const placements: Placement[] = [];
  const formats: Record<string, string[]> = {};
  const files: FixtureFile[] = [];
  const names = random
    .sample(stems, stems.length)
    .map((stem) => `${stem}-${random.integer(1, 60)}.${random.pick(disguises)}`);
  const nextName = () => names.pop() as string;

  const kinds = [
    "gzip-tar",
    "zip",
    "tar",
    ...(difficulty >= 2 ? ["xz-tar"] : []),
    ...(difficulty >= 3 ? ["cut-gzip-tar", "cut-zip"] : []),
    ...(difficulty === 4 ? random.sample(["stub", "split", "armour"], 2) : []),
    ...(difficulty === 5 ? ["stub", "split", "armour", "headless-tar"] : []),
  ];
  // The first four hold the twins and go where nothing is lost; the rest is dealt out.
  const hands: Leaf[][] = kinds.map(() => []);
  leaves.forEach((leaf, index) => {
    hands[index < 4 ? index % 3 : index % kinds.length]?.push(leaf);
  });

  const memberOf = (leaf: Leaf): ArchiveMember => ({ path: leaf.path, content: leaf.content, modified: leaf.modified });
  const put = (leaf: Leaf, container: string, fate: Fate = "intact") => {
    placements.push({ leaf, container, fate });
    return memberOf(leaf);
  };
  const altered = (leaf: Leaf, container: string): ArchiveMember => {
    placements.push({ leaf, container, fate: "altered" });
    const content = leaf.content.slice();
    const at = random.integer(0, content.length - 1);
    content[at] = (content[at] as number) ^ (1 << random.integer(0, 2));
    return { ...memberOf(leaf), content };
  };
  const junk = (): ArchiveMember => ({
    path: random.pick([".DS_Store", "Thumbs.db", "lab/~lock.sheet#", "tmp/session.swp", "desktop.ini"]),
    content: utf8(`${random.pick(["cache", "lock", "view settings"])} ${random.word().toString(16)}\n`),
    modified: 1_700_000_000 + random.integer(0, 999_999) * 2,
  });
  const folder = (): ArchiveMember => ({
    path: `${random.pick(["lab", "office", "tmp"])}/`,
    content: new Uint8Array(),
    modified: 1_700_000_000,
    kind: "directory",
  });
  const inner = (bytes: Uint8Array): ArchiveMember => ({
    path: `${random.pick(["attic", "more", "inner", "part"])}/${random.pick(stems)}.${random.pick(disguises)}`,
    content: bytes,
    modified: 1_710_000_000 + random.integer(0, 99_999) * 2,
  });
  /** Splits a hand in an outer and an inner share. */
  const halves = (hand: readonly Leaf[]) =>
    [hand.slice(0, Math.ceil(hand.length / 2)), hand.slice(Math.ceil(hand.length / 2))] as const;
  const spare: Leaf[] = [];

  for (const [index, kind] of kinds.entries()) {
    const hand = hands[index] as Leaf[];
    const name = nextName();
    const members = (part: readonly Leaf[]) => part.map((leaf) => put(leaf, name));
    /** From level 2 on the last file of a sound container was altered before it was packed. */
    const some = (part: readonly Leaf[], mayAlter: boolean) => {
      if (difficulty < 2 || !mayAlter || part.length === 0) return members(part);
      const victim = part.at(-1) as Leaf;
      if (spare.length === 0 && difficulty === 5) spare.push(victim);
      return [...members(part.slice(0, -1)), altered(victim, name)];
    };
    const store = (bytes: Uint8Array, ...found: string[]) => {
      formats[name] = [...new Set(found)].sort();
      files.push({ path: name, content: bytes });
    };
    const [outer, rest] = halves(hand);
    switch (kind) {
      case "gzip-tar":
        store(
          gzip(
            tar([
              folder(),
              ...random.shuffle([...members(outer), junk(), inner(zip([...members(rest), junk()]).bytes)]),
            ]),
          ),
          "gzip",
          "tar",
          "zip",
        );
        break;
      case "zip":
        store(
          zip(random.shuffle([...members(outer), inner(tar(some(rest, true))), junk()]), {
            stored: random.boolean(0.3),
          }).bytes,
          "zip",
          "tar",
        );
        break;
      case "tar":
        store(tar(random.shuffle([...members(outer), inner(gzip(tar([...members(rest), junk()])))])), "tar", "gzip");
        break;
      case "xz-tar":
        store(xz(tar([...members(outer), inner(zip(some(rest, true)).bytes)])), "xz", "tar", "zip");
        break;
      case "cut-gzip-tar": {
        const packed = hand.map((leaf, at) => put(leaf, name, at * 2 >= hand.length ? "cut-off" : "intact"));
        const kept = packed
          .filter((_, at) => at * 2 < hand.length)
          .reduce((size, member) => size + tarMember(member).length, 0);
        // Up to 270 bytes of the next file are there, fewer than any file has.
        store(gzipCutOff(tar(packed), kept + 512 + 8), "gzip", "tar");
        break;
      }
      case "cut-zip": {
        const packed = hand.map((leaf, at) => put(leaf, name, at * 2 >= hand.length ? "cut-off" : "intact"));
        const { bytes, offsets } = zip(packed);
        const at = Math.ceil(hand.length / 2);
        const [from, to] = [offsets[at] as number, offsets[at + 1] as number];
        store(bytes.slice(0, Math.floor((from + to) / 2) + 20), "zip");
        break;
      }
      case "stub": {
        const stub = utf8(
          `#!/bin/sh\n# self-extracting backup, made on ${random.integer(1, 28)} May\necho "unpacking" >&2\ntail -n +6 "$0" | sh -c 'cat > /tmp/out'\nexit 0\n`,
        );
        const archive =
          difficulty === 5 && hand[0]
            ? [
                { ...put(hand[0], name), path: `FILE${String(random.integer(1, 9999)).padStart(4, "0")}.CHK` },
                ...members(hand.slice(1)),
              ]
            : members(hand);
        store(concat([stub, gzip(tar(archive))]), "gzip", "tar");
        break;
      }
      case "split": {
        const bytes = gzip(tar([...members(outer), inner(zip(members(rest)).bytes)]));
        const pieces = random.integer(11, 13);
        const size = Math.ceil(bytes.length / pieces);
        formats[name] = ["gzip", "tar", "zip"];
        for (let piece = 0; piece * size < bytes.length; piece++)
          files.push({ path: `${name}.${piece + 1}`, content: bytes.slice(piece * size, (piece + 1) * size) });
        break;
      }
      case "armour": {
        const bytes = xz(tar([...members(hand), ...spare.splice(0).map((leaf) => put(leaf, name))]));
        const lines = Buffer.from(bytes)
          .toString("base64")
          .match(/.{1,76}/g) as string[];
        store(utf8(`-----BEGIN BACKUP-----\n${lines.join("\n")}\n-----END BACKUP-----\n`), "tar", "xz");
        break;
      }
      default: {
        const packed = hand.map((leaf, at) => tarMember(put(leaf, name, at === 1 ? "headless" : "intact")));
        const broken = (packed[1] as Uint8Array).slice();
        for (let at = 0; at < 1024; at++) broken[at] = random.integer(0, 255);
        packed[1] = broken;
        store(concat([...packed, new Uint8Array(1024)]), "tar");
      }
    }
  }
  return { placements, formats, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}
