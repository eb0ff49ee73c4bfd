import type { Random } from "../../../../../statistics/index.ts";

export const places = ["ayr", "bath", "cork", "deal", "ely", "fort", "gap", "hull"];

export const ring = (random: Random, count: number) => random.shuffle(places).slice(0, count);
