import { afterEach, describe, expect, it } from "vitest";
import { parseConfiguration } from "../../../tasks/index.ts";
import type { TaskDraft } from "../family.ts";
import { Bench, bubblewrapWorks } from "../testing/index.ts";
import { layoutTask } from "./index.ts";

const family = { id: "sample", title: "Sample" };
const requirement = {
  weight: 1,
  format: "JSON",
  sources: ["/app/in"],
  derivation: "count",
  negatives: [],
  check: "compared",
  shape: "json-object",
};

function sample(changes: Partial<TaskDraft> = {}): TaskDraft {
  return {
    title: "Count the lines",
    instruction: "Count the lines of /app/in/a.txt and write /app/out.json.",
    difficulty: 1,
    tags: ["counting"],
    packages: [],
    files: [
      { path: "in/a.txt", content: "x\ny\n" },
      { path: "in/b.txt", content: "z\n" },
    ],
    requirements: [
      { ...requirement, id: "R1", statement: "lines", kind: "positive", artefact: "/app/out.json" },
      { ...requirement, id: "R2", statement: "name", kind: "positive", artefact: "/app/out.json", weight: 2 },
      { ...requirement, id: "R3", statement: "inputs stay", kind: "invariant", artefact: "/app/in" },
    ],
    artefacts: ["/app/out.json", "/app/in"],
    executes: [],
    solution: `#!/bin/bash\nprintf '{"lines": 2, "name": "a"}' > /app/out.json\n`,
    partials: [
      { name: "name", breaks: ["R2"], script: `#!/bin/bash\necho '{"lines": 2, "name": "b"}' > /app/out.json\n` },
    ],
    checks: [
      "def check_R1(v):",
      '    v.equal(v.json("/app/out.json")["lines"], v.expected["lines"], "lines")',
      "def check_R2(v):",
      '    v.equal(v.json("/app/out.json")["name"], v.expected["name"], "name")',
      "def check_R3(v):",
      '    v.same_as_pristine("/app/in")',
      "",
    ].join("\n"),
    expected: { lines: 2, name: "a" },
    ...changes,
  };
}

describe("layoutTask", () => {
  it("gives the same bytes for the same draft, a slug of the content, sorted paths", () => {
    const [first, second] = [sample(), sample()].map((draft) => layoutTask(family, draft, { seed: 7, index: 0 }));
    expect(first).toEqual(second);
    expect([...first!.files.keys()]).toEqual([...first!.files.keys()].sort());
    expect(first!.name).toMatch(/^routesetter\/sample-count-the-lines-[0-9a-f]{12}$/);
    expect(first!.files.has("tests/pristine/in/b.txt")).toBe(true);
    expect(first!.files.has("solution/partial_1_breaks_R2.sh")).toBe(true);
    expect(first!.files.has("tests/execution.py")).toBe(false);
  });

  it("changes the slug with a fixture, and the distinctness only with what an agent can see", () => {
    const base = layoutTask(family, sample(), { seed: 7, index: 0 });
    const spaced = layoutTask(
      family,
      sample({ instruction: "count the lines of  /app/in/a.txt and write /app/out.json." }),
      {
        seed: 8,
        index: 0,
      },
    );
    const other = layoutTask(family, sample({ files: [{ path: "in/a.txt", content: "x\n" }] }), { seed: 7, index: 0 });
    expect(spaced.distinctness).toBe(base.distinctness);
    expect(other.distinctness).not.toBe(base.distinctness);
    expect(new Set([base.slug, spaced.slug, other.slug]).size).toBe(3);
  });
});

