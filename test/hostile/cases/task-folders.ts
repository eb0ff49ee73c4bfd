// Task folders: a sound one with every kind of file, and what befalls them.
import { readTask } from "../../../src/tasks/index.ts";
import * as op from "../operators.ts";
import { type HostileCase, type HostileKind, rejects, warns } from "../suite.ts";

export const soundTask = op.folderOf({
  "task.toml": `schema_version = "1.4"
artifacts = ["answer.txt"]

[task]
name = "hostile/base"
version = "1.0.0"

[agent]
timeout_sec = 60.0

[verifier]
timeout_sec = 60.0

[environment]
cpus = 1
memory_mb = 512
workdir = "/app"
network_mode = "no-network"
`,
  "instruction.md": "Write the word done to /app/answer.txt.\n",
  "environment/Dockerfile": "FROM debian:bookworm-slim\nWORKDIR /app\nCOPY data.txt /app/\n",
  "environment/data.txt": "1\n2\n",
  "solution/solve.sh": "#!/bin/bash\nset -e\necho done > /app/answer.txt\n",
  "tests/test.sh":
    '#!/bin/bash\nif [ "$(cat /app/answer.txt 2>/dev/null)" = done ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n',
  "requirements.json": `${JSON.stringify(
    {
      version: 1,
      artefacts: ["/app/answer.txt"],
      requirements: [
        {
          id: "R1",
          statement: "The answer is there.",
          kind: "positive",
          artefact: "/app/answer.txt",
          format: "one word",
          sources: [],
          derivation: "none",
          check: "compared",
          shape: "text",
        },
      ],
    },
    null,
    2,
  )}\n`,
});

const toml = "task.toml";
const config = "configuration_invalid";
const edit = (what: string, from: string, to: string) => op.edit(what, toml, from, to);
const field = (what: string, from: string, to: string, name: string, line: number): HostileCase => ({
  operator: edit(what, from, to),
  expected: rejects(config, toml, { field: name, line }),
});
const syntax = (what: string, from: string, to: string, line: number): HostileCase => ({
  operator: edit(what, from, to),
  expected: rejects("toml_syntax", toml, { line }),
});
const c = (operator: op.Operator, expected: HostileCase["expected"]): HostileCase => ({ operator, expected });

const configuration: HostileCase[] = [
  syntax("unclosed string", 'name = "hostile/base"', 'name = "hostile/base', 5),
  syntax("no value", "cpus = 1", "cpus =", 15),
  syntax("colon for equals", "cpus = 1", "cpus: 1", 15),
  syntax("unclosed table", "[agent]", "[agent", 8),
  syntax("duplicate key", "cpus = 1", "cpus = 1\ncpus = 2", 16),
  syntax("duplicate table", "[verifier]", "[agent]", 11),
  syntax("bare text", "[agent]", "oops\n[agent]", 8),
  syntax("bad escape", '"hostile/base"', '"hostile\\qbase"', 5),
  syntax("curly quotes", '"/app"', "“/app”", 17),
  syntax("Python's True", "cpus = 1", "cpus = True", 15),
  syntax("Python's None", "cpus = 1", "cpus = None", 15),
  syntax("a tab in a key", "cpus = 1", "cp\tus = 1", 15),
  syntax("merge conflict", "[verifier]", "<<<<<<< HEAD\n[verifier]", 11),
  c(op.put("JSON for TOML", toml, '{"schema_version": "1.4"}\n'), rejects("toml_syntax", toml, { line: 1 })),
  c(op.put("YAML for TOML", toml, "schema_version: '1.4'\n"), rejects("toml_syntax", toml, { line: 1 })),
  c(op.put("HTML for TOML", toml, "<!DOCTYPE html>\n<title>404</title>\n"), rejects("toml_syntax", toml, { line: 1 })),
  c(
    op.put("deep array", toml, `a = ${"[".repeat(50_000)}${"]".repeat(50_000)}\n`),
    rejects("toml_syntax", toml, { line: 1 }),
  ),
  c(
    op.put("deep inline tables", toml, `a = ${"{b=".repeat(20_000)}1${"}".repeat(20_000)}\n`),
    rejects("toml_syntax", toml),
  ),
  c(op.gitLfs(toml), rejects("toml_syntax", toml, { line: 1 })),
  c(op.garbage(toml), rejects("not_utf8", toml, { line: 1 })),
  c(op.utf16(toml), rejects("not_utf8", toml, { line: 1 })),
  c(op.latin1(toml), rejects("not_utf8", toml, { line: 19 })),
  c(op.nul(toml), rejects("toml_syntax", toml)),
  c(op.loneReturns(toml), rejects("toml_syntax", toml)),
  c(op.truncated(toml, 0.93), rejects("toml_syntax", toml)),
  c(op.huge(toml, 3 * 2 ** 40), rejects("too_large", toml)),
  c(op.asFolder(toml), rejects("file_missing", toml)),
  c(op.fifo(toml), rejects("special_file", toml)),
  c(op.link(toml, "/etc/hostname"), rejects("link_leads_out", toml)),
  c(op.link(toml, "task.toml"), rejects("file_missing", toml)),
  c(op.missing(toml), rejects("file_missing", toml)),
  c(op.bom(toml), warns(/byte order mark/)),
  c(op.crlf(toml), "read"),
  c(op.empty(toml), "read"),
  field("wrong type", "cpus = 1", 'cpus = "two"', "environment.cpus", 15),
  field("boolean for a number", "cpus = 1", "cpus = true", "environment.cpus", 15),
  field("list for a number", "cpus = 1", "cpus = [1]", "environment.cpus", 15),
  field("negative number", "cpus = 1", "cpus = -1", "environment.cpus", 15),
  field("zero", "memory_mb = 512", "memory_mb = 0", "environment.memory_mb", 16),
  field("fraction of a byte", "memory_mb = 512", "memory_mb = 0.5", "environment.memory_mb", 16),
  field("NaN", "cpus = 1", "cpus = nan", "environment.cpus", 15),
  field("infinity", "timeout_sec = 60.0", "timeout_sec = inf", "agent.timeout_sec", 9),
  field("beyond 2^53", "memory_mb = 512", "memory_mb = 99999999999999999999", "environment.memory_mb", 16),
  field("number for a text", 'workdir = "/app"', "workdir = 5", "environment.workdir", 17),
  field("relative path", 'workdir = "/app"', 'workdir = "app"', "environment.workdir", 17),
  field("unknown mode", '"no-network"', '"offline"', "environment.network_mode", 18),
  field("name without a slash", '"hostile/base"', '"base"', "task.name", 5),
  field("name that climbs", '"hostile/base"', '"hostile/../../etc"', "task.name", 5),
  field("escape sequence in the name", '"hostile/base"', '"hostile/\\u001b[31mred"', "task.name", 5),
  field("right-to-left name", '"hostile/base"', '"hostile/\u202eesab"', "task.name", 5),
  field("emoji name", '"hostile/base"', '"hostile/🧗"', "task.name", 5),
  field("text for a table", 'artifacts = ["answer.txt"]', 'solution = "x"', "solution", 2),
  field("artefact that climbs", '["answer.txt"]', '["../../etc/shadow"]', "artifacts[0].source", 2),
  field("artefacts of a wrong type", '["answer.txt"]', "[3]", "artifacts[0]", 2),
  field("user below zero", "[verifier]", "[verifier]\nuser = -1", "verifier.user", 12),
  field("variable with NUL", "cpus = 1", 'env = { A = "a\\u0000b" }', "environment.env.A", 15),
  field("variable with =", "cpus = 1", 'env = { "A=B" = "c" }', "environment.env.A=B", 15),
  field("host with a port", "cpus = 1", 'allowed_hosts = ["a.org:80"]', "environment.allowed_hosts[0]", 15),
];

