import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";

export type Settings = Readonly<Record<string, string>>;
export type Host = { readonly name: string; readonly role: string; readonly overrides: Settings };
export type Change =
  | { readonly op: "set"; readonly role: string; readonly key: string; readonly value: string }
  | { readonly op: "rename"; readonly role: string; readonly key: string; readonly to: string }
  | { readonly op: "raise"; readonly role: string; readonly key: string; readonly least: number }
  | { readonly op: "restore"; readonly host: string; readonly wave: number }
  | { readonly op: "pin" | "unpin"; readonly host: string };
export type Wave = {
  readonly hosts: readonly Host[];
  readonly base: Settings;
  readonly roles: Readonly<Record<string, Settings>>;
  /** For the hosts of the waves before. */
  readonly changes: readonly Change[];
};
export type World = { readonly difficulty: Difficulty; readonly service: string; readonly waves: readonly Wave[] };

const words = "cache log queue session trace upload worker retry search mail".split(" ");
const kinds = "level target mode format policy region".split(" ");

/** Draws the waves of a rollout and what is changed on the way. */
export function drawWorld(random: Random, difficulty: Difficulty): World {
  const service = random.pick(["harvester", "ledgerd", "courier", "lookout", "granary", "switchyard"]);
  const roles = random.sample(["web", "worker", "edge", "store", "batch"], 2 + (difficulty >> 1));
  const names = random.shuffle(words.flatMap((word) => kinds.map((kind) => `${word}.${kind}`)));
  const value = () => `${random.pick(["on", "full", "strict", "north", "plain", "fast"])}-${random.integer(10, 99)}`;
  const limits = ["limit.connections", "limit.memory_mb"] as const;
  let base: Record<string, string> = Object.fromEntries(names.splice(0, 5 + difficulty).map((key) => [key, value()]));
  for (const key of limits) base[key] = String(random.integer(10, 60) * 10);
  let overlays: Record<string, Settings> = Object.fromEntries(
    roles.map((role) => [
      role,
      { [random.pick(Object.keys(base).slice(0, 4))]: value(), [names.pop() as string]: value() },
    ]),
  );
  const length = [2, 3, 3, 4, 4][difficulty - 1] as number;
  let number = random.integer(1, 20);
  const waves: Wave[] = [];
  for (let index = 0; index < length; index++) {
    const free = Object.keys(base).filter((key) => !key.startsWith("limit."));
    const first = (waves[0]?.hosts ?? []).map(({ name }) => name);
    const changes: Change[] = [];
    if (index > 0) {
      const [one, two, three] = random.sample(free, 3) as [string, string, string];
      // The first role has hosts in every wave, so a change for it concerns somebody and not everybody.
      const some: Change[] = [
        { op: "set", role: roles[0] as string, key: one, value: value() },
        { op: "set", role: "*", key: two, value: value() },
      ];
      if (difficulty >= 2) some.push({ op: "rename", role: "*", key: three, to: names.pop() as string });
      if (difficulty >= 3)
        some.push({ op: "raise", role: "*", key: limits[index % 2] as string, least: random.integer(25, 55) * 10 });
      if (difficulty === 5 && index === 1) changes.push({ op: "pin", host: first[0] as string });
      const restored =
        difficulty >= 4 && index >= 2 ? [{ op: "restore", host: first[1] as string, wave: 1 } as const] : [];
      changes.push(...restored, ...random.shuffle(some));
      if (difficulty === 5 && index === 3) changes.splice(2, 0, { op: "unpin", host: first[0] as string });
      for (const change of changes) {
        if (change.op === "set" && change.role === "*") base = { ...base, [change.key]: change.value };
        else if (change.op === "set")
          overlays = { ...overlays, [change.role]: { ...overlays[change.role], [change.key]: change.value } };
        else if (change.op === "rename") {
          base = renamed(base, change);
          overlays = Object.fromEntries(Object.entries(overlays).map(([role, own]) => [role, renamed(own, change)]));
        }
      }
    }
    const keys = Object.keys(base);
    const hosts = Array.from({ length: roles.length + 1 + random.integer(1, 2) }, (_, at): Host => {
      const role = roles[at % roles.length] as string;
      number += random.integer(1, 3);
      const overrides =
        difficulty >= 2 && at % 3 === 0 ? { [random.pick(keys)]: String(random.integer(61, 99) * 10) } : {};
      return { name: `${role}-${String(number).padStart(3, "0")}`, role, overrides };
    });
    waves.push({ hosts, base, roles: overlays, changes });
  }
  return { difficulty, service, waves };
}

/** Settings after a key got another name. */
export function renamed(settings: Settings, { key, to }: { key: string; to: string }): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name === key ? to : name, value]));
}
