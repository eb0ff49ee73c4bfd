import type { Family } from "./family.ts";
import { sqliteInvestigation } from "./sqlite-investigation/index.ts";

/** Every skill family: one folder and one line here. */
export const families: readonly Family[] = [sqliteInvestigation];
