import { Complaint, floorDivide, type MakePart, remembered, times } from "../part.ts";

const fee: MakePart = (random) => {
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

const account: MakePart = (random) => {
  const [put, take] = random.pick([
    ["deposit", "withdraw"],
    ["credit", "debit"],
    ["load", "spend"],
  ] as const);
  const limit = random.integer(2, 30) * 50;
  return {
    name: "accounts",
    shape: "limit-decision",
    verbs: [put, take],
    specification: `\`${put} NAME AMOUNT\` and \`${take} NAME AMOUNT\` change an account, which begins at 0, and print \`NAME BALANCE\`. An account may go down to -${limit}, that value included; a \`${take}\` that would go below is an error, \`limit exceeded\`, and changes nothing. An amount of 0 or less is an error: \`bad amount\`.`,
    python: `§store§


def ${put}(state, words):
    name, amount = words[0], int(words[1])
    if amount <= 0:
        raise Problem("bad amount")
    accounts = balances(state)
§add§
    return [f"{name} {accounts[name]}"]


def ${take}(state, words):
    name, amount = words[0], int(words[1])
§amount§
        raise Problem("bad amount")
    accounts = balances(state)
    balance = accounts.get(name, 0) - amount
§limit§
        raise Problem("limit exceeded")
    accounts[name] = balance
    return [f"{name} {balance}"]`,
    right: {
      store: `def balances(state):\n    return state.setdefault("accounts", {})`,
      add: `    accounts[name] = accounts.get(name, 0) + amount`,
      limit: `    if balance < -${limit}:`,
      amount: "    if amount <= 0:",
    },
    bugs: [
      { level: 1, kind: "missing case", slot: "add", wrong: `    accounts[name] = amount` },
      { level: 1, kind: "wrong sign", slot: "limit", wrong: `    if balance < ${limit}:` },
      {
        level: 2,
        kind: "mutable default",
        slot: "store",
        wrong: "def balances(state, accounts={}):\n    return accounts",
      },
      { level: 3, kind: "off by one", slot: "limit", wrong: `    if balance <= -${limit}:` },
    ],
    answer(state, verb, [name, text], twisted) {
      const amount = Number(text);
      if (amount <= 0) throw new Complaint("bad amount");
      const accounts = remembered(state, "accounts", (): Record<string, number> => ({}));
      const balance = (accounts[name!] ?? 0) + (verb === put ? amount : -amount);
      if (verb === take && (twisted ? balance <= -limit : balance < -limit)) throw new Complaint("limit exceeded");
      accounts[name!] = balance;
      return [`${name} ${balance}`];
    },
    sessions: (random, edge) =>
      times(3, () => {
        const [a, b] = random.sample(["ann", "bo", "cy"], 2);
        const [first, second, spent] = [random.integer(100, 900), random.integer(10, 90), random.integer(20, 90)];
        return [
          `${put} ann ${first}`,
          `${put} ann ${second}`,
          `${take} ann ${spent}`,
          `${put} ${a} 0`,
          ...(edge ? [`${take} dee ${limit}`, `${take} eve ${limit - 1}`, `${take} eve 1`, `${take} eve 1`] : []),
          `${take} ${b} ${random.integer(1, limit - 1)}`,
          `${take} ann ${first + second + limit + 40}`,
        ];
      }),
  };
};

const interest: MakePart = (random) => {
  const verb = random.pick(["interest", "accrue", "earn"]);
  const [rate, penalty, basis] = [random.integer(12, 48) * 10, random.integer(70, 120) * 10, random.pick([360, 365])];
  return {
    name: "interest",
    shape: "signed-rounding",
    verbs: [verb],
    specification: `\`${verb} BALANCE DAYS\` prints \`interest I\`: BALANCE × rate × DAYS / (${basis} × 10000) cents, cut towards zero. The rate is ${rate} for a balance of 0 or more and ${penalty} for a negative one (then I is negative or 0). DAYS is counted up to ${basis} at most. DAYS below 0 is an error: \`bad days\`.`,
    python: `def ${verb}(state, words):
    balance, days = int(words[0]), int(words[1])
    if days < 0:
        raise Problem("bad days")
§days§
§rate§
§value§
    return [f"interest {value}"]`,
    right: {
      days: `    days = min(days, ${basis})`,
      rate: `    rate = ${rate} if balance >= 0 else ${penalty}`,
      value: `    value = abs(balance) * rate * days // (${basis} * 10000)\n    if balance < 0:\n        value = -value`,
    },
    bugs: [
      {
        level: 1,
        kind: "wrong unit",
        slot: "value",
        wrong: `    value = abs(balance) * rate * days // (${basis} * 1000)\n    if balance < 0:\n        value = -value`,
      },
      { level: 1, kind: "wrong constant", slot: "days", wrong: `    days = min(days, 30)` },
      {
        level: 3,
        kind: "wrong rounding",
        slot: "value",
        wrong: `    value = balance * rate * days // (${basis} * 10000)`,
      },
      { level: 3, kind: "missing case", slot: "rate", wrong: `    rate = ${rate}` },
    ],
    answer(_state, _verb, [first, second], twisted) {
      const [balance, given] = [Number(first), Number(second)];
      if (given < 0) throw new Complaint("bad days");
      const days = Math.min(given, basis);
      const scaled = Math.abs(balance) * (balance >= 0 ? rate : penalty) * days;
      const unsigned = floorDivide(scaled, basis * 10_000);
      const value = balance >= 0 ? unsigned : twisted ? floorDivide(-scaled, basis * 10_000) : -unsigned;
      return [`interest ${value === 0 ? 0 : value}`];
    },
    sessions: (random, edge) =>
      times(2, () => [
        ...times(
          4,
          (i) =>
            `${verb} ${random.integer(20_000, 900_000)} ${i === 0 ? random.integer(90, 340) : random.integer(1, 400)}`,
        ),
        ...(edge ? times(4, () => `${verb} -${random.integer(20_000, 90_000)} ${random.integer(31, 399)}`) : []),
        `${verb} 100 -1`,
      ]),
  };
};

const split: MakePart = (random) => {
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

const ranking: MakePart = (random) => {
  const [add, top] = random.pick([
    ["sale", "best"],
    ["score", "leaders"],
    ["vote", "top"],
  ] as const);
  return {
    name: "ranking",
    shape: "ranked-listing",
    verbs: [add, top],
    specification: `\`${add} NAME POINTS\` adds points and prints nothing. \`${top} K\` prints the first K names as \`PLACE. NAME SUM\`: largest sum first, equal sums by name; fewer lines when there are fewer names. It always reflects everything said before it.`,
    python: `def ${add}(state, words):
    sums = state.setdefault("sums", {})
    sums[words[0]] = sums.get(words[0], 0) + int(words[1])
§after§
    return []


def ${top}(state, words):
    if "ranked" not in state:
        sums = state.get("sums", {})
§sort§
    return [f"{place}. {name} {total}" for place, (name, total) in enumerate(state["ranked"]§cut§, 1)]`,
    right: {
      after: `    state.pop("ranked", None)`,
      sort: `        state["ranked"] = sorted(sums.items(), key=lambda item: (-item[1], item[0]))`,
      cut: "[: int(words[0])]",
    },
    bugs: [
      {
        level: 1,
        kind: "wrong order",
        slot: "sort",
        wrong: `        state["ranked"] = sorted(sums.items(), key=lambda item: (item[1], item[0]))`,
      },
      { level: 1, kind: "off by one", slot: "cut", wrong: "[: int(words[0]) - 1]" },
      { level: 2, kind: "stale cache", slot: "after", wrong: `    state.setdefault("changes", []).append(words[0])` },
      {
        level: 3,
        kind: "wrong tie",
        slot: "sort",
        wrong: `        state["ranked"] = sorted(sums.items(), key=lambda item: -item[1])`,
      },
    ],
    answer(state, verb, [name, points], twisted) {
      const sums: Map<string, number> = remembered(state, "sums", () => new Map());
      if (verb === add) {
        sums.set(name!, (sums.get(name!) ?? 0) + Number(points));
        return [];
      }
      const order = [...sums].sort((a, b) => b[1] - a[1] || (twisted ? 0 : a[0] < b[0] ? -1 : 1));
      return order.slice(0, Number(name)).map(([who, total], i) => `${i + 1}. ${who} ${total}`);
    },
    sessions: (random, edge) =>
      times(2, () => {
        const names = random.shuffle(["mia", "noa", "ole", "pia", "quy"]);
        return [
          ...names.map((name, i) => `${add} ${name} ${10 + i * 7 + random.integer(0, 5)}`),
          `${top} 3`,
          `${add} ${names[0]} 200`,
          `${top} 4`,
          ...(edge ? [`${add} zoe 500`, `${add} yan 500`, `${add} abe 500`, `${top} 9`] : []),
        ];
      }),
  };
};

export const till = {
  id: "till",
  title: "a till for a small shop",
  names: ["till", "kassa", "cashbook", "tally"],
  parts: [fee, account, interest, split, ranking],
};
