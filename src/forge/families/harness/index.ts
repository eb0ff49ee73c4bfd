// The verifier that every task carries, and the layout of a draft as a task folder.
export * from "./folder.ts";
export * from "./layout.ts";
