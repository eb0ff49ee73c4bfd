import type { Random } from "../../../statistics/index.ts";
import { isoDay } from "./dates.ts";
import type { World } from "./world.ts";

/** The journal as text: transactions interleave, some are rolled back, one never ends. */
export function writeJournal(random: Random, world: World): string {
  const { theme } = world;
  const row = (id: number, party: number, category: string, day: number, cents: number) =>
    JSON.stringify({
      id,
      [`${theme.party}_id`]: party,
      [theme.category]: category,
      [theme.day]: isoDay(day),
      [theme.amount]: cents,
    });
  const last = Math.max(...world.entries.map((entry) => entry.id));
  const transactions: { lines: string[]; end: "COMMIT" | "ROLLBACK" | "" }[] = [];
  for (const entry of world.entries) {
    if (entry.journal === "removed") transactions.push({ lines: [`DELETE {"id": ${entry.id}}`], end: "COMMIT" });
    if (entry.journal !== "inserted") continue;
    const corrected = random.boolean(0.4);
    const first = corrected ? entry.cents + random.integer(1, 5000) : entry.cents;
    const lines = [`INSERT ${row(entry.id, entry.party, entry.category, entry.day, first)}`];
    if (corrected) lines.push(`UPDATE ${JSON.stringify({ id: entry.id, [theme.amount]: entry.cents })}`);
    transactions.push({ lines, end: "COMMIT" });
  }
  const standing = world.entries.filter((entry) => entry.journal === "inserted");
  for (let i = random.integer(3, 5); i > 0; i--) {
    const entry = random.pick(world.entries);
    transactions.push({
      lines: [
        `INSERT ${row(last + 10 + i, entry.party, entry.category, random.integer(world.from, world.to), random.integer(200_000, 700_000))}`,
        `UPDATE ${JSON.stringify({ id: random.pick(standing).id, [theme.amount]: random.integer(1, 400) })}`,
      ],
      end: i === 1 ? "" : "ROLLBACK",
    });
  }
  const queue = random.shuffle(transactions);
  const open: { number: number; rest: string[] }[] = [];
  const out: string[] = [];
  let [number, second] = [random.integer(40, 900), random.integer(0, 20_000)];
  const stamp = () => {
    second += random.integer(1, 90);
    return `${isoDay(world.to + 60)}T${[second / 3600, (second / 60) % 60, second % 60].map((n) => String(Math.floor(n)).padStart(2, "0")).join(":")}Z`;
  };
  while (queue.length > 0 || open.length > 0) {
    const next = queue.length > 0 && (open.length === 0 || (open.length < 4 && random.boolean(0.5)));
    if (next) {
      const { lines, end } = queue.pop() as (typeof transactions)[number];
      open.push({ number: ++number, rest: [...lines, ...(end ? [end] : [])] });
      out.push(`${stamp()} tx=${number} BEGIN`);
    } else {
      const at = random.integer(0, open.length - 1);
      const transaction = open[at] as (typeof open)[number];
      out.push(`${stamp()} tx=${transaction.number} ${transaction.rest.shift()}`);
      if (transaction.rest.length === 0) open.splice(at, 1);
    }
    if (random.boolean(0.06)) out.push(`${stamp()} # checkpoint ${random.integer(100, 999)}`);
  }
  return `${out.join("\n")}\n`;
}

/** The notes that lie beside the database: conventions, without any answer. */
export function writeNotes(random: Random, world: World): string {
  const { theme } = world;
  const mark = {
    stamp: "`deleted_at` holds the time of deletion; NULL means that the row is alive",
    flag: "`is_deleted` is 1 for a deleted row",
    state: "`state` is `D` for a deleted row (`A`, and nothing else, is alive)",
  };
  const parts = [
    `# ${theme.place}: notes on the database`,
    random.pick([
      "Kept by the office, last looked at when the schema changed.",
      "Written down for whoever comes next.",
      "Please add what you find out.",
    ]),
    "## Deletion",
    `Nothing is ever deleted for good. In \`${theme.parties}\`: ${mark[world.partyMark]}. In \`${theme.entries}\`: ${mark[world.entryMark]}.`,
    "## What counts",
    `A row of \`${theme.entries}\` counts when it isn't deleted, its ${theme.party} is in \`${theme.parties}\`, and that ${theme.party} isn't deleted.${world.level >= 3 ? ` Rows of \`${world.legacyTable}\` count too: when \`void\` is \`N\`, \`moved_to\` is NULL (otherwise the row lives on in \`${theme.entries}\`), and the ${theme.party} with that code exists and isn't deleted.` : ""}`,
  ];
  if (world.level >= 2)
    parts.push(
      "## Dates",
      `\`${theme.day}\` has been typed in by several programs. Dates with slashes are ${world.dayFirst ? "day/month/year" : "month/day/year"}, dates with dots day.month.year; eight digits are year, month, day.`,
    );
  if (world.level >= 3)
    parts.push(
      "## The old table",
      `\`${world.legacyTable}\` comes from the former system: amounts there are text with a decimal comma, in whole units and cents (\`12,50\` is 1250 cents), dates day.month.year.`,
    );
  parts.push(
    "## Audit",
    `\`${theme.entry}_audit\` records changes of \`${theme.entries}\` after the fact: \`amount\` stands for \`${theme.amount}\` (in cents), \`category\` for \`${theme.category}\`; action \`insert\` is the moment at which the row came into being. The rows aren't in order of time.`,
  );
  if (world.level >= 5)
    parts.push(
      "## Journal",
      `\`${world.journalPath}\`: a line is time, transaction, verb and JSON. Transactions interleave. What counts is what was committed; a transaction that was rolled back or has no end did nothing. Changes take effect in the order of the commits. \`DELETE\` marks the row as deleted, as the application does (a time of deletion may be any).`,
    );
  parts.push("## Views", `\`active_${theme.parties}\` was made for a presentation. Don't trust it.`);
  return `${parts.join("\n\n")}\n`;
}
