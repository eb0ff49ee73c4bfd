import { familySuite } from "../testing/index.ts";
import { nestedArchivesFamily } from "./index.ts";

familySuite(nestedArchivesFamily, { shapes: 10 });
