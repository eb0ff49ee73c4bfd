import { familySuite } from "../testing/index.ts";
import { failingProgram } from "./index.ts";

familySuite(failingProgram, { shapes: 12 });
