import { crc32 } from "node:zlib";
import { type MakeFeature, settings } from "../feature.ts";

/** Paths to pools, the first match by a number. */
export const routes: MakeFeature = (random) => {
  const base = random.sample(["billing", "orders", "media", "search", "reports", "accounts"], 3);
  const pools = random.sample(["amber", "basalt", "cobalt", "dune", "ebony", "flint", "garnet"], 6);
  const table = [
    {
      name: "special",
      prefix: `/${base[0]}/${random.pick(["export", "archive", "upload"])}`,
      pool: pools[0]!,
      order: 10,
    },
    { name: "first", prefix: `/${base[0]}`, pool: pools[1]!, order: 20 },
    { name: "second", prefix: `/${base[1]}`, pool: pools[2]!, order: 30 },
    { name: "third", prefix: `/${base[2]}`, pool: pools[3]!, order: 40 },
    { name: "rest", prefix: "/", pool: pools[4]!, order: 90 },
  ];
  const verb = random.pick(["GET", "ROUTE", "ASK"]);
  const at = random.integer(1, 3);
  return {
    name: "routes",
    shape: "routing-decisions",
    wanted: table.flatMap(({ name, prefix, pool, order }) =>
      settings(`route ${name}`, { prefix, pool, order: String(order) }),
    ),
    targets: [
      { section: `route ${table[at]!.name}`, key: "pool", wrong: pools[5]! },
      { section: "route rest", key: "order", wrong: "25" },
      { section: "route special", key: "order", wrong: "22" },
    ],
    demand: `Requests have to go to these pools: ${table.map(({ prefix, pool }) => (prefix === "/" ? `everything else to \`${pool}\`` : `\`${prefix}\` and below to \`${pool}\``)).join(", ")}.`,
    manual: `Each \`[route NAME]\` has \`prefix\`, \`pool\` and \`order\`. The routes are tried by \`order\`, lowest first; the first whose prefix is the path or is followed by \`/\` in it (the prefix \`/\` fits every path) decides. \`${verb} PATH\` answers the pool, or \`none\`.`,
    schema: `("route", "*"): {"prefix": word, "pool": word, "order": int}`,
    verbs: { [verb]: "route" },
    python: `    def route(self, words):
        path = words[0]
        found = [values for name, values in self.sections.items() if name.startswith("route ")]
        for values in sorted(found, key=lambda values: values["order"]):
            prefix = values["prefix"]
            if prefix == "/" or path == prefix or path.startswith(prefix + "/"):
                return values["pool"]
        return "none"`,
    probes: [
      ...table.map(({ prefix }) => `${verb} ${prefix}`),
      ...table
        .slice(0, 4)
        .flatMap(({ prefix }) => [`${verb} ${prefix}/${random.integer(1, 99)}`, `${verb} ${prefix}x`]),
      `${verb} /status`,
    ],
    answer(probe) {
      const path = probe.split(" ")[1]!;
      return (
        table.find(({ prefix }) => prefix === "/" || path === prefix || path.startsWith(`${prefix}/`))?.pool ?? "none"
      );
    },
  };
};

