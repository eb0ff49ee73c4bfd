import type { Random } from "../../../statistics/index.ts";
import { compose, solutionScript } from "../composition/index.ts";
import type { Difficulty, Family } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { derivations, deriveFacts, type Facts, isSound } from "./facts.ts";
import { worldFiles } from "./files.ts";
import { preludeFor } from "./prelude.ts";
import * as ask from "./questions/index.ts";
import { drawWorld } from "./world.ts";

type Asked = (setting: ask.Setting) => ReturnType<typeof ask.inventory>;
/** Each with the level from which it can be asked. */
const others: readonly { readonly question: Asked; readonly from: Difficulty }[] = [
  { question: ask.inventory, from: 1 },
  { question: ask.records, from: 1 },
  { question: ask.repeated, from: 1 },
  { question: ask.characters, from: 1 },
  { question: ask.exported, from: 1 },
  { question: ask.scripts, from: 1 },
  { question: ask.totals, from: 1 },
  { question: ask.nameIndex, from: 1 },
  { question: ask.sizes, from: 1 },
  { question: ask.repairs, from: 3 },
  { question: ask.undecodable, from: 4 },
];

function drawSoundFacts(random: Random, difficulty: Difficulty, bug: string | null): Facts {
  for (let turn = 0; ; turn++) {
    const facts = deriveFacts(drawWorld(random.fork(turn), difficulty), null);
    if (isSound(facts)) return bug === null ? facts : deriveFacts(facts.world, bug);
  }
}

function draw(random: Random, difficulty: Difficulty, bug: string | null) {
  const facts = drawSoundFacts(random.fork("world"), difficulty, bug);
  const { world } = facts;
  const choice = random.fork("choice");
  const folder = choice.pick(["/app/out", "/app/report", "/app/result", "/app/delivery"]);
  const setting = (label: string): ask.Setting => ({ random: random.fork(label), facts, folder });
  const possible = others.filter(({ from }) => from <= difficulty);
  const picked = choice.sample(possible, [1, 2, 2, 3, 4][difficulty - 1] as number);
  const questions = [
    ask.cleanTexts(setting("clean texts")),
    ...picked.map((one) => one.question(setting(`question ${others.indexOf(one)}`))),
  ];
  const untouched = choice.boolean(0.6) ? `/app/${world.root}` : null;
  return { facts, world, folder, questions, untouched, choice };
}

function contextFor(random: Random, root: string): string[] {
  return [
    random.pick([
      "Four offices have sent us their old text files, and each office has its own idea of what a letter is.",
      "Our new index shows question marks and boxes in every second name, because the archive was never brought into one encoding.",
      "The texts of the old systems have to be in one form before the systems are switched off.",
      "Somebody imported these files with the wrong settings once already; this time it should be done by the book.",
    ]),
    `The files are in \`/app/${root}/files\`, their register is \`/app/${root}/register.csv\`, and \`/app/docs/TEXTS.md\` says how they are to be read and what clean text is.`,
  ];
}

function conditionsFor(random: Random, untouched: string | null): string[] {
  return [
    random.pick([
      "Nothing has to be guessed: the document decides every case.",
      "Where a tool's guess and the document differ, the document is right.",
    ]),
    ...(untouched === null ? [] : [`Nothing in \`${untouched}\` may change.`]),
  ];
}

function textEncodings(bug: string | null): Family {
  return {
    id: "text-encodings",
    title: "Text encodings",
    derivations: [...derivations],
    withBug: (derivation) => textEncodings(derivation),
    draft(random, difficulty) {
      const { facts, world, folder, questions, untouched, choice } = draw(random, difficulty, bug);
      const prose = random.fork("prose");
      return compose({
        random: choice,
        title: `Texts of ${world.root}: ${questions.map(({ key }) => key.replaceAll("_", " ")).join(", ")}`,
        instruction: writeLetter(prose, {
          context: contextFor(prose, world.root),
          demands: questions.map((question) => question.demand),
          conditions: conditionsFor(prose, untouched),
        }),
        difficulty,
        tags: ["text", "encodings", ...questions.map(({ shape }) => shape)],
        files: worldFiles(random.fork("files"), facts),
        prelude: preludeFor(world, difficulty, folder),
        questions,
        untouched,
        ...(choice.boolean(0.3) ? { spoil: `printf '\\n' >> /app/${world.root}/register.csv` } : {}),
      });
    },
    solutionAt(random, difficulty, skill) {
      const { world, folder, questions } = draw(random, difficulty, bug);
      return solutionScript(preludeFor(world, skill, folder), questions);
    },
  };
}

/** An archive of texts in many encodings, brought into one form by written conventions. */
export const textEncodingsFamily: Family = textEncodings(null);
