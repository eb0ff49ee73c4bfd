/** checks.py: the pristine program reads the configuration that was handed in and answers the probes. */
export function checksSource(
  plan: readonly { id: string; check: "answers" | "report" | "kept" }[],
  program: string,
  root: string,
): string {
  const pristine = `/tests/pristine/${program.slice("/app/".length)}`;
  const head = `STARTED = []


def service(v):
    if not STARTED:
        v.tree('${root}')
        with open('${pristine}', encoding='utf-8') as file:
            source = file.read()
        module = {'__name__': 'service'}
        exec(compile(source, 'service', 'exec'), module)
        try:
            STARTED.append(module['Service']('${root}'))
        except module['ConfigError'] as error:
            v.fail(f'the service does not start: {error}')
    return STARTED[0]


def answers(v, rows):
    running = service(v)
    for request, wanted in rows:
        v.equal(running.answer(request), wanted, f'the answer to {request}')
`;
  const bodies = {
    answers: "    answers(v, rows)\n",
    report: "    v.equal(v.json(rows[0]), rows[1], rows[0])\n",
    kept: "    for path in rows:\n        v.same_as_pristine(path)\n",
  };
  return [
    head,
    ...plan.map(({ id, check }) => `def check_${id}(v):\n    rows = v.expected['rows']['${id}']\n${bodies[check]}`),
  ].join("\n\n");
}
