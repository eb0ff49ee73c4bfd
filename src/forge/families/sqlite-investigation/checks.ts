import type { WorkInstance } from "./work.ts";

const head = `import _sqlite3


def empty():
    connection = _sqlite3.connect(':memory:')
    connection.execute('PRAGMA trusted_schema = OFF')
    steps = [0]

    def tick():
        steps[0] += 1
        return steps[0] > 2000

    connection.set_progress_handler(tick, 10000)
    return connection


def opened(data):
    connection = empty()
    data = bytearray(data)
    if data[18:20] == b'\\x02\\x02':
        data[18:20] = b'\\x01\\x01'
    connection.deserialize(bytes(data))
    return connection


def database(v):
    data = v.read_bytes(v.expected['database'])
    v.expect(data[:16] == b'SQLite format 3\\0', f"{v.expected['database']} is not a SQLite database")
    return opened(data)
`;

const kept = `    connection = database(v)
    path = v.expected['database'].removeprefix('/app/')
    with open(f'/tests/pristine/{path}', 'rb') as file:
        before = opened(file.read())
    for table in wanted['rows'][0]:
        columns = [row[1] for row in before.execute(f'PRAGMA table_info({table})')]
        if table == wanted['rows'][1]:
            columns = [name for name in columns if name not in wanted['rows'][2]]
        query = f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1"
        old = [list(row) for row in before.execute(query)]
        new = [list(row) for row in connection.execute(query)]
        if table == wanted['rows'][1] and wanted['rows'][3]:
            known = {row[0] for row in old}
            new = [row for row in new if row[0] in known]
        v.equal(new, old, table)
`;

/** checks.py of a task: one function for each requirement. */
export function checksSource(
  works: readonly { id: string; instance: WorkInstance }[],
  invariant: string,
  inPlace: boolean,
): string {
  const functions = works.map(
    ({ id, instance }) => `def check_${id}(v):\n    wanted = v.expected['${id}']\n    ${instance.verify}\n`,
  );
  const last = `def check_${invariant}(v):\n    wanted = v.expected['${invariant}']\n${inPlace ? kept : "    v.same_as_pristine(v.expected['database'])\n"}`;
  return [...(inPlace ? [head] : []), ...functions, last].join("\n\n");
}
