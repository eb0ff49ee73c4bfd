import type { Action, Observation, Transition } from "./environment.ts";
import type { Json, JsonObject } from "./json.ts";

/**
 * Wraps what the agent sees, may do and starts from. It gets JSON copies and returns JSON; it has no way to reach the
 * judge, the inner environment or a reward.
 */
export interface Layer {
  readonly kind: "setup" | "rules" | "link" | "budget";
  readonly digest: string;
  readonly parameters: JsonObject;
  filterAction?(action: Action, memory: Json): Promise<Action>;
  modifyTransition?(
    transition: Omit<Transition, "reward" | "info">,
    memory: Json,
  ): Promise<Omit<Transition, "reward" | "info">>;
  filterObservation?(observation: Observation, memory: Json): Promise<Observation>;
}
