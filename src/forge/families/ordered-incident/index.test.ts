import { orderedFamilySuite } from "../testing/index.ts";
import { orderedIncidentFamily } from "./index.ts";

orderedFamilySuite(orderedIncidentFamily, { shapes: 7 });
