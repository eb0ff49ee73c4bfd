import type { Random } from "../../../statistics/index.ts";
import { compose, solutionScript } from "../composition/index.ts";
import type { Difficulty, Family } from "../family.ts";
import { writeLetter } from "../prose/index.ts";
import { derivations, deriveFacts } from "./facts.ts";
import { worldFiles } from "./files.ts";
import { drawLayout } from "./layout.ts";
import { preludeFor } from "./prelude.ts";
import * as ask from "./questions/index.ts";
import { drawWorld, type World } from "./world.ts";

const others = [
  ask.exceptions,
  ask.balances,
  ask.cleanLedger,
  ask.months,
  ask.ageing,
  ask.journal,
  ask.receipts,
  ask.largest,
  ask.repeated,
] as const;

function draw(random: Random, difficulty: Difficulty, bug: string | null) {
  const world = drawWorld(random.fork("world"), difficulty);
  const facts = deriveFacts(world, bug);
  const layout = drawLayout(random.fork("layout"), difficulty);
  const choice = random.fork("choice");
  const folder = choice.pick(["/app/report", "/app/reconciled", "/app/out", "/app/closing"]);
  const files = worldFiles(random.fork("files"), world, layout);
  const inputs = `/app/${layout.ledger.path.split("/")[0]}`;
  const sources = files.filter((file) => !file.path.endsWith(".md")).map((file) => `/app/${file.path}`);
  const setting = (label: string): ask.Setting => ({ random: random.fork(label), facts, folder, sources });
  const possible = others.filter((question) => difficulty >= 2 || question !== ask.repeated);
  const picked = choice.sample(possible, [1, 2, 2, 3, 4][difficulty - 1]!);
  const questions = [
    ask.totals(setting("totals")),
    ...picked.map((question) => question(setting(`question ${others.indexOf(question)}`))),
  ];
  return { world, layout, folder, files, inputs, questions, untouched: choice.boolean(0.8) ? inputs : null, choice };
}

function contextFor(random: Random, world: World, inputs: string): string[] {
  const parts =
    world.difficulty === 1
      ? "the ledger and the bank's statement"
      : "the ledger, the bank's statement and the card processor's file";
  return [
    random.pick([
      `Month end at ${world.company}: invoices and money have to be brought together.`,
      `${world.company}'s auditors come on Monday, and receivables don't agree with what was paid.`,
      `We need ${world.company}'s invoices of ${world.year} reconciled with what came in.`,
      `Somebody has to find out which of ${world.company}'s customers have paid what.`,
    ]),
    random.pick([
      `Everything is in \`${inputs}\`: ${parts}${world.difficulty >= 4 ? ", and corrections that came late" : ""}.`,
      `You find ${parts} in \`${inputs}\`${world.difficulty >= 3 ? ", with the exchange rates beside them" : ""}.`,
    ]),
    `\`${inputs}/FILES.md\` explains how each file is written.`,
  ];
}

function conditionsFor(world: World, untouched: string | null): string[] {
  const { difficulty, prefix, year, rates, rounding } = world;
  return [
    `Invoice numbers are written \`${prefix}-${year}-00042\`, five digits, wherever I ask for them, and all amounts are in cents of ${rates.base} unless I say otherwise.`,
    ...(difficulty >= 2 ? ["Several payments for one invoice add up, and refunds count against them."] : []),
    ...(difficulty >= 3
      ? [
          `Convert each foreign payment by itself with the rate of the day on which it was booked (for cards the UTC day of \`captured_at\`), and round it to whole cents, ${rounding === "half-up" ? "halves away from zero" : "halves to the even cent"}, before adding anything up.`,
        ]
      : []),
    ...(difficulty >= 4
      ? [
          "Corrections come first: a voided invoice is not in the books any more, so money for it is money for an unknown number.",
        ]
      : []),
    ...(difficulty >= 5
      ? [
          "A payment that names several invoices is spread over them in the order in which they are named: each gets exactly what was billed, and the last one gets what is left.",
        ]
      : []),
    ...(untouched === null ? [] : [`Don't change, add or remove anything in \`${untouched}\`.`]),
  ];
}

function tabularReconciliation(bug: string | null): Family {
  return {
    id: "tabular-reconciliation",
    title: "Tabular reconciliation",
    derivations: [...derivations],
    withBug: (derivation) => tabularReconciliation(derivation),
    draft(random, difficulty) {
      const { world, layout, folder, files, inputs, questions, untouched, choice } = draw(random, difficulty, bug);
      const prose = random.fork("prose");
      return compose({
        random: choice,
        title: `Receivables of ${world.company}: ${questions.map((question) => question.key.replaceAll("_", " ")).join(", ")}`,
        instruction: writeLetter(prose, {
          context: contextFor(prose, world, inputs),
          demands: questions.map((question) => question.demand),
          conditions: conditionsFor(world, untouched),
        }),
        difficulty,
        tags: ["tables", "reconciliation", ...questions.map((question) => question.shape)],
        files,
        prelude: preludeFor(world, layout, difficulty, folder),
        questions,
        untouched,
        ...(choice.boolean(0.2) ? { spoil: `echo >> /app/${layout.bank.path}` } : {}),
      });
    },
    solutionAt(random, difficulty, skill) {
      const { world, layout, folder, questions } = draw(random, difficulty, bug);
      return solutionScript(preludeFor(world, layout, skill, folder), questions);
    },
  };
}

/** Invoices and payments from several systems, brought together to the cent. */
export const tabularReconciliationFamily: Family = tabularReconciliation(null);
