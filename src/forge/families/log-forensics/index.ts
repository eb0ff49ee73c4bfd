import type { Random } from "../../../statistics/index.ts";
import { compose, type Question, solutionScript } from "../composition/index.ts";
import type { Difficulty, Family } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { derivations, deriveFacts, type Facts } from "./facts.ts";
import { worldFiles } from "./files.ts";
import { drawNoise } from "./noise.ts";
import { preludeFor } from "./prelude.ts";
import * as ask from "./questions/index.ts";
import { drawAudit, redaction } from "./redaction.ts";
import { drawWorld } from "./world.ts";

const others = [
  ask.timeline,
  ask.ranking,
  ask.unreached,
  ask.failures,
  ask.latency,
  ask.windows,
  ask.histogram,
  ask.usersHit,
] as const;

/** Worlds in which an answer would hang on a tie are drawn again. */
function drawSoundFacts(random: Random, difficulty: Difficulty, bug: string | null): Facts {
  for (let turn = 0; ; turn++) {
    const world = drawWorld(random.fork(turn), difficulty);
    const facts = deriveFacts(world, null);
    const counts = new Map<string, number>();
    for (const { first } of facts.failures) if (first) counts.set(first.service, (counts.get(first.service) ?? 0) + 1);
    const [first = 0, second = 0] = [...counts.values()].sort((a, b) => b - a);
    if (first > second) return deriveFacts(world, bug);
  }
}

function draw(random: Random, difficulty: Difficulty, bug: string | null) {
  const facts = drawSoundFacts(random.fork("world"), difficulty, bug);
  const { world } = facts;
  const choice = random.fork("choice");
  const folder = choice.pick(["/app/report", "/app/findings", "/app/out", "/app/postmortem"]);
  const setting = (label: string): ask.Setting => ({ random: random.fork(label), facts, folder, bug });
  const audit = drawAudit(random.fork("audit"));
  const more = [1, 2, 2, 3, 4][difficulty - 1]!;
  const picked = choice.sample([...others.keys(), -1], more);
  const questions: Question[] = [
    ask.incident(setting("incident")),
    ...picked.map((index) =>
      index < 0 ? redaction(folder, audit.redacted) : others[index]!(setting(`question ${index}`)),
    ),
  ];
  const files = worldFiles(random.fork("files"), world, drawNoise(random.fork("noise"), world));
  if (picked.includes(-1) || choice.boolean(0.3)) files.push(audit.file);
  const untouched = choice.boolean(0.8) ? "/app/logs" : null;
  return { facts, world, folder, questions, files, untouched, choice };
}

function conditionsFor({ world, untouched }: ReturnType<typeof draw>): string[] {
  const edge = world.edge.name;
  const retried =
    world.difficulty === 5
      ? ` A client may have sent a request again under a new id (\`retry_of\` names the attempt before). Only the last attempt of such a chain decides: when it failed, the request failed, with that attempt's id, time and errors; attempts that were sent again don't count as failed requests.`
      : "";
  return [
    `A request counts as failed when \`${edge}\` answered it with a status of 500 or above; its time is that of the record at \`${edge}\`. Health checks carry no request id and are not requests.${retried}`,
    `\`/app/docs/logging.md\` says how each service writes its log.${world.difficulty >= 3 ? " All times that I ask for are true UTC, so offsets and clock errors (`/app/docs/hosts.csv`) have to be taken out first." : ""}`,
    ...(untouched === null ? [] : [`Leave everything under \`${untouched}\` exactly as it is; it is evidence.`]),
  ];
}

function contextFor(random: Random, { world }: ReturnType<typeof draw>): string[] {
  const services = world.backends.map((service) => `\`${service.name}\``).join(" and ");
  const platform = world.theme.platform;
  const day = new Date(world.from).toISOString().slice(0, 10);
  return [
    random.pick([
      `Our ${platform} had a bad hour on ${day}, and the post-mortem is due.`,
      `On ${day} users of the ${platform} saw errors in three waves. We want to know what happened.`,
      `Please look into the failures that the ${platform} had on ${day}.`,
      `The ${platform} fell over on ${day}; the people on call were busy restarting things and took no notes.`,
    ]),
    random.pick([
      `The logs of \`${world.edge.name}\` (which takes the requests in) and of ${services} behind it are under \`/app/logs\`, a folder for each.`,
      `Under \`/app/logs\` is what we saved: \`${world.edge.name}\` in front, ${services} behind it, one directory each.`,
    ]),
  ];
}

function logForensics(bug: string | null): Family {
  return {
    id: "log-forensics",
    title: "Log forensics",
    derivations: [...derivations],
    withBug: (derivation) => logForensics(derivation),
    draft(random, difficulty) {
      const drawn = draw(random, difficulty, bug);
      const { world, questions, choice } = drawn;
      const prose = random.fork("prose");
      return compose({
        random: choice,
        title: `Incident of the ${world.theme.platform}: ${questions
          .slice(1)
          .map((question) => question.key.replaceAll("_", " "))
          .join(", ")}`,
        instruction: writeLetter(prose, {
          context: contextFor(prose, drawn),
          demands: questions.map((question) => question.demand),
          conditions: conditionsFor(drawn),
        }),
        difficulty,
        tags: ["logs", "correlation", ...questions.slice(1).map((question) => question.shape)],
        files: drawn.files,
        prelude: preludeFor(world, difficulty, drawn.folder),
        questions,
        untouched: drawn.untouched,
        ...(choice.boolean(0.2) ? { spoil: `rm /app/logs/${world.edge.name}/${world.edge.name}.log` } : {}),
      });
    },
    solutionAt(random, difficulty, skill) {
      const { world, questions, folder } = draw(random, difficulty, bug);
      return solutionScript(preludeFor(world, skill, folder), questions);
    },
  };
}

/** What happened, from logs in several formats, rotated, in other zones, on wrong clocks. */
export const logForensicsFamily: Family = logForensics(null);
