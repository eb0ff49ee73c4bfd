import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseShell, simpleCommands } from "../shell/index.ts";
import { commandsWithin, isRunner, networkUse } from "./commands.ts";
import { lintDockerfile } from "./dockerfile/index.ts";
import { lintTestScript } from "./test-script/index.ts";

const all = (source: string) =>
  [...simpleCommands(parseShell(source).statements)].flatMap((command) => [...commandsWithin(command)]);
const fetches = (source: string) => all(source).some((words) => networkUse(words) !== null);
const runs = (source: string) => all(source).some(isRunner);

describe("networkUse", () => {
  it.each([
    "apt-get update",
    "sudo -E apt install -y curl",
    "DEBIAN_FRONTEND=noninteractive timeout 60 apt-get -qq install jq",
    "python3 -m pip install pytest",
    "uvx pytest /tests",
    "uv pip install pytest",
    "npm ci",
    "npx jest",
    "curl -LsSf https://astral.example/install.sh",
    "wget example.org/data.tar.gz",
    "git clone https://example.org/repo.git",
    "go install example.org/x@latest",
    'bash -c "pip install pytest"',
    "version=$(curl -s https://example.org/version)",
  ])("sees: %s", (source) => expect(fetches(source)).toBe(true));

  it.each([
    "apt-get clean",
    "pip --version",
    "pip install --no-index --find-links /wheels pytest",
    "pip install .",
    "pip install /app/dist/tool.whl",
    "curl -fsS http://localhost:8080/health",
    "curl http://127.0.0.1/ -o out",
    'curl -s "$BASE_URL/items"',
    "wget -qO- localhost:3000",
    "uv --version",
    "uv run --offline pytest",
    "npm test",
    "npx --no-install jest",
    "git clone /srv/git/repo.git work",
    "git -C /app status",
    "go test ./...",
    "cargo test --offline",
    "echo 'apt-get install curl'",
  ])("leaves alone: %s", (source) => expect(fetches(source)).toBe(false));
});

describe("isRunner", () => {
  it.each([
    "pytest -rA /tests/test_outputs.py",
    "env PYTHONPATH=src python3 -B -m pytest tests",
    "timeout -k 5 60 /usr/bin/python3.11 -m unittest",
    "uv run --with pytest pytest /tests",
    "bash /tests/check.sh",
    "$TEST_DIR/run.sh",
    "make -s check",
    "npm run test",
    "go test ./...",
    "out=$(python3 /tests/score.py)",
  ])("is one: %s", (source) => expect(runs(source)).toBe(true));
  it.each(["echo pytest", "pip install pytest", "make all", "cp /app/x /tests-copy/x", "python3 app.py", "ls /tests"])(
    "is none: %s",
    (source) => expect(runs(source)).toBe(false),
  );
});

describe("lints", () => {
  const shell = fc.array(
    fc.constantFrom(
      "pytest /tests",
      "| tee log",
      "|| true",
      "&& ",
      "; ",
      "\n",
      "if ",
      "then ",
      "else ",
      "fi",
      "$?",
      "echo 1 > /logs/verifier/reward.txt",
      "set -e",
      "set +e",
      "[ $? -eq 0 ]",
      "{ ",
      "}",
      "f() ",
      "(",
      ")",
      "<<EOF\nx\nEOF\n",
      "'",
      '"',
      "`",
      "$(",
      "exit 1",
      "trap x EXIT",
      "cd /app",
      "reward=1",
      "# c\n",
    ),
    { maxLength: 25 },
  );
  const docker = fc.array(
    fc.constantFrom(
      "FROM debian:12\n",
      "RUN ",
      "apt-get update",
      " && ",
      "apt-get install x",
      " \\\n",
      "<<EOF\n",
      "EOF\n",
      "COPY a b\n",
      "COPY --from=x a b\n",
      "ENV A=${A:-b}\n",
      "ARG X\n",
      '["a"]\n',
      "WORKDIR x\n",
      "ENTRYPOINT x\n",
      "\n",
      "'",
      "# escape=`\n",
      "ONBUILD RUN x\n",
    ),
    { maxLength: 25 },
  );
  it("never throw and give lines that exist", () => {
    fc.assert(
      fc.property(shell, docker, (script, file) => {
        const [one, two] = [script.join(" "), file.join("")];
        const context = { paths: new Set(["a"]), ignored: new Set<string>() };
        for (const [source, findings] of [
          [one, lintTestScript(one, { file: "tests/test.sh" })],
          [two, lintDockerfile(two, { file: "Dockerfile", context, verifierImage: true })],
        ] as const)
          for (const { line } of findings) {
            expect(line).toBeGreaterThan(0);
            expect(line).toBeLessThanOrEqual(source.split("\n").length);
          }
      }),
      { numRuns: 400 },
    );
  });
});

describe("scripts in scripts without end", () => {
  const words = (source: string) =>
    [...simpleCommands(parseShell(source).statements)].flatMap((command) => [...commandsWithin(command)]);
  it.each([
    ["substitutions", "echo $(", ")"],
    ["evaluations of substitutions", "eval $(", ")"],
    ["quoted ones", 'echo "$(', ')"'],
  ])("%s: the outer ones are read", (_, open, close) => {
    const found = words(`${open.repeat(100)}curl x${close.repeat(100)}`);
    expect(found.length).toBeGreaterThan(4);
    expect(found.length).toBeLessThan(40);
    expect(words(`${open.repeat(3)}curl x${close.repeat(3)}`).some(([name]) => name === "curl")).toBe(true);
  });
});
