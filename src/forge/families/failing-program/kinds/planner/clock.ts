import { Complaint, type MakePart, times } from "../../part.ts";

export const clock: MakePart = (random) => {
  const [plus, between] = random.pick([
    ["plus", "between"],
    ["shift", "gap"],
    ["later", "span"],
  ] as const);
  const long = random.boolean();
  return {
    name: "clock",
    shape: "clock-arithmetic",
    verbs: [plus, between],
    specification: `\`${plus} HH:MM MINUTES\` prints the time of day that many minutes later (MINUTES may be negative) as HH:MM, followed by \` (+N)\` or \` (-N)\` when it falls N days later or earlier. \`${between} HH:MM HH:MM\` prints the minutes from the first time to the second, which lies on the next day when it is earlier${long ? " or equal (then 1440)" : "; equal times give 0"}. Hours beyond 23 or minutes beyond 59 are an error: \`bad time\`.`,
    python: `def minutes(text):
    hour, minute = map(int, text.split(":"))
§valid§
        raise Problem("bad time")
§minutes§


def ${plus}(state, words):
§divide§
§format§
    return [text + (f" ({days:+d})" if days else "")]


def ${between}(state, words):
    first, second = minutes(words[0]), minutes(words[1])
§equal§
        second += 1440
    return [str(second - first)]`,
    right: {
      valid: "    if not (0 <= hour <= 23 and 0 <= minute <= 59):",
      minutes: "    return hour * 60 + minute",
      divide: "    days, rest = divmod(minutes(words[0]) + int(words[1]), 1440)",
      format: `    text = f"{rest // 60:02d}:{rest % 60:02d}"`,
      equal: long ? "    if second <= first:" : "    if second < first:",
    },
    bugs: [
      { level: 1, kind: "wrong format", slot: "format", wrong: `    text = f"{rest // 60}:{rest % 60}"` },
      { level: 1, kind: "wrong unit", slot: "minutes", wrong: "    return hour * 100 + minute" },
      {
        level: 3,
        kind: "wrong comparison",
        slot: "equal",
        wrong: long ? "    if second < first:" : "    if second <= first:",
      },
      {
        level: 3,
        kind: "wrong rounding",
        slot: "divide",
        wrong: "    total = minutes(words[0]) + int(words[1])\n    days, rest = int(total / 1440), abs(total) % 1440",
      },
    ],
    answer(_state, verb, [first, second], twisted) {
      const read = (text: string) => {
        const [hour, minute] = text.split(":").map(Number) as [number, number];
        if (hour > 23 || minute > 59) throw new Complaint("bad time");
        return hour * 60 + minute;
      };
      if (verb === between) {
        const [a, b] = [read(first!), read(second!)];
        return [String((long !== twisted ? b <= a : b < a) ? b + 1440 - a : b - a)];
      }
      const total = read(first!) + Number(second);
      const days = Math.floor(total / 1440);
      const rest = total - days * 1440;
      const two = (n: number) => String(n).padStart(2, "0");
      return [`${two(Math.floor(rest / 60))}:${two(rest % 60)}${days === 0 ? "" : ` (${days > 0 ? "+" : ""}${days})`}`];
    },
    sessions: (random, edge) => {
      const time = () =>
        `${String(random.integer(1, 23)).padStart(2, "0")}:${String(random.integer(0, 59)).padStart(2, "0")}`;
      return times(2, () => [
        `${plus} 07:0${random.integer(0, 5)} ${random.integer(62, 64)}`,
        ...times(3, () => `${plus} ${time()} ${random.integer(30, 3000)}`),
        `${between} 2${random.integer(0, 3)}:10 0${random.integer(1, 9)}:05`,
        `${between} 01:05 ${random.integer(10, 23)}:30`,
        `${plus} 24:00 1`,
        ...(edge
          ? [
              `${between} 12:30 12:30`,
              `${plus} 00:20 -${random.integer(25, 700)}`,
              `${plus} ${time()} -${random.integer(1500, 4000)}`,
            ]
          : []),
      ]);
    },
  };
};