const files: HostileCase[] = [
  c(op.missing("instruction.md"), rejects("file_missing", "instruction.md")),
  c(op.missing("tests/test.sh"), rejects("file_missing", "tests/test.sh")),
  c(
    op.both(op.missing("environment/Dockerfile"), op.missing("environment/data.txt")),
    rejects("file_missing", "environment"),
  ),
  c(op.missing("solution/solve.sh"), "read"),
  c(op.empty("instruction.md"), warns(/instruction\.md says nothing/)),
  c(op.blank("instruction.md"), warns(/instruction\.md says nothing/)),
  c(op.bom("instruction.md"), warns(/byte order mark/)),
  c(op.crlf("instruction.md"), "read"),
  c(op.latin1("instruction.md"), rejects("not_utf8", "instruction.md", { line: 2 })),
  c(op.utf16("instruction.md"), rejects("not_utf8", "instruction.md", { line: 1 })),
  c(op.huge("instruction.md", 3 * 2 ** 40), rejects("too_large", "instruction.md")),
  c(op.fifo("instruction.md"), rejects("special_file", "instruction.md")),
  c(op.asFolder("instruction.md"), rejects("file_missing", "instruction.md")),
  c(op.link("instruction.md", "../../../etc/passwd"), rejects("link_leads_out", "instruction.md")),
  c(op.crlf("tests/test.sh"), warns(/tests\/test\.sh has Windows line ends/)),
  c(op.bom("tests/test.sh"), warns(/tests\/test\.sh begins with a byte order mark/)),
  c(op.crlf("solution/solve.sh"), warns(/solution\/solve\.sh has Windows line ends/)),
  c(op.crlf("environment/Dockerfile"), warns(/Dockerfile has Windows line ends/)),
  c(op.fifo("tests/extra"), rejects("special_file", "tests/extra")),
  c(op.fifo("environment/pipe"), rejects("special_file", "environment/pipe")),
  c(op.link("environment/out", "/"), rejects("link_leads_out", "environment/out")),
  c(op.link("environment/out", "../../.."), rejects("link_leads_out", "environment/out")),
  c(op.link("tests/out", "/etc/passwd"), rejects("link_leads_out", "tests/out")),
  c(op.link("solution/out", "/nowhere/at/all"), rejects("link_leads_out", "solution/out")),
  c(op.link("tests/within", "test.sh"), "read"),
  c(op.link("tests/gone", "not-there"), warns(/tests\/gone is a link to nothing/)),
  c(op.link("tests/loop", "loop"), warns(/tests\/loop is a link to nothing/)),
  c(op.link("tests/up", ".."), "read"),
  c(op.put("emoji", "environment/🧗‍♀️ route.txt", "x"), "read"),
  c(op.put("right-to-left", "environment/\u202egpj.exe", "x"), "read"),
  c(op.put("line break in a name", "environment/a\nb", "x"), "read"),
  c(op.put("long name", `environment/${"n".repeat(255)}`, "x"), "read"),
  c(op.put("deep folders", `environment/${"d/".repeat(300)}f`, "x"), "read"),
  c(op.put("shell in a name", "environment/$(touch x);`id`", "x"), "read"),
];

export const taskFolders: HostileKind = {
  kind: "task folder",
  base: soundTask,
  read: async (directory) => ({
    warnings: (await readTask(directory)).warnings.map(({ file, message }) => `${file} ${message}`),
  }),
  cases: [...configuration, ...files],
};
