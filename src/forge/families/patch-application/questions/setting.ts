import type { Random } from "../../../../statistics/index.ts";
import type { Layout } from "../files.ts";
import type { World } from "../world.ts";

export { compareJson, compareLines, compareTable, writeJson, writeTable } from "../../composition/index.ts";

export type Setting = {
  readonly random: Random;
  readonly world: World;
  readonly layout: Layout;
  readonly folder: string;
};

export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
export const sourcesOf = ({ world, layout }: Setting) => [`/app/${world.project}`, `/app/${layout.queue}`];
/** The patches that changed our tree, in order. */
export const appliedOf = ({ world }: Setting) =>
  world.patches.filter(({ status }) => status === "applied" || status === "partly applied");
export const importSha256 = `try:
    from _sha256 import sha256
except ImportError:
    from hashlib import sha256`;
