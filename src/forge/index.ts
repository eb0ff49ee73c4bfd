// skills → tasks: the procedural author, its families, the flow that gates what they draw.
export * from "./evaluate.ts";
export * from "./families/index.ts";
export * from "./flow.ts";
export * from "./procedural.ts";
export * from "./publish.ts";
export * from "./skills/index.ts";
