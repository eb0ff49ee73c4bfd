import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Random } from "../../../statistics/index.ts";
import type { Difficulty, FixtureFile } from "../family.ts";
import { failingProgram } from "./index.ts";
import type { Part, PlantedBug } from "./part.ts";
import { answers, kinds, mainSource, moduleSource, type Program, problemSource } from "./program.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "parts-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function lay(files: readonly FixtureFile[]): void {
  for (const { path, content } of files) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

const run = (argv: readonly string[], input = "") =>
  spawnSync("/usr/bin/python3", ["-S", "-E", "-B", ...argv], { input, encoding: "utf8", cwd: directory });

type Variant = { readonly label: string; readonly bugs: readonly PlantedBug[]; readonly input: readonly string[] };

/** Runs many variants of a part's program in one interpreter, each with modules of its own. */
const driver = `
import contextlib, io, json, sys, types
printed = []
for job in json.load(sys.stdin):
    for name, source in job["modules"]:
        sys.modules[name] = module = types.ModuleType(name)
        exec(source, module.__dict__)
    sys.stdin, out = io.StringIO(job["input"]), io.StringIO()
    with contextlib.redirect_stdout(out):
        sys.modules["main"].main()
    printed.append(out.getvalue().splitlines())
print(json.dumps(printed))
`;

function printed(program: Program, part: Part, variants: readonly Variant[]): string[][] {
  const jobs = variants.map(({ bugs, input }) => ({
    input: `${input.join("\n")}\n`,
    modules: [
      ["problem", problemSource],
      [part.name, moduleSource(part, bugs)],
      ["main", mainSource({ ...program, parts: [part] })],
    ],
  }));
  const child = run(["-c", driver], JSON.stringify(jobs));
  expect(child.stderr, part.name).toBe("");
  return JSON.parse(child.stdout);
}

describe("parts of programs", () => {
  for (const kind of kinds)
    it(`${kind.id}: each module means what TypeScript says, and each planted bug shows where its level says`, () => {
      const parts = kind.parts.map((make, i) => make(new Random(`parts/${kind.id}/${i}`)));
      const program: Program = { title: kind.title, folder: "x", parts, separator: "==", failureStatus: 3 };
      for (const part of parts) {
        const random = new Random(`sessions/${part.name}`);
        const together = (sessions: string[][]) =>
          sessions.flatMap((lines, i) => (i === 0 ? lines : ["== again", ...lines]));
        const plain = together(part.sessions(random, false));
        const edge = together([...part.sessions(random, true), ...part.sessions(random, false)]);
        const right = [plain, edge].map((input) => answers(program, input).output);
        expect(answers(program, plain, new Set([part])).output, part.name).toEqual(right[0]);
        const twist = part.bugs.find((bug) => bug.level === 3) as PlantedBug;
        const variants = [[], ...part.bugs.map((bug) => [bug])].flatMap((bugs) => {
          const label = `${part.name}: ${bugs.map((bug) => `${bug.kind} in ${bug.slot}`).join()}`;
          return [
            { label, bugs, input: plain },
            { label, bugs, input: edge },
          ];
        });
        printed(program, part, variants).forEach((output, i) => {
          const { label, bugs, input } = variants[i] as Variant;
          const wanted = right[input === plain ? 0 : 1];
          const shows = bugs.some((bug) => input === edge || bug.level < 3);
          if (shows) expect(output, label).not.toEqual(wanted);
          else expect(output, label).toEqual(wanted);
          if (bugs[0] === twist && input === edge)
            expect(output, label).toEqual(answers(program, edge, new Set([part])).output);
        });
      }
    });

  it("comes with visible tests of which some fail, and all pass after the repair but those that contradict", () => {
    for (const level of [2, 5] as const satisfies readonly Difficulty[]) {
      rmSync(directory, { recursive: true, force: true });
      const draft = failingProgram.draft(new Random(`visible ${level}`), level);
      lay(draft.files);
      const failed = () =>
        run(["tests/run.py"])
          .stdout.split("\n")
          .filter((line) => line.startsWith("FAILED"))
          .map((line) => line.replace(/^FAILED +/, ""));
      expect(failed().length, String(level)).toBeGreaterThan(0);
      const script = draft.solution.replaceAll("/app/", `${directory}/`);
      expect(spawnSync("bash", ["-c", script], { encoding: "utf8" }).stderr).toBe("");
      const disputed = Object.values((draft.expected as { rows: Record<string, unknown> }).rows).find(
        (row) => Array.isArray(row) && typeof row[0] === "string" && row[0].startsWith("/app/"),
      ) as [string, string[]] | undefined;
      expect(failed(), String(level)).toEqual(disputed?.[1] ?? []);
      expect(disputed !== undefined).toBe(level === 5);
    }
  });
});
