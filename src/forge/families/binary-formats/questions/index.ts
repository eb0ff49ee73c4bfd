// One file for each question that a task of this family can ask.
export * from "./bits.ts";
export * from "./damaged.ts";
export * from "./gaps.ts";
export * from "./headers.ts";
export * from "./index-file.ts";
export * from "./last-bytes.ts";
export * from "./patched.ts";
export * from "./readings.ts";
export * from "./repacked.ts";
export * from "./setting.ts";
export * from "./silence.ts";
export * from "./statistics.ts";
export * from "./strings.ts";
