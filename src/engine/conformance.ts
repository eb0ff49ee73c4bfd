// The behaviour that every engine shares, as a vitest suite: an engine that passes it can run our flows.
import { describe } from "vitest";
import { type CrashOptions, crashConformance } from "./conformance/crashes.ts";
import type { OpenEngine } from "./conformance/harness.ts";
import { runConformance } from "./conformance/runs.ts";
import { stepConformance } from "./conformance/steps.ts";
import { streamConformance } from "./conformance/streams.ts";

export { runCrashChild } from "./conformance/crash-flow.ts";
export type { EngineSetup, OpenEngine, OpenedEngine } from "./conformance/harness.ts";

/**
 * Runs the suite over an engine. `open` opens it over the state in a directory, again and again; `crashes` names the
 * program that a child process runs, and how many kills there are.
 */
export function engineConformance(name: string, open: OpenEngine, crashes: CrashOptions): void {
  describe(`engine ${name}`, () => {
    runConformance(open);
    stepConformance(open);
    streamConformance(open);
    crashConformance(crashes);
  });
}
