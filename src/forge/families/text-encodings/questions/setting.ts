import type { Random } from "../../../../statistics/index.ts";
import type { Facts } from "../facts.ts";

export type Setting = { readonly random: Random; readonly facts: Facts; readonly folder: string };

export const sourcesOf = ({ facts: { world } }: Setting) => [
  `/app/${world.root}/files`,
  `/app/${world.root}/register.csv`,
  "/app/docs/TEXTS.md",
];
