import { Complaint, floorDivide, type MakePart, times } from "../../part.ts";

export const split: MakePart = (random) => {
  const verb = random.pick(["split", "share", "divide"]);
  const last = random.boolean();
  return {
    name: "shares",
    shape: "remainder-distribution",
    verbs: [verb],
    specification: `\`${verb} AMOUNT NAME…\` prints one line \`NAME PART\` for each name, in the order given. The parts are whole cents, add up to AMOUNT and differ by at most one; the larger ones go to the ${last ? "last" : "first"} names. A negative AMOUNT (a refund) is split like the positive one, with a minus before each part that isn't 0. No name is an error: \`nobody\`.`,
    python: `def ${verb}(state, words):
    amount, names = int(words[0]), words[1:]
    if not names:
        raise Problem("nobody")
§sign§
    part, rest = divmod(amount, len(names))
    lines = []
    for position, name in enumerate(names):
§extra§
        lines.append(f"{name} {sign * (part + extra)}")
    return lines`,
    right: {
      sign: "    sign = -1 if amount < 0 else 1\n    amount = abs(amount)",
      extra: last
        ? "        extra = 1 if position >= len(names) - rest else 0"
        : "        extra = 1 if position < rest else 0",
    },
    bugs: [
      { level: 1, kind: "missing case", slot: "extra", wrong: "        extra = 0" },
      {
        level: 1,
        kind: "off by one",
        slot: "extra",
        wrong: last
          ? "        extra = 1 if position > len(names) - rest else 0"
          : "        extra = 1 if position <= rest else 0",
      },
      { level: 3, kind: "missing case", slot: "sign", wrong: "    sign = 1" },
    ],
    answer(_state, _verb, [text, ...names], twisted) {
      if (names.length === 0) throw new Complaint("nobody");
      const given = Number(text);
      const sign = !twisted && given < 0 ? -1 : 1;
      const amount = twisted ? given : Math.abs(given);
      const part = floorDivide(amount, names.length);
      const rest = amount - part * names.length;
      return names.map((name, i) => {
        const value = sign * (part + ((last ? i >= names.length - rest : i < rest) ? 1 : 0));
        return `${name} ${value === 0 ? 0 : value}`;
      });
    },
    sessions: (random, edge) => {
      const names = random.sample(["ann", "bo", "cy", "dee", "eli", "flo"], 5);
      return times(2, () => [
        ...times(3, (i) => `${verb} ${random.integer(50, 900) * (3 + i) + 2} ${names.slice(0, 3 + i).join(" ")}`),
        ...(edge
          ? times(3, (i) => `${verb} -${random.integer(50, 900) * (3 + i) + 1} ${names.slice(0, 3 + i).join(" ")}`)
          : []),
        `${verb} 10`,
      ]);
    },
  };
};
