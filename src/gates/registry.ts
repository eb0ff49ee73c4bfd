import { agreement } from "./agreement.ts";
import { dependencyPinning } from "./dependency-pinning.ts";
import { dockerfileLint } from "./dockerfile-lint.ts";
import { floorGap } from "./floor-gap.ts";
import type { TaskGate } from "./gate.ts";
import { inputsUntouched } from "./inputs-untouched.ts";
import { layout } from "./layout.ts";
import { manifest } from "./manifest.ts";
import { noCheckRan } from "./no-check-ran.ts";
import { oracleMax } from "./oracle-max.ts";
import { partialsBelowMax } from "./partials-below-max.ts";
import { reproducibleBuild } from "./reproducible-build.ts";
import { requirementsTraced } from "./requirements-traced.ts";
import { resourceEnvelope } from "./resource-envelope.ts";
import { rewardWellFormed } from "./reward-well-formed.ts";
import { testScriptLint } from "./test-script-lint.ts";
import { timeoutCeiling } from "./timeout-ceiling.ts";
import { verifierDeterminism } from "./verifier-determinism.ts";
import { verifierPortability } from "./verifier-portability.ts";

/** Every gate, cheapest first: the order in which they run and stand in reports. A new gate is its file and a line here. */
export const taskGates: readonly TaskGate[] = [
  manifest,
  layout,
  dockerfileLint,
  testScriptLint,
  dependencyPinning,
  agreement,
  timeoutCeiling,
  reproducibleBuild,
  oracleMax,
  noCheckRan,
  rewardWellFormed,
  floorGap,
  partialsBelowMax,
  verifierDeterminism,
  verifierPortability,
  inputsUntouched,
  resourceEnvelope,
  requirementsTraced,
];

/** `static` reads files only; `core` builds the image and runs trials too. */
export const gateLevels = ["static", "core"] as const;
export type GateLevel = (typeof gateLevels)[number];
