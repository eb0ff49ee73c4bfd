// Random and mutated texts through every parser: what is thrown is one of our errors with code and remedy, the same text
// gives the same answer, and what has a writer comes back. Seeded; ROUTESETTER_LONG=1 runs fifty times as many.
import { Readable } from "node:stream";
import fc from "fast-check";
import tar from "tar-stream";
import { describe, expect, test } from "vitest";
import { applyOverride } from "../../src/cli/overrides.ts";
import {
  compileGlob,
  type Json,
  jsonSchema,
  literal,
  printable,
  printableJson,
  RoutesetterError,
} from "../../src/contract/index.ts";
import { readCtrf } from "../../src/environments/terminal/judge/checks/ctrf.ts";
import { readPytestOutput } from "../../src/environments/terminal/judge/checks/pytest-output.ts";
import { readUnittestOutput } from "../../src/environments/terminal/judge/checks/unittest-output.ts";
import { excludePattern } from "../../src/environments/terminal/judge/exclude-pattern.ts";
import { parseReward } from "../../src/environments/terminal/judge/reward.ts";
import { readFrontMatter } from "../../src/forge/skills/front-matter.ts";
import { describeMarkdown, skillFields } from "../../src/forge/skills/skill-fields.ts";
import { parseShell } from "../../src/gates/shell/index.ts";
import { splitScript } from "../../src/rollouts/agents/split-script.ts";
import { fromAtif } from "../../src/rollouts/index.ts";
import { copyOutOf } from "../../src/sandbox/docker/archive.ts";
import { attribute } from "../../src/sandbox/docker/errors.ts";
import { ignoreMatcher } from "../../src/sandbox/images/context/ignore.ts";
import { parseDockerfile, substitute } from "../../src/sandbox/images/dockerfile/index.ts";
import { isAllowed } from "../../src/sandbox/network/allow-list.ts";
import { isAllowedHost } from "../../src/tasks/allowed-host.ts";
import { IgnoreRules } from "../../src/tasks/ignore-rules.ts";
import { formatConfiguration, parseConfiguration, parseRequirements, stripCanary } from "../../src/tasks/index.ts";
import { JsonLocator } from "../../src/tasks/locate-json.ts";
import { TomlLocator } from "../../src/tasks/locate-toml.ts";
import { soundTask } from "./cases/task-folders.ts";
import { controlCharacters } from "./suite.ts";

const long = process.env.ROUTESETTER_LONG === "1";
const runs = (count: number) => ({ seed: 20_261_201, numRuns: long ? count * 50 : count, endOnFailure: true });

/** Texts that look like something: random ones, and sound ones with pieces cut out, doubled, moved or replaced. */
const noise = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.stringMatching(/^[\n\t "'`$(){}[\]<>|&;:=#!\\*?.,/a-z0-9-]{0,60}$/),
  fc.constantFrom(
    "\0",
    "\r\n",
    "\u2028",
    "\ufeff",
    "\ud800",
    "\u001b[2J",
    "-".repeat(500),
    "[".repeat(500),
    "{".repeat(500),
  ),
);
const mutated = (...samples: string[]) =>
  fc.oneof(
    { weight: 1, arbitrary: noise },
    {
      weight: 4,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...samples),
          fc.array(fc.tuple(fc.nat(), fc.nat(40), fc.option(noise), fc.nat()), { maxLength: 4 }),
        )
        .map(([sample, changes]) =>
          changes.reduce((text, [at, length, piece, from]) => {
            const start = at % (text.length + 1);
            const other = from % (text.length + 1);
            return text.slice(0, start) + (piece ?? text.slice(other, other + length)) + text.slice(start + length);
          }, sample),
        ),
    },
  );

/** Runs it: a value, or one of our errors. Anything else is thrown on. */
function tame<T>(work: () => T): { value: T } | { code: string } {
  try {
    return { value: work() };
  } catch (error) {
    if (!RoutesetterError.isInstance(error)) throw error;
    if (error.code === "" || error.remedy === "" || controlCharacters.test(error.message)) throw error;
    return { code: error.code };
  }
}

const text = (path: string) => soundTask.get(path) as string;
const legacy =
  'version = "1.0"\nartifacts = "a"\n[environment]\nmemory = "2G"\nstorage = "10G"\nallow_internet = false\n';
