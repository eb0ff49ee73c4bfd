import { createHash } from "node:crypto";
import type { Random } from "../../../statistics/index.ts";
import { utf8 } from "../encoding/index.ts";
import { drawPeople } from "../words/index.ts";

/** A file that was backed up once. */
export type Leaf = {
  readonly path: string;
  readonly content: Uint8Array;
  readonly digest: string;
  /** Seconds since the epoch, even. */
  readonly modified: number;
};

export const sha256 = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");

const folders = ["lab", "office", "plant", "archive", "field", "survey", "audit", "store"];
const topics = ["pump", "valve", "north-gate", "kiln", "tank", "press", "dock", "cooling", "mixer", "silo"];
const words =
  "pressure dropped after the shift change and was restored by hand the filter had been replaced in spring readings follow nobody signed the sheet spare parts are on order see page four of the manual levels are normal again".split(
    " ",
  );

function readings(random: Random, sensors: readonly string[], rows: number): string {
  const start = Date.UTC(2025, random.integer(0, 11), random.integer(1, 28));
  const lines = Array.from({ length: rows }, (_, index) => {
    const time = new Date(start + index * 900_000).toISOString().slice(0, 16);
    return `${time},${random.pick(sensors)},${random.integer(-400, 9000)}`;
  });
  return `time,sensor,value\n${lines.join("\n")}\n`;
}

function note(random: Random, author: string, length: number): string {
  const text = Array.from({ length }, () => random.pick(words)).join(" ");
  return `From: ${author}\n\n${text.replace(/(.{50,70}) /g, "$1\n")}\n`;
}

function document(random: Random, author: string, entries: number): string {
  const parts = Array.from({ length: entries }, (_, index) => ({
    item: `${random.pick(topics)}-${random.integer(10, 99)}`,
    count: random.integer(1, 400),
    checked: random.boolean(),
    position: index + 1,
  }));
  return `${JSON.stringify({ author, revision: random.integer(1, 40), parts }, null, 1)}\n`;
}

/** Draws `count` files of several kinds with different paths and different contents. */
export function drawLeaves(random: Random, count: number, sensors: readonly string[]): Leaf[] {
  const people = drawPeople(random, 5).map((person) => person.name);
  const chosen = random.sample(folders, 4);
  const leaves = new Map<string, Leaf>();
  while (leaves.size < count) {
    const kind = ["csv", "txt", "json", "csv", "log"][leaves.size % 5] as string;
    const folder = `${chosen[leaves.size % 4]}/${random.pick(["2024", "2025", "q1", "q2", "old", "misc"])}`;
    const path = `${folder}/${random.pick(topics)}-${random.integer(1, 99)}.${kind}`;
    if (leaves.has(path)) continue;
    const text =
      kind === "csv"
        ? readings(random, sensors, random.integer(14, 50))
        : kind === "json"
          ? document(random, random.pick(people), random.integer(5, 14))
          : note(random, random.pick(people), random.integer(60, 220));
    const content = utf8(text);
    const modified =
      Math.floor(Date.UTC(2025, random.integer(0, 11), random.integer(1, 28), random.integer(0, 23)) / 1000) +
      random.integer(0, 1700) * 2;
    leaves.set(path, { path, content, digest: sha256(content), modified });
  }
  return [...leaves.values()];
}
