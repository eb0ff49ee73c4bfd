import type { Random } from "../../../statistics/index.ts";
import type { FixtureFile } from "../family.ts";
import { formatDocument } from "./document.ts";
import type { Facts } from "./facts.ts";

/** The captures, the document of the format and the tables that go with it. */
export function worldFiles(random: Random, { world, encoded }: Facts): FixtureFile[] {
  const { format, captures, devices } = world;
  const rows = random.shuffle(devices).map(({ number, name }) => `${number},${name}\n`);
  const names = captures[0]?.channels.map((name, number) => `${number},${name}\n`) ?? [];
  return [
    { path: `${format.root}/FORMAT.md`, content: formatDocument(world) },
    { path: `${format.root}/devices.csv`, content: `number,name\n${rows.join("")}` },
    ...(format.difficulty === 1
      ? [{ path: `${format.root}/channels.csv`, content: `number,name\n${names.join("")}` }]
      : []),
    ...captures.map((capture) => ({
      path: `${format.root}/${format.folder}/${capture.file}`,
      content: encoded.get(capture)?.bytes ?? "",
    })),
  ];
}
