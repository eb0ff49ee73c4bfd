import { familySuite } from "../testing/index.ts";
import { sqliteInvestigation } from "./index.ts";

familySuite(sqliteInvestigation, { shapes: 10 });
