// One file for each question that a task of this family can ask.
export * from "./conflicts.ts";
export * from "./constraints.ts";
export * from "./critical.ts";
export * from "./dependents.ts";
export * from "./download.ts";
export * from "./held-back.ts";
export * from "./lock.ts";
export * from "./order.ts";
export * from "./plan.ts";
export * from "./removal.ts";
export * from "./setting.ts";
export * from "./waves.ts";
export * from "./why.ts";
