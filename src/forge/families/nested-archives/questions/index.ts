// One file for each question that a task of this family can ask.
export * from "./checksums.ts";
export * from "./coverage.ts";
export * from "./duplicates.ts";
export * from "./formats.ts";
export * from "./kinds.ts";
export * from "./lost.ts";
export * from "./manifest.ts";
export * from "./repacked.ts";
export * from "./setting.ts";
export * from "./sums.ts";
export * from "./timeline.ts";
export * from "./tree.ts";
