import { orderedFamilySuite } from "../testing/index.ts";
import { orderedRolloutFamily } from "./index.ts";

orderedFamilySuite(orderedRolloutFamily, { shapes: 7 });
