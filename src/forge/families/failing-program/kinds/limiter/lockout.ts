import { type MakePart, remembered, times } from "../../part.ts";

export const lockout: MakePart = (random) => {
  const [fail, login] = random.pick([
    ["fail", "login"],
    ["wrong", "right"],
    ["reject", "accept"],
  ] as const);
  const [limit, seconds] = [random.integer(2, 4), random.integer(20, 90)];
  return {
    name: "lockout",
    shape: "state-machine",
    verbs: [fail, login],
    specification: `\`${fail} USER SECOND\` records a failed attempt, \`${login} USER SECOND\` a good one. After ${limit} failures in a row the user is locked for ${seconds} seconds, the next time for twice as long, and so on; the count of failures begins anew after a lock. While locked (the second at which the lock ends is free again), either verb prints \`locked until SECOND\` and changes nothing. Otherwise \`${fail}\` prints \`failures N\` or, when it locks, \`locked until SECOND\`; \`${login}\` prints \`welcome\` and clears failures and the doubling.`,
    python: `def person(state, words):
§store§
    return users.setdefault(words[0], {"failures": 0, "until": -1, "locks": 0}), int(words[1])


def ${fail}(state, words):
    user, second = person(state, words)
§locked§
        return [f"locked until {user['until']}"]
    user["failures"] += 1
§limit§
        return [f"failures {user['failures']}"]
    user["failures"] = 0
§length§
    user["locks"] += 1
    return [f"locked until {user['until']}"]


def ${login}(state, words):
    user, second = person(state, words)
    if second < user["until"]:
        return [f"locked until {user['until']}"]
§clear§
    return ["welcome"]`,
    right: {
      store: `    users = state.setdefault("users", {})`,
      locked: `    if second < user["until"]:`,
      limit: `    if user["failures"] < ${limit}:`,
      length: `    user["until"] = second + ${seconds} * 2 ** user["locks"]`,
      clear: `    user["failures"] = user["locks"] = 0`,
    },
    bugs: [
      { level: 1, kind: "wrong comparison", slot: "limit", wrong: `    if user["failures"] <= ${limit}:` },
      { level: 1, kind: "missing case", slot: "clear", wrong: `    user["locks"] = 0` },
      { level: 2, kind: "state outlives the session", slot: "store", wrong: "    users = CALLS" },
      { level: 3, kind: "off by one", slot: "locked", wrong: `    if second <= user["until"]:` },
      { level: 3, kind: "missing feature", slot: "length", wrong: `    user["until"] = second + ${seconds}` },
    ],
    answer(state, verb, [name, text], twisted) {
      const second = Number(text);
      const users = remembered(
        state,
        "users",
        (): Record<string, { failures: number; until: number; locks: number }> => ({}),
      );
      const user = remembered(users, name!, () => ({ failures: 0, until: -1, locks: 0 }));
      if (twisted && verb === fail ? second <= user.until : second < user.until) return [`locked until ${user.until}`];
      if (verb === login) {
        user.failures = user.locks = 0;
        return ["welcome"];
      }
      user.failures += 1;
      if (user.failures < limit) return [`failures ${user.failures}`];
      user.failures = 0;
      user.until = second + seconds * 2 ** user.locks;
      user.locks += 1;
      return [`locked until ${user.until}`];
    },
    sessions: (random, edge) =>
      times(2, () => {
        const t = random.integer(1, 30);
        const lines = [
          `${fail} ann ${t}`,
          `${login} ann ${t + 1}`,
          ...times(limit, (i) => `${fail} ann ${t + 2 + i}`),
          `${login} ann ${t + limit + 3}`,
        ];
        if (edge) {
          const end = t + 1 + limit + seconds;
          lines.push(
            ...times(limit, () => `${fail} ann ${end}`),
            `${fail} ann ${end + 5}`,
            `${login} ann ${end + seconds * 2}`,
          );
        }
        return [...lines, `${fail} bea ${t + 900}`];
      }),
  };
};
