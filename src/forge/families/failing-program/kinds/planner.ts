import { Complaint, type MakePart, remembered, times } from "../part.ts";

const order: MakePart = (random) => {
  const [job, plan] = random.pick([
    ["job", "plan"],
    ["task", "agenda"],
    ["item", "queue"],
  ] as const);
  const gap = random.integer(0, 4);
  return {
    name: "ordering",
    shape: "priority-schedule",
    verbs: [job, plan],
    specification: `\`${job} NAME PRIORITY MINUTES\` adds a job and prints nothing. \`${plan}\` prints all jobs of the session as \`START-END NAME\` (minutes from 0): the highest PRIORITY first, jobs of equal priority in the order in which they were added. Between two jobs lies a pause of ${gap} minutes.`,
    python: `def ${job}(state, words):
    jobs = state.setdefault("jobs", [])
    jobs.append((words[0], int(words[1]), int(words[2])))
§after§
    return []


def ${plan}(state, words):
    if "plan" not in state:
        lines, start = [], 0
§sort§
            lines.append(f"{start}-{start + minutes} {name}")
§next§
        state["plan"] = lines
    return state["plan"]`,
    right: {
      after: `    state.pop("plan", None)`,
      sort: `        for name, _, minutes in sorted(state.get("jobs", []), key=lambda job: -job[1]):`,
      next: `            start += minutes + ${gap}`,
    },
    bugs: [
      {
        level: 1,
        kind: "wrong order",
        slot: "sort",
        wrong: `        for name, _, minutes in sorted(state.get("jobs", []), key=lambda job: job[1]):`,
      },
      { level: 1, kind: "wrong constant", slot: "next", wrong: `            start += minutes + ${gap + 1}` },
      { level: 2, kind: "stale cache", slot: "after", wrong: `    state["count"] = len(jobs)` },
      {
        level: 3,
        kind: "wrong tie",
        slot: "sort",
        wrong: `        for name, _, minutes in sorted(state.get("jobs", []), key=lambda job: (-job[1], job[0])):`,
      },
    ],
    answer(state, verb, [name, priority, minutes], twisted) {
      const jobs: { name: string; priority: number; minutes: number }[] = remembered(state, "jobs", () => []);
      if (verb === job) {
        jobs.push({ name: name!, priority: Number(priority), minutes: Number(minutes) });
        return [];
      }
      const sorted = [...jobs].sort((a, b) => b.priority - a.priority || (twisted ? (a.name < b.name ? -1 : 1) : 0));
      let start = 0;
      return sorted.map((entry) => {
        const line = `${start}-${start + entry.minutes} ${entry.name}`;
        start += entry.minutes + gap;
        return line;
      });
    },
    sessions: (random, edge) =>
      times(2, () => {
        const names = random.shuffle(["wash", "pack", "load", "sort", "scan"]);
        return [
          ...names
            .slice(0, 4)
            .map((name, i) => `${job} ${name} ${10 + i * 3 + random.integer(0, 2)} ${random.integer(2, 40)}`),
          plan,
          `${job} ${names[4]} 90 ${random.integer(2, 40)}`,
          plan,
          ...(edge ? [`${job} zip 50 5`, `${job} tag 50 ${random.integer(2, 9)}`, `${job} add 50 7`, plan] : []),
        ];
      }),
  };
};

