import type { Random } from "../../../statistics/index.ts";
import { composeOrdered } from "../composition/index.ts";
import type { Difficulty, Family, TaskDraft } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { derivations, deriveFleet } from "./facts.ts";
import { standingFiles, waveFiles, waveNames } from "./files.ts";
import { preludeFor, questionsFor } from "./questions.ts";
import { drawWorld, type World } from "./world.ts";

const names = ["first-wave", "second-wave", "third-wave", "fourth-wave"];

function contextFor(random: Random, world: World, index: number): string[] {
  if (index === 0)
    return [
      random.pick([
        `${world.service} goes live host by host, and you write the configurations.`,
        `We roll out ${world.service} in waves. This is the first.`,
        `The fleet for ${world.service} is set up from today on.`,
      ]),
      "`/app/ROLLOUT.md` has the rules; what belongs to the wave is in `/app/wave`.",
    ];
  return [
    random.pick([
      `Wave ${index + 1} of ${world.service}.`,
      `The next hosts of ${world.service} are ready, and some things have changed since.`,
      `${world.service} goes on with wave ${index + 1}.`,
    ]),
    "`/app/wave` has the new hosts, their settings and the changes for those that run already; the files of the wave before are gone. `/app/rollout` is as you left it, and `/app/ROLLOUT.md` still holds.",
  ];
}

function draftOf(random: Random, difficulty: Difficulty, bug: string | null): TaskDraft {
  const world = drawWorld(random.fork("world"), difficulty);
  const fleets = deriveFleet(world, bug);
  const steps = world.waves.map((_, index) => {
    const own = random.fork(`step ${index}`);
    const questions = questionsFor(world, fleets, index);
    const arrives = waveFiles(world, index);
    return {
      random: own.fork("partials"),
      name: `0${index + 1}-${names[index]}`,
      instruction: writeLetter(own, {
        context: contextFor(own, world, index),
        demands: questions.map((question) => question.demand),
        conditions: ["Don't change, add or remove anything in `/app/wave`."],
      }),
      arrives,
      ...(index === 0 ? {} : { setup: `rm -f ${waveNames(index - 1).join(" ")}` }),
      prelude: preludeFor(world, index),
      questions,
      untouched: "/app/wave",
    };
  });
  return composeOrdered(
    {
      title: `Rollout of ${world.service} in ${steps.length} waves`,
      difficulty,
      tags: ["configuration"],
      files: standingFiles(world),
    },
    steps,
  );
}

const orderedRollout = (bug: string | null): Family => ({
  id: "ordered-rollout",
  title: "A rollout in waves",
  derivations: [...derivations],
  withBug: (derivation) => orderedRollout(derivation),
  draft: (random, difficulty) => draftOf(random, difficulty, bug),
});

/** A fleet's configuration rolled out in waves, with changes for the hosts that run already. */
export const orderedRolloutFamily: Family = orderedRollout(null);
