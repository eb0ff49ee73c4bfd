import { ConfigError, TaskFormatError } from "../../contract/index.ts";
import { resolveEnvironment } from "../../tasks/index.ts";

/**
 * Values of a task's environment tables: `${NAME}` and `${NAME:-default}` stand for the runner's own variables, every
 * other value stays byte for byte. Errors: TaskFormatError `variable_unset` for one without default.
 */
export function resolveVariables(
  table: Readonly<Record<string, string>>,
  source: Readonly<Record<string, string | undefined>>,
  field: string,
): Record<string, string> {
  try {
    return resolveEnvironment(table, source, { file: "task.toml", field });
  } catch (cause) {
    if (!ConfigError.isInstance(cause)) throw cause;
    const { code, where, remedy, message } = cause;
    throw new TaskFormatError({ code, message, where: {}, cause, details: { field: where.field ?? "", remedy } });
  }
}
