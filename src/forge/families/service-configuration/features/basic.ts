import { type MakeFeature, settings } from "../feature.ts";

/** Size limits with a relation between them. */
export const limits: MakeFeature = (random) => {
  const [body, parallel] = [random.integer(3, 90), random.integer(3, 12)];
  const total = body * parallel;
  const of = (bug: string | null) => (bug === "size-units" ? 1000 : 1024);
  const [put, sum] = random.pick([
    ["PUT", "SUM"],
    ["SEND", "BATCH"],
    ["STORE", "FLOOD"],
  ] as const);
  return {
    name: "limits",
    shape: "size-limits",
    wanted: settings("limits", { body: `${body}k`, parallel: String(parallel), total: `${total}k` }),
    targets: [
      { section: "limits", key: "body", wrong: `${Math.max(1, body - random.integer(1, 2))}k` },
      { section: "limits", key: "total", wrong: `${total + random.integer(1, 40)}k` },
    ],
    demand: `One message may have up to ${body} KiB (that size included), ${parallel} may come at the same time, and the limit for all of them together has to be the smallest that the service accepts with that.`,
    manual: `\`[limits]\` has \`body\` (size of one message), \`parallel\` (messages at the same time) and \`total\` (size of all). \`total\` must be at least \`body\` × \`parallel\`, otherwise the service doesn't start. \`${put} BYTES\` answers \`accepted\` or \`too large\`; \`${sum} BYTES\` does so for the total.`,
    schema: `("limits", ""): {"body": size, "parallel": int, "total": size}`,
    startup: `        limits = self.sections["limits"]
        if limits["total"] < limits["body"] * limits["parallel"]:
            raise ConfigError("limits.total must be at least limits.body x limits.parallel")`,
    verbs: { [put]: "put", [sum]: "sum" },
    python: `    def put(self, words):
        return "accepted" if int(words[0]) <= self.sections["limits"]["body"] else "too large"

    def sum(self, words):
        return "accepted" if int(words[0]) <= self.sections["limits"]["total"] else "too large"`,
    probes: [
      `${put} ${body * 1024}`,
      `${put} ${body * 1024 + 1}`,
      `${put} ${body * 500}`,
      `${put} ${body * 1000 + 1}`,
      `${sum} ${total * 1024}`,
      `${sum} ${total * 1024 + 1}`,
      `${sum} ${total * 1000 + 2}`,
    ],
    answer(probe, bug) {
      const [verb, bytes] = probe.split(" ") as [string, string];
      return Number(bytes) <= (verb === put ? body : total) * of(bug) ? "accepted" : "too large";
    },
  };
};

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

/** A token that the service reads from a file. */
export const credentials: MakeFeature = (random) => {
  const make = () => Array.from({ length: 20 }, () => random.pick([..."abcdefghjkmnpqrstuvwxyz23456789"])).join("");
  const [token, old] = [make(), make()];
  const [verb, name] = random.pick([
    ["AUTH", "api"],
    ["HELLO", "partner"],
    ["UNLOCK", "console"],
  ] as const);
  const attempts = random.integer(3, 9);
  return {
    name: "credentials",
    shape: "secret-by-file",
    wanted: settings("credentials", { token: `@secrets/${name}-token`, attempts: String(attempts) }),
    targets: [{ section: "credentials", key: "attempts", wrong: String(attempts + 2) }],
    secret: { file: `secrets/${name}-token`, text: token, old },
    demand: `The service takes the token that was issued last (it is in \`/app/handover/issued-token.txt\`) and no other, and permits ${attempts} attempts.`,
    manual: `\`[credentials]\` has \`token\` and \`attempts\`. A value that begins with \`@\` names a file below the configuration folder whose text, without white space around it, is the value. \`${verb} ATTEMPT TOKEN\` answers \`welcome\`, \`wrong\`, or \`locked\` when ATTEMPT is above \`attempts\`.`,
    schema: `("credentials", ""): {"token": word, "attempts": int}`,
    verbs: { [verb]: "authenticate" },
    python: `    def authenticate(self, words):
        if int(words[0]) > self.sections["credentials"]["attempts"]:
            return "locked"
        return "welcome" if words[1] == self.sections["credentials"]["token"] else "wrong"`,
    probes: [
      `${verb} 1 ${token}`,
      `${verb} 1 ${old}`,
      `${verb} ${attempts} ${token}`,
      `${verb} ${attempts + 1} ${token}`,
      `${verb} 2 nothing`,
    ],
    answer(probe) {
      const [, attempt, given] = probe.split(" ") as [string, string, string];
      return Number(attempt) > attempts ? "locked" : given === token ? "welcome" : "wrong";
    },
  };
};
