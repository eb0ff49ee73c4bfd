// requirements.json beside task.toml.
import * as op from "../operators.ts";
import { type HostileCase, type HostileKind, rejects, warns } from "../suite.ts";
import { taskFolders } from "./task-folders.ts";

const file = "requirements.json";
const c = (operator: op.Operator, expected: HostileCase["expected"]): HostileCase => ({ operator, expected });
const syntax = (what: string, from: string, to: string, line?: number): HostileCase =>
  c(op.edit(what, file, from, to), rejects("json_syntax", file, line === undefined ? {} : { line }));
const field = (what: string, from: string, to: string, line: number, name: string): HostileCase =>
  c(op.edit(what, file, from, to), rejects("requirements_invalid", file, { line, field: name }));

export const requirementFiles: HostileKind = {
  kind: "requirements",
  base: taskFolders.base,
  read: taskFolders.read,
  cases: [
    c(op.missing(file), "read"),
    c(op.crlf(file), "read"),
    c(op.bom(file), "read"),
    c(op.empty(file), rejects("json_syntax", file, { line: 1 })),
    c(op.truncated(file), rejects("json_syntax", file)),
    c(op.garbage(file), rejects("not_utf8", file)),
    c(op.utf16(file), rejects("not_utf8", file)),
    c(op.nul(file), rejects("json_syntax", file)),
    c(op.gitLfs(file), rejects("json_syntax", file, { line: 1 })),
    c(op.huge(file, 2 ** 40), rejects("too_large", file)),
    c(op.fifo(file), rejects("special_file", file)),
    c(op.link(file, "/etc/passwd"), rejects("link_leads_out", file)),
    c(op.put("deep arrays", file, "[".repeat(200_000)), rejects("json_syntax", file)),
    c(
      op.put("deep objects", file, `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`),
      rejects("requirements_invalid", file),
    ),
    c(op.put("NaN", file, '{"version": NaN}'), rejects("json_syntax", file, { line: 1 })),
    syntax("comma too many", '"artefacts": [\n    "/app/answer.txt"\n  ]', '"artefacts": ["/app/answer.txt",]', 3),
    syntax("comment", '"version": 1,', '"version": 1, // one', 2),
    syntax("single quotes", '"version"', "'version'", 2),
    field("wrong version", '"version": 1', '"version": 2', 2, "version"),
    field("wrong type", '"version": 1', '"version": "1"', 2, "version"),
    field("unknown key", '"version": 1', '"version": 1, "extra": 1', 2, "extra"),
    field("prototype key", '"version": 1', '"version": 1, "__proto__": {}', 2, "__proto__"),
    field("relative artefact", '"/app/answer.txt"\n  ]', '"answer.txt"\n  ]', 4, "artefacts[0]"),
    field("artefact that climbs", '"/app/answer.txt"\n  ]', '"/app/../etc"\n  ]', 4, "artefacts[0]"),
    field("malformed id", '"R1"', '"1"', 8, "requirements[0].id"),
    field("unknown kind", '"positive"', '"maybe"', 10, "requirements[0].kind"),
    field("no positive one", '"positive"', '"invariant"', 6, "requirements"),
    field("negative weight", '"kind"', '"weight": -1, "kind"', 10, "requirements[0].weight"),
    field("absurd weight", '"kind"', '"weight": 1e999, "kind"', 10, "requirements[0].weight"),
    field("missing member", '"shape": "text"', '"shape": null', 16, "requirements[0].shape"),
    c(
      op.edit("duplicate key", file, '"version": 1', '"version": 1, "version": 1'),
      rejects("requirements_invalid", file, { line: 2, field: "version" }),
    ),
    c(op.edit("not carried", file, '"artefact": "/app/answer.txt"', '"artefact": "/srv/x"'), warns(/not among/)),
  ],
};
