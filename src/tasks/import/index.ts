// Task folders of others: found, read without trust, and given as Harbor task folders.
export * from "./annotate.ts";
export * from "./conversion.ts";
export * from "./convert.ts";
export * from "./find-foreign-tasks.ts";
