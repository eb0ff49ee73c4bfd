import type { Random } from "../../../../statistics/index.ts";
import type { Facts } from "../facts.ts";
import type { Line } from "../world.ts";

/** What every question needs to know to be put. */
export type Setting = {
  readonly random: Random;
  readonly facts: Facts;
  readonly folder: string;
  readonly bug: string | null;
};

export const compareTable = (path: string) =>
  `v.equal(v.csv("${path}"), [wanted["columns"]] + wanted["rows"], "${path}")`;
export const writeTable = (path: string, columns: readonly string[]) =>
  `with open("${path}", "w", newline="") as target:
    writer = csv.writer(target, lineterminator="\\n")
    writer.writerow(${JSON.stringify(columns)})
    writer.writerows(rows)`;
export const edgeName = ({ facts }: Setting) => `\`${facts.world.edge.name}\``;

export const outcomeOf = (line: Line) =>
  line.edge ? String(line.edge.status) : line.level === "ERROR" ? (line.code ?? "") : "ok";
