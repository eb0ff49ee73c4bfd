export * from "./figures.ts";
export * from "./setting.ts";
export * from "./tables.ts";
export * from "./texts.ts";
