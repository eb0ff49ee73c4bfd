import type { Random } from "../../../statistics/index.ts";
import type { FixtureFile } from "../family.ts";
import { looseFile, packFiles } from "./objects/index.ts";
import type { World } from "./world.ts";

/** How many objects came after the last repacking. */
const newest = 14;

export type Layout = { readonly repository: string; readonly rescue: string };

export function drawLayout(random: Random, world: World): Layout {
  return {
    repository: `${random.pick(["repos", "git", "srv"])}/${world.name}.git`,
    rescue: random.pick(["rescue", "old-backup", "from-tape"]),
  };
}

/** The bare repository: older objects packed, newer ones loose, and what level 5 breaks in it. */
export function worldFiles(random: Random, world: World, { repository, rescue }: Layout): FixtureFile[] {
  const objects = [...world.store.objects.values()];
  const damaged = world.difficulty >= 5 ? world.damaged : null;
  const packed = random.shuffle(objects.slice(0, -newest).filter(({ id }) => id !== damaged));
  const inPack = new Set(packed);
  const files: FixtureFile[] = [];
  const add = (path: string, content: string | Uint8Array) => files.push({ path: `${repository}/${path}`, content });
  add("HEAD", `ref: refs/heads/${world.trunkName}\n`);
  add("config", "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n");
  add("description", `${world.name}\n`);
  for (const object of objects.filter((one) => !inPack.has(one))) {
    const { path, content } = looseFile(object);
    add(`objects/${path}`, object.id === damaged ? content.slice(0, content.length >> 1) : content);
  }
  for (const { path, content } of packFiles(packed)) add(`objects/pack/${path}`, content);
  const refs = [
    ...Object.entries(world.branches).map(([name, id]) => [`refs/heads/${name}`, id] as const),
    ...world.tags.map(({ name, object }) => [`refs/tags/${name}`, object] as const),
  ].sort(([a], [b]) => (a < b ? -1 : 1));
  const loose = random.sample(refs, 2).map(([name]) => name);
  for (const [name, id] of refs.filter(([name]) => loose.includes(name) || name === `refs/heads/${world.trunkName}`))
    add(name, `${id}\n`);
  const rest = refs.filter(([name]) => !loose.includes(name) && name !== `refs/heads/${world.trunkName}`);
  const commitOf = new Map(world.tags.map(({ object, commit }) => [object, commit]));
  add(
    "packed-refs",
    `# pack-refs with: peeled fully-peeled sorted \n${rest
      .map(([name, id]) => {
        const commit = commitOf.get(id);
        return `${id} ${name}\n${name.startsWith("refs/tags/") && commit !== undefined && commit !== id ? `^${commit}\n` : ""}`;
      })
      .join("")}`,
  );
  if (damaged !== null) {
    const saved = [damaged, ...random.sample(objects, 9).map(({ id }) => id)];
    for (const { path, content } of packFiles([...new Set(saved)].map((id) => world.store.objects.get(id)!)))
      files.push({ path: `${rescue}/${path}`, content });
  }
  return files;
}
