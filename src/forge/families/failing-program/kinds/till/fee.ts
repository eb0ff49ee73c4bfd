import { Complaint, floorDivide, type MakePart, times } from "../../part.ts";

export const fee: MakePart = (random) => {
  const verb = random.pick(["charge", "fee", "bill"]);
  const [rate, minimum, maximum] = [random.integer(35, 290), random.integer(20, 90), random.integer(400, 900)];
  const rounding = random.pick(["up", "half", "down"] as const);
  const free = random.integer(3, 5);
  const raw = {
    up: `-(-amount * ${rate} // 10000)`,
    half: `(amount * ${rate} + 5000) // 10000`,
    down: `amount * ${rate} // 10000`,
  };
  const words = {
    up: "rounded up to a whole cent",
    half: "rounded to the nearest cent, halves up",
    down: "rounded down to a whole cent",
  };
  return {
    name: "fees",
    shape: "fee-rounding",
    verbs: [verb],
    specification: `\`${verb} AMOUNT\` takes a whole number of cents and prints \`fee F total T\`. The fee is ${rate} hundredths of a percent of the amount, ${words[rounding]}, but at least ${minimum} and at most ${maximum} cents; T is amount plus fee. Every ${free}th \`${verb}\` of a session is free (fee 0). A negative amount is an error: \`negative amount\`.`,
    python: `def ${verb}(state, words):
    amount = int(words[0])
    if amount < 0:
        raise Problem("negative amount")
§count§
§rate§
§bounds§
    if number % ${free} == 0:
        fee = 0
    return [f"fee {fee} total {amount + fee}"]`,
    right: {
      count: `    number = state["charges"] = state.get("charges", 0) + 1`,
      rate: `    fee = ${raw[rounding]}`,
      bounds: `    fee = min(max(fee, ${minimum}), ${maximum})`,
    },
    bugs: [
      {
        level: 1,
        kind: "wrong unit",
        slot: "rate",
        wrong: `    fee = ${raw[rounding].replace(/0000/, "000").replace("5000)", "500)")}`,
      },
      { level: 1, kind: "wrong comparison", slot: "bounds", wrong: `    fee = min(min(fee, ${minimum}), ${maximum})` },
      {
        level: 2,
        kind: "state outlives the session",
        slot: "count",
        wrong: `    CALLS.append(amount)\n    number = len(CALLS)`,
      },
      { level: 3, kind: "missing case", slot: "bounds", wrong: `    fee = max(fee, ${minimum})` },
    ],
    answer(state, _verb, [text], twisted) {
      const amount = Number(text);
      if (amount < 0) throw new Complaint("negative amount");
      state.charges = (state.charges ?? 0) + 1;
      const exact = amount * rate;
      const rounded =
        rounding === "up"
          ? Math.ceil(exact / 10_000)
          : rounding === "half"
            ? floorDivide(exact + 5000, 10_000)
            : floorDivide(exact, 10_000);
      const bounded = twisted ? Math.max(rounded, minimum) : Math.min(Math.max(rounded, minimum), maximum);
      const value = state.charges % free === 0 ? 0 : bounded;
      return [`fee ${value} total ${amount + value}`];
    },
    sessions: (random, edge) =>
      times(3, (i) => [
        `${verb} ${Math.ceil(((minimum + 40) * 10_000) / rate) + random.integer(1, 3000)}`,
        ...(edge ? [`${verb} ${Math.ceil(((maximum + 50) * 10_000) / rate) + random.integer(0, 90_000)}`] : []),
        ...times(free + i - 1, () => `${verb} ${random.integer(1, Math.floor(((maximum - 10) * 10_000) / rate))}`),
      ]),
  };
};
