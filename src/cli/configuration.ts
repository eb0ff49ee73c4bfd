import { availableParallelism } from "node:os";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { ConfigError } from "../contract/index.ts";
import { modelProfileSchema } from "../models/index.ts";
import { readTextFile, TomlLocator } from "../tasks/index.ts";
import { applyOverride } from "./overrides.ts";

/** `routesetter.toml`: one schema, every field with a default. */
export const configurationSchema = z.strictObject({
  sandbox: z
    .strictObject({
      /** `box` (bubblewrap) or `docker`. */
      backend: z.enum(["box", "docker"]).default("box"),
    })
    .prefault({}),
  images: z
    .strictObject({
      builder: z.enum(["auto", "host", "docker", "buildah"]).default("auto"),
      /** `"python:*" = "debian:bookworm-slim"`: what stands in for a base that can't be pulled; every report shows it. */
      substitutes: z.record(z.string(), z.string()).default({}),
      /** A CA bundle that builds trust, for machines behind an intercepting proxy. */
      ca_bundle: z.string().optional(),
    })
    .prefault({}),
  tasks: z
    .strictObject({
      /** Variables of the environment that a task's `${NAME}` may read; tasks are untrusted, so none by default. */
      variables: z.array(z.string()).default([]),
    })
    .prefault({}),
  import: z
    .strictObject({
      /** What a verifier gets that asks for an interpreter by version (`uvx --python 3.13`): that one, or the image's. */
      python_pins: z.enum(["exact", "system"]).default("exact"),
    })
    .prefault({}),
  /** `[models.NAME]`: which model, and how it is asked; keys are in the environment. */
  models: z.record(z.string(), modelProfileSchema).default({}),
  queues: z
    .strictObject({
      build: z.number().int().positive().default(1),
      /** One more than there are processors: a trial spends part of its time waiting for the kernel. */
      trial: z
        .number()
        .int()
        .positive()
        .default(availableParallelism() + 1),
      cpu: z.number().int().positive().default(availableParallelism()),
    })
    .prefault({}),
});
export type Configuration = z.infer<typeof configurationSchema>;

/** Reads the file (absent: defaults) and applies `a.b=c` overrides. Errors: ConfigError with file, line and field. */
export function loadConfiguration(file: string, overrides: readonly string[]): Configuration {
  const remedy = "write it as TOML; see docs/configuration.md";
  const text =
    readTextFile(file, { error: ConfigError, code: "bad_configuration", remedy, maximumBytes: 1 << 20 })?.text ?? "";
  const data = parseText(text, file);
  for (const override of overrides) applyOverride(data, override);
  const parsed = configurationSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  throw configurationError(parsed.error.issues[0] as z.core.$ZodIssue, { text, file, overrides });
}

function parseText(text: string, file: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ConfigError({
      code: "bad_configuration",
      message: error.message.split("\n")[0] ?? "not TOML",
      where: { file, line: error.line, column: error.column },
      remedy: "write it as TOML; see docs/configuration.md",
      cause: error,
    });
  }
}

function configurationError(
  issue: z.core.$ZodIssue,
  { text, file, overrides }: { text: string; file: string; overrides: readonly string[] },
): ConfigError {
  const unknown = issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...unknown].map(String);
  const field = path.join(".");
  const override = overrides.findLast((one) => `${one.split("=")[0]}.`.startsWith(`${field}.`));
  const position = override === undefined ? new TomlLocator(text).find(path) : undefined;
  return new ConfigError({
    code: "bad_configuration",
    message: unknown.length > 0 ? "there is no such field" : issue.message,
    where:
      override === undefined
        ? { file, field, ...(position ? { line: position.line, column: position.column } : {}) }
        : { field: `--set ${override}` },
    remedy: "see docs/configuration.md for the fields",
  });
}
