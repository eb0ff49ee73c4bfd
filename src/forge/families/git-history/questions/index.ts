// One file for each question that a task of this family can ask.
export * from "./changelog.ts";
export * from "./contributors.ts";
export * from "./divergence.ts";
export * from "./first-bad.ts";
export * from "./lost-work.ts";
export * from "./releases.ts";
export * from "./renames.ts";
export * from "./restored.ts";
export * from "./reverts.ts";
export * from "./secret.ts";
export * from "./setting.ts";
export * from "./stashed.ts";
export * from "./touched.ts";
