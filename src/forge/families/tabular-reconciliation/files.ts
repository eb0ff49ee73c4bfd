import type { Random } from "../../../statistics/index.ts";
import type { FixtureFile } from "../family.ts";
import { drawPeople } from "../words/index.ts";
import type { Encoding, Layout } from "./layout.ts";
import { type Currency, currencies, isoDay } from "./money.ts";
import type { Payment, World } from "./world.ts";

function encode(text: string, encoding: Encoding): string | Uint8Array {
  if (encoding === "utf-8") return text;
  if (encoding === "cp1252") return new Uint8Array(Buffer.from(text, "latin1"));
  return new Uint8Array(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]));
}

function field(text: string, delimiter: string): string {
  return text.includes(delimiter) || text.includes('"') || text.includes("\n")
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
const table = (rows: readonly (readonly string[])[], delimiter: string) =>
  rows.map((row) => `${row.map((cell) => field(cell, delimiter)).join(delimiter)}\n`).join("");

const grouped = (whole: string, separator: string) => whole.replace(/\B(?=(\d{3})+$)/g, separator);

/** Minor units as a decimal: `digits(123450, 2, ",", ".")` is `1,234.50`. */
export function decimal(minor: number, exponent: number, thousands: string, point: string): string {
  const digits = String(Math.abs(minor)).padStart(exponent + 1, "0");
  const whole = grouped(digits.slice(0, digits.length - exponent), thousands);
  return exponent === 0 ? whole : `${whole}${point}${digits.slice(-exponent)}`;
}

function ledgerFile(random: Random, world: World, layout: Layout): FixtureFile {
  const { ledger } = layout;
  const { difficulty } = world;
  const clerks = drawPeople(random, 4);
  const amount = (cents: number) => {
    const text = decimal(cents, 2, difficulty >= 2 ? "," : "", ".");
    return cents < 0 ? `(${text})` : text;
  };
  const memo = () =>
    difficulty >= 4 && random.boolean(0.2)
      ? 'see mail from "accounting",\nsecond reminder sent'
      : random.pick(["", "", "framework order", "net 30", "by post"]);
  const rows = world.invoices.flatMap((invoice) => {
    const row = [
      invoice.reference,
      invoice.customer,
      isoDay(invoice.day),
      amount(invoice.exported),
      random.pick(clerks).login,
      memo(),
    ];
    return Array.from({ length: invoice.copies }, () => row);
  });
  const shuffled = difficulty >= 2 ? random.shuffle(rows) : rows;
  const text = table([[...ledger.columns, "clerk", "memo"], ...shuffled], ledger.delimiter);
  return { path: ledger.path, content: encode(text, ledger.encoding) };
}

function remittance(random: Random, world: World, reference: string): string {
  const [, year = "", number = ""] = reference.split("-");
  const short = String(Number(number));
  const { prefix, word } = world;
  return random.pick([
    `${word} ${year}/${short}`,
    `${prefix}-${year}-${number}`,
    `${prefix.toLowerCase()} ${year} ${short.padStart(4, "0")}`,
    `customer 4711 ${prefix}.${year}.${number}`,
    `${word.toUpperCase()} ${year}-0${short} many thanks`,
  ]);
}

function bankFile(random: Random, world: World, layout: Layout): FixtureFile {
  const { bank } = layout;
  const { difficulty, rates } = world;
  const [thousands, point] = {
    plain: ["", "."],
    "comma-dot": [".", ","],
    "comma-space": [" ", ","],
    apostrophe: ["'", "."],
  }[bank.number] as [string, string];
  const amount = (minor: number, currency: Currency) => {
    const text = decimal(minor, currencies[currency].exponent, thousands, point);
    return minor >= 0 ? text : bank.negative === "before" ? `-${text}` : `${text}-`;
  };
  const day = (value: number) => {
    const [year, month, date] = isoDay(value).split("-") as [string, string, string];
    return bank.day === "iso"
      ? isoDay(value)
      : bank.day === "dots"
        ? `${date}.${month}.${year}`
        : `${date}/${month}/${year}`;
  };
  const text = (payment: Payment) =>
    difficulty === 1
      ? payment.references.join()
      : payment.references
          .map((reference) => remittance(random, world, reference))
          .join(random.pick([", ", " + ", " and "]));
  const line = (at: number, words: string, payer: string, money: string, currency: Currency) => ({
    at,
    cells: [day(at), words, payer, money, ...(difficulty >= 3 ? [currency] : [])],
  });
  const received = world.payments
    .filter((payment) => payment.source === "bank")
    .map((payment) =>
      line(payment.day, text(payment), payment.payer, amount(payment.minor, payment.currency), payment.currency),
    );
  const days = world.payments.map((payment) => payment.day);
  const noise = Array.from({ length: random.integer(5, 9) }, () => {
    const words = random.pick([
      "monthly fee",
      "interest",
      `order ${world.year}-17 sponsoring`,
      "rent",
      "payroll batch 0004",
      "card terminal 2026",
    ]);
    const at = random.integer(Math.min(...days), Math.max(...days));
    return line(
      at,
      words,
      random.pick(["", "Hausbank", "Office Park Ltd"]),
      amount(-random.integer(300, 90_000), rates.base),
      rates.base,
    );
  });
  const header = difficulty >= 3 ? bank.columns : bank.columns.slice(0, 4);
  const rows = [...received, ...noise].sort((a, b) => a.at - b.at).map((entry) => entry.cells);
  return { path: bank.path, content: encode(table([header, ...rows], bank.delimiter), bank.encoding) };
}

function cardFile(random: Random, world: World, layout: Layout): FixtureFile {
  const lines = world.payments
    .filter((payment) => payment.source === "card")
    .flatMap((payment) => {
      const { exponent } = currencies[payment.currency];
      const make = (status: string) =>
        JSON.stringify({
          id: `ch_${random.word().toString(36)}`,
          captured_at: `${isoDay(payment.day)}T${String(random.integer(7, 21)).padStart(2, "0")}:${random.integer(10, 59)}:00Z`,
          type: payment.minor < 0 ? "refund" : "charge",
          invoice: payment.references[0],
          currency: payment.currency,
          ...(layout.card.amount === "minor"
            ? { amount_minor: Math.abs(payment.minor) }
            : { amount: decimal(payment.minor, exponent, "", ".") }),
          status,
          card: { brand: random.pick(["visa", "mc", "amex"]), last4: String(random.integer(1000, 9999)) },
        });
      const line = make("captured");
      const failed = random.boolean(0.25) ? [make(random.pick(["failed", "authorized", "disputed_void"]))] : [];
      return [...failed, line, ...(random.boolean(0.2) ? [line] : [])];
    });
  return { path: layout.card.path, content: lines.map((line) => `${line}\n`).join("") };
}

function correctionsFile(random: Random, world: World, layout: Layout): FixtureFile {
  const lines = world.invoices.flatMap((invoice) =>
    invoice.revisions.map(({ revision, cents }) =>
      JSON.stringify({
        invoice: invoice.reference,
        revision,
        by: random.pick(["audit", "sales", "legal"]),
        ...(cents === null ? { void: true } : { amount: `${cents < 0 ? "-" : ""}${decimal(cents, 2, "", ".")}` }),
      }),
    ),
  );
  return {
    path: layout.corrections,
    content: random
      .shuffle(lines)
      .map((line) => `${line}\n`)
      .join(""),
  };
}

function ratesFile(world: World, layout: Layout): FixtureFile {
  const rows = world.rates.rows.map(
    (row) => `${isoDay(row.day)},${row.currency},${decimal(row.millionths, 6, "", ".")}\n`,
  );
  return { path: layout.rates, content: `date,currency,rate\n${rows.join("")}` };
}

function notes(world: World, layout: Layout): string {
  const { bank, ledger, card } = layout;
  const { difficulty, prefix, word, rates } = world;
  const names = { "utf-8": "UTF-8", cp1252: "Windows-1252", "utf-16": "UTF-16 with a byte order mark" };
  const days = { iso: "YYYY-MM-DD", dots: "DD.MM.YYYY", slashes: "DD/MM/YYYY" };
  const separators: Record<string, string> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars" };
  const numbers = { plain: "1234.50", "comma-dot": "1.234,50", "comma-space": "1 234,50", apostrophe: "1'234.50" };
  const parts = [
    `- \`/app/${ledger.path}\`: what we billed, in ${rates.base}. Columns separated by ${separators[ledger.delimiter]}, ${names[ledger.encoding]}; \`${ledger.columns.join("`, `")}\` are the invoice, the customer, the day of issue and the amount; the rest is for the clerks.${difficulty >= 2 ? " Thousands are set off by commas. The export repeats some rows; an invoice that is there more than once was billed once." : ""}${difficulty >= 4 ? " Credit notes have negative amounts, in parentheses." : ""}`,
    `- \`/app/${bank.path}\`: the bank account, separated by ${separators[bank.delimiter]}, ${names[bank.encoding]}, days as ${days[bank.day]}, amounts like ${numbers[bank.number]}, money that leaves the account negative. Columns in order: day, text, the other party, amount${difficulty >= 3 ? ", currency (JPY has no decimals)" : ` in ${rates.base}`}.${
      difficulty >= 2
        ? ` Payers write invoice numbers as they like: \`${prefix}\` in any case or \`${word}\`, then year and number with whatever between and with or without leading zeros. Year and number decide.`
        : " The text is the invoice's number."
    } Lines that name no invoice are none of our business.`,
    difficulty >= 2
      ? `- \`/app/${card.path}\`: the card processor, one JSON object a line, ${card.amount === "minor" ? "`amount_minor` in the currency's smallest unit" : "`amount` in units of the currency"}. Only \`captured\` ones moved money. A \`refund\` takes money back. The processor may deliver the same \`id\` twice; it happened once.`
      : "",
    difficulty >= 3
      ? `- \`/app/${layout.rates}\`: how much ${rates.base} one unit of a foreign currency was worth. Days without a rate use the latest one before.`
      : "",
    difficulty >= 4
      ? `- \`/app/${layout.corrections}\`: corrections to the ledger that came later, in no order. The highest \`revision\` for an invoice replaces its amount, or voids it (\`"void": true\`); earlier revisions are moot.`
      : "",
  ];
  return `# The files\n\n${parts.filter((part) => part !== "").join("\n")}\n`;
}

/** The environment's files. */
export function worldFiles(random: Random, world: World, layout: Layout): FixtureFile[] {
  const { difficulty } = world;
  const folder = layout.ledger.path.split("/")[0] as string;
  return [
    ledgerFile(random.fork("ledger"), world, layout),
    bankFile(random.fork("bank"), world, layout),
    ...(difficulty >= 2 ? [cardFile(random.fork("card"), world, layout)] : []),
    ...(difficulty >= 3 ? [ratesFile(world, layout)] : []),
    ...(difficulty >= 4 ? [correctionsFile(random.fork("corrections"), world, layout)] : []),
    { path: `${folder}/FILES.md`, content: notes(world, layout) },
  ];
}
