import { type MakeFeature, settings } from "../feature.ts";

/** Who may do what: a list of allowed and one of refused names. */
export const access: MakeFeature = (random) => {
  const people = random.sample(["anna", "bela", "cyril", "dora", "emil", "fred", "gina", "hana", "igor", "jana"], 8);
  const allow = people.slice(0, 4);
  const deny = [people[1] as string, people[5] as string];
  const verb = random.pick(["MAY", "ENTER", "PERMIT"]);
  return {
    name: "access",
    shape: "access-decisions",
    wanted: settings("access", { allow: allow.join(", "), deny: deny.join(", ") }),
    targets: [
      { section: "access", key: "allow", wrong: [...allow.slice(0, 3), people[6]].join(", ") },
      { section: "access", key: "deny", wrong: deny.slice(1).join(", ") },
    ],
    demand: `${allow
      .filter((name) => !deny.includes(name))
      .map((name) => `\`${name}\``)
      .join(", ")} may get in, nobody else; in particular not ${deny.map((name) => `\`${name}\``).join(" and ")}.`,
    manual: `\`[access]\` has \`allow\` and \`deny\` (names, separated by commas). A name in \`deny\` is refused even when it is in \`allow\`; a name in neither is refused. \`${verb} NAME\` answers \`yes\` or \`no\`.`,
    schema: `("access", ""): {"allow": words, "deny": words}`,
    verbs: { [verb]: "may" },
    python: `    def may(self, words):
        access = self.sections["access"]
        return "yes" if words[0] in access["allow"] and words[0] not in access["deny"] else "no"`,
    probes: people.map((name) => `${verb} ${name}`),
    answer: (probe) => (allow.includes(probe.split(" ")[1]!) && !deny.includes(probe.split(" ")[1]!) ? "yes" : "no"),
  };
};
