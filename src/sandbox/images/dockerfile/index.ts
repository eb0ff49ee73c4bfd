export * from "./parse.ts";
export * from "./substitute.ts";
export * from "./types.ts";
