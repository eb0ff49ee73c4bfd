import { orderedFamilySuite } from "../testing/index.ts";
import { orderedLedgerFamily } from "./index.ts";

orderedFamilySuite(orderedLedgerFamily, { shapes: 7 });