const every: MakePart = (random) => {
  const verb = random.pick(["next", "upcoming", "after"]);
  const count = random.integer(2, 4);
  return {
    name: "recurrence",
    shape: "recurrence",
    verbs: [verb],
    specification: `\`${verb} STEP OFFSET MINUTE\` prints the next ${count} minutes, on one line with blanks between, at which something happens that runs every STEP minutes beginning at minute OFFSET: the first of them is strictly later than MINUTE and never before OFFSET. A STEP below 1 is an error: \`bad step\`.`,
    python: `def ${verb}(state, words):
    step, offset, minute = int(words[0]), int(words[1]), int(words[2])
    if step < 1:
        raise Problem("bad step")
§early§
§first§
§print§`,
    right: {
      early: `    first = offset`,
      first: `    if minute >= offset:\n        first = offset + ((minute - offset) // step + 1) * step`,
      print: `    return [" ".join(str(first + step * i) for i in range(${count}))]`,
    },
    bugs: [
      {
        level: 1,
        kind: "missing term",
        slot: "first",
        wrong: `    if minute >= offset:\n        first = (minute // step + 1) * step`,
      },
      {
        level: 1,
        kind: "off by one",
        slot: "print",
        wrong: `    return [" ".join(str(first + step * i) for i in range(${count + 1}))]`,
      },
      {
        level: 3,
        kind: "off by one",
        slot: "first",
        wrong: `    if minute >= offset:\n        first = offset + -((offset - minute) // step) * step`,
      },
      {
        level: 3,
        kind: "wrong comparison",
        slot: "first",
        wrong: `    if minute > offset:\n        first = offset + ((minute - offset) // step + 1) * step`,
      },
    ],
    answer(_state, _verb, words, twisted) {
      const [step, offset, minute] = words.map(Number) as [number, number, number];
      if (step < 1) throw new Complaint("bad step");
      let first = offset;
      if (minute >= offset)
        first = twisted
          ? offset + Math.ceil((minute - offset) / step) * step
          : offset + (Math.floor((minute - offset) / step) + 1) * step;
      return [times(count, (i) => first + step * i).join(" ")];
    },
    sessions: (random, edge) =>
      times(2, () => [
        ...times(4, () => {
          const [step, offset] = [random.integer(7, 50), random.integer(1, 6)];
          return `${verb} ${step} ${offset} ${offset + step * random.integer(1, 9) + random.integer(1, 5)}`;
        }),
        `${verb} 15 ${random.integer(40, 90)} 7`,
        `${verb} 0 1 2`,
        ...(edge
          ? [`${verb} 10 5 35`, `${verb} ${random.integer(6, 40)} 9 9`, `${verb} 12 3 ${3 + 12 * random.integer(1, 7)}`]
          : []),
      ]),
  };
};

const dependencies: MakePart = (random) => {
  const [step, sequence] = random.pick([
    ["step", "sequence"],
    ["stage", "route"],
    ["unit", "chain"],
  ] as const);
  return {
    name: "dependencies",
    shape: "topological-order",
    verbs: [step, sequence],
    specification: `\`${step} NAME\` or \`${step} NAME after A,B\` adds a step and prints nothing; a step named again gains the further ones that it waits for. \`${sequence}\` prints all steps on one line, each after the steps that it waits for; whenever several could come next, the first in alphabetical order comes. A step that was only named after \`after\` is a step too. When that can't be done: the error \`cycle\`.`,
    python: `def ${step}(state, words):
    needs = state.setdefault("needs", {})
    wanted = words[2].split(",") if len(words) > 2 else []
§add§
§mention§
    return []


def ${sequence}(state, words):
    needs = {name: set(others) for name, others in state.get("needs", {}).items()}
    line = []
    while needs:
        ready = [name for name, others in needs.items() if not others§done§]
        if not ready:
            raise Problem("cycle")
§choose§
        del needs[name]
        line.append(name)
    return [" ".join(line)]`,
    right: {
      add: `    needs.setdefault(words[0], set()).update(wanted)`,
      mention: `    for other in wanted:\n        needs.setdefault(other, set())`,
      done: " - set(line)",
      choose: "        name = min(ready)",
    },
    bugs: [
      { level: 1, kind: "wrong order", slot: "choose", wrong: "        name = max(ready)" },
      { level: 1, kind: "missing case", slot: "mention", wrong: `    needs.update({})` },
      { level: 3, kind: "overwritten value", slot: "add", wrong: `    needs[words[0]] = set(wanted)` },
    ],
    answer(state, verb, [name, , list], twisted) {
      const needs: Map<string, Set<string>> = remembered(state, "needs", () => new Map());
      if (verb === step) {
        const wanted = list ? list.split(",") : [];
        needs.set(name!, new Set([...(twisted ? [] : (needs.get(name!) ?? [])), ...wanted]));
        for (const other of wanted) if (!needs.has(other)) needs.set(other, new Set());
        return [];
      }
      const left = new Map(needs);
      const line: string[] = [];
      while (left.size > 0) {
        const ready = [...left]
          .filter(([, others]) => [...others].every((other) => line.includes(other)))
          .map(([who]) => who)
          .sort();
        if (ready.length === 0) throw new Complaint("cycle");
        left.delete(ready[0]!);
        line.push(ready[0]!);
      }
      return [line.join(" ")];
    },
    sessions: (random, edge) =>
      times(2, () => {
        const [a, b, c, d, e] = random.shuffle(["ash", "box", "cut", "dye", "eel", "fig"]) as [
          string,
          string,
          string,
          string,
          string,
        ];
        return [
          `${step} ${a} after ${b},${c}`,
          `${step} ${d}`,
          `${step} ${b} after ${e}`,
          sequence,
          ...(edge ? [`${step} xan after yew`, `${step} abc after zzz`, `${step} abc after ${d}`, sequence] : []),
          `${step} ${e} after ${a}`,
          sequence,
        ];
      }),
  };
};