/** Mail aliases that name each other. */
export const aliases: MakeFeature = (random) => {
  const people = random.sample(["ana", "ben", "cleo", "dan", "eva", "finn", "gus", "heidi", "ivo"], 6);
  const [a, b, c] = random.sample(["office", "sales", "support", "board", "press", "stock"], 3) as [
    string,
    string,
    string,
  ];
  const table: Record<string, string[]> = {
    [a]: [people[0]!, people[1]!],
    [b]: [a, people[2]!],
    [c]: [people[3]!, people[4]!, b],
  };
  const verb = random.pick(["RCPT", "EXPAND", "DELIVER"]);
  const expand = (name: string): string[] => (table[name] ? [...new Set(table[name].flatMap(expand))].sort() : [name]);
  return {
    name: "aliases",
    shape: "alias-expansion",
    wanted: settings(
      "alias",
      Object.fromEntries(Object.entries(table).map(([name, targets]) => [name, targets.join(", ")])),
    ),
    targets: [
      { section: "alias", key: a, wrong: `${people[0]}, ${people[5]}` },
      { section: "alias", key: b, wrong: `${people[1]}, ${people[2]}` },
      { section: "alias", key: c, wrong: `${people[3]}, ${b}` },
    ],
    demand: `Mail to ${Object.entries(table)
      .map(
        ([name, targets]) =>
          `\`${name}\` has to reach ${targets.map((target) => (table[target] ? `everybody behind \`${target}\`` : `\`${target}\``)).join(", ")}`,
      )
      .join("; ")}. Each of these is to be an alias of the service, and nobody gets such mail besides.`,
    manual: `\`[alias]\` has one key an alias; its value names the targets, separated by commas, which may be aliases themselves. A circle of aliases keeps the service from starting. \`${verb} NAME\` answers the people behind it in alphabetical order, with blanks between; a name that is no alias is a person.`,
    schema: `("alias", ""): words`,
    startup: `        for name in self.sections["alias"]:
            self.people(name, ())`,
    verbs: { [verb]: "expand" },
    python: `    def people(self, name, above):
        if name in above:
            raise ConfigError(f"alias.{name} runs in a circle")
        targets = self.sections["alias"].get(name)
        if targets is None:
            return {name}
        return set().union(*(self.people(target, above + (name,)) for target in targets))

    def expand(self, words):
        return " ".join(sorted(self.people(words[0], ())))`,
    probes: [a, b, c, people[5]!, people[0]!].map((name) => `${verb} ${name}`),
    answer: (probe) => expand(probe.split(" ")[1]!).join(" "),
  };
};

/** Features that are on for some users. */
export const flags: MakeFeature = (random) => {
  const names = random.sample(["dark-mode", "new-cart", "beta-search", "fast-lane", "big-print", "quiet-hours"], 3);
  const people = random.sample(["ada", "bo", "cy", "dee", "eli", "flo", "gil", "hal", "ira", "jo", "kim", "lu"], 10);
  const table = [
    { name: names[0]!, percent: 0, users: people.slice(0, 2) },
    { name: names[1]!, percent: random.integer(35, 65), users: [people[2]!] },
    { name: names[2]!, percent: 100, users: [people[3]!] },
  ];
  const verb = random.pick(["FLAG", "SHOW", "FEATURE"]);
  const on = (name: string, user: string, percent: number, users: readonly string[]) =>
    users.includes(user) || crc32(`${name}:${user}`) % 100 < percent;
  const visitors = Array.from({ length: 24 }, (_, i) => `v${i}${random.pick(people)}`);
  return {
    name: "flags",
    shape: "rollout-decisions",
    wanted: table.flatMap(({ name, percent, users }) =>
      settings(`flag ${name}`, { percent: String(percent), users: users.join(", ") }),
    ),
    targets: [
      { section: `flag ${names[1]}`, key: "percent", wrong: "3" },
      { section: `flag ${names[0]}`, key: "users", wrong: people[0]! },
      { section: `flag ${names[2]}`, key: "percent", wrong: "10" },
    ],
    demand: `The flags: ${table.map(({ name, percent, users }) => `\`${name}\` for ${percent} percent of all visitors and in any case for ${users.map((user) => `\`${user}\``).join(" and ")}`).join(", ")}.`,
    manual: `Each \`[flag NAME]\` has \`percent\` (0 to 100) and \`users\` (names, separated by commas, for whom it is on in any case). For others it is on when the CRC-32 of \`NAME:USER\`, modulo 100, is below \`percent\`. \`${verb} NAME USER\` answers \`on\` or \`off\`.`,
    schema: `("flag", "*"): {"percent": int, "users": words}`,
    verbs: { [verb]: "flag" },
    python: `    def flag(self, words):
        values = self.sections.get("flag " + words[0])
        if values is None:
            return "off"
        bucket = binascii.crc32(f"{words[0]}:{words[1]}".encode()) % 100
        return "on" if words[1] in values["users"] or bucket < values["percent"] else "off"`,
    probes: table.flatMap(({ name, users }) =>
      [...users, ...people.slice(4, 6), ...visitors.slice(0, 12)].map((user) => `${verb} ${name} ${user}`),
    ),
    answer(probe) {
      const [, name, user] = probe.split(" ") as [string, string, string];
      const entry = table.find((candidate) => candidate.name === name)!;
      return on(name, user, entry.percent, entry.users) ? "on" : "off";
    },
  };
};

