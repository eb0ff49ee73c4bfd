// Isolated places to run untrusted processes: two backends behind one contract, the images they start
// from, and the attacks that they must hold.
export * from "./box/index.ts";
export * from "./docker/index.ts";
export * from "./images/index.ts";
export * from "./self-check/index.ts";
