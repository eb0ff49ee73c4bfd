import { engineConformance } from "./conformance.ts";
import { openForConformance } from "./local/open-for-conformance.ts";

engineConformance("local, every boundary and 100 random kills", openForConformance, {
  entry: new URL("./local/crash-child.ts", import.meta.url),
  everyBoundary: true,
  randomKills: 100,
});
