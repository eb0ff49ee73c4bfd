import { ConfigError } from "../contract/index.ts";

const template = /^\$\{([^}:]+)(?::-([^\n]*))?\}$/;

/**
 * The variables of a task with `${NAME}` and `${NAME:-default}` replaced by the host's. As Harbor has it, only a value
 * that is a template as a whole is one; every other value, and what a variable holds, is taken byte for byte. `field`
 * is where they come from, as in `solution.env`. Errors: ConfigError (`variable_unset`) that names variable and field.
 */
export function resolveEnvironment(
  values: Readonly<Record<string, string>>,
  host: Readonly<Record<string, string | undefined>>,
  where: { file?: string; field: string },
): Record<string, string> {
  const resolved: [string, string][] = [];
  for (const [name, value] of Object.entries(values)) {
    const match = template.exec(value);
    if (match === null) {
      resolved.push([name, value]);
      continue;
    }
    const [, variable = "", fallback] = match;
    const found = Object.hasOwn(host, variable) ? host[variable] : undefined;
    const replacement = found ?? fallback;
    if (replacement === undefined)
      throw new ConfigError({
        code: "variable_unset",
        message: `${name} = "${value}" needs ${variable}, which is not set`,
        where: { ...(where.file === undefined ? {} : { file: where.file }), field: `${where.field}.${name}` },
        remedy: `set ${variable}, or give a default: \${${variable}:-value}`,
      });
    resolved.push([name, replacement]);
  }
  return Object.fromEntries(resolved);
}
