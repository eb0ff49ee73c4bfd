/** A skill as it was read. Paths are relative to what was given to `readSkills`, with `/`; "" is the root itself. */
export type Skill = {
  /** Lower-case letters, digits and single hyphens: the front matter's, or made from it or from the folder's. */
  readonly name: string;
  readonly description: string;
  readonly folder: string;
  /** The Markdown file that was read. */
  readonly file: string;
  /** The text below the front matter. */
  readonly body: string;
  /** What the front matter says of the licence, and the nearest licence file, up to the root. */
  readonly licence: { readonly statement: string | null; readonly file: string | null };
  readonly compatibility: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly allowedTools: readonly string[];
  /** Everything in the folder but skills inside it, sorted. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** sha256 over the files' paths and contents. */
  readonly digest: string;
  /** Where it comes from, as the caller said. */
  readonly source: string;
  readonly warnings: readonly string[];
};
export type RejectedSkill = {
  readonly file: string;
  readonly line: number | null;
  readonly reason: string;
  readonly remedy: string;
};
/** What a marketplace file puts together. */
export type SkillGroup = { readonly name: string; readonly description: string; readonly folders: readonly string[] };
export type FoundSkills = {
  /** Skills and rejected ones together. */
  readonly found: number;
  readonly skills: readonly Skill[];
  readonly rejected: readonly RejectedSkill[];
  readonly groups: readonly SkillGroup[];
  /** What was passed over: links, marketplace files that can't be read. */
  readonly warnings: readonly string[];
};
