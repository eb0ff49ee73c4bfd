import { familySuite } from "../testing/index.ts";
import { logForensicsFamily } from "./index.ts";

familySuite(logForensicsFamily, { shapes: 10 });