const booking: MakePart = (random) => {
  const [book, cancel] = random.pick([
    ["book", "release"],
    ["reserve", "free"],
    ["hold", "drop"],
  ] as const);
  const rooms = random.integer(2, 3);
  return {
    name: "booking",
    shape: "interval-allocation",
    verbs: [book, cancel],
    specification: `\`${book} NAME START END\` gives the booking the lowest room (1 to ${rooms}) that is free from START up to, but not including, END, and prints \`room N\`; when none is free, \`full\`. END must be after START, else the error \`bad times\`. \`${cancel} NAME\` ends all bookings of that name and prints \`freed K\`, K being how many there were.`,
    python: `def ${book}(state, words):
    name, start, end = words[0], int(words[1]), int(words[2])
§check§
        raise Problem("bad times")
§store§
§rooms§
§overlap§
            taken.append((room, name, start, end))
            return [f"room {room}"]
    return ["full"]


def ${cancel}(state, words):
    taken = state.setdefault("taken", [])
    kept = [entry for entry in taken if entry[1] != words[0]]
§freed§`,
    right: {
      check: "    if end <= start:",
      store: `    taken = state.setdefault("taken", [])`,
      rooms: `    for room in range(1, ${rooms + 1}):`,
      overlap:
        "        if not any(room == other and start < until and since < end for other, _, since, until in taken):",
      freed: `    freed = len(taken) - len(kept)\n    taken[:] = kept\n    return [f"freed {freed}"]`,
    },
    bugs: [
      { level: 1, kind: "off by one", slot: "rooms", wrong: `    for room in range(1, ${rooms}):` },
      {
        level: 1,
        kind: "statements swapped",
        slot: "freed",
        wrong: `    taken[:] = kept\n    freed = len(taken) - len(kept)\n    return [f"freed {freed}"]`,
      },
      {
        level: 2,
        kind: "state outlives the session",
        slot: "store",
        wrong: `    taken = state["taken"] = CALLS.setdefault("taken", [])`,
      },
      {
        level: 3,
        kind: "wrong comparison",
        slot: "overlap",
        wrong:
          "        if not any(room == other and start <= until and since <= end for other, _, since, until in taken):",
      },
      { level: 3, kind: "wrong comparison", slot: "check", wrong: "    if end < start:" },
    ],
    answer(state, verb, [name, from, to], twisted) {
      const taken: { room: number; name: string; start: number; end: number }[] = remembered(state, "taken", () => []);
      if (verb === cancel) {
        const kept = taken.filter((entry) => entry.name !== name);
        state.taken = kept;
        return [`freed ${taken.length - kept.length}`];
      }
      const [start, end] = [Number(from), Number(to)];
      if (end <= start) throw new Complaint("bad times");
      for (let room = 1; room <= rooms; room++) {
        const clash = taken.some(
          (entry) =>
            entry.room === room &&
            (twisted ? start <= entry.end && entry.start <= end : start < entry.end && entry.start < end),
        );
        if (clash) continue;
        taken.push({ room, name: name!, start, end });
        return [`room ${room}`];
      }
      return ["full"];
    },
    sessions: (random, edge) =>
      times(2, () => {
        const t = random.integer(1, 15);
        return [
          ...times(rooms + 1, (i) => `${book} ${["ann", "bo", "cy", "dee"][i]} ${t + i} ${t + 20 + i}`),
          `${cancel} bo`,
          `${book} eli ${t + 8} ${t + 30}`,
          `${cancel} nobody`,
          ...(edge
            ? [
                `${book} fox 300 310`,
                `${book} gil 310 320`,
                `${book} hal 290 300`,
                `${book} ida 305 ${random.integer(306, 330)}`,
                `${book} jan 400 400`,
              ]
            : []),
          `${book} kim 9 3`,
        ];
      }),
  };
};

const clock: MakePart = (random) => {
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

export const planner = {
  id: "planner",
  title: "a planner for a workshop",
  names: ["planner", "dispatch", "agenda", "roster"],
  parts: [order, every, dependencies, booking, clock],
};
