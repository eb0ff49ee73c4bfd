import type { Random } from "../../../statistics/index.ts";
import { compose, type Question, solutionScript } from "../composition/index.ts";
import type { Difficulty, Family } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { type Bug, bugs, effective } from "./effective.ts";
import { migrationGuide } from "./guide.ts";
import { prelude } from "./prelude.ts";
import * as ask from "./questions.ts";
import { drawWorld, type World } from "./world.ts";

const others = [ask.dropped, ask.origins, ask.secretList, ask.repeated, ask.properties, ask.counts, ask.perFile];

/** A world in which some kind of work of its level would decide nothing is drawn again. */
function drawSound(random: Random, difficulty: Difficulty): World {
  for (let turn = 0; ; turn++) {
    const world = drawWorld(random.fork(turn), difficulty);
    const right = JSON.stringify(effective(world, null).values);
    const decides = (bug: Bug) => JSON.stringify(effective(world, bug).values) !== right;
    const kinds: Bug[] = difficulty === 5 ? ["layers", "units", "alias", "switch"] : difficulty === 4 ? ["alias"] : [];
    if (kinds.every(decides)) return world;
  }
}

function draw(random: Random, difficulty: Difficulty, bug: Bug) {
  const world = drawSound(random.fork("world"), difficulty);
  const choice = random.fork("choice");
  const folder = choice.pick(["/app/new", "/app/migrated", "/app/next", "/app/target"]);
  const setting = { world, facts: effective(world, bug), folder };
  const more = choice.sample([...others], [1, 2, 2, 3, 4][difficulty - 1] as number);
  const questions: Question[] = [ask.settings(setting), ...more.map((question) => question(setting))];
  // A bug shows in every task: its answer is asked for.
  if (bug === "origins" && !more.includes(ask.origins)) questions.splice(1, 1, ask.origins(setting));
  return { world, folder, choice, questions };
}

function configurationMigration(bug: Bug): Family {
  return {
    id: "configuration-migration",
    title: "Configuration migration",
    derivations: [...bugs],
    withBug: (derivation) => configurationMigration(derivation as Bug),
    draft(random, difficulty) {
      const { world, folder, choice, questions } = draw(random, difficulty, bug);
      const prose = random.fork("prose");
      return compose({
        random: choice,
        title: `Migration of ${world.service}: ${questions
          .slice(1)
          .map(({ key }) => key.replaceAll("_", " "))
          .join(", ")}`,
        instruction: writeLetter(prose, {
          context: [
            prose.pick([
              `The next release of \`${world.service}\` reads one JSON file in place of the old ones under \`/app/old\`.`,
              `We move \`${world.service}\` to its new release, and its configuration under \`/app/old\` has to come along.`,
              `\`/app/old\` holds the configuration of \`${world.service}\` as it grew over the years; the new release wants it in another form.`,
            ]),
          ],
          demands: questions.map(({ demand }) => demand),
          conditions: ["`/app/docs/MIGRATION.md` states every rule.", "Leave everything under `/app/old` as it is."],
        }),
        difficulty,
        tags: ["configuration", "precedence", ...questions.slice(1).map(({ shape }) => shape)],
        files: [...world.files, { path: "docs/MIGRATION.md", content: migrationGuide(world) }],
        prelude: prelude(world, difficulty, folder),
        questions,
        untouched: "/app/old",
        ...(choice.boolean(0.3) ? { spoil: `rm /app/old/${world.service}.ini` } : {}),
      });
    },
    solutionAt(random, difficulty, skill) {
      const { world, folder, questions } = draw(random, difficulty, bug);
      return solutionScript(prelude(world, skill, folder), questions);
    },
  };
}

/** Settings that have grown over layers of old files, to be brought into one new file by a written guide. */
export const configurationMigrationFamily: Family = configurationMigration(null);
