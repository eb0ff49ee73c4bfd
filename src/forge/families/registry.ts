import { binaryFormatsFamily } from "./binary-formats/index.ts";
import { buildScriptsFamily } from "./build-scripts/index.ts";
import { configurationMigrationFamily } from "./configuration-migration/index.ts";
import { dependencyOrderingFamily } from "./dependency-ordering/index.ts";
import { failingProgram } from "./failing-program/index.ts";
import type { Family } from "./family.ts";
import { gitHistoryFamily } from "./git-history/index.ts";
import { logForensicsFamily } from "./log-forensics/index.ts";
import { nestedArchivesFamily } from "./nested-archives/index.ts";
import { orderedIncidentFamily } from "./ordered-incident/index.ts";
import { orderedLedgerFamily } from "./ordered-ledger/index.ts";
import { orderedRolloutFamily } from "./ordered-rollout/index.ts";
import { patchApplicationFamily } from "./patch-application/index.ts";
import { scenarioFamily } from "./scenario/index.ts";
import { schedulesFamily } from "./schedules-and-time-zones/index.ts";
import { serviceConfiguration } from "./service-configuration/index.ts";
import { sqliteInvestigation } from "./sqlite-investigation/index.ts";
import { tabularReconciliationFamily } from "./tabular-reconciliation/index.ts";
import { textEncodingsFamily } from "./text-encodings/index.ts";

/** Every skill family: one folder and one line here. */
export const families: readonly Family[] = [
  logForensicsFamily,
  tabularReconciliationFamily,
  nestedArchivesFamily,
  failingProgram,
  sqliteInvestigation,
  serviceConfiguration,
  dependencyOrderingFamily,
  gitHistoryFamily,
  binaryFormatsFamily,
  patchApplicationFamily,
  scenarioFamily,
  buildScriptsFamily,
  orderedLedgerFamily,
  orderedIncidentFamily,
  orderedRolloutFamily,
  schedulesFamily,
  textEncodingsFamily,
  configurationMigrationFamily,
];
