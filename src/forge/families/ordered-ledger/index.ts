import type { Random } from "../../../statistics/index.ts";
import { composeOrdered, type Question } from "../composition/index.ts";
import type { Difficulty, Family, TaskDraft } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { derivations, deriveBooks } from "./facts.ts";
import { inboxFiles, inboxNames, standingFiles } from "./files.ts";
import { preludeFor, questionsFor } from "./questions.ts";
import { drawWorld, type World } from "./world.ts";

function contextFor(random: Random, world: World, index: number): string[] {
  const { month } = world.periods[index] as World["periods"][number];
  if (index === 0)
    return [
      random.pick([
        `You keep the books of ${world.company} from today on.`,
        `${world.company} starts new books with ${month}, and they are yours.`,
        `Month end at ${world.company}, the first of several that you will do.`,
      ]),
      `\`/app/BOOKKEEPING.md\` has the rules, \`/app/chart.csv\` the accounts; the export of ${month} is in \`/app/inbox\`.`,
    ];
  return [
    random.pick([
      `Next month end at ${world.company}: ${month}.`,
      `${month} has to be closed at ${world.company}.`,
      `The files of ${month} have come in.`,
    ]),
    "The inbox `/app/inbox` has the new export and corrections, and no longer what you had before; the books in `/app/books` are as you left them, and `/app/BOOKKEEPING.md` still holds.",
  ];
}

function conditionsFor(world: World, index: number): string[] {
  const { merger, month } = world.periods[index] as World["periods"][number];
  return [
    ...(world.changesFormat && index === 1
      ? [
          "The bank has changed its export: semicolons, the columns `day;id;account;amount;text`, days as `DD.MM.YYYY`, amounts like `-1.234,50`. It will stay like that; the ledger keeps its form.",
        ]
      : []),
    ...(merger === null
      ? []
      : [
          `With ${month}-01 account ${merger.into} takes over account ${merger.from}. What ${merger.from} holds at the end of the month before is moved by two postings of that day, \`M-${merger.from}\` on ${merger.from} and \`M-${merger.into}\` on ${merger.into}, also when it is 0. From then on every posting for ${merger.from}, corrections of old ones too, belongs to ${merger.into}; what is in the ledger stays where it is.`,
        ]),
    "Don't change, add or remove anything in `/app/inbox`.",
  ];
}

function draftOf(random: Random, difficulty: Difficulty, bug: string | null): TaskDraft {
  const world = drawWorld(random.fork("world"), difficulty);
  const books = deriveBooks(world, bug);
  const steps = world.periods.map((_, index) => {
    const own = random.fork(`step ${index}`);
    const questions: Question[] = questionsFor(world, books, index);
    const arrives = inboxFiles(own.fork("files"), world, index);
    return {
      random: own.fork("partials"),
      name: `0${index + 1}-${["first-close", "second-close", "third-close", "fourth-close"][index]}`,
      instruction: writeLetter(own, {
        context: contextFor(own, world, index),
        demands: questions.map((question) => question.demand),
        conditions: conditionsFor(world, index),
      }),
      arrives,
      ...(index === 0 ? {} : { setup: `rm -f ${Object.values(inboxNames(world, index - 1)).join(" ")}` }),
      prelude: preludeFor(world, index),
      questions,
      untouched: "/app/inbox",
    };
  });
  return composeOrdered(
    {
      title: `Books of ${world.company}, ${steps.length} months`,
      difficulty,
      tags: ["bookkeeping"],
      files: standingFiles(world),
    },
    steps,
  );
}

const orderedLedger = (bug: string | null): Family => ({
  id: "ordered-ledger",
  title: "Month ends in order",
  derivations: [...derivations],
  withBug: (derivation) => orderedLedger(derivation),
  draft: (random, difficulty) => draftOf(random, difficulty, bug),
});

/** Books kept over several months: what was closed stays closed, and corrections come later. */
export const orderedLedgerFamily: Family = orderedLedger(null);
