// What the old files come to under the new names: computed from the world as it was drawn.
import type { Assignment, Kind, Setting, World } from "./world.ts";

export const bugs = ["layers", "units", "alias", "switch", "origins"] as const;
export type Bug = (typeof bugs)[number] | null;
export type NewValue = string | number | boolean | string[];
export type Effective = {
  readonly values: Readonly<Record<string, NewValue>>;
  /** The file whose assignment counts, by new name. */
  readonly origins: Readonly<Record<string, string>>;
  /** Old keys that were set and are not carried over. */
  readonly dropped: readonly string[];
  /** Old keys that were set more than once: how often, and the last value as it stands. */
  readonly repeated: readonly { key: string; times: number; last: string }[];
  readonly secrets: Readonly<Record<string, string[]>>;
};

export function convert(kind: Kind, text: string, bug: Bug): NewValue {
  if (kind === "boolean") return ["yes", "on", "true", "1"].includes(text);
  if (kind === "number") return Number(text);
  if (kind === "duration") {
    const seconds = text.endsWith("m") ? Number(text.slice(0, -1)) * 60 : Number(text);
    return bug === "units" ? seconds : seconds * 1000;
  }
  if (kind === "size") {
    const kibibytes = text.endsWith("M") ? Number(text.slice(0, -1)) * 1024 : Number(text);
    return kibibytes * 1024;
  }
  return kind === "list" ? entries(text) : text;
}

const entries = (text: string) =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);

/** The assignments of a setting that count, in their order: of the newer spelling when that is set anywhere. */
function counting(world: World, setting: Setting, bug: Bug): Assignment[] {
  const own = world.assignments.filter(({ key }) => key === setting.old);
  const older = world.assignments.filter(({ key }) => key === setting.alias);
  if (bug === "alias") return world.assignments.filter(({ key }) => key === setting.old || key === setting.alias);
  return own.length > 0 ? own : older;
}

export function effective(world: World, bug: Bug): Effective {
  const values: Record<string, NewValue> = {};
  const origins: Record<string, string> = {};
  const secrets: Record<string, string[]> = {};
  const off = world.difficulty === 5 && bug !== "switch" && isOff(world, bug);
  for (const setting of world.settings) {
    const all = counting(world, setting, bug);
    const last = bug === "layers" ? (all.at(-2) ?? all.at(-1)) : all.at(-1);
    if (!last || (off && setting.old.startsWith("tls.") && setting.old !== "tls.enabled")) continue;
    values[setting.to] =
      setting.kind === "list"
        ? joined(bug === "layers" ? all.slice(0, -1) : all)
        : convert(setting.kind, last.value, bug);
    origins[setting.to] = bug === "origins" ? (all[0] as Assignment).file : last.file;
    if (setting.kind === "text" && last.value.startsWith("secret:"))
      secrets[last.value.slice("secret:".length)] = [
        ...(secrets[last.value.slice("secret:".length)] ?? []),
        setting.to,
      ].sort();
  }
  const carried = new Set(
    world.settings.flatMap(({ old, alias, to }) => (to in values ? [old, ...(alias ? [alias] : [])] : [])),
  );
  const seen = [...new Set(world.assignments.map(({ key }) => key))].sort();
  return {
    values,
    origins,
    secrets,
    dropped: seen.filter((key) => !carried.has(key)),
    repeated: seen.flatMap((key) => {
      const all = world.assignments.filter((one) => one.key === key);
      return all.length > 1 ? [{ key, times: all.length, last: (all.at(-1) as Assignment).value }] : [];
    }),
  };
}

function isOff(world: World, bug: Bug): boolean {
  const setting = world.settings.find(({ old }) => old === "tls.enabled");
  const last = setting && counting(world, setting, bug).at(-1);
  return last !== undefined && convert("boolean", last.value, bug) === false;
}

/** Without `+=` a list begins anew. */
function joined(all: readonly Assignment[]): string[] {
  return all.reduce<string[]>((list, { value, adds }) => [...(adds ? list : []), ...entries(value)], []);
}
