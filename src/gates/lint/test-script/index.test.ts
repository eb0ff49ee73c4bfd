import { describe, expect, it } from "vitest";
import { lintTestScript } from "./index.ts";

const lint = (source: string, others?: string[]) =>
  lintTestScript(`#!/bin/bash\n${source}`, { file: "tests/test.sh", directory: "/app", ...(others ? { others } : {}) });
const errors = (source: string) =>
  lint(source)
    .filter(({ severity }) => severity === "error")
    .map(({ rule, line }) => `${rule}:${line}`);
const rules = (source: string) => lint(source).map(({ rule, line }) => `${rule}:${line}`);

const clean: Record<string, string> = {
  "status read at once": `pytest /tests/test_outputs.py -rA
if [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi`,
  "status read at once, multi-line": `cd /app
python3 -m pytest --ctrf /logs/verifier/ctrf.json /tests/test_outputs.py -rA

if [ $? -eq 0 ]; then
  echo 1 > /logs/verifier/reward.txt
else
  echo 0 > /logs/verifier/reward.txt
fi`,
  "set +e, then the status is kept": `set +e
pytest /tests
status=$?
set -e
[ "$status" -eq 0 ] && reward=1 || reward=0
echo "$reward" > /logs/verifier/reward.txt`,
  "and-or": `pytest /tests && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt`,
  pipefail: `set -uo pipefail
if pytest /tests | tee /logs/verifier/log.txt; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi`,
  PIPESTATUS: `pytest /tests | tee log
status=\${PIPESTATUS[0]}
if [ "$status" = 0 ]; then echo 1 >/logs/verifier/reward.txt; else echo 0 >/logs/verifier/reward.txt; fi`,
  "a trap writes the reward": `reward=0
trap 'echo "$reward" > /logs/verifier/reward.txt' EXIT
set -e
pytest /tests
reward=1`,
  "an error trap around set +e": `set -e
set +e
uvx_status=0
python3 -m pytest /tests/test_outputs.py || uvx_status=$?
set -e
[ $uvx_status -eq 0 ] && reward=1 || reward=0
echo $reward > /logs/verifier/reward.txt`,
  "a fallback when the grader breaks down": `python3 /tests/grade.py --out /logs/verifier/reward.json || echo '{"reward": 0.0}' > /logs/verifier/reward.json`,
  "gates that end early with 0": `set +e
if [ ! -s /app/out.txt ]; then
  echo 0.0 > /logs/verifier/reward.txt
  exit 0
fi
score=$(python3 /tests/score.py)
echo "$score" > /logs/verifier/reward.txt`,
  "set-up that may fail": `curl -s http://localhost:8080/ready || true
grep -c ERROR /app/log || true
pytest /tests
if [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi`,
  "a build as the check": `cd /app/build
cmake .. && make -j"$(nproc)"
status=$?
if [ $status -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi
exit "$status"`,
  "exit guards a constant": `if ! pytest /tests; then echo 0 > /logs/verifier/reward.txt; exit 0; fi
echo 1 > /logs/verifier/reward.txt`,
  "a failing function guards a constant": `fail() { echo 0 > /logs/verifier/reward.txt; exit 0; }
diff /app/out /tests/expected || fail
echo 1 > /logs/verifier/reward.txt`,
  "the report decides": `pytest --junitxml=/tmp/r.xml /tests | tee /logs/verifier/log.txt || true
python3 /tests/score.py /tmp/r.xml > /logs/verifier/reward.txt`,
  "a variable, from || status=": `status=0
pytest /tests || status=$?
echo $((status == 0)) > /logs/verifier/reward.txt`,
  "the published vector": `r=0; [ "$(cat /app/hello.txt 2>/dev/null)" = "Hello, world!" ] && r=1
echo "{\\"reward\\": $r, \\"exact\\": $r}" > /logs/verifier/reward.json`,
  "a directory in a variable": `LOGS=\${LOGS_DIR:-/logs/verifier}
if pytest /tests; then echo 1 > "$LOGS/reward.txt"; else echo 0 > "$LOGS/reward.txt"; fi`,
  "a service on this machine": `if curl -fsS http://localhost:8080/health; then echo 1; else echo 0; fi | tee /logs/verifier/reward.txt`,
  "grep at the end of a pipe is the check": `if ps aux | grep -q nginx; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi`,
};

describe("lintTestScript leaves honest scripts alone", () => {
  for (const [name, source] of Object.entries(clean)) it(name, () => expect(rules(source)).toEqual([]));
  it("a helper writes the reward", () => {
    expect(lint("python3 /tests/verify.py", ['open("/logs/verifier/reward.json", "w")'])).toEqual([]);
  });
});

