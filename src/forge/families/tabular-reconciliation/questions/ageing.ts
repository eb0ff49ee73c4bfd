import type { Question } from "../../composition/index.ts";
import { isoDay } from "../money.ts";
import type { Setting } from "./setting.ts";

/** How old the unpaid invoices are. */
export function ageing({ random, facts, folder, sources }: Setting): Question {
  const path = `${folder}/ageing.json`;
  const steps = random.pick([
    [30, 60, 90],
    [45, 90, 120],
    [60, 120, 180],
  ] as const);
  const labels = [`0-${steps[0]}`, `${steps[0] + 1}-${steps[1]}`, `${steps[1] + 1}-${steps[2]}`, `over-${steps[2]}`];
  const asOf = facts.world.asOf;
  const expected = Object.fromEntries(labels.map((label) => [label, { invoices: 0, cents: 0 }]));
  for (const number of facts.unpaid) {
    const invoice = facts.ledger.get(number)!;
    const slot = steps.findIndex((step) => asOf - invoice.day <= step);
    const bucket = expected[labels[slot < 0 ? 3 : slot] as string]!;
    bucket.invoices++;
    bucket.cents += invoice.cents;
  }
  const solve = (numbers: string) => `
today = date.fromisoformat("${isoDay(asOf)}")
labels = ${JSON.stringify(labels)}
ageing = {label: {"invoices": 0, "cents": 0} for label in labels}
for number in ${numbers}:
    age = (today - date.fromisoformat(ledger[number]["date"])).days
    bucket = ageing[labels[sum(age > step for step in ${JSON.stringify(steps)})]]
    bucket["invoices"] += 1
    bucket["cents"] += ledger[number]["cents"]
Path("${path}").write_text(json.dumps(ageing, indent=2) + "\\n")`;
  return {
    key: "ageing",
    shape: "bucket-object",
    artefact: path,
    format: "JSON object of objects",
    statement: "Unpaid invoices are put into buckets by age",
    demand: `How old is what nobody has paid anything for? \`${path}\`: a JSON object with the keys ${labels.map((label) => `\`${label}\``).join(", ")} (days from issue to ${isoDay(asOf)}, limits included), each an object with \`invoices\` (how many) and \`cents\`; empty buckets too.`,
    derivation: "unpaid invoices by days since issue",
    sources,
    expected,
    solve: solve("unpaid"),
    mistake: { name: "takes in what was paid in part", solve: solve("unpaid + differing") },
    check: `v.equal(v.json("${path}"), wanted, "${path}")`,
  };
}
