// One file for each question that a task of this family can ask.
export * from "./checksums.ts";
export * from "./credits.ts";
export * from "./diffstat.ts";
export * from "./line-ends.ts";
export * from "./offsets.ts";
export * from "./order.ts";
export * from "./rejects.ts";
export * from "./setting.ts";
export * from "./sizes.ts";
export * from "./status.ts";
export * from "./touched.ts";
export * from "./tree.ts";
