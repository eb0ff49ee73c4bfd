import { type MakePart, remembered, times } from "../../part.ts";
import { vocabulary } from "./words.ts";

export const table: MakePart = (random) => {
  const [row, show] = random.pick([
    ["row", "table"],
    ["cells", "grid"],
    ["record", "sheet"],
  ] as const);
  const [bar, fill] = [random.pick(["|", ":", "!"]), random.pick([".", "_", "~"])];
  return {
    name: "tables",
    shape: "aligned-table",
    verbs: [row, show],
    specification: `\`${row} CELL,CELL,…\` adds a row and prints nothing; cells hold no blanks. \`${show}\` prints all rows: each column as wide as its widest cell, filled with \`${fill}\`, cells joined by \`${bar}\`. Cells that are whole numbers (a leading \`-\` is allowed) are set to the right, others to the left. Rows with fewer cells get empty ones at their end, and those are filled as well.`,
    python: `def ${row}(state, words):
§store§
    return []


def ${show}(state, words):
    rows = state.get("rows", [])
§columns§
§widths§
    lines = []
    for cells in rows:
§pad§
        lines.append("${bar}".join(cell.rjust(w, "${fill}") if number(cell) else cell.ljust(w, "${fill}") for cell, w in zip(cells, widths)))
    return lines


def number(cell):
§number§`,
    right: {
      store: `    state.setdefault("rows", []).append(words[0].split(","))`,
      columns: "    columns = max(map(len, rows), default=0)",
      widths: "    widths = [max(len(cells[i]) for cells in rows if i < len(cells)) for i in range(columns)]",
      pad: `        cells = cells + [""] * (columns - len(cells))`,
      number: `    return cell.removeprefix("-").isdigit()`,
    },
    bugs: [
      {
        level: 1,
        kind: "wrong value",
        slot: "widths",
        wrong: "    widths = [len(rows[0][i]) if i < len(rows[0]) else 1 for i in range(columns)]",
      },
      { level: 1, kind: "wrong condition", slot: "number", wrong: "    return not cell.isdigit()" },
      {
        level: 2,
        kind: "state outlives the session",
        slot: "store",
        wrong: `    state["rows"] = CALLS.setdefault("rows", [])\n    state["rows"].append(words[0].split(","))`,
      },
      { level: 3, kind: "missing case", slot: "number", wrong: "    return cell.isdigit()" },
      { level: 3, kind: "missing case", slot: "pad", wrong: "        cells = list(cells)" },
    ],
    answer(state, verb, [text], twisted) {
      const rows: string[][] = remembered(state, "rows", () => []);
      if (verb === row) {
        rows.push(text!.split(","));
        return [];
      }
      const columns = Math.max(0, ...rows.map((cells) => cells.length));
      const widths = times(columns, (i) => Math.max(...rows.map((cells) => (cells[i] ?? "").length)));
      const numeric = twisted ? /^\d+$/ : /^-?\d+$/;
      return rows.map((cells) =>
        widths
          .map((width, i) => {
            const cell = cells[i] ?? "";
            return numeric.test(cell) ? cell.padStart(width, fill) : cell.padEnd(width, fill);
          })
          .join(bar),
      );
    },
    sessions: (random, edge) =>
      times(2, () => [
        ...times(
          3,
          (i) =>
            `${row} ${random.pick(vocabulary)}${"x".repeat(i)},${random.integer(1, 10 ** (i + 1))},${random.pick(vocabulary)}`,
        ),
        show,
        ...(edge
          ? [
              `${row} ${random.pick(vocabulary)},-${random.integer(1, 9)},late`,
              `${row} short,-${random.integer(100, 900)}`,
              show,
            ]
          : []),
      ]),
  };
};
