import { readFileSync } from "node:fs";
import type { Random } from "../../../statistics/index.ts";
import type { Requirement } from "../../../tasks/index.ts";
import type { Difficulty, Family, TaskDraft } from "../family.ts";
import { checksSource } from "./checks.ts";
import type { Feature, Setting, Step } from "./feature.ts";
import { features } from "./features/index.ts";
import { makefileText, rightSlots, type Slot, type Slots } from "./makefile.ts";
import { drawInputs, drawNames, drawPageNames, inputFiles, type Names } from "./project.ts";
import { buildingText, writeInstruction } from "./text.ts";
import { toolFiles } from "./tools.ts";

/** Derivations in which a bug can be planted. */
const derivations = ["nested-parts", "values"] as const;

/** How many faults of which levels a task has. */
const plans: Record<Difficulty, readonly (readonly Difficulty[])[]> = {
  1: [[1], [1]],
  2: [[2], [2], [1]],
  3: [[3], [3], [1, 2]],
  4: [[4], [4], [3], [2]],
  5: [[5], [5], [4], [4], [3]],
};

const slotsOf = ({ wrong, right }: Feature) => [...Object.keys(wrong), ...Object.keys(right ?? {})] as Slot[];

function clash(a: Feature, b: Feature): boolean {
  return (
    a.id === b.id ||
    slotsOf(a).some((slot) => slotsOf(b).includes(slot)) ||
    (a.clashes ?? []).includes(b.id) ||
    (b.clashes ?? []).includes(a.id)
  );
}

function drawFaults(random: Random, all: readonly Feature[], level: Difficulty): Feature[] {
  const faults: Feature[] = [];
  for (const levels of plans[level]) {
    const possible = all.filter((one) => levels.includes(one.level) && !faults.some((other) => clash(one, other)));
    faults.push(random.pick(possible));
  }
  return random.shuffle(faults);
}

/** The Makefile in which the faults up to `skill` are repaired, save one. */
function makefile(
  names: Names,
  faults: readonly Feature[],
  skill: Difficulty | 0,
  left: Feature | null = null,
): string {
  let slots: Slots = rightSlots(names);
  for (const fault of faults)
    slots = { ...slots, ...(fault.level <= skill && fault !== left ? fault.right : fault.wrong) };
  return makefileText(names, slots);
}

const script = (project: string, text: string) =>
  `#!/bin/bash\nset -euo pipefail\ncd /app/${project}\ncat > Makefile <<'MAKEFILE'\n${text}MAKEFILE\n`;

const wantedOf = (steps: readonly Step[]) => steps.flatMap((step) => ("wanted" in step ? [step.wanted] : []));
/** What the driver needs of a step. */
const withoutAnswer = (step: Step) => Object.fromEntries(Object.entries(step).filter(([key]) => key !== "wanted"));

function draw(random: Random, level: Difficulty, bug: string | null) {
  const names = drawNames(random.fork("names"));
  const pages = drawPageNames(random.fork("pages"));
  const shown = drawInputs(random.fork("shown"), pages);
  const held = drawInputs(random.fork("held"), pages);
  const setting = (label: string): Setting => ({ random: random.fork(label), names, held, bug });
  const all = features.map((feature, index) => feature(setting(`feature ${index}`)));
  return { names, shown, held, all, faults: drawFaults(random.fork("faults"), all, level) };
}

function draftBuild(random: Random, level: Difficulty, bug: string | null): TaskDraft {
  const { names, shown, held, all, faults } = draw(random, level, bug);
  const root = `/app/${names.project}`;
  const choices = random.fork("choices");
  const requirements = faults.map(
    (fault, index): Requirement => ({
      id: `R${index + 1}`,
      statement: fault.rule,
      kind: "positive",
      weight: 1,
      artefact: root,
      format: "results of builds",
      sources: [`${root}/BUILDING.md`],
      derivation: "the sources rendered as the tools do it",
      negatives: [],
      check: "builds in a copy of the project, with other contents and changes in between",
      shape: fault.shape,
    }),
  );
  const kept = `R${faults.length + 1}`;
  requirements.push({
    id: kept,
    statement: `${root}/tools is left as it was`,
    kind: "invariant",
    weight: 1,
    artefact: `${root}/tools`,
    format: "files",
    sources: [`${root}/tools`],
    derivation: "none: it holds before any work",
    negatives: ["a file changed, added or removed"],
    check: "names and bytes compared with the fixtures",
    shape: "inputs-unchanged",
  });
  // A rule that needs another Makefile than most is told only where it is asked for.
  const rules = all.filter((one) => one.right === undefined || faults.includes(one));
  const superseded = faults.some(({ id }) => id === "minimal") ? ["parts"] : [];
  const files = {
    ...inputFiles(names, shown),
    ...toolFiles(names),
    Makefile: makefile(names, faults, 0),
    "BUILDING.md": buildingText(
      random.fork("building"),
      names,
      rules.filter(({ id }) => !superseded.includes(id)).map(({ rule }) => rule),
    ),
  };
  // Drafts are there only where they are asked about.
  const inputs = inputFiles(names, {
    ...held,
    texts: new Map([...held.texts].filter(([name]) => held.pages.includes(name))),
  });
  const scenarios = faults.map(({ steps }, index) => [`R${index + 1}`, steps] as const);
  const whole = makefile(names, faults, level);
  return {
    title: `Build of the ${names.project}: ${faults.map(({ id }) => id).join(", ")}`,
    instruction: writeInstruction(random.fork("letter"), names, faults, level),
    difficulty: level,
    tags: ["make", "build", ...faults.map(({ shape }) => shape)],
    packages: ["make"],
    files: Object.entries(files)
      .map(([path, content]) => ({ path: `${names.project}/${path}`, content }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
    requirements,
    artefacts: [root],
    executes: [root],
    solution: script(names.project, whole),
    partials: [
      ...choices.sample(faults, 2).map((fault) => ({
        name: `without ${fault.id}`,
        breaks: [`R${faults.indexOf(fault) + 1}`],
        script: script(names.project, makefile(names, faults, level, fault)),
      })),
      {
        name: "a tool changed",
        breaks: [kept],
        script: `${script(names.project, whole)}echo "# tidied up" >> tools/mkvars.sh\n`,
      },
    ],
    checks: checksSource(
      faults.map((_, index) => `R${index + 1}`),
      kept,
      `${root}/tools`,
    ),
    expected: {
      rows: {
        project: root,
        replaced: [names.pages, names.parts, "settings.ini", "VERSION", "EPOCH"],
        files: inputs,
        scenarios: Object.fromEntries(scenarios.map(([id, steps]) => [id, steps.map(withoutAnswer)])),
        wanted: Object.fromEntries(scenarios.map(([id, steps]) => [id, wantedOf(steps)])),
      },
    },
    verifierFiles: [{ path: "driver.py", content: driver() }],
  };
}

let source: string | null = null;
function driver(): string {
  source ??= readFileSync(new URL("./driver.py", import.meta.url), "utf8");
  return source;
}

function family(bug: string | null): Family {
  return {
    id: "build-scripts",
    title: "A build that can't be trusted",
    derivations: [...derivations],
    withBug: (derivation) => family(derivation),
    draft: (random, difficulty) => draftBuild(random, difficulty, bug),
    solutionAt(random, difficulty, skill) {
      const { names, faults } = draw(random, difficulty, bug);
      return script(names.project, makefile(names, faults, skill));
    },
  };
}

/** A Makefile that builds, but not always what it should, to be repaired by what is written about the build. */
export const buildScriptsFamily: Family = family(null);
