import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { ConfigError } from "../contract/index.ts";

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
  queues: z
    .strictObject({
      build: z.number().int().positive().default(1),
      trial: z.number().int().positive().default(availableParallelism()),
      cpu: z.number().int().positive().default(availableParallelism()),
    })
    .prefault({}),
});
export type Configuration = z.infer<typeof configurationSchema>;

/** Reads the file (absent: defaults) and applies `a.b=c` overrides. Errors: ConfigError with file, line and field. */
export function loadConfiguration(file: string, overrides: readonly string[]): Configuration {
  const data = existsSync(file) ? parseFile(file) : {};
  for (const override of overrides) applyOverride(data, override);
  const parsed = configurationSchema.safeParse(data);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ConfigError({
    code: "bad_configuration",
    message: issue?.message ?? "does not follow the schema",
    where: { file, field: issue?.path.join(".") ?? "" },
    remedy: "see docs/configuration.md for the fields",
  });
}

function parseFile(file: string): Record<string, unknown> {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new ConfigError({
      code: "bad_configuration",
      message: error.message.split("\n")[0] ?? "not TOML",
      where: { file, line: error.line, column: error.column },
      cause: error,
    });
  }
}

function applyOverride(data: Record<string, unknown>, override: string): void {
  const [, path, text] = /^([\w.:*"-]+)=(.*)$/s.exec(override) ?? [];
  if (path === undefined || text === undefined)
    throw new ConfigError({ code: "bad_override", message: `--set ${override} is not of the form a.b=c` });
  const keys = path.split(".");
  const last = keys.pop() as string;
  let target = data;
  for (const key of keys) {
    target[key] ??= {};
    target = target[key] as Record<string, unknown>;
  }
  target[last] = /^(true|false|-?\d+(\.\d+)?)$/.test(text) ? JSON.parse(text) : text;
}
