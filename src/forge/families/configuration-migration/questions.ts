import type { Question } from "../composition/index.ts";
import type { Effective, NewValue } from "./effective.ts";
import type { World } from "./world.ts";

export type Setting = { readonly world: World; readonly facts: Effective; readonly folder: string };

function nested(values: Readonly<Record<string, NewValue>>): Record<string, Record<string, NewValue>> {
  const out: Record<string, Record<string, NewValue>> = {};
  for (const [name, value] of Object.entries(values)) {
    const [section, key] = name.split(".") as [string, string];
    out[section] = { ...out[section], [key]: value };
  }
  return out;
}
const byName = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const wanted = (path: string, read: string) => `v.equal(v.${read}("${path}"), wanted, "${path}")`;
const dump = (path: string, what: string) => `json.dump(${what}, open("${path}", "w"))`;
const sources = ["/app/old", "/app/docs/MIGRATION.md"];

export function settings({ world, facts, folder }: Setting): Question {
  const artefact = `${folder}/${world.service}.json`;
  const write = (values: string) => `
nested = {}
for name, value in ${values}.items():
    section, key = name.split(".")
    nested.setdefault(section, {})[key] = value
${dump(artefact, "nested")}`;
  return {
    key: "settings",
    shape: "migrated-settings",
    artefact,
    format: "JSON object of objects",
    statement: `${artefact} holds what the old files come to, under the new names`,
    demand: `Write the new configuration to \`${artefact}\`: a JSON object with an object for each new section, so that \`listen.port\` becomes \`{"listen": {"port": …}}\`. Settings that no old file gives are left out.`,
    derivation: "assignments in their order, renamed and converted",
    sources,
    weight: 2,
    expected: nested(facts.values),
    solve: write("values"),
    mistake: {
      name: "one value is taken over unconverted",
      solve: write('dict(values, **{sorted(values)[0]: "as it was"})'),
    },
    check: wanted(artefact, "json"),
  };
}

export function dropped({ facts, folder }: Setting): Question {
  const artefact = `${folder}/dropped.txt`;
  const write = (keys: string) => `open("${artefact}", "w").write("".join(key + "\\n" for key in ${keys}))`;
  return {
    key: "dropped",
    shape: "dropped-keys",
    artefact,
    format: "lines",
    statement: `${artefact} lists the old keys that are set somewhere and not carried over`,
    demand: `List in \`${artefact}\` the old keys (\`section.key\`, one a line, in byte order) that some file that counts sets and that aren't carried over. A spelling whose setting is carried over from the other one is not among them.`,
    derivation: "keys that were set, less those with a successor",
    ordering: "byte order",
    sources,
    expected: facts.dropped,
    solve: write("dropped"),
    mistake: { name: "the first dropped key is forgotten", solve: write("dropped[1:]") },
    check: wanted(artefact, "lines"),
  };
}

export function origins({ facts, folder }: Setting): Question {
  const artefact = `${folder}/origins.csv`;
  const rows = Object.keys(facts.origins)
    .sort(byName)
    .map((name) => [name, facts.origins[name] as string]);
  const write = (file: string) => `
with open("${artefact}", "w") as out:
    out.write("setting,file\\n" + "".join(name + "," + ${file} + "\\n" for name in sorted(origins)))`;
  return {
    key: "origins",
    shape: "origin-of-each-setting",
    artefact,
    format: "CSV",
    statement: `${artefact} says which file gives each new setting its last assignment`,
    demand: `Write \`${artefact}\` with the header \`setting,file\`: for each new setting, in byte order, the file (as \`old/…\`) that holds the last assignment that counts for it.`,
    derivation: "last assignment that counts, by setting",
    ordering: "byte order of the setting",
    sources,
    expected: [["setting", "file"], ...rows],
    solve: write("origins[name]"),
    mistake: { name: "every setting is said to come from one file", solve: write('"old/unknown.ini"') },
    check: wanted(artefact, "csv"),
  };
}

export function secretList({ facts, folder }: Setting): Question {
  const artefact = `${folder}/secrets.json`;
  return {
    key: "secrets",
    shape: "secrets-inventory",
    artefact,
    format: "JSON object",
    statement: `${artefact} names the settings that use each secret`,
    demand: `Write \`${artefact}\`: a JSON object that gives for each secret that the new configuration refers to (the part after \`secret:\`) the list of the new settings that use it, in byte order. Without one it is \`{}\`.`,
    derivation: "texts of the new configuration that begin with secret:",
    sources,
    expected: facts.secrets,
    solve: dump(artefact, "{name: sorted(of) for name, of in secrets.items()}"),
    mistake: { name: "a secret that nothing uses is listed", solve: dump(artefact, 'dict(secrets, nobody=["x"])') },
    check: wanted(artefact, "json"),
  };
}

