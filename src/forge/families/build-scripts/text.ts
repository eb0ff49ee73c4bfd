import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import type { Feature } from "./feature.ts";
import type { Names } from "./project.ts";

/** BUILDING.md: everything that a build has to do. */
export function buildingText(random: Random, names: Names, rules: readonly string[]): string {
  const { project, pages, extension, parts } = names;
  const general = [
    `\`make\` (or \`make all\`) makes \`build/NAME.txt\` from each \`${pages}/NAME.${extension}\`, and \`build/index.txt\` and \`build/sizes.txt\` about them.`,
    `\`tools/render.sh\` puts in what \`%include NAME\` asks for (\`${parts}/NAME.inc\`, which may take in others) and replaces \`{{NAME}}\` by values from \`gen/vars.sh\`, which \`tools/mkvars.sh\` makes from \`settings.ini\` and \`VERSION\`.`,
    "Only GNU make and what is in `tools` and in a plain Debian are needed. Everything is made below `build`, `gen` and `dist`.",
  ];
  return `# Building the ${project}\n\n${general.join("\n\n")}\n\n## What a build has to do\n\n${random
    .shuffle(rules)
    .map((rule) => `- ${rule}`)
    .join("\n")}\n`;
}

/** The instruction; from level 3 on it tells less about what is wrong. */
export function writeInstruction(random: Random, names: Names, faults: readonly Feature[], level: Difficulty): string {
  const { project } = names;
  const told = level <= 2 ? faults : faults.slice(0, level === 3 ? 2 : 1);
  const complaints = told.map(({ complaint }) => complaint).join("; ");
  const rest =
    faults.length > told.length
      ? random.pick(["; and there is more", "; that is not all", ", among other things"])
      : "";
  return writeLetter(random, {
    context: [
      random.pick([
        `The ${project} in \`/app/${project}\` is built with make, and people have stopped trusting the build.`,
        `\`/app/${project}\` holds a handful of texts and a Makefile that turns them into the ${project}. It has grown over years.`,
        `We inherited the build of the ${project} (\`/app/${project}\`, GNU make and some shell).`,
        `Before we hand the ${project} to another team, its build has to do what is written about it.`,
      ]),
      `\`/app/${project}/BUILDING.md\` says what the build has to do.`,
    ],
    demands: [
      `Repair \`/app/${project}/Makefile\` so that every sentence of \`BUILDING.md\` holds. ${random.pick(["Known complaints", "What people complain about", "Reports so far"])}: ${complaints}${rest}.`,
      ...(level >= 3
        ? [
            random.pick([
              "Go through `BUILDING.md` point by point; not every fault has been noticed yet.",
              "Try each point of `BUILDING.md` yourself, also in a fresh checkout and after a change.",
            ]),
          ]
        : []),
    ],
    conditions: [
      random.pick([
        `The tools are sound and used elsewhere: leave \`/app/${project}/tools\` as it is.`,
        `Nothing in \`/app/${project}/tools\` may change; what is wrong lies in the Makefile.`,
      ]),
      random.pick([
        "The build will be tried on other texts, parts and settings than these, in copies of the directory, by another user.",
        "It will be judged by builds in copies of the directory, with other contents of the pages, parts and settings, and by changing them in between.",
      ]),
      "You may add further makefiles or scripts in the directory, but the names of targets, sources and results stay.",
    ],
  });
}
