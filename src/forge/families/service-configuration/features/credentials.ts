import { type MakeFeature, settings } from "../feature.ts";

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
