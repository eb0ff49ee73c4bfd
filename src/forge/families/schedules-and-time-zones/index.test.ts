import { familySuite } from "../testing/index.ts";
import { schedulesFamily } from "./index.ts";

familySuite(schedulesFamily, { shapes: 11 });
