import { Complaint, type MakePart, remembered, times } from "../../part.ts";

export const account: MakePart = (random) => {
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
