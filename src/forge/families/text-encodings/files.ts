import type { Random } from "../../../statistics/index.ts";
import type { FixtureFile } from "../family.ts";
import { conventions } from "./document.ts";
import type { Facts } from "./facts.ts";

/** The archive, its register and the document of its conventions. */
export function worldFiles(random: Random, { world, bytes }: Facts): FixtureFile[] {
  const rows = random
    .shuffle(world.files)
    .map(
      ({ name, registered, gateway }) =>
        `${name},${registered},${gateway ? "gateway" : random.pick(["disk", "tape"])}\n`,
    );
  return [
    { path: "docs/TEXTS.md", content: conventions(world) },
    { path: `${world.root}/register.csv`, content: `file,encoding,via\n${rows.join("")}` },
    ...world.files.map((file) => ({ path: `${world.root}/files/${file.name}`, content: bytes.get(file) ?? "" })),
  ];
}
