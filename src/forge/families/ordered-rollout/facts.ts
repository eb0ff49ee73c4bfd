import { createHash } from "node:crypto";
import { type Change, renamed, type Settings, type World } from "./world.ts";

/** Derivations in which a bug can be planted. */
export const derivations = ["roles", "restored-hosts", "missed-changes", "changed-waves"] as const;

/** The fleet at the end of a wave. */
export type Fleet = {
  /** Host to the lines of its configuration. */
  readonly configs: Readonly<Record<string, readonly string[]>>;
  /** host, role, wave of the last change, number of settings, SHA-256 of the file. */
  readonly manifest: readonly (readonly string[])[];
  /** Role to the keys that its hosts don't have alike. */
  readonly differing: Readonly<Record<string, readonly string[]>>;
  /** Pinned host to the changes that it has missed. */
  readonly pinned: Readonly<Record<string, readonly Change[]>>;
};

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const linesOf = (settings: Settings) =>
  Object.entries(settings)
    .map(([key, value]) => `${key}=${value}`)
    .sort(byText);
const textOf = (settings: Settings) =>
  linesOf(settings)
    .map((line) => `${line}\n`)
    .join("");

type State = { role: string; settings: Settings; wave: number; missed: Change[] | null };

/** The fleet wave by wave, from the world as it was drawn; `bug` names a derivation to get wrong. */
export function deriveFleet(world: World, bug: string | null): Fleet[] {
  const fleet = new Map<string, State>();
  const history: Map<string, Settings>[] = [];
  const applied = (name: string, settings: Settings, change: Change): Settings => {
    if (change.op === "set") return { ...settings, [change.key]: change.value };
    if (change.op === "rename") return renamed(settings, change);
    if (change.op === "raise")
      return change.key in settings
        ? { ...settings, [change.key]: String(Math.max(Number(settings[change.key]), change.least)) }
        : settings;
    if (change.op === "restore" && bug !== "restored-hosts") return history[change.wave - 1]?.get(name) ?? settings;
    return settings;
  };
  return world.waves.map((wave, index) => {
    const before = new Map([...fleet].map(([name, { settings }]) => [name, textOf(settings)]));
    for (const change of wave.changes)
      for (const [name, host] of fleet) {
        const concerned =
          "host" in change ? change.host === name : bug === "roles" || change.role === "*" || change.role === host.role;
        if (!concerned) continue;
        if (change.op === "pin") host.missed = [];
        else if (change.op === "unpin") {
          for (const missed of bug === "missed-changes" ? [] : (host.missed ?? []))
            host.settings = applied(name, host.settings, missed);
          host.missed = null;
        } else if (host.missed !== null) host.missed.push(change);
        else host.settings = applied(name, host.settings, change);
      }
    for (const [name, host] of fleet)
      if (textOf(host.settings) !== before.get(name) && bug !== "changed-waves") host.wave = index + 1;
    for (const { name, role, overrides } of wave.hosts)
      fleet.set(name, {
        role,
        settings: { ...wave.base, ...wave.roles[role], ...overrides },
        wave: index + 1,
        missed: null,
      });
    history.push(new Map([...fleet].map(([name, { settings }]) => [name, settings])));

    const hosts = [...fleet].sort(([a], [b]) => byText(a, b));
    const differing: Record<string, string[]> = {};
    for (const role of new Set(hosts.map(([, host]) => host.role))) {
      const all = hosts.filter(([, host]) => host.role === role).map(([, host]) => host.settings);
      const keys = new Set(all.flatMap((settings) => Object.keys(settings)));
      differing[role] = [...keys].filter((key) => new Set(all.map((settings) => settings[key])).size > 1).sort(byText);
    }
    return {
      configs: Object.fromEntries(hosts.map(([name, { settings }]) => [name, linesOf(settings)])),
      manifest: hosts.map(([name, host]) => [
        name,
        host.role,
        String(host.wave),
        String(Object.keys(host.settings).length),
        createHash("sha256").update(textOf(host.settings)).digest("hex"),
      ]),
      differing,
      pinned: Object.fromEntries(
        hosts.flatMap(([name, { missed }]) => (missed === null ? [] : [[name, [...missed]] as const])),
      ),
    };
  });
}
