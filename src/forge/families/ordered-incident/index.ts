import type { Random } from "../../../statistics/index.ts";
import { composeOrdered } from "../composition/index.ts";
import type { Difficulty, Family, TaskDraft } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { derivations, deriveKnown } from "./facts.ts";
import { incomingFiles, incomingNames, standingFiles } from "./files.ts";
import { preludeFor, questionsFor } from "./questions.ts";
import { drawWorld, type World } from "./world.ts";

const names = ["first-piece", "second-piece", "third-piece", "fourth-piece"];

function contextFor(random: Random, world: World, index: number): string[] {
  if (index === 0)
    return [
      random.pick([
        `Something is wrong with ${world.system}, and it isn't over.`,
        `Errors are coming in from ${world.system}; you keep the record of this incident.`,
        `There is an incident at ${world.system}. The logs will come in pieces.`,
      ]),
      "`/app/INCIDENT.md` says how the record is kept, `/app/services.txt` names the services, and the first piece of the log is in `/app/incoming`.",
    ];
  return [
    random.pick([
      `Piece ${index + 1} of the log has come in.`,
      `More from ${world.system}: piece ${index + 1}.`,
      `It goes on. Here is piece ${index + 1}.`,
    ]),
    "It is in `/app/incoming` together with what has been retracted; the piece before is no longer there. The record in `/app/incident` is as you left it, and `/app/INCIDENT.md` still holds.",
  ];
}

function conditionsFor(world: World, index: number): string[] {
  const { clock } = world.pieces[index] as World["pieces"][number];
  return [
    ...(world.renamed !== null && index === 1
      ? [
          `From this piece on the logs call the service ${world.renamed.service} \`${world.renamed.alias}\`. It is the same service; the record goes on calling it ${world.renamed.service}.`,
        ]
      : []),
    ...(clock === null
      ? []
      : [
          `The clock of host ${clock.host} was ${clock.ahead} seconds ahead until this piece: put the times of its events that are in the timeline right before you do anything else. Events that are new in this piece have the right time.`,
        ]),
    "Don't change, add or remove anything in `/app/incoming`.",
  ];
}

function draftOf(random: Random, difficulty: Difficulty, bug: string | null): TaskDraft {
  const world = drawWorld(random.fork("world"), difficulty);
  const known = deriveKnown(world, bug);
  const steps = world.pieces.map((_, index) => {
    const own = random.fork(`step ${index}`);
    const questions = questionsFor(world, known, index);
    const arrives = incomingFiles(own.fork("files"), world, index);
    return {
      random: own.fork("partials"),
      name: `0${index + 1}-${names[index]}`,
      instruction: writeLetter(own, {
        context: contextFor(own, world, index),
        demands: questions.map((question) => question.demand),
        conditions: conditionsFor(world, index),
      }),
      arrives,
      ...(index === 0 ? {} : { setup: `rm -f ${incomingNames(index - 1).join(" ")}` }),
      prelude: preludeFor(world, index),
      questions,
      untouched: "/app/incoming",
    };
  });
  return composeOrdered(
    {
      title: `Incident at ${world.system.replace("the ", "")}, ${steps.length} pieces of log`,
      difficulty,
      tags: ["incident"],
      files: standingFiles(world),
    },
    steps,
  );
}

const orderedIncident = (bug: string | null): Family => ({
  id: "ordered-incident",
  title: "An incident in pieces",
  derivations: [...derivations],
  withBug: (derivation) => orderedIncident(derivation),
  draft: (random, difficulty) => draftOf(random, difficulty, bug),
});

/** The record of an incident whose log comes in pieces, some of it retracted later. */
export const orderedIncidentFamily: Family = orderedIncident(null);
