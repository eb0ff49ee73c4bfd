// A task from its questions: each requirement keeps its words, its answer, its solution, its mistake and its check together.
export * from "./artefacts.ts";
export * from "./compose.ts";
export * from "./compose-ordered.ts";
export * from "./python-script.ts";
export * from "./question.ts";
