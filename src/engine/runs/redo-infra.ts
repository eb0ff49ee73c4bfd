import type { Json } from "../../contract/index.ts";

const outcomeOf = (value: Json | undefined): Json | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value.outcome : undefined;

/**
 * The `redo` of `resume --only infra`: accepts the steps whose result, or the trajectory in it, has the outcome
 * `infra_error`. Scored zeros are failures and stay.
 */
export function redoInfra(_key: string, result: Json): boolean {
  if (outcomeOf(result) !== undefined) return outcomeOf(result) === "infra_error";
  if (typeof result !== "object" || result === null || Array.isArray(result)) return false;
  return outcomeOf(result.trajectory) === "infra_error";
}
