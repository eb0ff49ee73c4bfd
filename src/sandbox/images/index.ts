export * from "./dockerfile/index.ts";
export * from "./store.ts";
