import { crc32 } from "node:zlib";
import { type MakeFeature, settings } from "../feature.ts";

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
