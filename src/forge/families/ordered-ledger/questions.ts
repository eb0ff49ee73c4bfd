import { compareJson, compareTable, type Question, writeJson, writeTable } from "../composition/index.ts";
import type { Books } from "./facts.ts";
import { inboxNames } from "./files.ts";
import type { World } from "./world.ts";

const paths = {
  ledger: "/app/books/ledger.csv",
  balances: "/app/books/balances.json",
  closed: "/app/books/closed",
  changes: "/app/books/changes.csv",
};

/** Python that brings `ledger` (id to [date, account, cents]) up to the period, from the books and the inbox. */
export function preludeFor(world: World, index: number): string {
  const period = world.periods[index] as World["periods"][number];
  const named = inboxNames(world, index);
  const merged = world.periods.slice(0, index + 1).flatMap(({ merger }) => (merger === null ? [] : [merger]));
  const changed = world.changesFormat && index > 0;
  return [
    `import csv
import json
import re
from pathlib import Path

PERIOD, FIRST = "${period.month}", "${period.month}-01"
CHART = [row["account"] for row in csv.DictReader(open("/app/chart.csv"))]
SUCCESSOR = ${JSON.stringify(Object.fromEntries(merged.map(({ from, into }) => [from, into])))}
Path("${paths.closed}").mkdir(parents=True, exist_ok=True)
ledger = {}`,
    index === 0
      ? ""
      : `for row in csv.DictReader(open("${paths.ledger}")):
    ledger[row["id"]] = [row["date"], row["account"], int(row["cents"])]`,
    period.merger === null
      ? ""
      : `moved = sum(cents for _, account, cents in ledger.values() if account == "${period.merger.from}")
ledger["M-${period.merger.from}"] = [FIRST, "${period.merger.from}", -moved]
ledger["M-${period.merger.into}"] = [FIRST, "${period.merger.into}", moved]`,
    changed
      ? `for row in csv.DictReader(open("/app/${named.postings}"), delimiter=";"):
    cents = int(re.sub("[.,]", "", row["amount"]))
    date = "-".join(reversed(row["day"].split(".")))
    ledger[row["id"]] = [date, SUCCESSOR.get(row["account"], row["account"]), cents]`
      : `for row in csv.DictReader(open("/app/${named.postings}")):
    ledger[row["id"]] = [row["date"], SUCCESSOR.get(row["account"], row["account"]), int(row["cents"])]`,
    index === 0
      ? ""
      : `latest, changes = {}, []
for line in open("/app/${named.corrections}"):
    entry = json.loads(line)
    if entry["revision"] > latest.get(entry["id"], {"revision": 0})["revision"]:
        latest[entry["id"]] = entry
for number, entry in sorted(latest.items()):
    after = 0 if entry.get("void") else entry["cents"]
    before = sum(row[2] for key, row in ledger.items() if key.split("/")[0] == number)
    changes.append([number, before, after])
    date, account, _ = ledger[number]
    if date >= FIRST:
        ledger[number][2] = after
    else:
        ledger[number + "/" + PERIOD[5:]] = [FIRST, SUCCESSOR.get(account, account), after - before]`,
    `rows = [[number, *ledger[number]] for number in sorted(ledger)]`,
  ]
    .filter((block) => block !== "")
    .join("\n");
}

