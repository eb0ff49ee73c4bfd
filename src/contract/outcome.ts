import { z } from "zod";

/**
 * How a trial ended. Zero has one meaning: only `success` and `failure` are graded.
 * `failure` the policy's work (or what its processes did) did not earn the full reward;
 * `task_error` the task itself is broken (it fails on its own oracle too);
 * `infra_error` a fault outside both sandboxes (engine, host disk, image store, endpoint);
 * `cancelled` somebody stopped it.
 */
export const outcomeSchema = z.enum(["success", "failure", "task_error", "infra_error", "cancelled"]);
export type Outcome = z.infer<typeof outcomeSchema>;

/** Outcomes that carry a reward and count in rates. */
export const isGraded = (outcome: Outcome): boolean => outcome === "success" || outcome === "failure";

/**
 * Why a trial did not succeed, in a word that programs can switch on, with a sentence for people and the limit's value
 * when one fired. `code` examples: `wrong_result`, `memory_limit`, `process_limit`, `disk_limit`, `time_limit`,
 * `output_limit`, `verifier_timeout`, `verifier_crash`, `artefact_refused`, `reward_forged`, `checks_missing`,
 * `engine_unavailable`, `host_disk_full`, `image_missing`, `sandbox_lost`.
 */
export const causeSchema = z.object({
  code: z.string(),
  message: z.string(),
  limit: z.number().optional(),
});
export type Cause = z.infer<typeof causeSchema>;
