import type { Random } from "../../../statistics/index.ts";
import { compose, solutionScript } from "../composition/index.ts";
import type { Difficulty, Family } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { derivations, deriveFacts } from "./facts.ts";
import { drawLayout, type Layout, worldFiles } from "./files.ts";
import { preludeFor } from "./prelude.ts";
import * as ask from "./questions/index.ts";
import { drawWorld, type World } from "./world.ts";

const others = [
  ask.restored,
  ask.releases,
  ask.divergence,
  ask.renames,
  ask.firstBad,
  ask.secret,
  ask.reverts,
  ask.changelog,
  ask.touched,
] as const;

function draw(random: Random, difficulty: Difficulty, bug: string | null) {
  const world = drawWorld(random.fork("world"), difficulty);
  const facts = deriveFacts(world, bug);
  const choice = random.fork("choice");
  const layout = drawLayout(random.fork("layout"), world);
  const folder = choice.pick(["/app/report", "/app/findings", "/app/out", "/app/history"]);
  const setting = (label: string): ask.Setting => ({ random: random.fork(label), facts, layout, folder });
  const picked = choice.sample(others, [1, 2, 2, 2, 3][difficulty - 1] as number);
  const unreachable = difficulty >= 4 ? choice.pick([ask.lostWork, ask.stashed]) : ask.lostWork;
  const questions = [
    ask.contributors(setting("contributors")),
    ...picked.map((question) => question(setting(`question ${others.indexOf(question)}`))),
    ...(difficulty >= 3 ? [unreachable(setting("unreachable"))] : []),
  ];
  return { world, layout, folder, questions, choice };
}

function contextFor(random: Random, { name, difficulty, trunkName }: World, { repository, rescue }: Layout): string[] {
  return [
    random.pick([
      `We took over the project ${name} from a contractor and want to know what is in its history.`,
      `An audit of ${name} is coming up, and the questions below are about its past rather than its code.`,
      `The team behind ${name} has been dissolved; before the repository goes to the archive, a few things have to be settled.`,
      `${name} moves to another host next week, and some loose ends of its history have to be tied up first.`,
    ]),
    `\`/app/${repository}\` is its bare Git repository as it was on the server; the trunk is \`${trunkName}\`.`,
    ...(difficulty >= 5
      ? [
          `The disk was failing when it was copied, and at least one object is damaged. \`/app/${rescue}\` has a pack from an older backup with some of the objects.`,
        ]
      : []),
  ];
}

function conditionsFor(random: Random, { difficulty }: World, untouched: string): string[] {
  return [
    random.pick([
      `The repository is evidence: nothing in \`${untouched}\` may change, so work on a copy if a command might write (packing, fetching, garbage collection do).`,
      `Leave \`${untouched}\` exactly as it is, file by file; experiment with a copy.`,
    ]),
    "Hashes are written in full (40 lower-case hex digits) unless something else is said.",
    ...(difficulty >= 3
      ? ["Some commits are reached by no branch and no tag; they count only where they are asked for."]
      : []),
    random.pick(["Sorting by name means by bytes.", "Names are compared byte by byte when sorted."]),
  ];
}

function gitHistory(bug: string | null): Family {
  return {
    id: "git-history",
    title: "Questions to a Git repository",
    derivations: [...derivations],
    withBug: (derivation) => gitHistory(derivation),
    draft(random, difficulty) {
      const { world, layout, folder, questions, choice } = draw(random, difficulty, bug);
      const prose = random.fork("prose");
      const untouched = `/app/${layout.repository}`;
      return compose({
        random: choice,
        title: `History of ${world.name}: ${questions.map((question) => question.key.replace("_", " ")).join(", ")}`,
        instruction: writeLetter(prose, {
          context: contextFor(prose, world, layout),
          demands: questions.map((question) => question.demand),
          conditions: conditionsFor(prose, world, untouched),
        }),
        difficulty,
        tags: ["git", "history", ...questions.map((question) => question.shape)],
        packages: ["git"],
        files: worldFiles(random.fork("files"), world, layout),
        prelude: preludeFor(world, layout, difficulty, folder),
        questions,
        untouched,
        spoil: choice.pick([
          `echo "gc.auto = 0" >> ${untouched}/config`,
          `rm ${untouched}/packed-refs`,
          `echo "${world.commits.keys().next().value}" > ${untouched}/refs/heads/scratch`,
        ]),
      });
    },
    solutionAt(random, difficulty, skill) {
      const { world, layout, folder, questions } = draw(random, difficulty, bug);
      return solutionScript(preludeFor(world, layout, skill, folder), questions);
    },
  };
}

/** What a repository's objects and references say about its past, and what of it can be had back. */
export const gitHistoryFamily: Family = gitHistory(null);
