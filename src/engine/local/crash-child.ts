// The program that the crash tests start and kill.
import { runCrashChild } from "../conformance/crash-flow.ts";
import { openForConformance } from "./open-for-conformance.ts";

await runCrashChild(openForConformance);
