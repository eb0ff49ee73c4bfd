import { z } from "zod";

/**
 * The one intermediate form of a task (typed R1…Rn): instruction, solution and verifier are derived from it, and each
 * is traced back to it. Stored as `requirements.json` beside `task.toml`.
 */
export const requirementSchema = z.strictObject({
  id: z.string().regex(/^R[1-9]\d*$/),
  /** What must hold, in one sentence. */
  statement: z.string().min(1),
  /**
   * `positive` asks for work and earns credit; `invariant` (inputs unchanged, say) already holds in the untouched
   * environment, so it multiplies the score and never adds to it.
   */
  kind: z.enum(["positive", "invariant"]),
  /** Share of the score among the positive requirements. */
  weight: z.number().positive().default(1),
  /** Absolute path of the artefact that carries it. */
  artefact: z.string().startsWith("/"),
  format: z.string(),
  /** Absolute paths in the environment from which it is derived. */
  sources: z.array(z.string()),
  derivation: z.string(),
  ordering: z.string().optional(),
  /** What must not be there. */
  negatives: z.array(z.string()).default([]),
  /** How the verifier checks it. */
  check: z.string(),
  /** The class of shape, for counting variety: `json-object`, `sorted-csv`, `exit-status`, … */
  shape: z.string(),
});
export type Requirement = z.infer<typeof requirementSchema>;

export const requirementsSchema = z.strictObject({
  version: z.literal(1),
  /** Absolute paths carried over to the verifier, the only ones in sealed mode. */
  artefacts: z.array(z.string().startsWith("/")),
  /** Artefacts that the verifier executes: they run nested, under another uid. */
  executes: z.array(z.string().startsWith("/")).default([]),
  requirements: z.array(requirementSchema).min(1),
});
export type Requirements = z.infer<typeof requirementsSchema>;