/** Jobs that run every so often within a part of the day. */
export const schedule: MakeFeature = (random) => {
  const names = random.sample(["backup", "digest", "prune", "rotate", "sync", "verify"], 3);
  const table = names.map((name, i) => {
    const every = random.pick([10, 15, 20, 30, 60, 120]);
    return {
      name,
      every,
      offset: random.integer(0, 2) * 5,
      from: 6 + i + random.integer(0, 2),
      to: 15 + i + random.integer(0, 3),
    };
  });
  const two = (n: number) => String(n).padStart(2, "0");
  const span = (minutes: number) => (minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`);
  const verb = random.pick(["DUE", "RUNS", "AT"]);
  const first = table[0]!;
  const due = (clock: string) => {
    const [hour, minute] = clock.split(":").map(Number) as [number, number];
    const now = hour * 60 + minute;
    return (
      table
        .filter(({ every, offset, from, to }) => now >= from * 60 && now < to * 60 && now % every === offset % every)
        .map(({ name }) => name)
        .sort()
        .join(" ") || "nothing"
    );
  };
  const moments = table.flatMap(({ every, offset, from, to }) => {
    const start = Math.ceil((from * 60 - offset) / every) * every + offset;
    return [
      start,
      start + every,
      start + every + 1,
      from * 60 - every + offset,
      to * 60,
      Math.floor((to * 60 - 1 - offset) / every) * every + offset,
    ];
  });
  return {
    name: "schedule",
    shape: "due-jobs",
    wanted: table.flatMap(({ name, every, offset, from, to }) =>
      settings(`job ${name}`, { every: span(every), offset: `${offset}m`, window: `${two(from)}:00-${two(to)}:00` }),
    ),
    targets: [
      { section: `job ${first.name}`, key: "every", wrong: span(first.every * 2) },
      {
        section: `job ${table[1]!.name}`,
        key: "window",
        wrong: `${two(table[1]!.from + 2)}:00-${two(table[1]!.to)}:00`,
      },
      { section: `job ${table[2]!.name}`, key: "offset", wrong: `${table[2]!.offset + 3}m` },
    ],
    demand: `The jobs: ${table.map(({ name, every, offset, from, to }) => `\`${name}\` every ${every} minutes${offset ? `, ${offset} minutes after the round time,` : ""} from ${two(from)}:00 until before ${two(to)}:00`).join("; ")}.`,
    manual: `Each \`[job NAME]\` has \`every\` and \`offset\` (lengths of time) and \`window\` (\`HH:MM-HH:MM\`, the end excluded). A job is due at a minute inside its window whose count from midnight, modulo \`every\`, equals \`offset\` modulo \`every\`. \`${verb} HH:MM\` answers the names of the jobs due then in alphabetical order, or \`nothing\`.`,
    schema: `("job", "*"): {"every": duration, "offset": duration, "window": window}`,
    verbs: { [verb]: "due" },
    python: `    def due(self, words):
        hour, minute = words[0].split(":")
        now = int(hour) * 60 + int(minute)
        names = []
        for name, values in self.sections.items():
            if name.startswith("job ") and values["window"][0] <= now < values["window"][1]:
                every = values["every"] // 60
                if now % every == values["offset"] // 60 % every:
                    names.append(name[4:])
        return " ".join(sorted(names)) or "nothing"`,
    probes: [...new Set(moments.map((minute) => `${verb} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`))],
    answer: (probe) => due(probe.split(" ")[1]!),
  };
};
