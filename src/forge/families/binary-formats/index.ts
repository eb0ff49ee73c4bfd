import type { Random } from "../../../statistics/index.ts";
import { compose, solutionScript } from "../composition/index.ts";
import type { Difficulty, Family } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { derivations, deriveFacts } from "./facts.ts";
import { worldFiles } from "./files.ts";
import { preludeFor } from "./prelude.ts";
import * as ask from "./questions/index.ts";
import { drawWorld } from "./world.ts";

type Asked = (setting: ask.Setting) => ReturnType<typeof ask.readings>;
/** Each with the levels at which it can be asked. */
const others: readonly { readonly question: Asked; readonly from: Difficulty; readonly to: Difficulty }[] = [
  { question: ask.gaps, from: 1, to: 5 },
  { question: ask.repacked, from: 1, to: 5 },
  { question: ask.patched, from: 1, to: 5 },
  { question: ask.statistics, from: 1, to: 5 },
  { question: ask.headers, from: 1, to: 5 },
  { question: ask.indexFile, from: 1, to: 5 },
  { question: ask.silence, from: 1, to: 5 },
  { question: ask.lastBytes, from: 1, to: 5 },
  { question: ask.bits, from: 2, to: 5 },
  { question: ask.strings, from: 2, to: 5 },
  { question: ask.damaged, from: 3, to: 4 },
];

function draw(random: Random, difficulty: Difficulty, bug: string | null) {
  const world = drawWorld(random.fork("world"), difficulty);
  const facts = deriveFacts(world, bug);
  const choice = random.fork("choice");
  const folder = choice.pick(["/app/report", "/app/out", "/app/decoded", "/app/export"]);
  const setting = (label: string): ask.Setting => ({ random: random.fork(label), facts, folder });
  const possible = others.filter(({ from, to }) => from <= difficulty && difficulty <= to);
  const picked = choice.sample(possible, [1, 2, 2, 3, 4][difficulty - 1] as number);
  const questions = [
    ask.readings(setting("readings")),
    ...picked.map((one) => one.question(setting(`question ${others.indexOf(one)}`))),
  ];
  const untouched = choice.boolean(0.7) ? `/app/${world.format.root}/${world.format.folder}` : null;
  return { world, facts, folder, questions, untouched, choice };
}

function contextFor(random: Random, { world }: ReturnType<typeof draw>): string[] {
  const { root, folder, difficulty } = world.format;
  return [
    random.pick([
      "The maker of our field recorders is out of business, and its reader runs on no machine that we still have.",
      "We are moving the measurements of our old data loggers into the new system, and the vendor's tool crashes on them.",
      "An auditor wants the raw readings of some stations, and all we have are the memory cards' images.",
      "Somebody has to get the measurements out of these recorder files; there is no library for them.",
    ]),
    `The files are in \`/app/${root}/${folder}\`, and \`/app/${root}/FORMAT.md\` describes the format; \`/app/${root}/devices.csv\` names the devices.`,
    ...(difficulty >= 3
      ? [random.pick(["The cards have aged: not every record survived.", "Some records were damaged on the way."])]
      : []),
  ];
}

function conditionsFor({ world, untouched }: ReturnType<typeof draw>): string[] {
  const { difficulty } = world.format;
  return [
    difficulty >= 3
      ? "A measurement is a sound record that counts by the rules of the format; what is damaged is left out and not guessed at."
      : difficulty >= 2
        ? "A measurement is any record that isn't a calibration."
        : "Every record is a measurement.",
    ...(untouched === null ? [] : [`The files in \`${untouched}\` stay exactly as they are.`]),
  ];
}

function binaryFormats(bug: string | null): Family {
  return {
    id: "binary-formats",
    title: "Binary formats",
    derivations: [...derivations],
    withBug: (derivation) => binaryFormats(derivation),
    draft(random, difficulty) {
      const drawn = draw(random, difficulty, bug);
      const { world, facts, questions, untouched, folder, choice } = drawn;
      const prose = random.fork("prose");
      return compose({
        random: choice,
        title: `Recorder files of ${world.format.root}: ${questions.map(({ key }) => key.replaceAll("_", " ")).join(", ")}`,
        instruction: writeLetter(prose, {
          context: contextFor(prose, drawn),
          demands: questions.map((question) => question.demand),
          conditions: conditionsFor(drawn),
        }),
        difficulty,
        tags: ["binary", "parsing", ...questions.map(({ shape }) => shape)],
        files: worldFiles(random.fork("files"), facts),
        prelude: preludeFor(world, difficulty, folder),
        questions,
        untouched,
        ...(choice.boolean(0.3) ? { spoil: `truncate -s -1 ${untouched}/${world.captures[0]?.file}` } : {}),
      });
    },
    solutionAt(random, difficulty, skill) {
      const { world, folder, questions } = draw(random, difficulty, bug);
      return solutionScript(preludeFor(world, skill, folder), questions);
    },
  };
}

/** Files of a recorder, read, checked, re-encoded and patched by a description of their bytes. */
export const binaryFormatsFamily: Family = binaryFormats(null);
