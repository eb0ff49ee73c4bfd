// Isolated places to run untrusted processes: two backends behind one contract, and the images they start from.
export * from "./box/index.ts";
export * from "./docker/index.ts";
export * from "./images/index.ts";
