import type { Random } from "../../../statistics/index.ts";
import type { FixtureFile } from "../family.ts";
import type { World } from "./world.ts";

const texts = ["standing order", "by hand", "net 30", "reference 4711", "see paper file", "", "terminal 2"];

const german = (cents: number) => {
  const whole = String(Math.floor(Math.abs(cents) / 100)).replace(/\B(?=(\d{3})+$)/g, ".");
  return `${cents < 0 ? "-" : ""}${whole},${String(Math.abs(cents) % 100).padStart(2, "0")}`;
};

export const inboxNames = (world: World, index: number) => {
  const { month } = world.periods[index] as World["periods"][number];
  return { postings: `inbox/postings-${month}.csv`, corrections: `inbox/corrections-${month}.jsonl` };
};

/** What comes into the inbox for a period. */
export function inboxFiles(random: Random, world: World, index: number): FixtureFile[] {
  const period = world.periods[index] as World["periods"][number];
  const named = inboxNames(world, index);
  const changed = world.changesFormat && index > 0;
  const rows = period.postings.flatMap(({ id, date, account, cents }, at) => {
    const text = random.pick(texts);
    const row = changed
      ? `${date.split("-").reverse().join(".")};${id};${account};${german(cents)};${text}`
      : `${id},${date},${account},${cents},${text}`;
    return Array.from({ length: period.copies[at] as number }, () => row);
  });
  const header = changed ? "day;id;account;amount;text" : "id,date,account,cents,text";
  const postings = { path: named.postings, content: `${[header, ...random.shuffle(rows)].join("\n")}\n` };
  if (index === 0) return [postings];
  const lines = period.corrections.map((entry) =>
    JSON.stringify(entry.cents === null ? { id: entry.id, revision: entry.revision, void: true } : entry),
  );
  return [postings, { path: named.corrections, content: lines.map((line) => `${line}\n`).join("") }];
}

/** The rules that hold for all periods, and the chart of accounts. */
export function standingFiles(world: World): FixtureFile[] {
  const { difficulty } = world;
  const rules = [
    "# How these books are kept",
    "",
    "- `/app/books/ledger.csv`: every posting of all periods so far. Header `id,date,account,cents`, dates `YYYY-MM-DD`, rows in ascending order of `id` compared as text.",
    "- `/app/books/balances.json`: one object, account number to the sum of its postings in the ledger, in cents. Every account of `/app/chart.csv` is in it, with 0 when it has none.",
    "- `/app/books/closed/YYYY-MM.json`: the report with which a period is closed: `period`, `postings` (how many postings of the ledger are dated in it), `debits` (sum of the positive ones) and `credits` (sum of the negative ones, without the sign), in cents. Once written, a report is never changed.",
    "- The inbox holds one period's files at a time. They are taken away when the next period's come.",
    ...(difficulty >= 2
      ? ["- An export may repeat a row. A posting that is there more than once was made once; its `id` decides."]
      : []),
    "",
    "## Corrections",
    "",
    "`corrections-YYYY-MM.jsonl` comes with a period: one JSON object a line, the `id` of a posting and what its `cents` should have been.",
    ...(difficulty >= 3
      ? [
          'With several lines for one `id`, only the highest `revision` counts. `"void": true` means the posting should not have been made: it should have been 0.',
          "A posting dated in the period that is open is simply changed (0 when void; it stays in the ledger).",
        ]
      : []),
    "A posting of a closed period stays as it is. Its correction is a posting of its own: `id` is the corrected posting's followed by `/` and the open period's month (`P-00042/03`), the date the first day of the open period, the account that of the corrected posting, and `cents` what is missing, also when that is 0.",
    ...(difficulty >= 3
      ? [
          "What is missing is the difference to what the books say by then: the posting together with all corrections of it that were posted before.",
        ]
      : []),
    "",
  ];
  return [
    { path: "BOOKKEEPING.md", content: rules.join("\n") },
    { path: "chart.csv", content: `account,name\n${world.accounts.map((row) => `${row.join(",")}\n`).join("")}` },
  ];
}
