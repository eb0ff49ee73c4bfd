import { type MakePart, remembered, times } from "../../part.ts";

export const bucket: MakePart = (random) => {
  const verb = random.pick(["take", "draw", "consume"]);
  const [capacity, refill] = [random.integer(6, 20), random.integer(1, 3)];
  return {
    name: "bucket",
    shape: "token-bucket",
    verbs: [verb],
    specification: `\`${verb} KEY SECOND COST\`: each key has a bucket that begins full with ${capacity} tokens and gains ${refill} a second, never above ${capacity}. When it has COST tokens they are taken and \`left N\` is printed; otherwise \`wait S\`, the fewest whole seconds after which it would have them, and nothing is taken. A COST above ${capacity} can never be met: \`never\`.`,
    python: `def ${verb}(state, words):
    key, second, cost = words[0], int(words[1]), int(words[2])
§never§
    buckets = state.setdefault("buckets", {})
    tokens, then = buckets.get(key, (${capacity}, second))
§refill§
    if tokens >= cost:
        buckets[key] = (tokens - cost, second)
        return [f"left {tokens - cost}"]
    buckets[key] = (tokens, second)
§wait§`,
    right: {
      never: `    if cost > ${capacity}:\n        return ["never"]`,
      refill: `    tokens = min(${capacity}, tokens + (second - then) * ${refill})`,
      wait: `    return [f"wait {-((tokens - cost) // ${refill})}"]`,
    },
    bugs: [
      { level: 1, kind: "missing bound", slot: "refill", wrong: `    tokens = tokens + (second - then) * ${refill}` },
      {
        level: 1,
        kind: "wrong constant",
        slot: "refill",
        wrong: `    tokens = min(${capacity}, tokens + (second - then) * ${refill + 1})`,
      },
      { level: 3, kind: "missing case", slot: "never", wrong: "    cost = abs(cost)" },
      { level: 3, kind: "off by one", slot: "wait", wrong: `    return [f"wait {(cost - tokens) // ${refill} + 1}"]` },
    ],
    answer(state, _verb, [key, at, price], twisted) {
      const [second, cost] = [Number(at), Number(price)];
      if (!twisted && cost > capacity) return ["never"];
      const buckets = remembered(state, "buckets", (): Record<string, [number, number]> => ({}));
      const [old, then] = buckets[key!] ?? [capacity, second];
      const tokens = Math.min(capacity, old + (second - then) * refill);
      if (tokens >= cost) {
        buckets[key!] = [tokens - cost, second];
        return [`left ${tokens - cost}`];
      }
      buckets[key!] = [tokens, second];
      return [`wait ${Math.ceil((cost - tokens) / refill)}`];
    },
    sessions: (random, edge) =>
      times(2, () => {
        const start = random.integer(1, 20);
        return [
          `${verb} a ${start} ${capacity - 2}`,
          `${verb} a ${start + 1} 1`,
          `${verb} b ${start + 2} 3`,
          `${verb} b ${start + 60} 2`,
          `${verb} a ${start + 61} ${random.integer(1, 4)}`,
          ...(edge
            ? [
                `${verb} c ${start + 70} ${capacity}`,
                ...times(refill * 2, (i) => `${verb} c ${start + 70} ${i + 1}`),
                `${verb} c ${start + 70} ${refill}`,
                `${verb} c ${start + 71} ${capacity + 1}`,
                `${verb} d ${start + 71} ${capacity + random.integer(2, 9)}`,
              ]
            : []),
        ];
      }),
  };
};