describe("layoutTask of an ordered draft", () => {
  const { instruction, artefacts, executes, solution, partials, checks, expected } = sample();
  const step = { instruction, artefacts, executes, solution, partials, checks, expected };
  const second = (arrived: string): TaskDraft =>
    sample({
      later: [
        {
          ...step,
          name: "02-more",
          arrives: [{ path: "in/a.txt", content: arrived }],
          setup: "rm in/b.txt",
          requirements: [{ ...sample().requirements[0]!, id: "R4" }],
        },
      ],
    });
  const folder = layoutTask(family, second("q\n"), { seed: 7, index: 0 });

  it("puts each step's instruction, requirements, solution and tests below steps/ and none at the root", () => {
    const paths = [...folder.files.keys()];
    expect(paths.filter((path) => !/^(steps|environment)\//.test(path))).toEqual(["README.md", "task.toml"]);
    for (const name of ["01-start", "02-more"])
      for (const file of [
        "instruction.md",
        "requirements.json",
        "solution/solve.sh",
        "tests/test.sh",
        "tests/checks.py",
      ])
        expect(paths).toContain(`steps/${name}/${file}`);
    expect(paths).toContain("steps/01-start/tests/pristine/in/b.txt");
    expect(paths).not.toContain("steps/02-more/tests/pristine/in/b.txt");
    expect(folder.files.get("steps/02-more/workdir/in/a.txt")?.content).toBe("q\n");
    expect(folder.files.get("steps/02-more/workdir/setup.sh")).toEqual({
      content: "#!/bin/bash\nset -euo pipefail\nrm in/b.txt\n",
      mode: 0o755,
    });
  });

  it("names the steps in order in task.toml, with what each must leave", () => {
    const toml = String(folder.files.get("task.toml")?.content);
    const { configuration } = parseConfiguration(toml);
    expect(configuration.steps.map(({ name }) => name)).toEqual(["01-start", "02-more"]);
    expect(configuration.steps[1]?.artifacts.map(({ source }) => source)).toEqual(artefacts);
    expect(configuration.artifacts).toEqual([]);
  });

  it("is distinct from a draft in which something else arrives", () => {
    const other = layoutTask(family, second("r\n"), { seed: 7, index: 0 });
    expect(other.distinctness).not.toBe(folder.distinctness);
    expect(other.slug).not.toBe(folder.slug);
  });
});

describe.skipIf(!bubblewrapWorks)("the verifier", () => {
  let bench: Bench | undefined;
  afterEach(() => bench?.close());
  const open = (draft: TaskDraft) => {
    bench = new Bench(layoutTask(family, draft, { seed: 7, index: 0 }));
    return bench;
  };
  const write = (text: string) => `#!/bin/bash\ncat > /app/out.json <<'END'\n${text}\nEND\n`;

  it("gives 1 to the solution, 0 to nothing, a weighted share to a part, 0 to a broken invariant", () => {
    const task = open(sample());
    expect(task.attempt(sample().solution).rewards).toEqual({ reward: 1, R1: 1, R2: 1, R3: 1 });
    expect(task.attempt(null).rewards).toEqual({ reward: 0, R1: 0, R2: 0, R3: 1 });
    expect(task.attempt(sample().partials[0]!.script).rewards).toMatchObject({ reward: 0.333333, R2: 0 });
    expect(task.attempt(`${sample().solution}echo z >> /app/in/a.txt\n`).rewards).toMatchObject({ reward: 0, R3: 0 });
    expect(task.attempt(`${sample().solution}touch /app/in/c\n`).rewards).toMatchObject({ reward: 0, R3: 0 });
    expect(task.attempt(`${sample().solution}rm -r /app/in\n`).rewards).toMatchObject({ reward: 0, R3: 0 });
  });

  it("refuses look-alikes: another type, duplicate keys, NaN, a second value, a link, bytes that are no text", () => {
    const task = open(sample());
    for (const [text, said] of [
      [`{"lines": 2.0, "name": "a"}`, "float"],
      [`{"lines": true, "name": "a"}`, "bool"],
      [`{"lines": 3, "lines": 2, "name": "a"}`, "twice"],
      [`{"lines": NaN, "name": "a"}`, "not JSON"],
      [`{"lines": 2, "name": "a"} {}`, "Extra data"],
      [`{"lines": 2, "name": "a"`, "not valid JSON"],
      ["[".repeat(100_000), "not valid JSON"],
    ] as const) {
      const result = task.attempt(write(text));
      expect(result.rewards, text.slice(0, 40)).toMatchObject({ R1: 0 });
      expect(result.report).toContain(said);
    }
    const link = task.attempt(`${write(`{"lines": 2, "name": "a"}`)}mv out.json /app/in/o; ln -s in/o /app/out.json\n`);
    expect(link.rewards).toMatchObject({ reward: 0, R1: 0 });
    expect(link.report).toContain("is a link");
    expect(task.attempt("#!/bin/bash\nprintf '\\xff' > out.json\n").report).toContain("not UTF-8");
    expect(task.attempt("#!/bin/bash\nmkdir out.json\n").report).toContain("not a regular file");
  });

  it("writes no reward when a check is missing", () => {
    const task = open(sample({ checks: "def check_R1(v):\n    pass\n" }));
    expect(task.attempt(null).rewards).toBeNull();
  });

  it("turns a check that raises into a failed one", () => {
    const task = open(sample({ checks: `${sample().checks}def check_R2(v):\n    return {}["x"]\n` }));
    const result = task.attempt(sample().solution);
    expect(result.rewards).toMatchObject({ R1: 1, R2: 0 });
    expect(result.report).toContain("KeyError at line");
  });

  it.skipIf(process.getuid?.() !== 0)(
    "executes artefacts under another uid that can neither read the tests nor write the reward",
    () => {
      const tool = [
        "#!/bin/bash",
        "cat > /app/tool.sh <<'END'",
        "#!/bin/bash",
        "id -u; cat; cat /tests/expected.json; echo '{\"reward\":1}' > /logs/verifier/reward.json",
        "cp /app/in/new.txt /app/made/copy.txt; exit 3",
        "END",
        "chmod 700 /app/tool.sh; chown 0 /app/tool.sh",
      ].join("\n");
      const draft = sample({
        artefacts: ["/app/tool.sh", "/app/out.json", "/app/in"],
        executes: ["/app/tool.sh"],
        checks: [
          "def check_R1(v):",
          '    r = v.execute(["bash", "/app/tool.sh"], b"hello\\n", files={"/app/in/new.txt": b"new"}, collect=["/app/made/copy.txt"])',
          '    v.equal([r.exit_code, r.stdout, r.timed_out], [3, b"65534\\nhello\\n", False], "the run")',
          '    v.expect(b"Permission denied" in r.stderr, "the tests were open")',
          '    v.equal(r.files, {"/app/made/copy.txt": b"new"}, "the files")',
          "def check_R2(v):",
          '    r = v.execute(["sh", "-c", "echo a; sleep 60"], timeout_sec=0.3)',
          '    v.equal([r.stdout, r.timed_out], [b"a\\n", True], "the hang")',
          "def check_R3(v):",
          '    v.same_as_pristine("/app/in")',
        ].join("\n"),
      });
      const result = open(draft).attempt(tool);
      expect(result.report).toContain("no broker");
      expect(result.rewards, result.report).toEqual({ reward: 1, R1: 1, R2: 1, R3: 1 });
    },
  );
});
