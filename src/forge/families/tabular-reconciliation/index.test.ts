import { familySuite } from "../testing/index.ts";
import { tabularReconciliationFamily } from "./index.ts";

familySuite(tabularReconciliationFamily, { shapes: 10 });