/** What is asked for at the end of a period. */
export function questionsFor(world: World, books: readonly Books[], index: number): Question[] {
  const now = books[index] as Books;
  const named = inboxNames(world, index);
  const { month } = now.report && { month: now.report.period };
  const sources = [`/app/${named.postings}`, ...(index === 0 ? [] : [`/app/${named.corrections}`, paths.ledger])];
  const columns = ["id", "date", "account", "cents"];
  const ledger: Question = {
    key: "ledger",
    shape: index === 0 ? "sorted-csv" : "carried-forward-table",
    artefact: paths.ledger,
    format: "CSV with header",
    statement: `The ledger holds every posting up to ${month}`,
    demand: `Bring \`${paths.ledger}\` up to the end of ${month}.`,
    derivation: index === 0 ? "the export, each posting once" : "the ledger so far, the export, and the corrections",
    ordering: "id",
    sources,
    expected: { columns, rows: now.ledger.map(({ id, date, account, cents }) => [id, date, account, String(cents)]) },
    solve: writeTable(paths.ledger, columns),
    mistake: {
      name: "in order of date",
      solve: `rows.sort(key=lambda row: (row[1], row[0]))\n${writeTable(paths.ledger, columns)}`,
    },
    check: compareTable(paths.ledger),
  };
  const balances: Question = {
    key: "balances",
    shape: index === 0 ? "json-object" : "carried-forward-object",
    artefact: paths.balances,
    format: "JSON object of integers",
    statement: `Balances are those at the end of ${month}`,
    demand: `\`${paths.balances}\` must say what each account holds at the end of ${month}.`,
    derivation: "sums of the whole ledger by account",
    sources,
    expected: now.balances,
    solve: `balances = {account: 0 for account in CHART}
for _, account, cents in ledger.values():
    balances[account] += cents
${writeJson(paths.balances, "balances")}`,
    mistake: {
      name: index === 0 ? "without the empty accounts" : "of this period alone",
      solve: `balances = {${index === 0 ? "" : "account: 0 for account in CHART"}}
for date, account, cents in ledger.values():
    if date >= FIRST:
        balances[account] = balances.get(account, 0) + cents
${writeJson(paths.balances, "balances")}`,
    },
    check: compareJson(paths.balances),
  };
  const path = `${paths.closed}/${month}.json`;
  const report: Question = {
    key: "report",
    shape: "period-report",
    artefact: paths.closed,
    format: "JSON files",
    statement: `The period ${month} is closed with its report`,
    demand: `Close ${month} with its report \`${path}\`.`,
    derivation: "postings dated in the period",
    sources,
    expected: now.report,
    solve: `here = [cents for date, _, cents in ledger.values() if date.startswith(PERIOD)]
report = {"period": PERIOD, "postings": len(here)}
report["debits"] = sum(cents for cents in here if cents > 0)
report["credits"] = -sum(cents for cents in here if cents < 0)
${writeJson(path, "report")}`,
    mistake: {
      name: "credits with their sign",
      solve: `here = [cents for date, _, cents in ledger.values() if date.startswith(PERIOD)]
report = {"period": PERIOD, "postings": len(here)}
report["debits"] = sum(cents for cents in here if cents > 0)
report["credits"] = sum(cents for cents in here if cents < 0)
${writeJson(path, "report")}`,
    },
    check: compareJson(path),
  };
  if (index === 0) return [ledger, balances, report];
  return [
    ledger,
    balances,
    report,
    ...(world.difficulty >= 3 ? [changes(now, sources)] : []),
    stillClosed(books.slice(0, index).map((earlier) => earlier.report)),
  ];
}

function changes(now: Books, sources: readonly string[]): Question {
  const columns = ["id", "before", "after"];
  const solve = (rows: string) => `rows = ${rows}\n${writeTable(paths.changes, columns)}`;
  return {
    key: "changes",
    shape: "change-list",
    artefact: paths.changes,
    format: "CSV with header",
    statement: "The corrections of the period are listed with what the books said before",
    demand: `Write \`${paths.changes}\` anew with this period's corrections: header \`${columns.join(",")}\`, one row for each corrected posting in ascending order of \`id\`, \`before\` being the cents that the books had for it (earlier corrections included) and \`after\` those that it should have.`,
    derivation: "the ledger before the corrections, and the corrections that count",
    ordering: "id",
    sources,
    expected: { columns, rows: now.changes.map(({ id, before, after }) => [id, String(before), String(after)]) },
    solve: solve("changes"),
    mistake: { name: "differences", solve: solve("[[a, b, c - b] for a, b, c in changes]") },
    check: compareTable(paths.changes),
  };
}

function stillClosed(reports: readonly Books["report"][]): Question {
  const [first] = reports as [Books["report"]];
  return {
    key: "closed",
    kind: "invariant",
    shape: "closed-periods-stay",
    artefact: paths.closed,
    format: "JSON files",
    statement: "The reports of the periods that were closed before say what they said",
    demand: `Reports in \`${paths.closed}\` of periods that were closed before stay as they are.`,
    derivation: "none: they were written in the steps before",
    negatives: ["a closed period reported again with its corrections"],
    sources: [paths.closed],
    expected: reports,
    solve: "",
    mistake: {
      name: "closed again with its corrections",
      solve: `closed = json.loads(Path("${paths.closed}/${first.period}.json").read_text())
closed["debits"] += sum(after - before for _, before, after in changes)
${writeJson(`${paths.closed}/${first.period}.json`, "closed")}`,
    },
    check: `for report in wanted:
    path = "${paths.closed}/" + report["period"] + ".json"
    v.equal(v.json(path), report, path)`,
  };
}
