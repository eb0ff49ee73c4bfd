import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import type { Feature, Setting, Target } from "./feature.ts";
import { access } from "./features/access.ts";
import { aliases } from "./features/aliases.ts";
import { credentials } from "./features/credentials.ts";
import { flags } from "./features/flags.ts";
import { limits } from "./features/limits.ts";
import { log } from "./features/log.ts";
import { routes } from "./features/routes.ts";
import { schedule } from "./features/schedule.ts";
import type { Format, Precedence, Service } from "./program.ts";

/**
 * What is wrong with one feature (or with the start): `value` in the main file, `override` by a file of conf.d,
 * `environment` by override.env, `secret` in the secret's file, `managed` by a file that mustn't change, `profile` by
 * the wrong profile; `typo` and `unit` keep the service from starting, and so does `relation`.
 */
export type FaultKind =
  | "value"
  | "override"
  | "environment"
  | "secret"
  | "managed"
  | "profile"
  | "typo"
  | "unit"
  | "relation";
export type Fault = {
  readonly kind: FaultKind;
  readonly level: Difficulty;
  readonly feature: Feature;
  readonly target: Target;
};

const levelOf: Record<FaultKind, Difficulty> = {
  value: 1,
  typo: 1,
  unit: 1,
  override: 2,
  environment: 3,
  secret: 3,
  relation: 4,
  managed: 4,
  profile: 5,
};

const plans: Record<
  Difficulty,
  { readonly start: readonly FaultKind[]; readonly features: readonly (readonly FaultKind[])[] }
> = {
  1: {
    start: ["typo", "unit"],
    features: [
      ["value", "value"],
      ["value", "value", "value"],
    ],
  },
  2: {
    start: ["typo", "unit"],
    features: [
      ["override", "value"],
      ["override", "override"],
      ["override", "value", "override"],
    ],
  },
  3: {
    start: ["typo", "unit"],
    features: [
      ["override", "secret", "environment"],
      ["environment", "override"],
      ["secret", "override"],
    ],
  },
  4: {
    start: ["relation"],
    features: [
      ["managed", "environment"],
      ["managed", "secret", "override"],
      ["managed", "environment", "value"],
    ],
  },
  5: {
    start: ["relation"],
    features: [
      ["profile", "managed", "secret"],
      ["profile", "managed", "environment"],
      ["profile", "managed", "override"],
    ],
  },
};

export type World = {
  readonly level: Difficulty;
  readonly service: Service;
  readonly root: string;
  readonly program: string;
  readonly manual: string;
  readonly start: FaultKind;
  readonly startTarget: { readonly section: string; readonly key: string };
  readonly faults: readonly Fault[];
  /** Files below the configuration folder, as delivered. */
  readonly files: ReadonlyMap<string, readonly Setting[]>;
  readonly texts: ReadonlyMap<string, string>;
  readonly managed: string;
  readonly overriding: string;
  readonly better: string;
  readonly profiles: { readonly right: string; readonly wrong: string };
};

const themes = [
  {
    names: ["edgegate", "frontdoor", "portico"],
    title: "an entrance that spreads requests over pools",
    pool: [routes, access, credentials, flags],
  },
  {
    names: ["postroom", "mailhub", "courier"],
    title: "a mail exchanger for an office",
    pool: [aliases, access, credentials, schedule],
  },
  {
    names: ["nightjob", "clockwork", "taskmill"],
    title: "a scheduler for nightly work",
    pool: [schedule, credentials, access, aliases],
  },
  {
    names: ["flagpost", "togglery", "switchyard"],
    title: "a server for feature flags",
    pool: [flags, access, credentials, routes],
  },
  {
    names: ["logship", "lineferry", "scribe"],
    title: "a collector of log lines",
    pool: [routes, credentials, schedule, flags],
  },
];

export function drawWorld(random: Random, level: Difficulty): World {
  const theme = random.pick(themes);
  const picked = random.sample(theme.pool, random.integer(2, 3));
  const needed = level >= 3 && !picked.includes(credentials) ? [...picked.slice(0, 2), credentials] : picked;
  const features = [limits, log, ...needed].map((make, i) => make(random.fork(`feature ${i}`)));
  const format = random.pick<Format>(["ini", "flat", "json"]);
  const precedence = random.pick<Precedence>(["last", "first"]);
  const name = random.pick(theme.names);
  const service: Service = {
    name,
    title: theme.title,
    format,
    precedence,
    features,
    ending: format === "json" ? "json" : random.pick(["conf", "cfg", "ini"]),
  };
  const plan = plans[level];
  const start = random.pick(plan.start);
  const kinds = random.pick(plan.features);
  const faults = drawFaults(random, features, kinds, start);
  const profiles = random.pick([
    { right: "live", wrong: "trial" },
    { right: "production", wrong: "staging" },
    { right: "main-site", wrong: "lab" },
  ]);
  const startTarget =
    start === "unit"
      ? { section: "limits", key: "body" }
      : start === "typo"
        ? { section: "log", key: "level" }
        : { section: "limits", key: "total" };
  const [managed, overriding] = [
    "50-managed",
    `${random.pick([20, 30])}-${random.pick(["local", "site", "hotfix", "tuning"])}`,
  ].map((stem) => `conf.d/${stem}.${service.ending}`) as [string, string];
  const better = `conf.d/${precedence === "last" ? "90" : "10"}-repair.${service.ending}`;
  const world = {
    level,
    service,
    start,
    startTarget,
    faults,
    profiles,
    managed,
    overriding,
    better,
    root: `/app/etc/${name}`,
    program: `/app/bin/${name}.py`,
    manual: `/app/docs/${random.pick([name, "manual", "operation"])}.md`,
  };
  return { ...world, ...layFiles(random, world) };
}

