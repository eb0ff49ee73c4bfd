// The Agent Trajectory Interchange Format: written as v1.7, read from v1.0 to v1.8. Unknown keys are refused, as the
// format's own models do; private data stands in `extra`.
import { z } from "zod";
import { jsonObjectSchema } from "../../contract/index.ts";

export const writtenAtifVersion = "ATIF-v1.7";
const versions = ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8"].map((version) => `ATIF-v${version}`);

const extra = jsonObjectSchema.nullish();
const part = z.strictObject({
  type: z.enum(["text", "image", "audio"]),
  text: z.string().nullish(),
  source: jsonObjectSchema.nullish(),
});
const content = z.union([z.string(), z.array(part)]);
const reference = z.strictObject({
  trajectory_id: z.string().nullish(),
  trajectory_path: z.string().nullish(),
  session_id: z.string().nullish(),
  extra,
});
const toolCall = z.strictObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: jsonObjectSchema,
  extra,
});
const result = z.strictObject({
  source_call_id: z.string().nullish(),
  content: content.nullish(),
  subagent_trajectory_ref: z.array(reference).nullish(),
  extra,
});
const numbers = z.array(z.number()).nullish();
const metrics = z.strictObject({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  cached_tokens: z.number().nullish(),
  cost_usd: z.number().nullish(),
  prompt_token_ids: numbers,
  completion_token_ids: numbers,
  logprobs: numbers,
  extra,
});
const step = z
  .strictObject({
    step_id: z.number().int().positive(),
    timestamp: z.string().nullish(),
    source: z.enum(["system", "user", "agent"]),
    message: content,
    observation: z.strictObject({ results: z.array(result) }).nullish(),
    is_copied_context: z.boolean().nullish(),
    model_name: z.string().nullish(),
    reasoning_effort: z.union([z.string(), z.number()]).nullish(),
    reasoning_content: z.string().nullish(),
    tool_calls: z.array(toolCall).nullish(),
    metrics: metrics.nullish(),
    llm_call_count: z.number().int().nonnegative().nullish(),
    extra,
  })
  .superRefine((value, context) => {
    const problem = (message: string) => context.addIssue({ code: "custom", message });
    const calls = new Set((value.tool_calls ?? []).map(({ tool_call_id }) => tool_call_id));
    for (const { source_call_id } of value.observation?.results ?? [])
      if (source_call_id && !calls.has(source_call_id))
        problem(`the result of ${source_call_id} has no call in its step`);
    const { model_name, reasoning_effort, reasoning_content, tool_calls, metrics: measured, llm_call_count } = value;
    const own = [model_name, reasoning_effort, reasoning_content, tool_calls, measured, llm_call_count];
    if (value.source !== "agent" && own.some((item) => item !== undefined && item !== null))
      problem(`a step of the ${value.source} has fields that only an agent's may have`);
    if (llm_call_count === 0 && (measured || reasoning_content))
      problem("a step without a model's call has its metrics");
  });

export const atifSchema = z
  .strictObject({
    schema_version: z.enum(versions),
    session_id: z.string().nullish(),
    trajectory_id: z.string().nullish(),
    agent: z.strictObject({
      name: z.string(),
      version: z.string(),
      model_name: z.string().nullish(),
      tool_definitions: z.array(jsonObjectSchema).nullish(),
      extra,
    }),
    steps: z.array(step).min(1),
    notes: z.string().nullish(),
    final_metrics: z
      .strictObject({
        total_prompt_tokens: z.number().nullish(),
        total_completion_tokens: z.number().nullish(),
        total_cached_tokens: z.number().nullish(),
        total_cost_usd: z.number().nullish(),
        total_steps: z.number().nullish(),
        extra,
      })
      .nullish(),
    continued_trajectory_ref: z.string().nullish(),
    subagent_trajectories: z.array(z.json()).nullish(),
    extra,
  })
  .superRefine((value, context) => {
    for (const [index, { step_id }] of value.steps.entries())
      if (step_id !== index + 1)
        context.addIssue({
          code: "custom",
          path: ["steps", index],
          message: `step ${step_id} stands at place ${index + 1}`,
        });
  });
export type Atif = z.infer<typeof atifSchema>;
export type AtifStep = Atif["steps"][number];
