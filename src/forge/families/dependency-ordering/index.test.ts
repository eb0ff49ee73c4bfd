import { familySuite } from "../testing/index.ts";
import { dependencyOrderingFamily } from "./index.ts";

familySuite(dependencyOrderingFamily, { shapes: 11 });
