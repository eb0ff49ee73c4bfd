import { type MakeFeature, settings } from "../feature.ts";

/** Jobs that run every so often within a part of the day. */
export const schedule: MakeFeature = (random) => {
  const names = random.sample(["backup", "digest", "prune", "rotate", "sync", "verify"], 3);
  const table = names.map((name, i) => {
    const every = random.pick([10, 15, 20, 30, 60, 120]);
    return {
      name,
      every,
      offset: random.integer(0, 2) * 5,
      from: 6 + i + random.integer(0, 2),
      to: 15 + i + random.integer(0, 3),
    };
  });
  const two = (n: number) => String(n).padStart(2, "0");
  const span = (minutes: number) => (minutes % 60 === 0 ? `${minutes / 60}h` : `${minutes}m`);
  const verb = random.pick(["DUE", "RUNS", "AT"]);
  const first = table[0]!;
  const due = (clock: string) => {
    const [hour, minute] = clock.split(":").map(Number) as [number, number];
    const now = hour * 60 + minute;
    return (
      table
        .filter(({ every, offset, from, to }) => now >= from * 60 && now < to * 60 && now % every === offset % every)
        .map(({ name }) => name)
        .sort()
        .join(" ") || "nothing"
    );
  };
  const moments = table.flatMap(({ every, offset, from, to }) => {
    const start = Math.ceil((from * 60 - offset) / every) * every + offset;
    return [
      start,
      start + every,
      start + every + 1,
      from * 60 - every + offset,
      to * 60,
      Math.floor((to * 60 - 1 - offset) / every) * every + offset,
    ];
  });
  return {
    name: "schedule",
    shape: "due-jobs",
    wanted: table.flatMap(({ name, every, offset, from, to }) =>
      settings(`job ${name}`, { every: span(every), offset: `${offset}m`, window: `${two(from)}:00-${two(to)}:00` }),
    ),
    targets: [
      { section: `job ${first.name}`, key: "every", wrong: span(first.every * 2) },
      {
        section: `job ${table[1]!.name}`,
        key: "window",
        wrong: `${two(table[1]!.from + 2)}:00-${two(table[1]!.to)}:00`,
      },
      { section: `job ${table[2]!.name}`, key: "offset", wrong: `${table[2]!.offset + 3}m` },
    ],
    demand: `The jobs: ${table.map(({ name, every, offset, from, to }) => `\`${name}\` every ${every} minutes${offset ? `, ${offset} minutes after the round time,` : ""} from ${two(from)}:00 until before ${two(to)}:00`).join("; ")}.`,
    manual: `Each \`[job NAME]\` has \`every\` and \`offset\` (lengths of time) and \`window\` (\`HH:MM-HH:MM\`, the end excluded). A job is due at a minute inside its window whose count from midnight, modulo \`every\`, equals \`offset\` modulo \`every\`. \`${verb} HH:MM\` answers the names of the jobs due then in alphabetical order, or \`nothing\`.`,
    schema: `("job", "*"): {"every": duration, "offset": duration, "window": window}`,
    verbs: { [verb]: "due" },
    python: `    def due(self, words):
        hour, minute = words[0].split(":")
        now = int(hour) * 60 + int(minute)
        names = []
        for name, values in self.sections.items():
            if name.startswith("job ") and values["window"][0] <= now < values["window"][1]:
                every = values["every"] // 60
                if now % every == values["offset"] // 60 % every:
                    names.append(name[4:])
        return " ".join(sorted(names)) or "nothing"`,
    probes: [...new Set(moments.map((minute) => `${verb} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`))],
    answer: (probe) => due(probe.split(" ")[1]!),
  };
};
