// One file for each question that a task of this family can ask.
export * from "./ageing.ts";
export * from "./balances.ts";
export * from "./clean-ledger.ts";
export * from "./exceptions.ts";
export * from "./journal.ts";
export * from "./largest.ts";
export * from "./months.ts";
export * from "./receipts.ts";
export * from "./repeated.ts";
export * from "./setting.ts";
export * from "./totals.ts";
