import type { Random } from "../../../../statistics/index.ts";
import type { Facts } from "../facts.ts";

export type Setting = {
  readonly random: Random;
  readonly facts: Facts;
  readonly folder: string;
  readonly sources: readonly string[];
};

export const compareTable = (path: string) =>
  `v.equal(v.csv("${path}"), [wanted["columns"]] + wanted["rows"], "${path}")`;
export const writeTable = (path: string, columns: readonly string[]) =>
  `with open("${path}", "w", newline="", encoding="utf-8") as target:
    writer = csv.writer(target, lineterminator="\\n")
    writer.writerow(${JSON.stringify(columns)})
    writer.writerows(rows)`;
export const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
export const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
