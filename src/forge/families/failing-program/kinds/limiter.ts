import { Complaint, type MakePart, remembered, times } from "../part.ts";

const window: MakePart = (random) => {
  const verb = random.pick(["hit", "call", "request"]);
  const [limit, span] = [random.integer(2, 4), random.integer(10, 60)];
  return {
    name: "window",
    shape: "window-decision",
    verbs: [verb],
    specification: `\`${verb} KEY SECOND\` prints \`allow\` when fewer than ${limit} calls of that key were allowed in the last ${span} seconds, else \`deny\`. A call that was allowed exactly ${span} seconds ago no longer counts; calls that were denied never count. Seconds never go backwards within a session.`,
    python: `def ${verb}(state, words):
    key, second = words[0], int(words[1])
§store§
§keep§
    allowed = len(log) < ${limit}
§append§
    return ["allow" if allowed else "deny"]`,
    right: {
      store: `    log = state.setdefault("calls", {}).setdefault(key, [])`,
      keep: `    log[:] = [then for then in log if second - then < ${span}]`,
      append: "    if allowed:\n        log.append(second)",
    },
    bugs: [
      { level: 1, kind: "missing condition", slot: "append", wrong: "    log.append(second)" },
      {
        level: 1,
        kind: "wrong unit",
        slot: "keep",
        wrong: `    log[:] = [then for then in log if (second - then) * 1000 < ${span}]`,
      },
      { level: 2, kind: "state outlives the session", slot: "store", wrong: `    log = CALLS.setdefault(key, [])` },
      {
        level: 3,
        kind: "off by one",
        slot: "keep",
        wrong: `    log[:] = [then for then in log if second - then <= ${span}]`,
      },
    ],
    answer(state, _verb, [key, text], twisted) {
      const second = Number(text);
      const calls = remembered(state, "calls", (): Record<string, number[]> => ({}));
      const log: number[] = (calls[key!] ?? []).filter((then: number) =>
        twisted ? second - then <= span : second - then < span,
      );
      const allowed = log.length < limit;
      calls[key!] = allowed ? [...log, second] : log;
      return [allowed ? "allow" : "deny"];
    },
    sessions: (random, edge) =>
      times(3, () => {
        const start = random.integer(0, 5);
        const lines = times(limit * 2 + 1, (i) => `${verb} k1 ${start + i}`);
        const later = start + limit + span;
        lines.push(`${verb} k2 ${start + limit * 2 + 1}`, `${verb} k1 ${later}`);
        if (edge)
          lines.push(
            ...times(limit, () => `${verb} k9 ${later}`),
            `${verb} k9 ${later + span - 1}`,
            `${verb} k9 ${later + span}`,
          );
        return lines;
      }),
  };
};

