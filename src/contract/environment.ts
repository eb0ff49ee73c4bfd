import { z } from "zod";
import { type Json, type JsonObject, jsonObjectSchema } from "./json.ts";

export const actionSchema = z.object({ name: z.string(), arguments: jsonObjectSchema });
/** What a policy asks an environment to do: one call of one of its tools. */
export type Action = { name: string; arguments: JsonObject };

export const observationSchema = z.object({ text: z.string(), data: jsonObjectSchema });
/** What the policy gets to see. `text` is for a language model, `data` holds the same facts for programs. */
export type Observation = { text: string; data: JsonObject };

export const transitionSchema = z.object({
  observation: observationSchema,
  reward: z.number(),
  terminated: z.boolean(),
  truncated: z.boolean(),
  info: jsonObjectSchema,
});
/** The answer to one step. `reward` is shown to the agent at most and decides nothing. */
export type Transition = z.infer<typeof transitionSchema>;

/** A tool as a policy sees it; `parameters` is a JSON Schema object. */
export type ToolSpec = { name: string; description: string; parameters: JsonObject };

/** A saved state, opaque outside the environment that made it. */
export type Snapshot = { kind: string; digest: string; data: Json };

/** What an agent's side may hold: never the answer, never the verdict. */
export interface Environment {
  readonly kind: string;
  readonly tools: ToolSpec[];
  reset(options: { seed?: number; signal?: AbortSignal }): Promise<Observation>;
  /** An unknown tool or bad arguments give an observation and `info.error`, never a throw. */
  step(action: Action, options?: { signal?: AbortSignal }): Promise<Transition>;
  /** No side effect; valid before the first step. */
  observe(): Promise<Observation>;
  /** An allow-listed copy of the state: never the answer, never the verdict. */
  view(): Promise<Json>;
  snapshot(): Promise<Snapshot>;
  restore(snapshot: Snapshot): Promise<void>;
  close(): Promise<void>;
}
