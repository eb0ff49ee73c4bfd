// Skill folders: one good skill beside the one that something befalls, so that nothing is lost.
import { join } from "node:path";
import { TaskFormatError } from "../../../src/contract/index.ts";
import { readSkills } from "../../../src/forge/index.ts";
import * as op from "../operators.ts";
import { type HostileCase, type HostileKind, rejects, warns } from "../suite.ts";

const file = "skills/pdf/SKILL.md";
const c = (operator: op.Operator, expected: HostileCase["expected"]): HostileCase => ({ operator, expected });
const edit = (what: string, from: string, to: string) => op.edit(what, file, from, to);
const rejected = (operator: op.Operator, line?: number) =>
  c(operator, rejects("rejected", file, line === undefined ? {} : { line }));
const description = "description: Reads and writes PDF files";

export const skillFolders: HostileKind = {
  kind: "skill folder",
  base: op.folderOf({
    [file]: `---\nname: pdf\n${description}\nlicense: MIT\nallowed-tools: Read Write\n---\n\n# PDF\n`,
    "skills/pdf/scripts/run.sh": "#!/bin/sh\ntrue\n",
    "skills/csv/SKILL.md": "---\nname: csv\ndescription: Reads tables.\n---\n# CSV\n",
  }),
  read: async (directory) => {
    const result = await readSkills(directory);
    if (result.found !== result.skills.length + result.rejected.length) throw new Error("the counts do not add up");
    if (!result.skills.some(({ name }) => name === "csv")) throw new Error("the good skill was lost");
    const [first] = result.rejected;
    if (first)
      throw new TaskFormatError({
        code: "rejected",
        message: first.reason,
        where: { file: join(directory, first.file), ...(first.line === null ? {} : { line: first.line }) },
        remedy: first.remedy,
      });
    return { warnings: [...result.warnings, ...result.skills.flatMap(({ warnings }) => warnings)] };
  },
  cases: [
    rejected(op.empty(file)),
    rejected(op.blank(file)),
    rejected(op.truncated(file, 0.6), 1),
    rejected(op.utf16(file), 1),
    rejected(op.latin1(file), 9),
    rejected(op.garbage(file), 1),
    rejected(op.huge(file, 2 ** 40)),
    rejected(op.fifo(file)),
    rejected(op.asFolder(file)),
    rejected(op.link(file, "/etc/passwd")),
    rejected(op.link(file, "../../../../etc/passwd")),
    rejected(op.link(file, "nothing")),
    rejected(op.link(file, "SKILL.md")),
    rejected(edit("unclosed list", "allowed-tools: Read Write", "allowed-tools: [Read"), 6),
    rejected(edit("unclosed quote", description, 'description: "Reads'), 6),
    rejected(edit("tab for blanks", "license: MIT", "metadata:\n\tauthor: me"), 5),
    rejected(edit("duplicate key", "license: MIT", "name: other"), 4),
    rejected(edit("no description", `${description}\n`, "")),
    rejected(edit("empty description", description, 'description: "  "')),
    rejected(edit("description as a list", description, "description: [a]")),
    rejected(edit("front matter as a list", `name: pdf\n${description}`, "- a\n- b")),
    rejected(edit("deep list", "license: MIT", `license: ${"[".repeat(30_000)}`)),
    rejected(edit("deep maps", "license: MIT", `metadata: ${"{a: ".repeat(200)}1${"}".repeat(200)}`)),
    rejected(edit("alias that is unknown", "license: MIT", "license: *nobody")),
    rejected(
      edit(
        "alias bomb",
        "license: MIT",
        "a: &a [1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]",
      ),
    ),
    rejected(edit("front matter of 100,000 characters", "license: MIT", `license: ${"x".repeat(100_000)}`)),
    c(op.missing(file), "read"),
    c(op.crlf(file), warns(/CRLF/)),
    c(op.bom(file), warns(/byte order mark/)),
    c(op.gitLfs(file), warns(/no front matter/)),
    c(edit("colon in a value", description, "description: Use when: always"), warns(/read as quoted/)),
    c(edit("no front matter", "---\nname", "name"), warns(/no front matter/)),
    c(edit("name in capitals", "name: pdf", "name: PDF Tools"), warns(/read as pdf-tools/)),
    c(edit("emoji name", "name: pdf", "name: 🧗"), warns(/read as skill/)),
    c(edit("right-to-left name", "name: pdf", "name: \u202efdp"), warns(/not that of the folder|read as/)),
    c(edit("name that climbs", "name: pdf", "name: ../../etc"), warns(/read as etc/)),
    c(edit("escape sequence", description, 'description: "\\e]0;x\\a"'), "read"),
    c(edit("number for a name", "name: pdf", "name: 12"), warns(/name is a number/)),
    c(edit("prototype key", "license: MIT", "__proto__: 1"), warns(/unknown field __proto__/)),
    c(edit("executable type", "license: MIT", "license: !!js/function 'x'"), "read"),
    c(edit("long description", description, `description: ${"x".repeat(5000)}`), warns(/cut to 1024/)),
    c(op.link("skills/out", "/etc"), warns(/skills\/out is a link that leads out/)),
    c(op.link("skills/gone", "nothing"), warns(/skills\/gone is a link to nothing/)),
    c(op.link("skills/again", "pdf"), "read"),
    c(op.fifo("skills/pdf/pipe"), "read"),
    c(op.put("second spelling", "skills/pdf/skill.md", "x"), warns(/stands beside/)),
    c(op.put("deep folders", `${"d/".repeat(40)}SKILL.md`, "x"), warns(/deeper than/)),
    c(op.put("broken marketplace", ".claude-plugin/marketplace.json", "{"), warns(/marketplace\.json:1:2/)),
    c(
      op.put(
        "marketplace that climbs",
        ".claude-plugin/marketplace.json",
        '{"plugins":[{"name":"x","skills":["../../etc"]}]}',
      ),
      warns(/where no skill is/),
    ),
  ],
};
