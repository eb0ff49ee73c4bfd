import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readSkills } from "./index.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "skills-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

function write(files: Record<string, string | Uint8Array>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
const skill = (name: string, more = "") =>
  `---\nname: ${name}\ndescription: What ${name} does.\n${more}---\n# ${name}\n`;

test("a checkout of skills is read whole, with licence, files, digest and source", async () => {
  write({
    LICENSE: "text\n",
    "skills/pdf/SKILL.md": skill(
      "pdf",
      "license: MIT\ncompatibility: Needs Python\nmetadata:\n  author: me\n  version: 2\nallowed-tools: Read Bash(git add:*), Write\n",
    ),
    "skills/pdf/scripts/run.py": "print()\n",
    "skills/csv/SKILL.md": skill("csv", "allowed-tools:\n  - Read\n  - Bash(ls -l)\n"),
    "node_modules/x/SKILL.md": skill("x"),
    "README.md": "no skill\n",
  });
  const { found, skills, rejected, warnings } = await readSkills(root, { source: "https://example.org/s@1" });
  expect([found, rejected, warnings]).toEqual([2, [], []]);
  expect(skills.map(({ name }) => name)).toEqual(["csv", "pdf"]);
  expect(skills[1]).toMatchObject({
    name: "pdf",
    description: "What pdf does.",
    folder: "skills/pdf",
    file: "skills/pdf/SKILL.md",
    body: "# pdf\n",
    licence: { statement: "MIT", file: "LICENSE" },
    compatibility: "Needs Python",
    metadata: { author: "me", version: "2" },
    allowedTools: ["Read", "Bash(git add:*)", "Write"],
    files: [{ path: "SKILL.md" }, { path: "scripts/run.py" }],
    source: "https://example.org/s@1",
    warnings: [],
  });
  expect(skills[0]?.allowedTools).toEqual(["Read", "Bash(ls -l)"]);
  const digest = skills[1]?.digest;
  expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
  write({ "skills/pdf/scripts/run.py": "print(1)\n" });
  const again = await readSkills(root);
  expect(again.skills[1]?.digest).not.toBe(digest);
  expect(again.skills[0]?.digest).toBe(skills[0]?.digest);
});

test("a skill at the root, skills inside it, and other spellings of the file's name", async () => {
  write({
    "SKILL.md": skill("outer"),
    "a.txt": "1",
    "inner/skill.md": skill("inner"),
    "inner/b.txt": "2",
    "deep/er/SKILL.MD": skill("er"),
    "twice/SKILL.md": skill("twice"),
    "twice/skill.md": skill("other"),
  });
  const { skills, warnings } = await readSkills(root);
  expect(skills.map(({ name, files }) => [name, files.map(({ path }) => path)])).toEqual([
    ["outer", ["SKILL.md", "a.txt"]],
    ["er", ["SKILL.MD"]],
    ["inner", ["b.txt", "skill.md"]],
    ["twice", ["SKILL.md", "skill.md"]],
  ]);
  expect(warnings).toEqual(["twice/skill.md stands beside SKILL.md"]);
});

describe("what is mended is said", () => {
  test.each<[string, string | Uint8Array, RegExp, object]>([
    [
      "a colon in a value",
      "---\nname: s\ndescription: Use when: always\n---\nx\n",
      /read as quoted/,
      { description: "Use when: always" },
    ],
    ["CRLF", skill("s").replaceAll("\n", "\r\n"), /CRLF/, { body: "# s\n" }],
    ["a byte order mark", `\ufeff${skill("s")}`, /byte order mark/, { name: "s" }],
    ["no front matter", "# Title\n\nDoes a thing.\n", /no front matter/, { name: "s", description: "Does a thing." }],
    ["a name that is none", skill("My Skill!"), /"My Skill!" is read as my-skill/, { name: "my-skill" }],
    ["another name than the folder's", skill("t"), /not that of the folder/, { name: "t" }],
    ["no name", "---\ndescription: d\n---\n", /no name/, { name: "s" }],
    ["a number for a name", "---\nname: 12\ndescription: d\n---\n", /name is a number/, { name: "12" }],
    ["a long description", skill("s").replace("What s does.", "x".repeat(3000)), /cut to 1024/, { name: "s" }],
    ["an unknown field", skill("s", "version: 1\n"), /unknown field version/, {}],
    ["metadata as a list", skill("s", "metadata: [1]\n"), /metadata holds no names/, { metadata: {} }],
    ["tools as a number", skill("s", "allowed-tools: 3\n"), /neither a text nor a list/, { allowedTools: [] }],
    [
      "escape sequences",
      skill("s").replace("What", '"\\e[2JWhat').replace(".\n", '."\n'),
      /^$/,
      { description: "\\u001b[2JWhat s does." },
    ],
  ])("%s", async (_, content, warning, expected) => {
    write({ "s/SKILL.md": content });
    const { skills, rejected } = await readSkills(root);
    expect(rejected).toEqual([]);
    expect(skills[0]).toMatchObject(expected);
    expect(skills[0]?.warnings.join("\n")).toMatch(warning);
  });
});

test("what can't be read is rejected with place, reason and remedy, and the rest is read", async () => {
  write({
    "good/SKILL.md": skill("good"),
    "silent/SKILL.md": "---\nname: silent\n---\nx\n",
    "broken/SKILL.md": "---\nname: broken\ndescription: [1, 2\n---\n",
    "open/SKILL.md": "---\nname: open\n",
    "empty/SKILL.md": "",
    "latin/SKILL.md": Buffer.from("---\nname: caf\xe9\n---\n", "latin1"),
    "list/SKILL.md": "---\n- a\n---\n",
    "bomb/SKILL.md": `---\nname: bomb\ndescription: d\na: &a [x,x,x,x]\n${"bcdefgh"
      .split("")
      .map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefg"[i]}`).join(",")}]\n`)
      .join("")}---\n`,
  });
  mkdirSync(join(root, "folder/SKILL.md"), { recursive: true });
  mkdirSync(join(root, "out"));
  symlinkSync("/etc/hostname", join(root, "out/SKILL.md"));
  mkdirSync(join(root, "gone"));
  symlinkSync("nothing", join(root, "gone/SKILL.md"));
  symlinkSync("/etc", join(root, "etc"));
  const { found, skills, rejected, warnings } = await readSkills(root);
  expect(skills.map(({ name }) => name)).toEqual(["good"]);
  expect(found).toBe(skills.length + rejected.length);
  expect(rejected.map(({ file, line }) => `${file}:${line}`)).toEqual([
    ...["bomb/SKILL.md:2", "broken/SKILL.md:4", "empty/SKILL.md:null", "folder/SKILL.md:null", "gone/SKILL.md:null"],
    ...["latin/SKILL.md:2", "list/SKILL.md:2", "open/SKILL.md:1", "out/SKILL.md:null", "silent/SKILL.md:null"],
  ]);
  for (const { reason, remedy } of rejected) expect([reason.length > 10, remedy.length > 5]).toEqual([true, true]);
  expect(warnings).toEqual(["etc is a link that leads out of the folder and is not followed"]);
});

