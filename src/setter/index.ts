// The loop that all setters share: candidate, budget, funnel, decision, archive.
export * from "./budget.ts";
export * from "./candidate.ts";
export * from "./decision.ts";
export * from "./funnel.ts";
export * from "./loop.ts";
