import type { Agent } from "../agent.ts";

/** Does nothing: what it earns, the task gives away. */
export function nopAgent(): Agent {
  return { name: "nop", version: "1", run: async () => {} };
}
