import { type MakePart, remembered, times } from "../../part.ts";

export const order: MakePart = (random) => {
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
