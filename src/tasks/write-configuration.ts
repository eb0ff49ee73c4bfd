import { stringify } from "smol-toml";
import { TaskFormatError } from "../contract/index.ts";
import { type TaskConfigurationInput, taskConfigurationSchema, taskSchemaVersion } from "./configuration.ts";
import { fieldName } from "./parse-configuration.ts";

type Table = Record<string, unknown>;

/** Order in the file; keys that are not named here follow, sorted. */
const order = [
  ...["schema_version", "source", "multi_step_reward_strategy", "artifacts"],
  ...["name", "version", "description", "authors", "keywords", "timeout_sec", "user"],
  ...["task", "metadata", "agent", "verifier", "environment", "solution", "steps"],
];

/**
 * The text of a task.toml: equal values give equal bytes, whatever the order of their keys. Reading it back gives the
 * same configuration. Errors: TaskFormatError (`configuration_invalid`) that names the field.
 */
export function formatConfiguration(configuration: TaskConfigurationInput): string {
  const result = taskConfigurationSchema.safeParse(configuration);
  if (!result.success) {
    const issue = result.error.issues[0] as (typeof result.error.issues)[number];
    throw invalid(issue.message, fieldName(issue.path as (string | number)[]));
  }
  return stringify(ordered({ schema_version: taskSchemaVersion, ...configuration }, []) as Table);
}

function ordered(value: unknown, path: readonly (string | number)[]): unknown {
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) throw invalid("holds half a surrogate pair, which UTF-8 cannot", fieldName(path));
    return value;
  }
  if (typeof value === "number" && !Number.isFinite(value)) throw invalid("is not a finite number", fieldName(path));
  if (value === null) throw invalid("is null, which TOML has no word for", fieldName(path));
  if (Array.isArray(value)) return value.map((item, index) => ordered(item, [...path, index]));
  if (typeof value !== "object") return value;
  const table: Table = Object.create(null);
  const isFree = path[0] === "metadata" || path.at(-1) === "env";
  const rank = (key: string) => {
    const at = isFree ? -1 : order.indexOf(key);
    return at === -1 ? order.length : at;
  };
  const keys = Object.keys(value).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0));
  for (const key of keys) {
    const item = (value as Table)[key];
    if (item !== undefined) table[key] = ordered(item, [...path, key]);
  }
  return table;
}

const invalid = (message: string, field: string) =>
  new TaskFormatError({
    code: "configuration_invalid",
    message,
    where: { file: "task.toml", field },
    remedy: `give ${field || "the configuration"} as schema ${taskSchemaVersion} of task.toml has it`,
  });
