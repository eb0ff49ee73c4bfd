// Skill families: what they draw from a seed, and how a draft becomes a task folder.
export * from "./family.ts";
export * from "./harness/index.ts";
export * from "./registry.ts";
