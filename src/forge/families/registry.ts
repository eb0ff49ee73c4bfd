import type { Family } from "./family.ts";

/** Every skill family: one folder and one line here. */
export const families: readonly Family[] = [];
