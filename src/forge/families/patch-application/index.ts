import type { Random } from "../../../statistics/index.ts";
import { compose, solutionScript } from "../composition/index.ts";
import type { Difficulty, Family } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { drawLayout, type Layout, worldFiles } from "./files.ts";
import { preludeFor } from "./prelude.ts";
import * as ask from "./questions/index.ts";
import { drawWorld, type World } from "./world.ts";

/** Derivations in which a bug can be planted. */
const derivations = ["fuzz", "already-applied", "rejects"] as const;

/** What can be asked, and from which level on. */
const others = [
  [ask.status, 3],
  [ask.order, 1],
  [ask.diffstat, 1],
  [ask.offsets, 2],
  [ask.touched, 1],
  [ask.credits, 1],
  [ask.lineEnds, 2],
  [ask.sizes, 1],
  [ask.checksums, 1],
] as const;

function draw(random: Random, difficulty: Difficulty, bug: string | null) {
  const world = drawWorld(random.fork("world"), difficulty, bug);
  const choice = random.fork("choice");
  const layout = drawLayout(random.fork("layout"));
  const folder = choice.pick(["/app/report", "/app/out", "/app/results", "/app/log"]);
  const setting = (label: string): ask.Setting => ({ random: random.fork(label), world, layout, folder });
  const possible = others.filter(([, level]) => level <= difficulty).map(([question]) => question);
  const picked = choice.sample(possible, [1, 2, 3, 2, 3][difficulty - 1] as number);
  const questions = [
    ask.tree(setting("tree")),
    ...picked.map((question) => question(setting(`question ${others.findIndex(([one]) => one === question)}`))),
    ...(difficulty >= 4 ? [ask.rejects(setting("rejects"))] : []),
  ];
  return { world, layout, folder, questions, choice };
}

function contextFor(random: Random, { project, patches, difficulty }: World, { queue, rules }: Layout): string[] {
  return [
    random.pick([
      `Upstream sent a batch of patches for ${project}, and our copy isn't quite what they were made against.`,
      `We keep our own changes to ${project} as a queue of patches, which has to be brought into the tree for good.`,
      `${project} was left in the middle of a migration: the tree is here, ${patches.length} patches are still in the queue.`,
      `The maintainer of ${project} retired and left a folder of patches that never went in.`,
    ]),
    `The tree is \`/app/${project}\`, the patches are in \`/app/${queue}\`${difficulty < 5 ? " with their `series`" : ""}, and \`/app/${queue}/${rules}\` says how they are applied.`,
    random.pick([
      "Follow those rules rather than whatever a tool does by itself.",
      "Tools differ in the details; the rules there decide.",
      "Read it first: the rules there are what the result is measured by.",
    ]),
  ];
}

function patchApplication(bug: string | null): Family {
  return {
    id: "patch-application",
    title: "Applying a queue of patches",
    derivations: [...derivations],
    withBug: (derivation) => patchApplication(derivation),
    draft(random, difficulty) {
      const { world, layout, folder, questions, choice } = draw(random, difficulty, bug);
      const prose = random.fork("prose");
      const untouched = `/app/${layout.queue}`;
      return compose({
        random: choice,
        title: `Patches for ${world.project}: ${questions.map((question) => question.key.replace("_", " ")).join(", ")}`,
        instruction: writeLetter(prose, {
          context: contextFor(prose, world, layout),
          demands: questions.map((question) => question.demand),
          conditions: [
            prose.pick([
              `Nothing in \`${untouched}\` may change.`,
              `Leave \`${untouched}\` as it is: the patches are kept for the record.`,
            ]),
            prose.pick([
              "Whatever is sorted is sorted by bytes.",
              "Sorting is by bytes, upper case before lower case.",
            ]),
          ],
        }),
        difficulty,
        tags: ["patch", "diff", ...questions.map((question) => question.shape)],
        packages: ["patch"],
        files: worldFiles(random.fork("files"), world, layout),
        prelude: preludeFor(world, layout, difficulty, folder),
        questions,
        untouched,
        spoil: choice.pick([
          `rm "${untouched}/${world.patches[0]?.name}"`,
          `echo >> "${untouched}/${world.patches[1]?.name}"`,
          `touch ${untouched}/done`,
        ]),
      });
    },
    solutionAt(random, difficulty, skill) {
      const { world, layout, folder, questions } = draw(random, difficulty, bug);
      return solutionScript(preludeFor(world, layout, skill, folder), questions);
    },
  };
}

/** Diffs in several formats, brought into a tree that has changed since they were made. */
export const patchApplicationFamily: Family = patchApplication(null);