const dockerfile = `# escape=\\\nARG V=1\nFROM debian:\${V:-x} AS a\nENV A="b c" D=\${A:+e}\nRUN <<EOF\ntrue\nEOF\nCOPY --chown=1:2 ["a", "b"] /c/\nCMD ["x"]\n`;
const shell = `#!/bin/bash\nset -e\nif [ "$(cat "a b")" = x ]; then echo \${a:-"$(b)"}; fi\ncat <<'E' | tee >(x)\nbody\nE\nf() { case $1 in a) :;; esac; }\na=(1 2)\n`;
const pytest =
  "tests/a.py::test_a PASSED [ 50%]\ntests/a.py::test_b[x - y] FAILED [100%]\n=== short test summary info ===\nFAILED tests/a.py::test_b[x - y] - assert 1\n=== 1 failed, 1 passed in 0.12s ===\n";
const unittest =
  "test_a (m.T.test_a)\nDoes it. ... ok\ntest_b (m.T) ... FAIL\n=====\nRan 2 tests in 0.1s\n\nFAILED (failures=1)\n";
const ctrf = '{"results": {"summary": {"passed": 1, "failed": 0}, "tests": [{"name": "R1 a", "status": "passed"}]}}';
const atif =
  '{"schema_version":"ATIF-v1.7","agent":{"name":"a","version":"1"},"steps":[{"step_id":1,"source":"user","message":"x"},{"step_id":2,"source":"agent","message":"y","tool_calls":[{"tool_call_id":"c","function_name":"run","arguments":{"command":"ls"}}],"observation":{"results":[{"source_call_id":"c","content":"z"}]}}]}';
const skill =
  "---\nname: a-b\ndescription: Use: always\nmetadata:\n  x: 1\nallowed-tools: [Read, Bash(ls)]\n---\n# A\n\nText.\n";

const parsers: [string, number, string[], (input: string) => unknown][] = [
  ["task.toml", 400, [text("task.toml"), legacy], (input) => parseConfiguration(input)],
  ["requirements.json", 400, [text("requirements.json")], (input) => parseRequirements(input)],
  ["canary lines", 200, ["<!-- canary -->\n# canary\n\ntext\n"], stripCanary],
  ["Dockerfile", 400, [dockerfile], parseDockerfile],
  ["variables", 300, ["${A:-${B}} '$A' \"${A:?x}\" \\$A"], (input) => substitute(input, { A: "$A", B: "b" })],
  ["shell", 400, [shell], parseShell],
  ["shell commands", 400, [shell], splitScript],
  ["pytest's output", 400, [pytest], readPytestOutput],
  ["unittest's output", 400, [unittest], readUnittestOutput],
  ["CTRF", 400, [ctrf], readCtrf],
  ["reward.json", 400, ['{"reward": 0.5, "a": 1}'], (input) => parseReward({ json: Buffer.from(input), text: null })],
  ["reward.txt", 300, ["0.5\n", "1e-1"], (input) => parseReward({ json: null, text: Buffer.from(input) })],
  [
    "ATIF",
    300,
    [atif],
    (input) => {
      let value: unknown;
      try {
        value = JSON.parse(input);
      } catch {
        return null;
      }
      return fromAtif(value);
    },
  ],
  [
    "front matter",
    300,
    [skill],
    (input) => {
      const found = readFrontMatter(input);
      return found !== null && "fields" in found
        ? skillFields(found.fields, "a-b", () => undefined)
        : describeMarkdown(input);
    },
  ],
  ["override", 300, ["a.b=c", '"x.y".z=[1, 2]', "a=true"], (input) => applyOverride({ a: { b: 1 } }, input)],
  [
    "ignore rules",
    300,
    ["*.pyc\n!a/**/b\n[a-z]?/\n\\#x"],
    (input) => new IgnoreRules(input.split("\n")).ignores("a/b/c.pyc"),
  ],
  [".dockerignore", 300, ["**/*.pyc\n!a/**\n[a-z]?"], (input) => ignoreMatcher(input)("a/b/c.pyc")],
  ["exclude pattern", 300, ["./a*[!b-d]?/"], (input) => excludePattern(input)("a/b/c.pyc")],
  [
    "allow-list",
    300,
    ["*.example.org", "10.0.0.0/8", "::1", "a:80"],
    (input) => [isAllowedHost(input), isAllowed([input], input, 80)],
  ],
];

