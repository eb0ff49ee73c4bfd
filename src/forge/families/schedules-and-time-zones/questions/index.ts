// One file for each question that a task of this family can ask.
export * from "./calendar.ts";
export * from "./conflicts.ts";
export * from "./deadlines.ts";
export * from "./idle.ts";
export * from "./next-runs.ts";
export * from "./odd-times.ts";
export * from "./peak.ts";
export * from "./per-day.ts";
export * from "./run-table.ts";
export * from "./setting.ts";
export * from "./transitions.ts";
export * from "./workdays.ts";
