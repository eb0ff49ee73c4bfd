import type { Random } from "../../../statistics/index.ts";
import type { Difficulty, FixtureFile } from "../family.ts";
import { drawContainers, type Placement } from "./containers.ts";
import { drawLeaves, type Leaf } from "./leaves.ts";

export type World = {
  readonly difficulty: Difficulty;
  /** Folder of the drop, relative to /app. */
  readonly drop: string;
  readonly catalogue: string;
  readonly sensors: readonly string[];
  /** Everything that the catalogue lists. */
  readonly leaves: readonly Leaf[];
  readonly placements: readonly Placement[];
  /** Archive formats inside each container, as far as it can be opened. */
  readonly formats: Readonly<Record<string, readonly string[]>>;
  readonly files: readonly FixtureFile[];
};

/** Draws what was backed up, into which archives it went, and what happened to them. */
export function drawWorld(random: Random, difficulty: Difficulty): World {
  const drop = random.pick(["drop", "salvage", "incoming", "rescue"]);
  const catalogue = random.pick(["CATALOGUE.csv", "checksums.csv", "inventory.csv"]);
  const sensors = random.sample(["T1", "T2", "P7", "P9", "F3", "L4", "H2", "V8"], 4);
  const drawn = drawLeaves(random.fork("leaves"), 17 + 4 * difficulty + random.integer(0, 4), sensors);
  // The second and the fourth file are copies of the first and the third under another name.
  const leaves = drawn.map((leaf, index) => {
    const original = index === 1 || index === 3 ? (drawn[index - 1] as Leaf) : null;
    if (original === null) return leaf;
    const path = leaf.path.replace(/\.\w+$/, `-copy${original.path.slice(original.path.lastIndexOf("."))}`);
    return { ...leaf, path, content: original.content, digest: original.digest };
  });
  const absent = random.integer(2, 3);
  const containers = drawContainers(random.fork("containers"), difficulty, leaves.slice(0, -absent));
  const rows = random.shuffle(leaves).map((leaf) => `${leaf.path},${leaf.content.length},${leaf.digest}\n`);
  return {
    difficulty,
    drop,
    catalogue,
    sensors,
    leaves,
    placements: containers.placements,
    formats: containers.formats,
    files: [
      { path: `${drop}/${catalogue}`, content: `path,bytes,sha256\n${rows.join("")}` },
      ...containers.files.map((file) => ({ path: `${drop}/${file.path}`, content: file.content })),
    ],
  };
}
