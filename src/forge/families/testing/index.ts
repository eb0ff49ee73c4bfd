// For tests of families: runs a laid-out task's scripts in bubblewrap.
export * from "./bench.ts";
