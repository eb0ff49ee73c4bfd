// Attacks on sandboxes, to prove that they hold on the machine at hand.
export type { Attack, Verdict } from "./attack.ts";
export { attackImage } from "./attack-image.ts";
export { type AttackOptions, attackSandbox, type Finding } from "./attack-sandbox.ts";
export { attacks } from "./attacks/index.ts";
