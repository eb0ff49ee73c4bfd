import { engineConformance } from "./conformance.ts";
import { openForConformance } from "./local/open-for-conformance.ts";

// BR064
const randomKills = process.env.ROUTESETTER_LONG ? 100 : 20;

engineConformance(`local, every boundary and ${randomKills} random kills`, openForConformance, {
  entry: new URL("./local/crash-child.ts", import.meta.url),
  everyBoundary: true,
  randomKills,
});
