import type { Random } from "../../../statistics/index.ts";
import { compose, solutionScript } from "../composition/index.ts";
import type { Difficulty, Family } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { derivations, deriveFacts, type Facts, isSound } from "./facts.ts";
import { drawLayout, type Layout, worldFiles } from "./files.ts";
import { preludeFor } from "./prelude.ts";
import * as ask from "./questions/index.ts";
import { drawWorld } from "./world.ts";

const others = [
  ask.order,
  ask.waves,
  ask.plan,
  ask.removal,
  ask.why,
  ask.heldBack,
  ask.dependents,
  ask.download,
  ask.critical,
  ask.constraints,
] as const;

/** Worlds in which some kind of work would decide nothing are drawn again. */
function drawSoundFacts(random: Random, difficulty: Difficulty, bug: string | null): Facts {
  for (let turn = 0; ; turn++) {
    const world = drawWorld(random.fork(turn), difficulty);
    const facts = deriveFacts(world, null);
    if (facts === null || !isSound(world, facts)) continue;
    return (bug === null ? facts : deriveFacts(world, bug)) ?? facts;
  }
}

function draw(random: Random, difficulty: Difficulty, bug: string | null) {
  const facts = drawSoundFacts(random.fork("world"), difficulty, bug);
  const choice = random.fork("choice");
  const layout = drawLayout(random.fork("layout"));
  const folder = choice.pick(["/app/plan", "/app/out", "/app/result", "/app/resolved"]);
  const setting = (label: string): ask.Setting => ({ random: random.fork(label), facts, layout, folder });
  const picked = choice.sample(others, [1, 2, 3, 3, 3][difficulty - 1] as number);
  const questions = [
    ask.lock(setting("lock")),
    ...picked.map((question) => question(setting(`question ${others.indexOf(question)}`))),
    ...(difficulty === 5 || (difficulty === 4 && choice.boolean(0.3)) ? [ask.conflicts(setting("conflicts"))] : []),
  ];
  return { facts, layout, folder, questions, choice, files: worldFiles(random.fork("files"), facts.world, layout) };
}

function contextFor(random: Random, { world }: Facts, { root, index, style }: Layout): string[] {
  const list = world.wanted.map(({ name }) => `\`${name}\``).join(", ");
  return [
    random.pick([
      "Our package tool was retired before its successor was ready, so one release has to be put together by hand.",
      "We build an appliance from in-house packages, and the resolver we used has been lost with its author.",
      "The mirror in the plant has no package manager, only the index; somebody has to work out what goes on the machine.",
      "Two teams quarrel over what the next release contains. The rules are written down, so let us just apply them.",
    ]),
    `Everything is in \`/app/${root}\`: the index of all releases (\`${index}/\`, ${style === "lines" ? "JSON, an object on each line" : "stanzas separated by empty lines"}), what is wanted (\`wanted.txt\`: ${list}), what is installed now (\`installed.txt\`), settings, and \`RULES.md\`.`,
    random.pick([
      "`RULES.md` says how packages are chosen and put in order; follow it to the letter, it isn't what other package managers do.",
      "The rules in `RULES.md` leave exactly one answer. They are our own, so please don't assume those of another tool.",
    ]),
  ];
}

function dependencyOrdering(bug: string | null): Family {
  return {
    id: "dependency-ordering",
    title: "Resolving and ordering dependencies",
    derivations: [...derivations],
    withBug: (derivation) => dependencyOrdering(derivation),
    draft(random, difficulty) {
      const { facts, layout, folder, questions, choice, files } = draw(random, difficulty, bug);
      const prose = random.fork("prose");
      const untouched = `/app/${layout.root}`;
      return compose({
        random: choice,
        title: `Packages of the ${layout.root}: ${questions.map((question) => question.key.replace("_", " ")).join(", ")}`,
        instruction: writeLetter(prose, {
          context: contextFor(prose, facts, layout),
          demands: questions.map((question) => question.demand),
          conditions: [
            prose.pick([
              '"Alphabetical" and "sorted" mean by bytes; all names are plain lower-case ASCII.',
              "Sorting is by bytes everywhere.",
            ]),
            prose.pick([
              `Nothing in \`${untouched}\` may change.`,
              `\`${untouched}\` is shared with others: leave everything in it as it is.`,
            ]),
          ],
        }),
        difficulty,
        tags: ["packages", "dependencies", ...questions.map((question) => question.shape)],
        files,
        prelude: preludeFor(layout, difficulty, folder),
        questions,
        untouched,
        spoil: choice.pick([
          `rm ${untouched}/installed.txt`,
          `sort -o ${untouched}/wanted.txt ${untouched}/wanted.txt && echo >> ${untouched}/settings.txt`,
        ]),
      });
    },
    solutionAt(random, difficulty, skill) {
      const { layout, folder, questions } = draw(random, difficulty, bug);
      return solutionScript(preludeFor(layout, skill, folder), questions);
    },
  };
}

/** Which releases of which packages go together by written rules, and in which order they come. */
export const dependencyOrderingFamily: Family = dependencyOrdering(null);
