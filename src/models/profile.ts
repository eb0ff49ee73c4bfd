import { z } from "zod";

const positive = z.number().positive();

/** `[models.NAME]` of routesetter.toml: which model, and how it is asked. Keys come from the environment only. */
export const modelProfileSchema = z.strictObject({
  provider: z.enum(["openai", "anthropic", "google", "openai-compatible", "command", "script", "local"]),
  /** The model's name at its provider; the program, the script or the GGUF file of the others. */
  model: z.string().min(1),
  url: z.url({ protocol: /^https?$/ }).optional(),
  /** Name of the variable that holds the key. */
  key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "must be the name of an environment variable, not the key itself")
    .optional(),
  temperature: z.number().min(0).optional(),
  top_p: z.number().min(0).max(1).optional(),
  max_tokens: z.number().int().positive().optional(),
  seed: z.number().int().optional(),
  stop: z.array(z.string()).optional(),
  context_tokens: z.number().int().positive().optional(),
  /** Answers of an agent at most. */
  max_turns: z.number().int().positive().optional(),
  stream: z.boolean().default(false),
  timeout_sec: positive.default(600),
  idle_timeout_sec: positive.default(120),
  attempts: z.number().int().min(1).max(20).default(5),
  requests_per_minute: positive.optional(),
  tokens_per_minute: positive.optional(),
  /** USD for a million tokens; without them the price list is asked, and what it doesn't know is unknown. */
  input_price: z.number().min(0).optional(),
  cached_input_price: z.number().min(0).optional(),
  output_price: z.number().min(0).optional(),
  /** Variables that a `command` gets beside PATH, HOME, LANG and TERM. */
  pass_env: z.array(z.string()).default([]),
  /** Where node-llama-cpp was installed, for `local`; docs/cassettes-and-budgets.md. */
  runtime: z.string().optional(),
  threads: z.number().int().positive().optional(),
  /** How a `command` gets the request. */
  format: z.enum(["text", "json"]).default("text"),
});
export type ModelProfile = z.infer<typeof modelProfileSchema>;
