/** checks.py: all scenarios are played in one sandbox, each in a copy of the project, and their results compared. */
export function checksSource(ids: readonly string[], kept: string, tools: string): string {
  return [
    `RESULTS = {}


def results(v):
    if not RESULTS:
        import json

        rows = v.expected['rows']
        with open('/tests/driver.py', encoding='utf-8') as file:
            driver = file.read()
        plan = {name: rows[name] for name in ('project', 'replaced', 'files', 'scenarios')}
        argv = ['/usr/bin/python3', '-I', '-S', '-c', driver]
        command = {'argv': argv, 'stdin': json.dumps(plan).encode(), 'timeout_sec': 100}
        found, _ = v.execute_all([command], collect=('/tmp/finished',))
        try:
            RESULTS.update(json.loads(found[0].stdout.decode()))
        except ValueError:
            RESULTS.update({'': found[0].stderr.decode('utf-8', 'replace')[-300:] or 'nothing'})
    return RESULTS


def scenario(v, name):
    found = results(v)
    if name not in found:
        v.fail('the build could not be tried: ' + str(found.get('', 'nothing')))
    v.equal(found[name], v.expected['rows']['wanted'][name], 'what came of the steps')
`,
    ...ids.map((id) => `def check_${id}(v):\n    scenario(v, '${id}')\n`),
    `def check_${kept}(v):\n    v.same_as_pristine('${tools}')\n`,
  ].join("\n\n");
}
