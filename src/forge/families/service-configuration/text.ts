import type { Random } from "../../../statistics/index.ts";
import { writeLetter } from "../prose/index.ts";
import type { World } from "./world.ts";

/** The service's manual: how it reads its configuration and what it answers. */
export function writeManual(random: Random, world: World): string {
  const { service } = world;
  const { name, ending, precedence, format } = service;
  const order =
    precedence === "last"
      ? `First \`${name}.${ending}\`, then the profile, then the files of \`conf.d\` whose names end in \`.${ending}\`, in the order of their names. When a setting is there several times, the one that was read last holds.`
      : `First the profile, then the files of \`conf.d\` whose names end in \`.${ending}\`, in the order of their names, and \`${name}.${ending}\` at the end. When a setting is there several times, the one that was read first holds.`;
  const syntax = {
    ini: "Files are made of `[section]` lines and `key = value` lines; `;` begins a remark.",
    flat: "A line is `section.key = value`; a section with a name is written `kind/name`. `#` begins a remark.",
    json: "A file is one JSON object from section to an object from key to text.",
  };
  const parts = [
    `# ${name}`,
    `${service.title.charAt(0).toUpperCase()}${service.title.slice(1)}. \`${name}.py --config FOLDER\` reads requests from standard input, one a line, and answers each with a line; with \`--check\` it only says whether the configuration is fine.`,
    "## Configuration",
    syntax[format],
    order,
    `The profile is the file \`profiles/NAME.${ending}\`, NAME being \`service.profile\` in \`${name}.${ending}\`; without that setting there is none. \`override.env\`, when it is there, holds over everything: \`SECTION__KEY=value\`, in upper case, a section with a name as \`KIND_NAME\`.`,
    "Sizes need a unit (`b`, `k` = 1024 bytes, `m`), lengths of time too (`s`, `m`, `h`). Unknown sections and keys, missing keys and values that can't be read keep the service from starting.",
    ...random
      .shuffle(service.features)
      .map((feature) => `## ${feature.name.charAt(0).toUpperCase()}${feature.name.slice(1)}\n\n${feature.manual}`),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The instruction: what has to hold in the end, not where it goes wrong. */
export function writeInstruction(random: Random, world: World, report: string | null): string {
  const { service, root, program, manual, faults } = world;
  const stated = service.features.filter(
    (feature) =>
      faults.some((fault) => fault.feature === feature) || feature.name === "limits" || feature.name === "log",
  );
  const demands = [
    `Get the service to start again (\`python3 ${program} --config ${root} --check\` has to be content) by putting its configuration in \`${root}\` right. What isn't mentioned here is set as it should be and has to take effect as it is written.`,
    ...random.shuffle(stated).map((feature) => feature.demand),
  ];
  if (report !== null)
    demands.push(
      `For the review I also need \`${report}\`, about the state in which you found the configuration: a JSON object with one key \`SECTION.KEY\` (spelled as in the manual's words, a named section like \`kind name.key\`) for each setting that more than one of the files that the service reads has, and as its value the array of those files, relative to \`${root}\`, in the order in which the service reads them (\`override.env\` last).`,
    );
  return writeLetter(random, {
    context: [
      random.pick([
        `\`${program}\` is ${service.title}.`,
        `We run ${service.title}: \`${program}\`.`,
        `This is about ${service.title}, \`${program}\`.`,
      ]),
      random.pick([
        "Since the last round of changes it doesn't come up, and before that it did the wrong things.",
        "Several people have edited its configuration, and now it refuses to start.",
        "After the move it no longer starts, and I don't trust the rest of its settings either.",
      ]),
      random.pick([
        `\`${manual}\` says how the configuration is read.`,
        `How files and settings go together is written in \`${manual}\`; read it first.`,
      ]),
    ],
    demands,
    conditions: [
      random.pick([
        "The program itself is fine: don't change it.",
        `Leave \`${program}\` as it is; it will be run from our own copy.`,
      ]),
      ...(world.level >= 2
        ? [
            random.pick([
              `\`${root}/${world.managed}\` is written by another system: it must stay exactly as it is.`,
              `Don't touch \`${root}/${world.managed}\`, it is overwritten from outside anyway.`,
            ]),
          ]
        : []),
    ],
  });
}