describe("every parser answers or says what is wrong, whatever it is given", () => {
  test.each(parsers)("%s", (_, count, samples, parse) => {
    fc.assert(
      fc.property(mutated(...samples), (input) => {
        const first = tame(() => parse(input));
        const again = tame(() => parse(input));
        expect(JSON.stringify(again)).toBe(JSON.stringify(first));
      }),
      runs(count),
    );
  });

  test("places in JSON and TOML are found or fall back to an ancestor", () => {
    fc.assert(
      fc.property(mutated(text("requirements.json"), ctrf), (input) => {
        const locator = new JsonLocator(input);
        let valid = true;
        try {
          JSON.parse(input);
        } catch {
          valid = false;
        }
        expect(locator.fault === null).toBe(valid);
        if (valid) expect(locator.find(["requirements", 0, "id"])).toBeDefined();
      }),
      runs(400),
    );
    fc.assert(
      fc.property(mutated(text("task.toml"), legacy), (input) => {
        if ("value" in tame(() => parseConfiguration(input))) new TomlLocator(input).find(["environment", "cpus"]);
      }),
      runs(300),
    );
  });

  test("archives that a container sends are unpacked below their destination, or refused", async () => {
    const { mkdtemp, readdir, rm } = await import("node:fs/promises");
    const { tmpdir } = await import("node:os");
    const { join } = await import("node:path");
    const name = fc.constantFrom(
      "out",
      "out/a",
      "out/../../x",
      "../x",
      "/x",
      "out/a/b",
      "out/./a",
      "out/\u202e",
      "",
      "out//a",
      "out/a\0b",
    );
    const kind = fc.constantFrom("file", "directory", "symlink", "link", "fifo", "character-device");
    const entry = fc.record({ name, type: kind, linkname: fc.constantFrom("a", "..", "/etc", "../../x", "out/a", "") });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 5 }), fc.option(fc.nat(4000)), async (entries, cut) => {
        const pack = tar.pack();
        for (const { name: path, type, linkname } of entries)
          pack.entry({ name: path, type: type as "file", linkname }, type === "file" ? "x" : "");
        pack.finalize();
        const chunks: Buffer[] = [];
        for await (const chunk of pack) chunks.push(chunk as Buffer);
        const bytes = Buffer.concat(chunks);
        const stat = Buffer.from(JSON.stringify({ size: 0, mode: 2 ** 31 + 0o755, linkTarget: "" })).toString("base64");
        const container = {
          infoArchive: async () =>
            Object.assign(Readable.from([]), { headers: { "x-docker-container-path-stat": stat } }),
          getArchive: async () => Readable.from([cut === null ? bytes : bytes.subarray(0, cut)]),
        };
        const folder = await mkdtemp(join(tmpdir(), "hostile-tar-"));
        try {
          await copyOutOf(container as never, "/out", join(folder, "in", "out"), { bytes: 1000, files: 4 }).catch(
            (error: unknown) => {
              // The sandbox attributes what the engine's client throws.
              const attributed = attribute(error, "copy out");
              if (!RoutesetterError.isInstance(attributed)) throw attributed;
            },
          );
          expect((await readdir(folder)).filter((one) => one !== "in")).toEqual([]);
          expect((await readdir(join(folder, "in")).catch(() => [])).filter((one) => one !== "out")).toEqual([]);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }),
      runs(120),
    );
  });
});

describe("what has a writer comes back", () => {
  test("configurations", () => {
    const file = fc.record(
      {
        artifacts: fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 3 }),
        agent: fc.record({ timeout_sec: fc.integer({ min: 1, max: 1e9 }) }),
        metadata: fc.dictionary(fc.string({ unit: "grapheme", maxLength: 8 }), fc.string({ unit: "grapheme" }), {
          maxKeys: 4,
        }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(file, (input) => {
        const first = tame(() => formatConfiguration(input as never));
        if (!("value" in first)) return;
        const { configuration } = parseConfiguration(first.value);
        expect(formatConfiguration(configuration as never)).toBe(
          formatConfiguration(parseConfiguration(formatConfiguration(configuration as never)).configuration as never),
        );
      }),
      runs(150),
    );
  });

  test("JSON fit for a terminal has the same value, text fit for one stays the same", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, free) => {
        expect(JSON.parse(printableJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(printable(free)).not.toMatch(controlCharacters);
        expect(printable(printable(free))).toBe(printable(free));
        expect(jsonSchema.safeParse(value as Json).success).toBe(true);
      }),
      runs(300),
    );
  });

  test("literal patterns match themselves alone", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 30 }), fc.string({ maxLength: 30 }), (pattern, other) => {
        const glob = compileGlob(literal(pattern));
        expect(glob.test(pattern)).toBe(true);
        expect(glob.test(other)).toBe(other === pattern);
      }),
      runs(200),
    );
  });
});
