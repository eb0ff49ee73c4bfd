import { printable, printableLine } from "../../contract/index.ts";

export type SkillFields = {
  readonly name: string;
  readonly description: string;
  readonly licence: string | null;
  readonly compatibility: string | null;
  readonly metadata: Record<string, string>;
  readonly allowedTools: string[];
};

const known = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];
const longest = { name: 64, description: 1024, compatibility: 500, licence: 1000 };
const mostMetadata = 100;

/** The fields of a skill, leniently: what does not fit is mended and said. Null when there is no description. */
export function skillFields(
  fields: Readonly<Record<string, unknown>>,
  folderName: string,
  warn: (message: string) => void,
): SkillFields | null {
  const text = (name: string, limit: number): string | null => {
    const value = fields[name];
    if (value === undefined || value === null) return null;
    if (typeof value === "object") {
      warn(`${name} is no text and is ignored`);
      return null;
    }
    if (typeof value !== "string") warn(`${name} is a ${typeof value}, read as text`);
    const found = printable(String(value)).trim();
    if (found.length > limit) warn(`${name} has ${found.length} characters and is cut to ${limit}`);
    return found === "" ? null : found.slice(0, limit);
  };
  const description = text("description", longest.description);
  if (description === null) return null;
  const given = text("name", 4 * longest.name);
  const name = slug(given ?? folderName);
  if (given === null) warn(`there is no name; taken from the folder: ${name}`);
  else if (given !== name) warn(`the name ${JSON.stringify(given)} is read as ${name}`);
  if (given !== null && folderName !== "" && slug(folderName) !== name)
    warn(`the name ${name} is not that of the folder, ${printableLine(folderName)}`);
  for (const key of Object.keys(fields))
    if (!known.includes(key)) warn(`unknown field ${printableLine(key).slice(0, 80)}`);
  return {
    name,
    description,
    licence: text("license", longest.licence),
    compatibility: text("compatibility", longest.compatibility),
    metadata: metadata(fields.metadata, warn),
    allowedTools: tools(fields["allowed-tools"], warn),
  };
}

/** 1 to 64 lower-case letters, digits and single hyphens. */
export function slug(text: string): string {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, longest.name)
    .replace(/^-+|-+$/g, "");
  return plain === "" ? "skill" : plain;
}

function metadata(value: unknown, warn: (message: string) => void): Record<string, string> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) {
    warn("metadata holds no names with values and is ignored");
    return {};
  }
  const entries = Object.entries(value);
  if (entries.length > mostMetadata) warn(`metadata has ${entries.length} entries; the first ${mostMetadata} are kept`);
  return Object.fromEntries(
    entries
      .slice(0, mostMetadata)
      .map(([key, item]) => [
        printableLine(key),
        printable(typeof item === "object" ? JSON.stringify(item) : String(item)).slice(0, 1000),
      ]),
  );
}

/** `"Read Bash(git add:*)"`, with blanks or commas between, or a list. */
function tools(value: unknown, warn: (message: string) => void): string[] {
  if (value === undefined || value === null) return [];
  const list = typeof value === "string" ? value.match(/(?:\([^()]*\)|[^\s,(])+/g) : value;
  if (Array.isArray(list)) {
    const texts = list.filter((item): item is string => typeof item === "string");
    if (texts.length < list.length) warn("allowed-tools holds something that is no text, which is ignored");
    return texts.slice(0, 200).map((item) => printableLine(item).slice(0, 200));
  }
  warn("allowed-tools is neither a text nor a list and is ignored");
  return [];
}

/** A description for a text that has no front matter: its first paragraph, or else its first heading. */
export function describeMarkdown(body: string): string | null {
  const blocks = body
    .slice(0, 20_000)
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => /[\p{L}\p{N}]/u.test(block));
  const paragraph = blocks.find((block) => !/^(?:#|```|<|\||!\[)/.test(block)) ?? blocks[0];
  const plain = paragraph?.replace(/^#+\s*/, "").replace(/\s+/g, " ");
  return plain ? printable(plain).slice(0, longest.description) : null;
}
