import { familySuite } from "../testing/index.ts";
import { configurationMigrationFamily } from "./index.ts";

familySuite(configurationMigrationFamily, { shapes: 8 });