describe("lintTestScript finds", () => {
  const broken: [string, string, string[]][] = [
    [
      // BR007
      "a pipe that masks, constant reward",
      "pytest /tests | tee log; echo 1 > /logs/verifier/reward.txt",
      ["masked_by_pipe:2", "unconditional_reward:2"],
    ],
    [
      "a pipe that masks, status read",
      "pytest /tests 2>&1 | tee /tmp/log\nif [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi",
      ["masked_by_pipe:2"],
    ],
    [
      "a pipe that masks, in a condition",
      "if pytest /tests | tail -5; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi",
      ["masked_by_pipe:2"],
    ],
    [
      "|| true",
      "pytest /tests || true\nif [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi",
      ["masked_by_or_true:2"],
    ],
    [
      "the status of another command",
      'pytest /tests\necho "tests are done"\nif [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi',
      ["masked_by_statement:2"],
    ],
    [
      "two comparisons, one status",
      "diff /app/a /tests/a; diff /app/b /tests/b; if [ $? -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt",
      ["masked_by_statement:2"],
    ],
    [
      "a message in between, and a program that nobody knows",
      "./run_all\necho done\nif [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi",
      ["masked_by_statement:3"],
    ],
    [
      "a substitution that loses a status",
      "status=$(pytest /tests; rm -rf /tmp/x; echo $?)\n[ $status = 0 ] && r=1 || r=0\necho $r > /logs/verifier/reward.txt",
      ["masked_by_statement:2"],
    ],
    [
      "two checks, one status",
      "pytest /tests/test_a.py; pytest /tests/test_b.py\nif [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi",
      ["masked_by_statement:2"],
    ],
    [
      "set +e with || true",
      "set +e\npytest /tests || true\necho 1 > /logs/verifier/reward.txt",
      ["errexit_disabled:2", "masked_by_or_true:3", "unconditional_reward:4"],
    ],
    ["a status ignored", "pytest /tests\necho 1 > /logs/verifier/reward.txt", ["unconditional_reward:3"]],
    [
      "a reward before the checks",
      "echo 1 > /logs/verifier/reward.txt\nif ! pytest /tests; then echo 0 > /logs/verifier/reward.txt; fi",
      ["reward_before_checks:2"],
    ],
    [
      "a reward elsewhere",
      "if pytest /tests; then echo 1 > /app/reward.txt; else echo 0 > /app/reward.txt; fi",
      ["reward_elsewhere:2"],
    ],
    [
      "a relative reward in WORKDIR",
      "if pytest /tests; then echo 1 > reward.txt; else echo 0 > reward.txt; fi",
      ["reward_elsewhere:2"],
    ],
    ["no reward at all", "pytest /tests", ["no_reward_written:1"]],
    ["a status as the reward", "pytest /tests\necho $? > /logs/verifier/reward.txt", ["status_as_reward:3"]],
    ["no check at all", "echo 1 > /logs/verifier/reward.txt", ["unconditional_reward:2"]],
    [
      "a here-document as reward.json",
      'pytest /tests | tee log\ncat > /logs/verifier/reward.json <<EOF\n{"reward": 1.0}\nEOF',
      ["masked_by_pipe:2", "unconditional_reward:3"],
    ],
  ];
  for (const [name, source, expected] of broken) it(name, () => expect(errors(source)).toEqual(expected));

  it("a default of 0 before the checks, as a warning", () => {
    const found = lint(
      "echo 0 > /logs/verifier/reward.txt\nif pytest /tests; then echo 1 > /logs/verifier/reward.txt; fi",
    );
    expect(found.map(({ rule, severity }) => [rule, severity])).toEqual([["reward_before_checks", "warning"]]);
  });
  it("set -e that ends the script before any reward, as a warning", () => {
    const found = lint(
      "set -euo pipefail\npytest /tests\nif [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi",
    );
    expect(found.map(({ rule, line, severity }) => [rule, line, severity])).toEqual([
      ["no_reward_on_failure", 3, "warning"],
    ]);
    expect(rules("set -e\npytest /tests\necho 1 > /logs/verifier/reward.txt")).toEqual(["no_reward_on_failure:3"]);
  });
  it("network use, with the line and what is fetched", () => {
    const found = lint(
      "apt-get update\napt-get install -y curl\ncurl -LsSf https://example.org/uv/install.sh | sh\nuvx -p 3.13 -w pytest==8.4.1 pytest /tests/test_outputs.py\nif [ $? -eq 0 ]; then echo 1 > /logs/verifier/reward.txt; else echo 0 > /logs/verifier/reward.txt; fi",
    );
    expect(found.map(({ rule, line }) => `${rule}:${line}`)).toEqual([
      "network_at_grading:2",
      "network_at_grading:3",
      "network_at_grading:4",
      "pipe_to_shell:4",
      "network_at_grading:5",
    ]);
  });
  it("CRLF, a missing interpreter and unreadable syntax", () => {
    const found = lintTestScript("pytest /tests\r\nif x; then\r\n", { file: "tests/test.sh" });
    expect(found.map(({ rule }) => rule)).toEqual([
      "carriage_returns",
      "no_interpreter",
      "no_reward_written",
      "shell_syntax",
    ]);
  });
});
