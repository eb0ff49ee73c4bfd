import type { Random } from "../../../../statistics/index.ts";
import type { Facts } from "../facts.ts";
import type { Layout } from "../files.ts";

export { compareJson, compareLines, compareTable, writeJson, writeTable } from "../../composition/index.ts";

export type Setting = {
  readonly random: Random;
  readonly facts: Facts;
  readonly layout: Layout;
  readonly folder: string;
};

export const sourcesOf = ({ layout }: Setting) => [`/app/${layout.repository}`];
/** The whole file, byte for byte. */
export const compareText = (path: string) =>
  `v.expect(v.read_bytes("${path}") == wanted.encode(), "${path} is not the version that was asked for")`;
export const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
