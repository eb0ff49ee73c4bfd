import type { Family } from "./family.ts";
import { logForensicsFamily } from "./log-forensics/index.ts";
import { nestedArchivesFamily } from "./nested-archives/index.ts";
import { tabularReconciliationFamily } from "./tabular-reconciliation/index.ts";

/** Every skill family: one folder and one line here. */
export const families: readonly Family[] = [logForensicsFamily, tabularReconciliationFamily, nestedArchivesFamily];