function drawFaults(
  random: Random,
  features: readonly Feature[],
  kinds: readonly FaultKind[],
  start: FaultKind,
): Fault[] {
  const free = random.shuffle(features);
  return kinds.map((kind) => {
    const index = free.findIndex((feature) =>
      kind === "secret"
        ? feature.secret !== undefined
        : !(start !== "typo" && feature.name === "limits") &&
          !(start === "typo" && feature.name === "log") &&
          (kinds.includes("secret") ? feature.secret === undefined : true),
    );
    const feature = free.splice(index, 1)[0] as Feature;
    const usable = feature.targets.filter((target) => !(kind === "environment" && target.section.includes("-")));
    return { kind, level: levelOf[kind], feature, target: random.pick(usable.length > 0 ? usable : feature.targets) };
  });
}

/** The text of a setting in override.env. */
export const environmentName = ({ section, key }: { section: string; key: string }) =>
  `${section.replace(" ", "_").toUpperCase()}__${key.toUpperCase()}`;

function layFiles(random: Random, world: Omit<World, "files" | "texts">): Pick<World, "files" | "texts"> {
  const { service, faults, profiles, start, startTarget } = world;
  const wrongIn = (kind: FaultKind) =>
    faults
      .filter((fault) => fault.kind === kind)
      .map(({ target }) => ({ section: target.section, key: target.key, value: target.wrong }));
  const same = (a: { section: string; key: string }, b: { section: string; key: string }) =>
    a.section === b.section && a.key === b.key;
  const wanted = service.features.flatMap((feature) => feature.wanted);
  const right = (target: { section: string; key: string }) =>
    wanted.find((setting) => same(setting, target)) as Setting;
  const inProfile = faults.filter(({ kind }) => kind === "profile").map(({ target }) => right(target));
  const main = [
    { section: "service", key: "name", value: service.name },
    ...(inProfile.length > 0 ? [{ section: "service", key: "profile", value: profiles.wrong }] : []),
    ...wanted
      .filter((setting) => !inProfile.some((other) => same(other, setting)))
      .map((setting) => {
        if (same(setting, startTarget)) {
          if (start === "typo") return { ...setting, key: random.pick(["levle", "lvl", "level_"]) };
          if (start === "unit") return { ...setting, value: setting.value.replace(/k$/, random.pick(["K", "kb", ""])) };
          if (start === "relation")
            return { ...setting, value: `${Math.max(1, Number.parseInt(setting.value, 10) - random.integer(1, 2))}k` };
        }
        return wrongIn("value").find((wrong) => same(wrong, setting)) ?? setting;
      }),
  ];
  const touched = (setting: Setting) =>
    faults.some(({ target }) => same(target, setting)) || same(setting, startTarget);
  const harmless = random.sample(
    wanted.filter((setting) => !touched(setting)),
    2,
  );
  const files = new Map<string, Setting[]>();
  files.set(`${service.name}.${service.ending}`, main);
  files.set(world.overriding, [...wrongIn("override"), harmless[0] as Setting]);
  if (world.level >= 2) files.set(world.managed, [...wrongIn("managed"), harmless[1] as Setting]);
  if (inProfile.length > 0) {
    files.set(`profiles/${profiles.right}.${service.ending}`, inProfile);
    files.set(`profiles/${profiles.wrong}.${service.ending}`, wrongIn("profile"));
  }
  const old = random
    .sample(
      wanted.filter((setting) => setting.section !== "service"),
      3,
    )
    .map((setting) => ({
      ...setting,
      value: setting.value.replace(/\d/, (digit) => String((Number(digit) + 3) % 10)),
    }));
  const texts = new Map<string, string>();
  texts.set(
    `conf.d/${random.pick(["20-site", "40-old", "70-test"])}.${service.ending}.${random.pick(["bak", "off", "orig"])}`,
    old
      .map(({ section, key, value }) => `${section} ${key} ${value}`)
      .join("\n")
      .concat("\n"),
  );
  const environment = wrongIn("environment").map((setting) => `${environmentName(setting)}=${setting.value}`);
  if (world.level >= 2)
    texts.set("override.env", `${["# set by hand, remember to take out", ...environment].join("\n")}\n`);
  for (const feature of service.features)
    if (feature.secret) {
      const wrong = faults.some((fault) => fault.kind === "secret" && fault.feature === feature);
      texts.set(feature.secret.file, `${wrong ? feature.secret.old : feature.secret.text}\n`);
    }
  return { files, texts };
}
