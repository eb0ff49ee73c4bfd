export * from "./family.ts";
