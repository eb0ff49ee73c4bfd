import { z } from "zod";
import { type Json, type VerificationMode, verificationModeSchema } from "../contract/index.ts";
import { isAllowedHost } from "./allowed-host.ts";

/**
 * `task.toml`, schema 1.4, field names as in the file, defaults filled in. Every object is strict: what the reader
 * does not know is reported as a warning before it is dropped; data of one's own belongs under `[metadata]`.
 */
export const taskSchemaVersion = "1.4";

const seconds = z.number().positive();
const strings = z.array(z.string());
const environmentVariables = z.record(
  z.string().regex(/^[^=\0]+$/, "a variable's name holds no = and no NUL"),
  z.string().regex(/^[^\0]*$/, "a variable's value holds no NUL"),
);
const user = z.union([z.string().min(1), z.number().int().nonnegative()]).transform(String);
const networkMode = z.enum(["public", "no-network", "allowlist"]);
const absolutePath = z.string().regex(/^\//, "must be an absolute path");
const noParent = (path: string) => !path.split("/").includes("..");

const allowedHosts = z.array(
  z.string().refine(isAllowedHost, "must be a host name, *.host, an IP address or a CIDR range: no URL, port or path"),
);
const serviceName = z.string().regex(/^[a-zA-Z0-9][\w.-]*$/, "must be the name of a compose service");

type NetworkFields = { network_mode?: unknown; allowed_hosts?: readonly string[] | undefined };
const hostsNeedAllowlist = (value: NetworkFields, context: z.RefinementCtx) => {
  if (!value.allowed_hosts?.length || value.network_mode === "allowlist") return;
  context.addIssue({
    code: "custom",
    path: ["allowed_hosts"],
    message: 'allowed_hosts counts only with network_mode = "allowlist"',
  });
};

const artifactObject = z
  .strictObject({
    source: z.string().min(1).refine(noParent, "must not contain .."),
    destination: z
      .string()
      .min(1)
      .refine(
        (path) => !path.startsWith("/") && !path.includes("\\") && noParent(path) && !/^[./]*$/.test(path),
        "must be a relative path with /, without ..",
      )
      .refine((path) => path.replace(/^\.\//, "") !== "manifest.json", "manifest.json is reserved")
      .optional(),
    exclude: strings.default([]),
    service: serviceName.default("main"),
  })
  .refine((artifact) => artifact.service === "main" || artifact.source.startsWith("/"), {
    path: ["source"],
    message: "the source of a sidecar's artifact must be absolute",
  });
/** `"path"` in the file is read as `{ source: "path" }`. */
const artifacts = z.array(
  z.preprocess((value) => (typeof value === "string" ? { source: value } : value), artifactObject),
);

const healthcheck = z.strictObject({
  command: z.string().min(1),
  interval_sec: seconds.default(5),
  timeout_sec: seconds.default(30),
  start_period_sec: z.number().nonnegative().default(0),
  start_interval_sec: seconds.default(5),
  retries: z.number().int().nonnegative().default(3),
});

const mcpServer = z
  .strictObject({
    name: z.string().min(1),
    transport: z.preprocess(
      (value) => (value === "http" ? "streamable-http" : value),
      z.enum(["sse", "streamable-http", "stdio"]).default("sse"),
    ),
    url: z.string().optional(),
    command: z.string().optional(),
    args: strings.default([]),
    headers: z.record(z.string(), z.string()).optional(),
  })
  .superRefine((server, context) => {
    const needed = server.transport === "stdio" ? "command" : "url";
    if (server[needed] === undefined)
      context.addIssue({ code: "custom", path: [needed], message: `transport ${server.transport} needs ${needed}` });
    if (server.transport === "stdio" && Object.keys(server.headers ?? {}).length > 0)
      context.addIssue({ code: "custom", path: ["headers"], message: "headers count only with a URL" });
  });

const environmentSchema = z
  .strictObject({
    build_timeout_sec: seconds.default(600),
    docker_image: z.string().min(1).optional(),
    os: z.preprocess(
      (value) => (typeof value === "string" ? value.toLowerCase() : value),
      z.enum(["linux", "windows"]).default("linux"),
    ),
    cpus: z.number().positive().optional(),
    memory_mb: z.number().int().positive().optional(),
    storage_mb: z.number().int().positive().optional(),
    gpus: z.number().int().nonnegative().optional(),
    gpu_types: strings.optional(),
    tpu: z
      .strictObject({
        type: z.string().min(1),
        topology: z.string().regex(/^\s*[1-9]\d*(?:x[1-9]\d*)+\s*$/, "must be as in 2x4"),
      })
      .optional(),
    network_mode: networkMode.default("public"),
    allowed_hosts: allowedHosts.optional(),
    env: environmentVariables.default({}),
    workdir: absolutePath.optional(),
    skills_dir: z.string().optional(),
    mcp_servers: z.array(mcpServer).default([]),
    healthcheck: healthcheck.optional(),
  })
  .superRefine(hostsNeedAllowlist);
export type EnvironmentConfiguration = z.infer<typeof environmentSchema>;

const agentSchema = z
  .strictObject({
    timeout_sec: seconds.optional(),
    user: user.optional(),
    network_mode: networkMode.optional(),
    allowed_hosts: allowedHosts.optional(),
  })
  .superRefine(hostsNeedAllowlist);

const verifierShape = {
  env: environmentVariables.default({}),
  user: user.optional(),
  environment_mode: z.enum(["shared", "separate"]).optional(),
  network_mode: networkMode.optional(),
  allowed_hosts: allowedHosts.optional(),
  environment: environmentSchema.optional(),
  collect: z
    .array(
      z.strictObject({
        command: z.string().min(1),
        service: serviceName.default("main"),
        timeout_sec: seconds.default(60),
        user: user.optional(),
      }),
    )
    .default([]),
};
const separateOnly = (value: { environment_mode?: unknown; environment?: unknown }, context: z.RefinementCtx) => {
  if (value.environment === undefined || value.environment_mode !== "shared") return;
  context.addIssue({
    code: "custom",
    path: ["environment_mode"],
    message: 'a verifier with an environment of its own is "separate"',
  });
};
const verifierSchema = z
  .strictObject({ timeout_sec: seconds.default(600), ...verifierShape })
  .superRefine(hostsNeedAllowlist)
  .superRefine(separateOnly);
const stepVerifierSchema = z
  .strictObject({ timeout_sec: seconds.optional(), ...verifierShape })
  .superRefine(hostsNeedAllowlist)
  .superRefine(separateOnly);

const stepSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[^<>:"/\\|?*\p{Cc}]*[^<>:"/\\|?*\p{Cc}. ]$/u, "must name a folder under steps/ on every system"),
  min_reward: z.union([z.number(), z.record(z.string(), z.number())]).optional(),
  artifacts: artifacts.default([]),
  healthcheck: healthcheck.optional(),
  agent: agentSchema.default({}),
  verifier: stepVerifierSchema.prefault({}),
});

