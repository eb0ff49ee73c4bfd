// What a build has to do, one feature for each.
import type { MakeFeature } from "../feature.ts";
import { halfWritten, pipeStatus, reproducible, stagedInstall } from "./delivery.ts";
import { drafts, minimalRebuild, moveIfChange, newPages } from "./sources.ts";
import { nothingToDo, staleParts, staleSettings, toolChanged, versionStamp } from "./stale.ts";
import { clean, indexAlone, manifest, phony, sizes } from "./targets.ts";

export const features: readonly MakeFeature[] = [
  staleParts,
  staleSettings,
  toolChanged,
  newPages,
  clean,
  versionStamp,
  indexAlone,
  phony,
  drafts,
  stagedInstall,
  sizes,
  reproducible,
  nothingToDo,
  halfWritten,
  pipeStatus,
  manifest,
  minimalRebuild,
  moveIfChange,
];
