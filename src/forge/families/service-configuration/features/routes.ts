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
