import type { Random } from "../../../../statistics/index.ts";
import type { Facts } from "../facts.ts";

export type Setting = { readonly random: Random; readonly facts: Facts; readonly folder: string };

export const sourcesOf = ({ facts }: Setting) => [`/app/${facts.world.root}`];
export const writeJson = (path: string, value: string) =>
  `Path("${path}").write_text(json.dumps(${value}, indent=1) + "\\n")`;
export const writeTable = (path: string, columns: readonly string[]) =>
  `with open("${path}", "w", newline="") as target:
    writer = csv.writer(target, lineterminator="\\n")
    writer.writerow(${JSON.stringify(columns)})
    writer.writerows(rows)`;
export const compareJson = (path: string) => `v.equal(v.json("${path}"), wanted, "${path}")`;
export const compareTable = (path: string) =>
  `v.equal(v.csv("${path}"), [wanted["columns"]] + wanted["rows"], "${path}")`;
