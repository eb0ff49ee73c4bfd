import type { Random } from "../../../statistics/index.ts";

export type Letter = {
  /** What the situation is; one or more sentences. */
  readonly context: readonly string[];
  /** One paragraph for each requirement, complete sentences. */
  readonly demands: readonly string[];
  /** Facts that hold for the whole of the work: conventions, limits, what must stay. */
  readonly conditions: readonly string[];
};

const openers = [
  "Hi,",
  "Good morning,",
  "Hello, I hope you have an hour for this.",
  "Handing this over to you before I go on leave.",
  "Ticket from the operations desk, forwarded as is:",
  "Could you take this one?",
  "",
  "",
];
const bridges = [
  "What I need:",
  "Here is what should exist when you are done:",
  "Please do the following.",
  "The work:",
  "Deliverables:",
  "What is asked:",
];
const closers = [
  "Thanks!",
  "Thank you, and shout if the files contradict each other (they shouldn't).",
  "Nobody will read your terminal, only the files.",
  "No network is available there, and none is needed.",
  "I will pick up the results from the paths above, so please keep to them exactly.",
  "",
  "",
];
const links = ["First,", "Next,", "Then", "After that,", "Besides that,", "Finally,"];

const lowered = (text: string) => (/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text);

/** An instruction as a person would write it: the same facts in one of several structures, drawn from `random`. */
export function writeLetter(random: Random, letter: Letter): string {
  const opener = random.pick(openers);
  const closer = random.pick(closers);
  const context = letter.context.join(" ");
  const structure = random.pick(["numbered", "bullets", "paragraphs", "headings"] as const);
  const conditionsFirst = random.boolean(0.4);
  const conditions = writeConditions(random, letter.conditions);
  const demands = writeDemands(random, structure, letter.demands);
  const parts = conditionsFirst
    ? [opener, context, conditions, demands, closer]
    : [opener, context, demands, conditions, closer];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function writeDemands(random: Random, structure: string, demands: readonly string[]): string {
  if (structure === "numbered")
    return [random.pick(bridges), "", ...demands.map((text, i) => `${i + 1}. ${text}`)].join("\n");
  if (structure === "bullets") return [random.pick(bridges), "", ...demands.map((text) => `- ${text}`)].join("\n");
  if (structure === "headings") return ["## What to deliver", ...demands].join("\n\n");
  return demands
    .map((text, i) => {
      if (demands.length === 1) return text;
      const link = i === 0 ? links[0] : i === demands.length - 1 ? links[5] : links[1 + ((i - 1) % 4)];
      return /^(In|When|For|Every|The|A|An|Write|Make|Put|Create|Replace|Convert|Restore|Remove|Give|Set|Get|Let|Repair|Bring) /.test(
        text,
      )
        ? `${link} ${lowered(text)}`
        : text;
    })
    .join("\n\n");
}

function writeConditions(random: Random, conditions: readonly string[]): string {
  if (conditions.length === 0) return "";
  const shape = random.pick(["prose", "list", "note"] as const);
  if (shape === "prose") return conditions.join(" ");
  if (shape === "list")
    return [
      random.pick(["Good to know:", "Conditions:", "Mind the following:"]),
      "",
      ...conditions.map((text) => `- ${text}`),
    ].join("\n");
  return `${random.pick(["Note:", "One more thing:", "Please keep in mind:"])} ${conditions.join(" ")}`;
}
