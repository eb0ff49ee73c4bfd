import { z } from "zod";
import { jsonSchema } from "./json.ts";

export const gateStatusSchema = z.enum(["pass", "warn", "fail", "skip", "error"]);
export type GateStatus = z.infer<typeof gateStatusSchema>;

/** One piece of evidence: what was seen, and where (file and line, check, trial). */
export const evidenceSchema = z.object({
  message: z.string(),
  file: z.string().optional(),
  line: z.number().int().positive().optional(),
  rule: z.string().optional(),
  excerpt: z.string().optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/**
 * What a gate found. `measured` holds numbers and names that depend on the inputs and the seed alone: never a time, a
 * path or an identity that changes from run to run. `rerun` is the command that repeats this gate.
 */
export const gateResultSchema = z.object({
  gate: z.string(),
  status: gateStatusSchema,
  measured: z.record(z.string(), jsonSchema),
  evidence: z.array(evidenceSchema),
  remediation: z.string(),
  rerun: z.string(),
});
export type GateResult = z.infer<typeof gateResultSchema>;

/** Cost classes order a gauntlet: cheap gates first. */
export type GateCost = "static" | "build" | "trial";

/**
 * A check that can fail. Ids follow OpenEnv RFC 008 where that has one. A gate that cannot run says `error` or `skip`
 * with the reason; it never passes by default.
 */
export interface Gate<Subject, Context> {
  readonly id: string;
  readonly cost: GateCost;
  appliesTo(subject: Subject): boolean;
  check(subject: Subject, context: Context): Promise<GateResult>;
}

/** A gauntlet's report on one subject. `accepted`: every required gate says pass or warn. */
export const gateReportSchema = z.object({
  version: z.literal(1),
  subject: z.object({ id: z.string(), digest: z.string() }),
  level: z.string(),
  seed: z.number(),
  accepted: z.boolean(),
  counts: z.record(gateStatusSchema, z.number()),
  required: z.array(z.string()),
  results: z.array(gateResultSchema),
  notes: z.array(z.string()),
});
export type GateReport = z.infer<typeof gateReportSchema>;
