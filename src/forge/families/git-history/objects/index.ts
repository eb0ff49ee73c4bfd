// Objects of a Git repository, written the same on every platform.
export * from "./object.ts";
export * from "./pack.ts";
export * from "./store.ts";
