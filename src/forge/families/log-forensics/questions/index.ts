// One file for each question that a task of this family can ask.
export * from "./failures.ts";
export * from "./histogram.ts";
export * from "./incident.ts";
export * from "./latency.ts";
export * from "./ranking.ts";
export * from "./setting.ts";
export * from "./timeline.ts";
export * from "./unreached.ts";
export * from "./users-hit.ts";
export * from "./windows.ts";
