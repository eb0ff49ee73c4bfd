// Skill families: what they draw from a seed, and how a draft becomes a task folder.
export { type Composition, compose, indent, pythonScript, type Question, solutionScript } from "./composition/index.ts";
export * from "./family.ts";
export * from "./harness/index.ts";
export * from "./load.ts";
export { type Letter, writeLetter } from "./prose/index.ts";
export * from "./registry.ts";
