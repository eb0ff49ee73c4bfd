import type { Random } from "../../../statistics/index.ts";
import { compose, solutionScript } from "../composition/index.ts";
import type { Difficulty, Family } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { derivations, deriveFacts } from "./facts.ts";
import { preludeFor } from "./prelude.ts";
import * as ask from "./questions/index.ts";
import { drawWorld, type World } from "./world.ts";

const others = [
  ask.lost,
  ask.manifest,
  ask.duplicates,
  ask.formats,
  ask.checksums,
  ask.kinds,
  ask.repacked,
  ask.sums,
  ask.timeline,
  ask.coverage,
] as const;

function draw(random: Random, difficulty: Difficulty, bug: string | null) {
  const world = drawWorld(random.fork("world"), difficulty);
  const facts = deriveFacts(world, bug);
  const choice = random.fork("choice");
  const folder = choice.pick(["/app/report", "/app/out", "/app/results", "/app/papers"]);
  const target = choice.pick(["/app/recovered", "/app/restored", "/app/saved/files"]);
  const setting = (label: string): ask.Setting => ({ random: random.fork(label), facts, folder, target });
  const picked = choice.sample(others, [1, 2, 2, 3, 4][difficulty - 1]!);
  const questions = [
    ask.tree(setting("tree")),
    ...picked.map((question) => question(setting(`question ${others.indexOf(question)}`))),
  ];
  const untouched = choice.boolean(0.8) ? `/app/${world.drop}` : null;
  return { world, folder, questions, untouched, choice };
}

function contextFor(random: Random, world: World): string[] {
  return [
    random.pick([
      "A file server died, and what we have of its backups is a heap of archives in archives.",
      "Facilities found a box of old disks; somebody copied whatever could be read off them.",
      "The backup job of the last year turns out to have packed archives into archives, under whatever names came to hand.",
      "We have to hand over some old project files, and all that is left are these backups.",
    ]),
    `The heap is in \`/app/${world.drop}\`. \`/app/${world.drop}/${world.catalogue}\` lists what was once backed up: path, size and SHA-256.`,
    random.pick([
      "Go by content, not by name: extensions are often wrong, inside the archives too.",
      "Don't trust a single file extension there, neither outside nor inside.",
    ]),
  ];
}

function conditionsFor(world: World, untouched: string | null): string[] {
  const { difficulty } = world;
  return [
    "A file counts as recovered when some archive, at whatever depth, yields exactly the bytes that the catalogue's checksum stands for. Whatever is an archive or compressed itself gets opened, not kept.",
    ...(difficulty >= 2
      ? [
          "Some copies were altered before they were packed; those don't count, and nobody should patch bytes until a checksum fits.",
        ]
      : []),
    ...(difficulty >= 3
      ? ["Some archives were cut off in transfer. The members that are complete in what is left of them do count."]
      : []),
    ...(difficulty >= 4
      ? [
          "There may be something in front of an archive, an archive may be split into numbered pieces (`name.1`, `name.2`, … put together in order of number), or be wrapped as base64 text.",
        ]
      : []),
    ...(difficulty >= 5
      ? [
          "In a tar archive a stretch may be overwritten; what comes after it is fine. Some members have lost their names (`FILE….CHK`) and are to be told by their checksum. Of some files there is more than one copy, and not every copy is good.",
        ]
      : []),
    ...(untouched === null ? [] : [`\`${untouched}\` itself stays exactly as it is.`]),
  ];
}

function nestedArchives(bug: string | null): Family {
  return {
    id: "nested-archives",
    title: "Damaged nested archives",
    derivations: [...derivations],
    withBug: (derivation) => nestedArchives(derivation),
    draft(random, difficulty) {
      const { world, folder, questions, untouched, choice } = draw(random, difficulty, bug);
      const prose = random.fork("prose");
      return compose({
        random: choice,
        title: `Archives in ${world.drop}: ${questions.map((question) => question.key).join(", ")}`,
        instruction: writeLetter(prose, {
          context: contextFor(prose, world),
          demands: questions.map((question) => question.demand),
          conditions: conditionsFor(world, untouched),
        }),
        difficulty,
        tags: ["archives", "recovery", ...questions.map((question) => question.shape)],
        files: world.files,
        prelude: preludeFor(world, difficulty, folder),
        questions,
        untouched,
        ...(choice.boolean(0.2) ? { spoil: `rm /app/${world.drop}/${world.catalogue}` } : {}),
      });
    },
    solutionAt(random, difficulty, skill) {
      const { world, folder, questions } = draw(random, difficulty, bug);
      return solutionScript(preludeFor(world, skill, folder), questions);
    },
  };
}

/** What can still be had from archives in archives that were renamed, cut off, split and overwritten. */
export const nestedArchivesFamily: Family = nestedArchives(null);
