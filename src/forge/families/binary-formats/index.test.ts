import { familySuite } from "../testing/index.ts";
import { binaryFormatsFamily } from "./index.ts";

familySuite(binaryFormatsFamily, { shapes: 12 });
