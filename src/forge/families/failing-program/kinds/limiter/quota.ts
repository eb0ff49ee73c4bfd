import { Complaint, type MakePart, remembered, times } from "../../part.ts";

export const quota: MakePart = (random) => {
  const [use, left] = random.pick([
    ["use", "left"],
    ["spend", "remaining"],
    ["count", "rest"],
  ] as const);
  const allowance = random.integer(8, 30);
  const hours = random.integer(1, 11);
  return {
    name: "quota",
    shape: "period-reset",
    verbs: [use, left],
    specification: `Each key may use ${allowance} units a day; a day begins at ${hours}:00, so hour H (counted from 0, without end) belongs to day floor((H - ${hours}) / 24). \`${use} KEY HOUR UNITS\` prints \`ok N\` (N: units used that day) or \`over N\`, N being what was used before; then nothing is used. Reaching exactly ${allowance} is allowed. \`${left} KEY HOUR\` prints \`left N\`. Units below 1 are an error: \`bad units\`.`,
    python: `def day_of(hour):
§day§


def ${use}(state, words):
    key, hour, units = words[0], int(words[1]), int(words[2])
    if units < 1:
        raise Problem("bad units")
    used = state.setdefault("used", {})
    before = used.get((key, day_of(hour)), 0)
§over§
        return [f"over {before}"]
    used[key, day_of(hour)] = before + units
    return [f"ok {before + units}"]


def ${left}(state, words):
    used = state.get("used", {})
§left§`,
    right: {
      day: `    return (hour - ${hours}) // 24`,
      over: `    if before + units > ${allowance}:`,
      left: `    return [f"left {${allowance} - used.get((words[0], day_of(int(words[1]))), 0)}"]`,
    },
    bugs: [
      { level: 1, kind: "wrong constant", slot: "over", wrong: `    if before + units > ${allowance - 3}:` },
      {
        level: 1,
        kind: "wrong value",
        slot: "left",
        wrong: `    return [f"left {used.get((words[0], day_of(int(words[1]))), 0)}"]`,
      },
      { level: 3, kind: "off by one", slot: "over", wrong: `    if before + units >= ${allowance}:` },
      { level: 3, kind: "wrong boundary", slot: "day", wrong: `    return hour // 24` },
    ],
    answer(state, verb, [key, at, count], twisted) {
      const day = Math.floor((Number(at) - hours) / 24);
      const used = remembered(state, "used", (): Record<string, number> => ({}));
      const slot = `${key} ${day}`;
      if (verb === left) return [`left ${allowance - (used[slot] ?? 0)}`];
      const units = Number(count);
      if (units < 1) throw new Complaint("bad units");
      const before = used[slot] ?? 0;
      if (twisted ? before + units >= allowance : before + units > allowance) return [`over ${before}`];
      used[slot] = before + units;
      return [`ok ${before + units}`];
    },
    sessions: (random, edge) =>
      times(2, () => [
        `${use} m 13 ${allowance - 4}`,
        `${use} m 14 2`,
        `${left} m 15`,
        `${use} m 15 9`,
        `${use} n 14 0`,
        `${use} m 38 ${random.integer(1, 4)}`,
        ...(edge
          ? [
              `${use} p 40 ${allowance}`,
              `${left} p 41`,
              `${use} q ${48 + hours - 1} 2`,
              `${use} q ${48 + hours} 3`,
              `${left} q ${48 + hours - 1}`,
            ]
          : []),
      ]),
  };
};