export function repeated({ facts, folder }: Setting): Question {
  const artefact = `${folder}/repeated.json`;
  const write = (times: string) => `
again = {key: [one[2] for one in assigned if one[1] == key] for key in seen}
${dump(artefact, `[{"key": key, "times": ${times}, "last": all[-1]} for key, all in again.items() if len(all) > 1]`)}`;
  return {
    key: "repeated",
    shape: "repeated-assignments",
    artefact,
    format: "JSON list",
    statement: `${artefact} lists the old keys that were set more than once`,
    demand: `Write \`${artefact}\`: a JSON list with an object for each old key that is set more than once over all files that count, in byte order of the key: \`key\`, \`times\` (a number) and \`last\` (the last value as it stands there, a text, without a remark).`,
    derivation: "assignments grouped by old key",
    ordering: "byte order of the key",
    sources,
    expected: facts.repeated,
    solve: write("len(all)"),
    mistake: {
      name: "times are counted from zero",
      solve: `${write("len(all) - 1")}
if not [key for key, all in again.items() if len(all) > 1]:
    ${dump(artefact, '[{"key": "none", "times": 0, "last": ""}]')}`,
    },
    check: wanted(artefact, "json"),
  };
}

export function properties({ world, facts, folder }: Setting): Question {
  const artefact = `${folder}/${world.service}.properties`;
  const text = (value: NewValue): string =>
    Array.isArray(value) ? value.join(";") : typeof value === "boolean" ? (value ? "true" : "false") : String(value);
  const write = (names: string) => `
def flat(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return ";".join(value) if isinstance(value, list) else str(value)
with open("${artefact}", "w") as out:
    out.write("".join(f"{name}={flat(values[name])}\\n" for name in ${names}))`;
  return {
    key: "properties",
    shape: "flat-properties",
    artefact,
    format: "lines",
    statement: `${artefact} holds the same settings as lines`,
    demand: `For the operators, write the same settings to \`${artefact}\` as lines \`section.key=value\` in byte order; entries of a list are joined by \`;\`, true and false are written as words.`,
    derivation: "the new settings, flattened",
    ordering: "byte order",
    sources,
    expected: Object.keys(facts.values)
      .sort(byName)
      .map((name) => `${name}=${text(facts.values[name] as NewValue)}`),
    solve: write("sorted(values)"),
    mistake: { name: "the last line is forgotten", solve: write("sorted(values)[:-1]") },
    check: wanted(artefact, "lines"),
  };
}

export function counts({ world, facts, folder }: Setting): Question {
  const artefact = `${folder}/counts.json`;
  const kinds: Record<string, number> = {};
  for (const { to, kind } of world.settings) if (to in facts.values) kinds[kind] = (kinds[kind] ?? 0) + 1;
  const write = (one: number) => `
kinds = {}
for old, to, kind, alias in table:
    if to in values:
        kinds[kind] = kinds.get(kind, 0) + ${one}
${dump(artefact, "kinds")}`;
  return {
    key: "counts",
    shape: "counts-by-kind",
    artefact,
    format: "JSON object",
    statement: `${artefact} counts the new settings by the kind of their value`,
    demand: `Count in \`${artefact}\` (a JSON object) the settings of the new configuration by kind: \`duration\`, \`size\`, \`boolean\`, \`number\`, \`text\`, \`list\`, as the third column of the guide's table tells them apart; a kind without a setting is left out.`,
    derivation: "settings grouped by kind",
    sources,
    expected: kinds,
    solve: write(1),
    mistake: { name: "every setting is counted twice", solve: write(2) },
    check: wanted(artefact, "json"),
  };
}

export function perFile({ world, folder }: Setting): Question {
  const artefact = `${folder}/per-file.csv`;
  const files = [...new Set(world.assignments.map(({ file }) => file))].sort(byName);
  const write = (more: number) => `
with open("${artefact}", "w") as out:
    out.write("file,assignments\\n")
    for name in sorted({one[0] for one in assigned}):
        out.write(f"{name},{sum(one[0] == name for one in assigned) + ${more}}\\n")`;
  return {
    key: "per_file",
    shape: "assignments-per-file",
    artefact,
    format: "CSV",
    statement: `${artefact} says how many assignments each file makes`,
    demand: `Write \`${artefact}\` with the header \`file,assignments\`: each file that counts and makes at least one assignment (as \`old/…\`, in byte order) and how many.`,
    derivation: "assignments grouped by file",
    ordering: "byte order of the file",
    sources,
    expected: [
      ["file", "assignments"],
      ...files.map((file) => [file, String(world.assignments.filter((one) => one.file === file).length)]),
    ],
    solve: write(0),
    mistake: { name: "an include is counted as an assignment", solve: write(1) },
    check: wanted(artefact, "csv"),
  };
}
