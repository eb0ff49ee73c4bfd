export * from "./json.ts";
export * from "./junit.ts";
export * from "./markdown.ts";
export * from "./sarif.ts";
export * from "./summary.ts";
export * from "./text.ts";
