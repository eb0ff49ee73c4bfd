import { degrees } from "./degrees.ts";
import { parts } from "./parts.ts";
import { path } from "./path.ts";
import { reach } from "./reach.ts";

export const network = {
  id: "network",
  title: "a tool for networks",
  names: ["netmap", "atlas", "wayfinder", "mesh"],
  parts: [path, reach, parts, degrees],
};
