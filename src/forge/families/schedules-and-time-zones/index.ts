import type { Random } from "../../../statistics/index.ts";
import { compose, solutionScript } from "../composition/index.ts";
import type { Difficulty, Family } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { instantText } from "./clock.ts";
import { derivations, deriveFacts, type Facts, isSound } from "./facts.ts";
import { worldFiles } from "./files.ts";
import { preludeFor } from "./prelude.ts";
import * as ask from "./questions/index.ts";
import { drawWorld, type World } from "./world.ts";

type Asked = (setting: ask.Setting) => ReturnType<typeof ask.runTable>;
/** Each with the level from which it can be asked. */
const others: readonly { readonly question: Asked; readonly from: Difficulty }[] = [
  { question: ask.nextRuns, from: 1 },
  { question: ask.perDay, from: 1 },
  { question: ask.conflicts, from: 1 },
  { question: ask.calendar, from: 1 },
  { question: ask.peak, from: 1 },
  { question: ask.idle, from: 1 },
  { question: ask.workdays, from: 2 },
  { question: ask.deadlines, from: 2 },
  { question: ask.oddTimes, from: 3 },
  { question: ask.transitions, from: 3 },
];

/** Worlds in which some kind of work would decide nothing are drawn again. */
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
  const folder = choice.pick(["/app/report", "/app/out", "/app/plan", "/app/answers"]);
  const setting = (label: string): ask.Setting => ({ random: random.fork(label), facts, folder });
  const possible = others.filter(
    ({ question, from }) => from <= difficulty && (question !== ask.conflicts || ask.conflictsOf(facts).length > 0),
  );
  const picked = choice.sample(possible, [1, 2, 2, 3, 4][difficulty - 1] as number);
  const questions = [
    ask.runTable(setting("run table")),
    ...picked.map((one) => one.question(setting(`question ${others.indexOf(one)}`))),
  ];
  const untouched = choice.boolean(0.5) ? `/app/${world.root}` : null;
  return { world, folder, questions, untouched, choice };
}

function contextFor(random: Random, { root }: World): string[] {
  return [
    random.pick([
      "We are replacing the job scheduler, and before we switch I want to know what the old one would do.",
      "Nobody believes the timetable that our scheduler shows around the end of the month, so please work it out independently.",
      "Three offices share two machines, and every team writes its jobs by its own clock.",
      "The on-call rota needs a timetable of the batch jobs that doesn't depend on anybody's laptop clock.",
    ]),
    `Everything is in \`/app/${root}\`: \`jobs.txt\`, \`zones.csv\` and the rest; \`/app/${root}/RULES.md\` says how it is to be read.`,
  ];
}

function conditionsFor(random: Random, world: World, untouched: string | null): string[] {
  return [
    `The period is from ${instantText(world.from)} (included) to ${instantText(world.to)} (excluded). A start belongs to it by the instant at which it really takes place.`,
    random.pick([
      "The zones are the ones of the table, not those of any database.",
      "Don't take zones from the system; ours are written down.",
    ]),
    ...(untouched === null ? [] : [`Nothing in \`${untouched}\` may change.`]),
  ];
}

function schedules(bug: string | null): Family {
  return {
    id: "schedules-and-time-zones",
    title: "Schedules and time zones",
    derivations: [...derivations],
    withBug: (derivation) => schedules(derivation),
    draft(random, difficulty) {
      const { world, folder, questions, untouched, choice } = draw(random, difficulty, bug);
      const prose = random.fork("prose");
      return compose({
        random: choice,
        title: `Jobs of ${world.root} in ${world.year}: ${questions.map(({ key }) => key.replaceAll("_", " ")).join(", ")}`,
        instruction: writeLetter(prose, {
          context: contextFor(prose, world),
          demands: questions.map((question) => question.demand),
          conditions: conditionsFor(prose, world, untouched),
        }),
        difficulty,
        tags: ["schedules", "time-zones", ...questions.map(({ shape }) => shape)],
        files: worldFiles(random.fork("files"), world),
        prelude: preludeFor(world, difficulty, folder),
        questions,
        untouched,
        ...(choice.boolean(0.3) ? { spoil: `echo "# done" >> /app/${world.root}/jobs.txt` } : {}),
      });
    },
    solutionAt(random, difficulty, skill) {
      const { world, folder, questions } = draw(random, difficulty, bug);
      return solutionScript(preludeFor(world, skill, folder), questions);
    },
  };
}

/** When jobs start by rules on the walls of several zones, with changing clocks, holidays, windows and exceptions. */
export const schedulesFamily: Family = schedules(null);
