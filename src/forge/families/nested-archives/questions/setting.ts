import type { Random } from "../../../../statistics/index.ts";
import type { Facts } from "../facts.ts";

export type Setting = {
  readonly random: Random;
  readonly facts: Facts;
  readonly folder: string;
  /** Where the recovered files go. */
  readonly target: string;
};

export const compareTable = (path: string) =>
  `v.equal(v.csv("${path}"), [wanted["columns"]] + wanted["rows"], "${path}")`;
export const writeTable = (path: string, columns: readonly string[]) =>
  `with open("${path}", "w", newline="") as target:
    writer = csv.writer(target, lineterminator="\\n")
    writer.writerow(${JSON.stringify(columns)})
    writer.writerows(rows)`;
export const sourcesOf = ({ world }: Facts) => [`/app/${world.drop}`];
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
export const extensionOf = (path: string) => path.slice(path.lastIndexOf(".") + 1);
export const instant = (seconds: number) => new Date(seconds * 1000).toISOString().replace(".000Z", "Z");
export const importSha256 = `try:
    from _sha256 import sha256
except ImportError:
    from hashlib import sha256`;
