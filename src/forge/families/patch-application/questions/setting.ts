import type { Random } from "../../../../statistics/index.ts";
import type { Layout } from "../files.ts";
import type { World } from "../world.ts";

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
export const writeJson = (path: string, value: string) =>
  `Path("${path}").write_text(json.dumps(${value}, indent=1) + "\\n")`;
export const writeTable = (path: string, columns: readonly string[]) =>
  `with open("${path}", "w", newline="") as target:
    writer = csv.writer(target, lineterminator="\\n")
    writer.writerow(${JSON.stringify(columns)})
    writer.writerows(rows)`;
export const compareJson = (path: string) => `v.equal(v.json("${path}"), wanted, "${path}")`;
export const compareLines = (path: string) => `v.equal(v.lines("${path}"), wanted, "${path}")`;
export const compareTable = (path: string) =>
  `v.equal(v.csv("${path}"), [wanted["columns"]] + wanted["rows"], "${path}")`;
export const importSha256 = `try:
    from _sha256 import sha256
except ImportError:
    from hashlib import sha256`;