/** `[metadata]` is free; `verification` is the one key of it that the kernel reads. */
const metadataSchema = z
  .object({ verification: verificationModeSchema.optional() })
  .catchall(z.custom<Json | undefined>());
export type TaskMetadata = { verification?: VerificationMode | undefined } & { [key: string]: Json | undefined };

export const taskConfigurationSchema = z.strictObject({
  schema_version: z.string().default(taskSchemaVersion),
  source: z.string().optional(),
  multi_step_reward_strategy: z.enum(["mean", "final"]).default("mean"),
  artifacts: artifacts.default([]),
  task: z
    .strictObject({
      name: z.string().regex(/^(?!.*\.\.)[a-zA-Z0-9][\w.-]*\/[a-zA-Z0-9][\w.-]*$/, "must be org/name"),
      version: z.string().min(1).optional(),
      description: z.string().default(""),
      authors: z.array(z.strictObject({ name: z.string(), email: z.string().optional() })).default([]),
      keywords: strings.default([]),
    })
    .optional(),
  metadata: metadataSchema.default({}).transform((value) => value as TaskMetadata),
  agent: agentSchema.default({}),
  verifier: verifierSchema.prefault({}),
  environment: environmentSchema.prefault({}),
  solution: z.strictObject({ env: environmentVariables.default({}) }).prefault({}),
  steps: z
    .array(stepSchema)
    .default([])
    .superRefine((steps, context) => {
      const seen = new Set<string>();
      for (const [index, { name }] of steps.entries()) {
        const key = name.normalize("NFC").toLowerCase();
        if (seen.has(key))
          context.addIssue({ code: "custom", path: [index, "name"], message: `a second step "${name}"` });
        seen.add(key);
      }
    }),
});
export type TaskConfiguration = z.infer<typeof taskConfigurationSchema>;
/** What may be written: defaults left out, artifacts as strings or objects. */
export type TaskConfigurationInput = z.input<typeof taskConfigurationSchema>;
