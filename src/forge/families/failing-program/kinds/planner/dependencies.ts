import { Complaint, type MakePart, remembered, times } from "../../part.ts";

export const dependencies: MakePart = (random) => {
  const [step, sequence] = random.pick([
    ["step", "sequence"],
    ["stage", "route"],
    ["unit", "chain"],
  ] as const);
  return {
    name: "dependencies",
    shape: "topological-order",
    verbs: [step, sequence],
    specification: `\`${step} NAME\` or \`${step} NAME after A,B\` adds a step and prints nothing; a step named again gains the further ones that it waits for. \`${sequence}\` prints all steps on one line, each after the steps that it waits for; whenever several could come next, the first in alphabetical order comes. A step that was only named after \`after\` is a step too. When that can't be done: the error \`cycle\`.`,
    python: `def ${step}(state, words):
    needs = state.setdefault("needs", {})
    wanted = words[2].split(",") if len(words) > 2 else []
§add§
§mention§
    return []


def ${sequence}(state, words):
    needs = {name: set(others) for name, others in state.get("needs", {}).items()}
    line = []
    while needs:
        ready = [name for name, others in needs.items() if not others§done§]
        if not ready:
            raise Problem("cycle")
§choose§
        del needs[name]
        line.append(name)
    return [" ".join(line)]`,
    right: {
      add: `    needs.setdefault(words[0], set()).update(wanted)`,
      mention: `    for other in wanted:\n        needs.setdefault(other, set())`,
      done: " - set(line)",
      choose: "        name = min(ready)",
    },
    bugs: [
      { level: 1, kind: "wrong order", slot: "choose", wrong: "        name = max(ready)" },
      { level: 1, kind: "missing case", slot: "mention", wrong: `    needs.update({})` },
      { level: 3, kind: "overwritten value", slot: "add", wrong: `    needs[words[0]] = set(wanted)` },
    ],
    answer(state, verb, [name, , list], twisted) {
      const needs: Map<string, Set<string>> = remembered(state, "needs", () => new Map());
      if (verb === step) {
        const wanted = list ? list.split(",") : [];
        needs.set(name!, new Set([...(twisted ? [] : (needs.get(name!) ?? [])), ...wanted]));
        for (const other of wanted) if (!needs.has(other)) needs.set(other, new Set());
        return [];
      }
      const left = new Map(needs);
      const line: string[] = [];
      while (left.size > 0) {
        const ready = [...left]
          .filter(([, others]) => [...others].every((other) => line.includes(other)))
          .map(([who]) => who)
          .sort();
        if (ready.length === 0) throw new Complaint("cycle");
        left.delete(ready[0]!);
        line.push(ready[0]!);
      }
      return [line.join(" ")];
    },
    sessions: (random, edge) =>
      times(2, () => {
        const [a, b, c, d, e] = random.shuffle(["ash", "box", "cut", "dye", "eel", "fig"]) as [
          string,
          string,
          string,
          string,
          string,
        ];
        return [
          `${step} ${a} after ${b},${c}`,
          `${step} ${d}`,
          `${step} ${b} after ${e}`,
          sequence,
          ...(edge ? [`${step} xan after yew`, `${step} abc after zzz`, `${step} abc after ${d}`, sequence] : []),
          `${step} ${e} after ${a}`,
          sequence,
        ];
      }),
  };
};
