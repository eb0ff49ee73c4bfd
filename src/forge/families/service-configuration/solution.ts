import type { Difficulty } from "../family.ts";
import { type Format, render } from "./program.ts";
import { environmentName, type Fault, type World } from "./world.ts";

/** Python that sets (or with None removes) one setting in a file of the format. */
const editors: Record<Format, string> = {
  json: `def put(path, section, key, value):
    data = json.load(open(path, encoding='utf-8'))
    if value is None:
        data[section].pop(key)
    else:
        data.setdefault(section, {})[key] = value
    json.dump(data, open(path, 'w', encoding='utf-8'), indent=2)`,
  flat: `def put(path, section, key, value):
    name, lines, done = section.replace(' ', '/') + '.' + key, [], value is None
    for line in open(path, encoding='utf-8').read().splitlines():
        if line.partition('=')[0].strip() == name:
            if done:
                continue
            line, done = f'{name} = {value}', True
        lines.append(line)
    if not done:
        lines.append(f'{name} = {value}')
    open(path, 'w', encoding='utf-8').write('\\n'.join(lines) + '\\n')`,
  ini: `def put(path, section, key, value):
    lines, inside, done = [], None, value is None
    for line in open(path, encoding='utf-8').read().splitlines():
        if line.startswith('['):
            inside = line.strip()[1:-1]
        elif inside == section and line.partition('=')[0].strip() == key:
            if done:
                continue
            line, done = f'{key} = {value}', True
        lines.append(line)
    if not done:
        lines += [f'[{section}]', f'{key} = {value}']
    open(path, 'w', encoding='utf-8').write('\\n'.join(lines) + '\\n')`,
};

const text = (value: string) => JSON.stringify(value);

/** solve.sh: repairs every fault up to the level `skill`, except the one that is left alone. */
export function solutionScript(
  world: World,
  skill: Difficulty,
  leave: Fault | "report" | null,
  report: string | null,
): string {
  const { service, root, start, startTarget } = world;
  const main = `${root}/${service.name}.${service.ending}`;
  const wanted = service.features.flatMap((feature) => feature.wanted);
  const right = (target: { section: string; key: string }) =>
    wanted.find(({ section, key }) => section === target.section && key === target.key)!;
  const lines = ["import json, os", editors[service.format], ""];
  if (report !== null && skill >= 2) lines.push(reportLines(world, report, leave === "report"));
  const put = (path: string, section: string, key: string, value: string | null) =>
    `put(${text(path)}, ${text(section)}, ${text(key)}, ${value === null ? "None" : text(value)})`;
  const mainSettings = world.files.get(`${service.name}.${service.ending}`) ?? [];
  if (start === "typo") {
    const known = new Set(wanted.filter(({ section }) => section === startTarget.section).map(({ key }) => key));
    const typo = mainSettings.find(({ section, key }) => section === startTarget.section && !known.has(key))!;
    lines.push(
      put(main, startTarget.section, typo.key, null),
      put(main, startTarget.section, startTarget.key, right(startTarget).value),
    );
  } else if (start === "unit") lines.push(put(main, startTarget.section, startTarget.key, right(startTarget).value));
  else if (skill >= 4)
    lines.push(
      `size, number = ${text(right({ section: "limits", key: "body" }).value)}, ${right({ section: "limits", key: "parallel" }).value}`,
      `put(${text(main)}, "limits", "total", f"{int(size[:-1]) * number}k")`,
    );
  const managed: string[] = [];
  for (const fault of world.faults) {
    if (fault === leave || fault.level > skill) continue;
    const { section, key } = fault.target;
    if (fault.kind === "value") lines.push(put(main, section, key, right(fault.target).value));
    else if (fault.kind === "override") lines.push(put(`${root}/${world.overriding}`, section, key, null));
    else if (fault.kind === "environment")
      lines.push(
        `kept = [line for line in open(${text(`${root}/override.env`)}) if not line.startswith(${text(`${environmentName(fault.target)}=`)})]`,
        `open(${text(`${root}/override.env`)}, 'w').writelines(kept)`,
      );
    else if (fault.kind === "secret")
      lines.push(
        `open(${text(`${root}/${fault.feature.secret?.file}`)}, 'w').write(open('/app/handover/issued-token.txt').read().split()[-1] + '\\n')`,
      );
    else if (fault.kind === "profile") lines.push(put(main, "service", "profile", world.profiles.right));
    else managed.push(render(service.format, [right(fault.target)], "overrides the managed file"));
  }
  for (const content of managed) lines.push(`open(${text(`${root}/${world.better}`)}, 'w').write(${text(content)})`);
  return `#!/bin/bash\nset -euo pipefail\n/usr/bin/python3 -I -S - <<'PY'\n${lines.join("\n")}\nPY\n`;
}

/** Reads the files with the service's own reader and lists what is set more than once. */
function reportLines(world: World, report: string, mistaken: boolean): string {
  return `program = {'__name__': 'program'}
exec(compile(open(${text(world.program)}).read(), 'program', 'exec'), program)
where = {}
for path, settings in program['layers'](${text(world.root)}):
    for section, key, _ in settings:
        where.setdefault(f'{section}.{key}', []).append(path)
${
  mistaken
    ? "where = {name: paths[::-1] for name, paths in where.items()}"
    : `if os.path.exists(${text(`${world.root}/override.env`)}):
    for line in open(${text(`${world.root}/override.env`)}):
        name, equals, _ = line.strip().partition('=')
        if equals and not name.startswith('#'):
            section, _, key = name.lower().partition('__')
            where.setdefault(section.replace('_', ' ', 1) + '.' + key, []).append('override.env')`
}
os.makedirs(os.path.dirname(${text(report)}), exist_ok=True)
json.dump({name: paths for name, paths in where.items() if len(paths) > 1}, open(${text(report)}, 'w'))
`;
}
