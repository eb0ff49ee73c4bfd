import { engineConformance } from "../conformance.ts";
import { openForConformance } from "./open-for-conformance.ts";

engineConformance("local", openForConformance, {
  entry: new URL("./crash-child.ts", import.meta.url),
  everyBoundary: false,
  randomKills: 6,
});
