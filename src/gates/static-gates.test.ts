// Gates that only read, on folders laid out here: each with an example that fires and one that doesn't.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { GateResult } from "../contract/index.ts";
import { readTask } from "../tasks/index.ts";
import { passGauntlet, taskGates } from "./index.ts";

const scratch = mkdtempSync(join(tmpdir(), "static-gates-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
let count = 0;

const sound: Record<string, string> = {
  "task.toml": 'schema_version = "1.4"\n[agent]\ntimeout_sec = 600.0\n[environment]\nworkdir = "/app"\n',
  "instruction.md": "Write the function `ranged_float` into `/app/ranges.py`.",
  "environment/Dockerfile": "FROM debian:bookworm-slim\nRUN pip install pytest==8.4.1\nWORKDIR /app\n",
  "solution/solve.sh": "#!/bin/sh\necho 'def ranged_float(): pass' > /app/ranges.py\n",
  "tests/test.sh":
    "#!/bin/sh\nreward=0\npytest /tests/test_outputs.py && reward=1\necho $reward > /logs/verifier/reward.txt\n",
  "tests/test_outputs.py":
    "import sys\n\nsys.path.insert(0, '/app')\nimport ranges\n\ndef test_it():\n    assert ranges.ranged_float\n",
};
async function look(gate: string, changes: Record<string, string | null> = {}): Promise<GateResult> {
  const directory = join(scratch, String(++count));
  for (const [path, text] of Object.entries({ ...sound, ...changes })) {
    if (text === null) continue;
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  const source = { image: () => Promise.reject(new Error()), trial: () => Promise.reject(new Error()) };
  const options = { level: "static" as const, seed: 1, repeats: 0, gates: [gate], now: () => 0 };
  const { report } = await passGauntlet(await readTask(directory), source, options);
  return report.results[0] as GateResult;
}
const seen = ({ evidence }: GateResult) =>
  evidence.map(({ message, file, line }) => `${file}:${line ?? ""} ${message}`);

describe("static gates", () => {
  it.each([
    "manifest",
    "layout",
    "dockerfile_lint",
    "test_script_lint",
    "dependency_pinning",
    "agreement",
    "timeout_ceiling",
  ])("%s leaves a good folder alone", async (gate) => {
    expect(await look(gate)).toMatchObject({ status: "pass", evidence: [], remediation: "" });
  });

  it("manifest names legacy spellings and unknown keys with their line", async () => {
    const result = await look("manifest", {
      "task.toml": 'version = "1.0"\n[environment]\nmemory = "2G"\ncolour = "red"\n',
    });
    expect(result.status).toBe("warn");
    expect(result.evidence.map(({ line }) => line)).toEqual([1, 3, 4]);
  });

  it("layout: what is missing, can't be run, or was given away", async () => {
    expect((await look("layout", { "solution/solve.sh": null })).status).toBe("fail");
    expect((await look("layout", { "instruction.md": " \n" })).status).toBe("fail");
    expect(seen(await look("layout", { "environment/docker-compose.yaml": "services: {}\n" }))[0]).toContain(
      "one container",
    );
    const expected = { "tests/expected.json": `{"sum": "${"4".repeat(80)}"}` };
    const leaked = { ...expected, "environment/files/data.json": expected["tests/expected.json"] };
    expect(seen(await look("layout", leaked))).toEqual([
      "environment/files/data.json: the agent's image is built from a copy of tests/expected.json",
    ]);
    const pristine = { "tests/pristine/run.py": "print('the tests that the agent may run')\n".repeat(3) };
    expect(
      (await look("layout", { ...pristine, "environment/files/run.py": pristine["tests/pristine/run.py"] })).status,
    ).toBe("pass");
    expect((await look("layout", { "tests/__pycache__/x.pyc": "x" })).status).toBe("warn");
  });

  it("dockerfile_lint: no Dockerfile and no image; sources that .dockerignore leaves out", async () => {
    const image = 'schema_version = "1.4"\n[environment]\ndocker_image = "debian:bookworm"\n';
    expect(
      (await look("dockerfile_lint", { "environment/Dockerfile": null, "environment/x": "", "task.toml": image }))
        .status,
    ).toBe("pass");
    expect((await look("dockerfile_lint", { "environment/Dockerfile": null, "environment/x": "" })).status).toBe(
      "fail",
    );
    const ignored = {
      "environment/Dockerfile": "FROM debian:12\nCOPY a.txt b.txt data/ /app/\n",
      "environment/a.txt": "",
      "environment/b.txt": "",
      "environment/data/c": "",
      "environment/.dockerignore": "*.txt\n!b.txt\ndata\n",
    };
    expect(seen(await look("dockerfile_lint", ignored))).toEqual([
      "environment/Dockerfile:2 a.txt is left out of the build context by .dockerignore",
    ]);
  });

  it("dependency_pinning names each package without a version", async () => {
    const result = await look("dependency_pinning", {
      "environment/Dockerfile":
        "FROM debian:12\nRUN pip3 install --no-cache-dir numpy \\\n  pandas==2.2.0 -r requirements.txt\nRUN npm install -g typescript left-pad@1.3.0 ./local\n",
      "tests/test.sh":
        "#!/bin/sh\nuvx -p 3.13 -w pytest -w pytest-json-ctrf==0.3.5 pytest /tests && echo 1 > /logs/verifier/reward.txt\n",
    });
    expect(result.status).toBe("warn");
    expect(seen(result)).toEqual([
      "environment/Dockerfile:2 numpy without a version",
      "environment/Dockerfile:4 typescript without a version",
      "tests/test.sh:2 pytest without a version",
    ]);
  });

  it("timeout_ceiling: no limit, too short, too long", async () => {
    const limits = (text: string) => look("timeout_ceiling", { "task.toml": `schema_version = "1.4"\n${text}` });
    expect(seen(await limits(""))[0]).toContain("may run for ever");
    expect(seen(await limits("[agent]\ntimeout_sec = 20\n"))[0]).toContain("too short");
    expect(seen(await limits("[agent]\ntimeout_sec = 600\n[verifier]\ntimeout_sec = 99999\n"))[0]).toContain(
      "over 3600",
    );
  });

  // BR016
  it("agreement names what the tests ask for and nobody told", async () => {
    const result = await look("agreement", {
      "instruction.md": "Write a function `ranged_float`.",
      "tests/test_outputs.py":
        "import json\nimport task_module\nfrom helper import x\n\nRESULT = open('/app/out/result.json')\n",
      "tests/helper.py": "x = 1\n",
    });
    expect(result.status).toBe("warn");
    expect(seen(result)).toEqual([
      "tests/test_outputs.py:2 task_module is asked for here, but neither the instruction nor the environment names it",
      "tests/test_outputs.py:5 /app/out/result.json is asked for here, but neither the instruction nor the environment names it",
    ]);
  });
});

describe("the guide", () => {
  const guide = readFileSync("docs/check.md", "utf8");
  it("lists every gate", () => {
    for (const { id } of taskGates) expect(guide).toContain(`| \`${id}\``);
    expect(new Set(taskGates.map(({ id }) => id)).size).toBe(taskGates.length);
  });
  it("names every rule of the lints", () => {
    const sources = ["dockerfile", "test-script"].flatMap((folder) =>
      readdirSync(`src/gates/lint/${folder}`)
        .filter((name) => !name.endsWith(".test.ts"))
        .map((name) => readFileSync(`src/gates/lint/${folder}/${name}`, "utf8")),
    );
    const rules = sources.flatMap((text) =>
      [...text.matchAll(/(?:report\(|add\(|rule:)\s*"([a-z_]+)"/g)].map(([, rule]) => rule as string),
    );
    expect(rules.length).toBeGreaterThan(20);
    for (const rule of rules) expect(guide).toContain(`\`${rule}\``);
  });
});