const bucket: MakePart = (random) => {
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

const lockout: MakePart = (random) => {
  const [fail, login] = random.pick([
    ["fail", "login"],
    ["wrong", "right"],
    ["reject", "accept"],
  ] as const);
  const [limit, seconds] = [random.integer(2, 4), random.integer(20, 90)];
  return {
    name: "lockout",
    shape: "state-machine",
    verbs: [fail, login],
    specification: `\`${fail} USER SECOND\` records a failed attempt, \`${login} USER SECOND\` a good one. After ${limit} failures in a row the user is locked for ${seconds} seconds, the next time for twice as long, and so on; the count of failures begins anew after a lock. While locked (the second at which the lock ends is free again), either verb prints \`locked until SECOND\` and changes nothing. Otherwise \`${fail}\` prints \`failures N\` or, when it locks, \`locked until SECOND\`; \`${login}\` prints \`welcome\` and clears failures and the doubling.`,
    python: `def person(state, words):
§store§
    return users.setdefault(words[0], {"failures": 0, "until": -1, "locks": 0}), int(words[1])


def ${fail}(state, words):
    user, second = person(state, words)
§locked§
        return [f"locked until {user['until']}"]
    user["failures"] += 1
§limit§
        return [f"failures {user['failures']}"]
    user["failures"] = 0
§length§
    user["locks"] += 1
    return [f"locked until {user['until']}"]


def ${login}(state, words):
    user, second = person(state, words)
    if second < user["until"]:
        return [f"locked until {user['until']}"]
§clear§
    return ["welcome"]`,
    right: {
      store: `    users = state.setdefault("users", {})`,
      locked: `    if second < user["until"]:`,
      limit: `    if user["failures"] < ${limit}:`,
      length: `    user["until"] = second + ${seconds} * 2 ** user["locks"]`,
      clear: `    user["failures"] = user["locks"] = 0`,
    },
    bugs: [
      { level: 1, kind: "wrong comparison", slot: "limit", wrong: `    if user["failures"] <= ${limit}:` },
      { level: 1, kind: "missing case", slot: "clear", wrong: `    user["locks"] = 0` },
      { level: 2, kind: "state outlives the session", slot: "store", wrong: "    users = CALLS" },
      { level: 3, kind: "off by one", slot: "locked", wrong: `    if second <= user["until"]:` },
      { level: 3, kind: "missing feature", slot: "length", wrong: `    user["until"] = second + ${seconds}` },
    ],
    answer(state, verb, [name, text], twisted) {
      const second = Number(text);
      const users = remembered(
        state,
        "users",
        (): Record<string, { failures: number; until: number; locks: number }> => ({}),
      );
      const user = remembered(users, name!, () => ({ failures: 0, until: -1, locks: 0 }));
      if (twisted && verb === fail ? second <= user.until : second < user.until) return [`locked until ${user.until}`];
      if (verb === login) {
        user.failures = user.locks = 0;
        return ["welcome"];
      }
      user.failures += 1;
      if (user.failures < limit) return [`failures ${user.failures}`];
      user.failures = 0;
      user.until = second + seconds * 2 ** user.locks;
      user.locks += 1;
      return [`locked until ${user.until}`];
    },
    sessions: (random, edge) =>
      times(2, () => {
        const t = random.integer(1, 30);
        const lines = [
          `${fail} ann ${t}`,
          `${login} ann ${t + 1}`,
          ...times(limit, (i) => `${fail} ann ${t + 2 + i}`),
          `${login} ann ${t + limit + 3}`,
        ];
        if (edge) {
          const end = t + 1 + limit + seconds;
          lines.push(
            ...times(limit, () => `${fail} ann ${end}`),
            `${fail} ann ${end + 5}`,
            `${login} ann ${end + seconds * 2}`,
          );
        }
        return [...lines, `${fail} bea ${t + 900}`];
      }),
  };
};

const quota: MakePart = (random) => {
  const [use, left] = random.pick([
    ["use", "left"],
    ["spend", "remaining"],
    ["count", "rest"],
  ] as const);
  const allowance = random.integer(8, 30);
  const hours = random.integer(1, 11);
  return {
    name: "quota",
    shape: "period-reset",
    verbs: [use, left],
    specification: `Each key may use ${allowance} units a day; a day begins at ${hours}:00, so hour H (counted from 0, without end) belongs to day floor((H - ${hours}) / 24). \`${use} KEY HOUR UNITS\` prints \`ok N\` (N: units used that day) or \`over N\`, N being what was used before; then nothing is used. Reaching exactly ${allowance} is allowed. \`${left} KEY HOUR\` prints \`left N\`. Units below 1 are an error: \`bad units\`.`,
    python: `def day_of(hour):
§day§


def ${use}(state, words):
    key, hour, units = words[0], int(words[1]), int(words[2])
    if units < 1:
        raise Problem("bad units")
    used = state.setdefault("used", {})
    before = used.get((key, day_of(hour)), 0)
§over§
        return [f"over {before}"]
    used[key, day_of(hour)] = before + units
    return [f"ok {before + units}"]


def ${left}(state, words):
    used = state.get("used", {})
§left§`,
    right: {
      day: `    return (hour - ${hours}) // 24`,
      over: `    if before + units > ${allowance}:`,
      left: `    return [f"left {${allowance} - used.get((words[0], day_of(int(words[1]))), 0)}"]`,
    },
    bugs: [
      { level: 1, kind: "wrong constant", slot: "over", wrong: `    if before + units > ${allowance - 3}:` },
      {
        level: 1,
        kind: "wrong value",
        slot: "left",
        wrong: `    return [f"left {used.get((words[0], day_of(int(words[1]))), 0)}"]`,
      },
      { level: 3, kind: "off by one", slot: "over", wrong: `    if before + units >= ${allowance}:` },
      { level: 3, kind: "wrong boundary", slot: "day", wrong: `    return hour // 24` },
    ],
    answer(state, verb, [key, at, count], twisted) {
      const day = Math.floor((Number(at) - hours) / 24);
      const used = remembered(state, "used", (): Record<string, number> => ({}));
      const slot = `${key} ${day}`;
      if (verb === left) return [`left ${allowance - (used[slot] ?? 0)}`];
      const units = Number(count);
      if (units < 1) throw new Complaint("bad units");
      const before = used[slot] ?? 0;
      if (twisted ? before + units >= allowance : before + units > allowance) return [`over ${before}`];
      used[slot] = before + units;
      return [`ok ${before + units}`];
    },
    sessions: (random, edge) =>
      times(2, () => [
        `${use} m 13 ${allowance - 4}`,
        `${use} m 14 2`,
        `${left} m 15`,
        `${use} m 15 9`,
        `${use} n 14 0`,
        `${use} m 38 ${random.integer(1, 4)}`,
        ...(edge
          ? [
              `${use} p 40 ${allowance}`,
              `${left} p 41`,
              `${use} q ${48 + hours - 1} 2`,
              `${use} q ${48 + hours} 3`,
              `${left} q ${48 + hours - 1}`,
            ]
          : []),
      ]),
  };
};

const tally: MakePart = (random) => {
  const [note, report] = random.pick([
    ["seen", "report"],
    ["log", "digest"],
    ["mark", "overview"],
  ] as const);
  const least = random.integer(2, 3);
  return {
    name: "tally",
    shape: "share-report",
    verbs: [note, report],
    specification: `\`${note} WORD\` counts a word (upper and lower case are the same word) and prints nothing. \`${report}\` prints \`WORD COUNT SHARE%\` in lower case for each word seen at least ${least} times, by count, largest first, then by word; SHARE is the whole percentage of all words seen in the session, rounded down, then \`total N\`.`,
    python: `§signature§
    counts = state.setdefault("words", {})
§fold§
    counts[word] = counts.get(word, 0) + 1
§total§
    return []


def ${report}(state, words):
    counts = state.get("words", {})
    total = state.get("seen", 0)
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
§rows§
    return lines + [f"total {total}"]`,
    right: {
      signature: `def ${note}(state, words):`,
      fold: "    word = words[0].lower()",
      total: `    state["seen"] = state.get("seen", 0) + 1`,
      rows: `    lines = [f"{word} {count} {count * 100 // total}%" for word, count in rows if count >= ${least}]`,
    },
    bugs: [
      {
        level: 1,
        kind: "wrong comparison",
        slot: "rows",
        wrong: `    lines = [f"{word} {count} {count * 100 // total}%" for word, count in rows if count > ${least}]`,
      },
      {
        level: 1,
        kind: "wrong value",
        slot: "rows",
        wrong: `    lines = [f"{word} {count} {count * 100 // len(rows)}%" for word, count in rows if count >= ${least}]`,
      },
      {
        level: 2,
        kind: "mutable default",
        slot: "total",
        wrong: `    CALLS[None] = CALLS.get(None, 0) + 1\n    state["seen"] = CALLS[None]`,
      },
      { level: 3, kind: "missing case", slot: "fold", wrong: "    word = words[0]" },
    ],
    answer(state, verb, [text], twisted) {
      const words: string[] = remembered(state, "words", () => []);
      if (verb === note) {
        words.push(twisted ? text! : text!.toLowerCase());
        return [];
      }
      const counts = new Map<string, number>();
      for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      const rows = [...counts]
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .filter(([, count]) => count >= least);
      return [
        ...rows.map(([word, count]) => `${word} ${count} ${Math.floor((count * 100) / words.length)}%`),
        `total ${words.length}`,
      ];
    },
    sessions: (random, edge) =>
      times(2, () => {
        const words = random.sample(["get", "put", "list", "copy", "move", "stat"], 4);
        const lines = random.shuffle(words.flatMap((word, i) => times(least + i - 1, () => `${note} ${word}`)));
        if (edge)
          lines.push(
            `${note} ${words[0]!.toUpperCase()}`,
            `${note} ${words[0]!.toUpperCase()}`,
            `${note} ${words[1]!.toUpperCase()}`,
            `${note} ${words[0]}`,
          );
        return [...lines, report];
      }),
  };
};

export const limiter = {
  id: "limiter",
  title: "the bookkeeping behind a rate limiter",
  names: ["limiter", "throttle", "gatekeeper", "turnstile"],
  parts: [window, bucket, lockout, quota, tally],
};
