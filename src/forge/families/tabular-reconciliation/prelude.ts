import type { Difficulty } from "../family.ts";
import type { Layout } from "./layout.ts";
import type { World } from "./world.ts";

/** Python that reads the files into `ledger`, `payments` and `paid`, with the kinds of work known at `skill`. */
export function preludeFor(world: World, layout: Layout, skill: Difficulty, folder: string): string {
  const { ledger, bank, card } = layout;
  const { prefix, word, rates } = world;
  const python = (text: string) => JSON.stringify(text);
  const encodings = skill >= 3;
  const blocks = [
    `import csv
import json
import re
from datetime import date, timedelta
from pathlib import Path

REPORT = Path("${folder}")
REPORT.mkdir(parents=True, exist_ok=True)
BASE = "${rates.base}"
DECIMALS = {"JPY": 0}


def minor(text):
    digits = int(re.sub(r"[^0-9]", "", text))
    return -digits if "-" in text or "(" in text else digits


def table(path, delimiter, encoding):
    with open(path, encoding=encoding, newline="") as source:
        return list(csv.reader(source, delimiter=delimiter))[1:]

`,
    skill >= 3
      ? `rates = {}
with open("/app/${layout.rates}") as source:
    for row in csv.DictReader(source):
        rates[row["currency"], row["date"]] = int(row["rate"].replace(".", ""))


def base_cents(amount, currency, day):
    if currency == BASE:
        return amount
    at = date.fromisoformat(day)
    while (currency, at.isoformat()) not in rates:
        at -= timedelta(days=1)
    scaled = abs(amount) * 10 ** (2 - DECIMALS.get(currency, 2)) * rates[currency, at.isoformat()]
    whole, rest = divmod(scaled, 10**6)
    if ${world.rounding === "half-up" ? "rest * 2 >= 10**6" : "rest * 2 > 10**6 or rest * 2 == 10**6 and whole % 2"}:
        whole += 1
    return whole if amount > 0 else -whole

`
      : `def base_cents(amount, currency, day):
    return amount

`,
    `ledger, copies = {}, {}
for number, customer, issued, amount, *_ in table("/app/${ledger.path}", ${python(ledger.delimiter)}, "${encodings ? ledger.encoding : "utf-8"}"):
    ledger[number] = {"customer": customer, "date": issued, "cents": minor(amount)}
    copies[number] = copies.get(number, 0) + 1`,
    skill >= 4
      ? `latest = {}
for line in open("/app/${layout.corrections}"):
    entry = json.loads(line)
    if entry["revision"] > latest.get(entry["invoice"], {"revision": 0})["revision"]:
        latest[entry["invoice"]] = entry
for number, entry in latest.items():
    if entry.get("void"):
        del ledger[number]
    else:
        ledger[number]["cents"] = minor(entry["amount"])`
      : "",
    `payments = []
`,
    skill >= 2
      ? `NAMED = re.compile(r"(?:${[word, prefix].sort((a, b) => b.length - a.length).join("|")})[ .:-]*(\\d{4})[ ./-]+0*(\\d+)", re.I)


def named(text):
    return [f"${prefix}-{year}-{int(number):05}" for year, number in NAMED.findall(text)]


def iso_day(text):
    day, month, year = re.split(r"[./]", text)
    return f"{year}-{month}-{day}"

`
      : `def named(text):
    return [text] if text.startswith("${prefix}-") else []

`,
    `for day, text, payer, amount, *rest in table("/app/${bank.path}", "${bank.delimiter}", "${encodings ? bank.encoding : "utf-8"}"):
    numbers = named(text)
    if numbers:
        day = ${skill >= 2 ? "iso_day(day)" : "day"}
        payments.append({"date": day, "currency": rest[0] if rest else BASE, "minor": minor(amount), "numbers": numbers})`,
    skill >= 2
      ? `seen = set()
for line in open("/app/${card.path}"):
    entry = json.loads(line)
    if entry["status"] != "captured" or entry["id"] in seen:
        continue
    seen.add(entry["id"])
    amount = ${card.amount === "minor" ? 'entry["amount_minor"]' : 'minor(entry["amount"])'}
    if entry["type"] == "refund":
        amount = -amount
    payments.append(
        {"date": entry["captured_at"][:10], "currency": entry["currency"], "minor": amount, "numbers": [entry["invoice"]]}
    )`
      : "",
    `paid = {}
for payment in payments:
    left = base_cents(payment["minor"], payment["currency"], payment["date"])`,
    skill >= 5
      ? `    for number in payment["numbers"][:-1]:
        share = ledger[number]["cents"]
        paid[number] = paid.get(number, 0) + share
        left -= share
    number = payment["numbers"][-1]`
      : `    number = payment["numbers"][0]`,
    `    paid[number] = paid.get(number, 0) + left
both = sorted(set(ledger) & set(paid))
matched = [number for number in both if ledger[number]["cents"] == paid[number]]
differing = [number for number in both if ledger[number]["cents"] != paid[number]]
unpaid = sorted(set(ledger) - set(paid))
unknown = sorted(set(paid) - set(ledger))`,
  ];
  return blocks.filter((block) => block !== "").join("\n");
}
