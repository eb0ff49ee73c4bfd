export * from "./builder-problems.ts";
export * from "./dockerfile/index.ts";
export * from "./open.ts";
export * from "./store.ts";
