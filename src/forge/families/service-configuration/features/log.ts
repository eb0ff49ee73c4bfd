import { type MakeFeature, settings } from "../feature.ts";

/** What is logged, and what is masked in it. */
export const log: MakeFeature = (random) => {
  const levels = ["debug", "info", "notice", "warning", "error"];
  const level = random.integer(1, 3);
  const masked = random.sample(["password", "token", "card", "iban", "pin", "session"], 3);
  const wrong = random.pick(levels.filter((_, i) => i !== level));
  const verb = random.pick(["LOG", "NOTE", "WRITE"]);
  return {
    name: "log",
    shape: "masked-log",
    wanted: settings("log", { level: levels[level] as string, mask: masked.join(", ") }),
    targets: [
      { section: "log", key: "level", wrong },
      { section: "log", key: "mask", wrong: masked.slice(0, 2).join(", ") },
    ],
    demand: `The log takes everything from level \`${levels[level]}\` upwards and nothing below, and the values of ${masked.map((key) => `\`${key}\``).join(", ")} are masked in it.`,
    manual: `\`[log]\` has \`level\` (one of ${levels.join(", ")}, lowest first; that level and higher ones are written) and \`mask\` (keys, separated by commas). \`${verb} LEVEL KEY=VALUE…\` answers the line that is written, masked values as \`***\`, or \`-\`.`,
    schema: `("log", ""): {"level": word, "mask": words}`,
    startup: `        if self.sections["log"]["level"] not in LEVELS:
            raise ConfigError("log.level is none of " + ", ".join(LEVELS))`,
    verbs: { [verb]: "log" },
    python: `    def log(self, words):
        level, *pairs = words
        if LEVELS.index(level) < LEVELS.index(self.sections["log"]["level"]):
            return "-"
        hidden = self.sections["log"]["mask"]
        shown = [f"{key}=***" if key in hidden else f"{key}={value}" for key, value in (pair.split("=", 1) for pair in pairs)]
        return level + " " + " ".join(shown)`,
    probes: [
      ...levels.map((name, i) => `${verb} ${name} user=u${i} ${masked[i % 3]}=x${i}`),
      ...masked.map((key) => `${verb} error ${key}=1 size=${random.integer(1, 99)}`),
      `${verb} error colour=red`,
    ],
    answer(probe, bug) {
      const [, name, ...pairs] = probe.split(" ") as [string, string, ...string[]];
      const rank = levels.indexOf(name);
      if (bug === "level-order" ? rank <= level : rank < level) return "-";
      return `${name} ${pairs.map((pair) => (masked.includes(pair.split("=")[0]!) ? `${pair.split("=")[0]}=***` : pair)).join(" ")}`;
    },
  };
};
