import { type MakePart, remembered, times } from "../../part.ts";

export const window: MakePart = (random) => {
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
