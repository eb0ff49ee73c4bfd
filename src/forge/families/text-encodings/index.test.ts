import { familySuite } from "../testing/index.ts";
import { textEncodingsFamily } from "./index.ts";

familySuite(textEncodingsFamily, { shapes: 12 });
