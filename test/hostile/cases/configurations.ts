// routesetter.toml and the --set overrides of the command line.
import { join } from "node:path";
import { loadConfiguration } from "../../../src/cli/configuration.ts";
import * as op from "../operators.ts";
import { type HostileCase, type HostileKind, rejects } from "../suite.ts";

const file = "routesetter.toml";
const bad = "bad_configuration";
const c = (operator: op.Operator, expected: HostileCase["expected"]): HostileCase => ({ operator, expected });
const edit = (what: string, from: string, to: string, line: number, field?: string): HostileCase =>
  c(op.edit(what, file, from, to), rejects(bad, file, { line, ...(field === undefined ? {} : { field }) }));

export const configurations: HostileKind = {
  kind: "configuration",
  base: op.folderOf({
    [file]:
      '[sandbox]\nbackend = "box"\n\n[images.substitutes]\n"python:*" = "debian:bookworm-slim"\n\n[queues]\ntrial = 2\n',
  }),
  read: async (directory) => {
    loadConfiguration(join(directory, file), []);
    return { warnings: [] };
  },
  cases: [
    c(op.missing(file), "read"),
    c(op.empty(file), "read"),
    c(op.blank(file), "read"),
    c(op.crlf(file), "read"),
    c(op.bom(file), "read"),
    edit("unknown table", "[queues]", "[queue]", 7, "queue"),
    edit("unknown key", "trial = 2", "trials = 2", 8, "queues.trials"),
    edit("wrong type", "trial = 2", 'trial = "two"', 8, "queues.trial"),
    edit("zero", "trial = 2", "trial = 0", 8, "queues.trial"),
    edit("fraction", "trial = 2", "trial = 1.5", 8, "queues.trial"),
    edit("infinity", "trial = 2", "trial = inf", 8, "queues.trial"),
    edit("beyond 2^53", "trial = 2", "trial = 9007199254740993", 8),
    edit("date", "trial = 2", "trial = 2026-01-01", 8, "queues.trial"),
    edit("unknown backend", '"box"', '"vm"', 2, "sandbox.backend"),
    edit("list for a table", "[queues]\ntrial = 2", "[[queues]]\ntrial = 2", 7, "queues"),
    edit("number for a text", '"debian:bookworm-slim"', "12", 5, "images.substitutes.python:*"),
    edit("duplicate key", "trial = 2", "trial = 2\ntrial = 3", 9),
    edit("duplicate table", "[queues]", "[sandbox]", 7),
    edit("unclosed string", '"box"', '"box', 2),
    edit("no value", "trial = 2", "trial =", 8),
    edit("prototype key", "trial = 2", "__proto__ = { a = 1 }", 8),
    edit("escape sequence in a key", "trial = 2", '"\\u001b[2Jx" = 2', 8),
    c(op.put("deep array", file, `a = ${"[".repeat(50_000)}${"]".repeat(50_000)}\n`), rejects(bad, file)),
    c(op.put("JSON for TOML", file, '{"queues": {}}\n'), rejects(bad, file, { line: 1 })),
    c(op.garbage(file), rejects(bad, file, { line: 1, says: /UTF-8/ })),
    c(op.utf16(file), rejects(bad, file, { line: 1, says: /UTF-8/ })),
    c(op.latin1(file), rejects(bad, file, { line: 9, says: /UTF-8/ })),
    c(op.nul(file), rejects(bad, file)),
    c(op.gitLfs(file), rejects(bad, file, { line: 1 })),
    c(op.truncated(file, 0.45), rejects(bad, file)),
    c(op.huge(file, 3 * 2 ** 40), rejects(bad, file, { says: /bytes/ })),
    c(op.fifo(file), rejects(bad, file, { says: /no regular file/ })),
    c(op.asFolder(file), rejects(bad, file, { says: /no regular file/ })),
    c(op.link(file, file), rejects(bad, file)),
    c(op.link(file, "/dev/zero"), rejects(bad, file, { says: /no regular file/ })),
  ],
};

/** Overrides are no files: the folder only carries their text. */
const override = (what: string, text: string, code: string, says: RegExp): HostileCase =>
  c(op.put(what, "override", text), rejects(code, undefined, { says }));
export const overrides: HostileKind = {
  kind: "override",
  base: op.folderOf({ override: "queues.trial=3" }),
  read: async (directory) => {
    const { readFileSync } = await import("node:fs");
    loadConfiguration(join(directory, file), [readFileSync(join(directory, "override"), "utf8")]);
    return { warnings: [] };
  },
  cases: [
    override("empty", "", "bad_override", /--set/),
    override("no value", "queues.trial", "bad_override", /a\.b=c/),
    override("no key", "=3", "bad_override", /a\.b=c/),
    override("only dots", "...=3", "bad_override", /a\.b=c/),
    override("unclosed quote in the key", 'images."x=3', "bad_override", /a\.b=c/),
    override("unknown field", "queues.oops=3", bad, /--set queues\.oops=3/),
    override("wrong type", "queues.trial=many", bad, /--set queues\.trial=many/),
    override("field of a value", "queues.trial.deep=3", bad, /--set queues\.trial\.deep=3/),
    override("prototype key", "__proto__.polluted=1", bad, /__proto__/),
    override("constructor key", "constructor.prototype.polluted=1", bad, /constructor/),
    override("deep key", `${"a.".repeat(5000)}a=1`, bad, /--set/),
    override("deep value", `queues.trial=${"[".repeat(20_000)}`, bad, /--set queues\.trial/),
    override("huge value", `queues.trial=${"9".repeat(100_000)}`, bad, /--set queues\.trial/),
    override("escape sequence", "queues.\u001b[2J=1", "bad_override", /--set/),
    override("line break", "queues\n.x=1", "bad_override", /--set/),
    override("NUL", "queues.\0=1", "bad_override", /--set/),
  ],
};
