import { Complaint, type MakePart, times } from "../../part.ts";

export const every: MakePart = (random) => {
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
