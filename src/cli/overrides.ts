import { parse } from "smol-toml";
import { ConfigError } from "../contract/index.ts";

type Table = Record<string, unknown>;

/**
 * Applies `--set a.b=c` to a parsed configuration. Keys are TOML keys, so one with a dot stands in quotes; the value is
 * TOML (`3`, `true`, `["A", "B"]`) and a plain string otherwise. Errors: ConfigError `bad_override`.
 */
export function applyOverride(data: Table, override: string): void {
  const [, path, text] = /^((?:[^="']|"[^"]*"|'[^']*')+)=(.*)$/s.exec(override) ?? [];
  const keys = path === undefined ? null : keysOf(path);
  if (!keys || text === undefined)
    throw bad(override, "is not of the form a.b=c", "write --set queues.trial=4; a key with a dot in it needs quotes");
  const last = keys.pop() as string;
  let target = data;
  for (const key of keys) {
    if (!Object.hasOwn(target, key)) target[key] = {};
    const next = target[key];
    if (typeof next !== "object" || next === null || Array.isArray(next))
      throw bad(override, `sets a field of ${key}, which is no table`, "see docs/configuration.md for the fields");
    target = next as Table;
  }
  Object.defineProperty(target, last, { value: tomlValue(text), enumerable: true, writable: true, configurable: true });
}

function keysOf(path: string): string[] | null {
  try {
    const keys: string[] = [];
    for (let table: unknown = parse(`${path.trim()} = 0`); typeof table === "object" && table !== null; ) {
      const [key, value] = Object.entries(table)[0] ?? [];
      if (key === undefined) return null;
      keys.push(key);
      table = value;
    }
    return keys;
  } catch {
    return null;
  }
}

function tomlValue(text: string): unknown {
  try {
    const { value } = parse(`value = ${text}`);
    return value instanceof Date ? text : value;
  } catch {
    return text;
  }
}

const bad = (override: string, message: string, remedy: string) =>
  new ConfigError({ code: "bad_override", message: `--set ${override} ${message}`, remedy });
