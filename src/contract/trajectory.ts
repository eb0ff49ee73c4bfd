import { z } from "zod";
import { actionSchema, observationSchema } from "./environment.ts";
import { jsonObjectSchema, jsonSchema } from "./json.ts";
import { verdictSchema } from "./judge.ts";
import { causeSchema, outcomeSchema } from "./outcome.ts";

export const trajectoryVersion = 1;

/** One tool call and its result, matched by `id`. */
export const trajectoryStepSchema = z.object({
  index: z.number().int().nonnegative(),
  call: z.object({
    id: z.string(),
    /** What the policy wrote, byte for byte, before anything parsed or changed it. */
    written: jsonSchema,
    /** The action that reached the environment; null when none did. */
    action: actionSchema.nullable(),
  }),
  result: z.object({
    id: z.string(),
    raw: observationSchema,
    shown: observationSchema,
    changes: z.array(z.object({ by: z.string(), what: z.string() })),
  }),
  reward: z.number(),
  terminated: z.boolean(),
  truncated: z.boolean(),
  info: jsonObjectSchema,
  /** What the model's answer took, at the first call of that answer; a cost of null is unknown, never 0. */
  tokens: z
    .object({
      prompt: z.number().nullable(),
      completion: z.number().nullable(),
      cached: z.number().nullable().optional(),
      reasoning: z.number().nullable().optional(),
      costUsd: z.number().nullable().optional(),
    })
    .nullable(),
  /** Milliseconds since the episode began, at the call and at the result. */
  time: z.object({ called: z.number(), returned: z.number() }),
});
export type TrajectoryStep = z.infer<typeof trajectoryStepSchema>;

/** A whole episode: what the policy wrote, what reached the environment, what came back, what it earned. */
export const trajectorySchema = z.object({
  version: z.literal(trajectoryVersion),
  task: z.object({ id: z.string(), digest: z.string() }),
  agent: z.object({ name: z.string(), version: z.string() }),
  seed: z.number().nullable(),
  attempt: z.number().int().positive(),
  initial: observationSchema.nullable(),
  steps: z.array(trajectoryStepSchema),
  outcome: outcomeSchema,
  verdict: verdictSchema.nullable(),
  cause: causeSchema.nullable(),
});
export type Trajectory = z.infer<typeof trajectorySchema>;
