import { Complaint, floorDivide, type MakePart, times } from "../../part.ts";

export const interest: MakePart = (random) => {
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
