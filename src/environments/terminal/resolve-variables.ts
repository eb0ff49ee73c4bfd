import { TaskFormatError } from "../../contract/index.ts";

/**
 * Values of a task's environment tables: `${NAME}` and `${NAME:-default}` stand for the runner's own variables, the
 * rest of the text stays byte for byte. Errors: TaskFormatError `variable_unset` for one without default.
 */
export function resolveVariables(
  table: Readonly<Record<string, string>>,
  source: Readonly<Record<string, string | undefined>>,
  field: string,
): Record<string, string> {
  const resolved: Record<string, string> = {};
  for (const [name, value] of Object.entries(table)) {
    resolved[name] = value.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_, variable: string, fallback?: string) => {
      const found = source[variable];
      if (found !== undefined && !(found === "" && fallback !== undefined)) return found;
      if (fallback !== undefined) return fallback;
      throw new TaskFormatError({
        code: "variable_unset",
        message: `${name} needs the variable ${variable}, which is not set and has no default`,
        where: { file: "task.toml", field: `${field}.${name}` },
        remedy: `set ${variable}, or give a default: \${${variable}:-…}`,
      });
    });
  }
  return resolved;
}
