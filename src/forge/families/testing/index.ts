// For tests of families: what every family must hold, and a bench that runs a task's scripts in bubblewrap.
export * from "./bench.ts";
export * from "./family-suite.ts";
export * from "./ordered-suite.ts";
