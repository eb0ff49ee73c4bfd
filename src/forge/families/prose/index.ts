export * from "./letter.ts";
