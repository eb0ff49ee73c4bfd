import type { Random } from "../../../statistics/index.ts";

/** The contents that a build starts from; paths are relative to the project. */
export type Inputs = {
  /** Names of the finished pages, sorted, and of drafts. */
  readonly pages: readonly string[];
  readonly drafts: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  readonly parts: ReadonlyMap<string, string>;
  readonly settings: ReadonlyMap<string, string>;
  readonly version: string;
  readonly epoch: number;
};
/** What things are called in a project. */
export type Names = {
  readonly project: string;
  readonly pages: string;
  readonly extension: string;
  readonly parts: string;
};

export function drawNames(random: Random): Names {
  return {
    project: random.pick(["handbook", "almanac", "fieldguide", "cookbook", "gazette", "primer"]),
    pages: random.pick(["pages", "articles", "chapters"]),
    extension: random.pick(["page", "src", "in"]),
    parts: random.pick(["parts", "snippets", "shared"]),
  };
}

const nouns = "lantern harbour meadow signal bridge orchard quarry thimble compass kettle barrel ladder".split(" ");
const phrases =
  "keep it dry;ask before you open it;see the next section;never leave it alone;two people are needed;write down the number;this changed last year;once a week is enough".split(
    ";",
  );

/** Names of pages and of drafts. */
export function drawPageNames(random: Random): Pick<Inputs, "pages" | "drafts"> {
  const [draft, ...names] = random.sample(nouns, 4);
  return { pages: names.sort(), drafts: [`${draft}.draft`] };
}

/** Draws pages, parts and settings. Pages take in `notice`, or `frame` and through it `base`. */
export function drawInputs(random: Random, { pages, drafts }: Pick<Inputs, "pages" | "drafts">): Inputs {
  const sentence = () => `The ${random.pick(nouns)} ${random.integer(2, 999)}: ${random.pick(phrases)}.`;
  const keys = random.sample(["owner", "region", "phone", "shift", "depot"], 3);
  const settings = new Map(keys.map((key) => [key, `${random.pick(nouns)} ${random.integer(10, 99)}`]));
  const parts = new Map<string, string>([
    ["frame", `${sentence()}\n%include base\nIssued by {{${keys[0]}}}.\n`],
    ["base", `${sentence()} ({{version}})\n${sentence()}\n`],
    ["notice", `${sentence()}\nCall {{${keys[1]}}}.\n`],
  ]);
  const page = (name: string, part: string) =>
    `# ${name} {{version}}\n\n${sentence()}\n%include ${part}\n${sentence()} {{${keys[2]}}} and {{${keys[0]}}}\n`;
  const texts = new Map(
    [...pages, ...drafts].map((name, index) => [name, page(name, index === 1 ? "notice" : "frame")]),
  );
  const version = `${random.integer(1, 4)}.${random.integer(0, 12)}.${random.integer(0, 9)}`;
  return { pages, drafts, texts, parts, settings, version, epoch: 1_600_000_000 + random.integer(0, 99_999_999) };
}

/** A page as the tools print it. `bug`: a derivation to get wrong. */
export function rendered(inputs: Inputs, name: string, bug: string | null = null): string {
  const values = new Map([...inputs.settings, ["version", inputs.version]]);
  const expand = (text: string, depth: number): string =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        const part = /^%include (.*)$/.exec(line)?.[1];
        if (part !== undefined)
          return bug === "nested-parts" && depth > 0 ? "" : expand(inputs.parts.get(part) as string, depth + 1);
        const text = bug === "values" ? line : line.replace(/\{\{(\w+)\}\}/g, (_, key) => values.get(key) as string);
        return `${text}\n`;
      })
      .join("");
  return expand(inputs.texts.get(name) as string, 0);
}

export const settingsText = (inputs: Inputs) =>
  `# what the pages may use\n${[...inputs.settings].map(([key, value]) => `${key} = ${value}\n`).join("")}`;

/** The files that the inputs come to. */
export function inputFiles(names: Names, inputs: Inputs): Record<string, string> {
  return {
    ...Object.fromEntries([...inputs.texts].map(([name, text]) => [`${names.pages}/${name}.${names.extension}`, text])),
    ...Object.fromEntries([...inputs.parts].map(([name, text]) => [`${names.parts}/${name}.inc`, text])),
    "settings.ini": settingsText(inputs),
    VERSION: `${inputs.version}\n`,
    EPOCH: `${inputs.epoch}\n`,
  };
}

export const indexText = (inputs: Inputs) =>
  inputs.pages
    .map((name) => {
      const text = rendered(inputs, name);
      const lines = text.split("\n");
      return `${name}: ${(lines[0] as string).slice(2)} (${lines.length - 1} lines)\n`;
    })
    .join("");
export const sizesText = (inputs: Inputs) =>
  inputs.pages.map((name) => `${Buffer.byteLength(rendered(inputs, name))} ${name}.txt\n`).join("");
