// The task folder (Harbor): read, write, digest, requirements.
export * from "./configuration.ts";
export * from "./requirements.ts";
export * from "./task.ts";
