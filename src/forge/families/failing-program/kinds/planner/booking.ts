import { Complaint, type MakePart, remembered, times } from "../../part.ts";

export const booking: MakePart = (random) => {
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
