import type { Random } from "../../../../statistics/index.ts";
import type { Facts } from "../facts.ts";
import type { Layout } from "../files.ts";

export type Setting = {
  readonly random: Random;
  readonly facts: Facts;
  readonly layout: Layout;
  readonly folder: string;
};

export const sourcesOf = ({ layout }: Setting) => [`/app/${layout.repository}`];
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
/** The whole file, byte for byte. */
export const compareText = (path: string) =>
  `v.expect(v.read_bytes("${path}") == wanted.encode(), "${path} is not the version that was asked for")`;
export const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
