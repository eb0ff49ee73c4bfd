// Python that writes and that compares the usual kinds of artefact.

export const writeJson = (path: string, value: string): string =>
  `Path("${path}").write_text(json.dumps(${value}, indent=1) + "\\n")`;

/** Writes `rows` as CSV. */
export const writeTable = (path: string, columns: readonly string[]): string =>
  `with open("${path}", "w", newline="") as target:
    writer = csv.writer(target, lineterminator="\\n")
    writer.writerow(${JSON.stringify(columns)})
    writer.writerows(rows)`;

export const compareJson = (path: string): string => `v.equal(v.json("${path}"), wanted, "${path}")`;

export const compareLines = (path: string): string => `v.equal(v.lines("${path}"), wanted, "${path}")`;

/** `wanted` is `{columns, rows}`. */
export const compareTable = (path: string): string =>
  `v.equal(v.csv("${path}"), [wanted["columns"]] + wanted["rows"], "${path}")`;
