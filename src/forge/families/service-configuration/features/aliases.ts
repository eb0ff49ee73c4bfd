import { type MakeFeature, settings } from "../feature.ts";

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