test("plain Markdown is a skill with a front matter made from it", async () => {
  write({ "Rotate Logs.md": "# Rotating logs\n\nMove the old log away.\n", "other.txt": "x" });
  const { skills } = await readSkills(join(root, "Rotate Logs.md"));
  expect(skills[0]).toMatchObject({
    name: "rotate-logs",
    description: "Move the old log away.",
    files: [{ path: "Rotate Logs.md" }],
  });
  await expect(readSkills(join(root, "none"))).rejects.toMatchObject({ code: "path_not_found" });
});

describe("marketplaces", () => {
  const market = (plugins: unknown) => ({ ".claude-plugin/marketplace.json": JSON.stringify({ name: "m", plugins }) });

  test("groups name the skills that are there, and what is missing is said", async () => {
    write({
      "skills/a/SKILL.md": skill("a"),
      "skills/b/SKILL.md": skill("b"),
      ...market([
        { name: "one", description: "d", source: "./", skills: ["./skills/a", "skills/none", "../../etc"] },
        { name: "all", source: "./skills" },
        { name: "far", source: { github: "x/y" } },
      ]),
    });
    const { groups, warnings } = await readSkills(root);
    expect(groups).toEqual([
      { name: "one", description: "d", folders: ["skills/a"] },
      { name: "all", description: "", folders: ["skills/a", "skills/b"] },
      { name: "far", description: "", folders: [] },
    ]);
    expect(warnings).toHaveLength(3);
  });

  test.each([
    ["no JSON", '{"plugins": [', /marketplace\.json:1:14: expected/],
    ["another shape", '{"plugins": 3}', /marketplace\.json: .*plugins/s],
  ])("%s is a warning, and the skills are read", async (_, content, warning) => {
    write({ "a/SKILL.md": skill("a"), ".claude-plugin/marketplace.json": content });
    const { skills, warnings } = await readSkills(root);
    expect(skills).toHaveLength(1);
    expect(warnings.join("\n")).toMatch(warning);
  });
});
