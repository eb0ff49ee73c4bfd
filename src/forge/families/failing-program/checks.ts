const head = (program: string, separator: string) => `COMMAND = ['/usr/bin/python3', '-S', '-E', '-B', '${program}']
SECTIONS = {}


def feed(v, parts):
    lines = [line for part in parts for line in ['${separator} section ' + part['label']] + part['input']]
    result = v.execute(COMMAND, stdin=('\\n'.join(lines) + '\\n').encode(), timeout_sec=10)
    sections, current = {}, None
    for line in result.stdout.decode('utf-8', 'replace').split('\\n'):
        if line.startswith('${separator} section '):
            current = sections.setdefault(line[len('${separator} section '):], [])
        elif current is not None:
            current.append(line)
    if current and current[-1] == '':
        current.pop()
    return sections, result


def answered(v, part):
    if not SECTIONS:
        parts = [part for name in v.expected['rows'] for part in v.expected['rows'][name] if isinstance(part, dict)]
        sections, result = feed(v, parts)
        if result.timed_out or len(sections) < len(parts) or b'Traceback' in result.stderr:
            sections = {}
        SECTIONS.update(sections or {'': []})
    result = None
    found = SECTIONS.get(part['label'])
    if found is None:
        sections, result = feed(v, [part])
        found = sections.get(part['label'], [])
    if result is not None and result.timed_out:
        v.fail('the program did not come to an end')
    if found != part['output'] and result is not None and result.stderr:
        v.fail('the program broke down: ' + result.stderr.decode('utf-8', 'replace').strip().split('\\n')[-1][:200])
    v.equal(found, part['output'], 'output for ' + part['label'])
`;

const bodies = {
  outputs: "    for part in rows:\n        answered(v, part)\n",
  kept: "    v.same_as_pristine('/app/tests')\n    for part in rows:\n        answered(v, part)\n",
  list: "    v.equal(v.lines(rows[0]), rows[1], rows[0])\n",
  status: `    failing, fine = v.execute_all([{'argv': COMMAND, 'stdin': text.encode(), 'timeout_sec': 10} for text in (rows[0], rows[2])])[0]
    v.equal(failing.exit_code, rows[1], 'exit status after an error')
    v.equal(fine.exit_code, 0, 'exit status without an error')
`,
};

/** checks.py: the program is run once over the sessions of all parts; a part that was cut off is run by itself. */
export function checksSource(
  plan: readonly { id: string; check: keyof typeof bodies }[],
  program: string,
  separator: string,
): string {
  const functions = plan.map(
    ({ id, check }) => `def check_${id}(v):\n    rows = v.expected['rows']['${id}']\n${bodies[check]}`,
  );
  return [head(program, separator), ...functions].join("\n\n");
}
