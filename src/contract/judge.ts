import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";
import { causeSchema, outcomeSchema } from "./outcome.ts";

/** One check that a verifier ran: a test, an assertion group, a requirement. */
export const checkSchema = z.object({
  name: z.string(),
  status: z.enum(["passed", "failed", "skipped", "error"]),
  message: z.string().optional(),
  requirement: z.string().optional(),
});
export type Check = z.infer<typeof checkSchema>;

/** sealed > restored > live: how far the verifier is from what the agent touched. */
export const verificationModeSchema = z.enum(["sealed", "restored", "live"]);
export type VerificationMode = z.infer<typeof verificationModeSchema>;

/**
 * What a judge says of a finished episode. `score` is in 0..1; `success` means score 1.
 * `rewards` holds every named number that the verifier wrote. `mode` says how it was verified.
 * `attacks` lists what was found where only the kernel may write.
 */
export const verdictSchema = z.object({
  success: z.boolean(),
  score: z.number().min(0).max(1),
  rewards: z.record(z.string(), z.number()),
  checks: z.array(checkSchema),
  mode: verificationModeSchema.optional(),
  attacks: z.array(z.string()).optional(),
  details: jsonObjectSchema.optional(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/**
 * What only the runner holds; no layer, agent or server ever gets one. `verdict()` may be called again after a
 * VerifierError: a failed grading is graded again, the agent is never re-run for it.
 * Errors: VerifierError (this verifier said nothing usable), SandboxError (a fault of the host).
 */
export interface Judge {
  readonly digest: string;
  verdict(): Promise<Verdict>;
}

export const gradingSchema = z.object({
  outcome: outcomeSchema,
  verdict: verdictSchema.nullable(),
  cause: causeSchema.nullable(),
});
/** A verdict with its attribution: the verdict is null unless the outcome is success or failure. */
export type Grading = z.infer<typeof gradingSchema>;
