// Task folders in the manner of those that others publish, one for each peculiarity, with what the import must say.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

type Content = string | Buffer | { link: string } | { fifo: true };
export type Files = Record<string, Content>;
export type ForeignTask = {
  readonly path: string;
  readonly files: Files;
  /** null: the import must not take it for a task. */
  readonly verdict: "proven" | "failed" | "not run" | "rejected" | null;
  /** Alternatives joined by `|`. */
  readonly code?: string;
  readonly file?: string;
  readonly line?: number;
  readonly field?: string;
  /** Words of a repair that must be told. */
  readonly repair?: string;
  /** Files that the written folder must hold, and must not (`!`). */
  readonly holds?: readonly string[];
  readonly gate?: string;
};

export const oracle = "#!/bin/bash\necho done > /app/answer.txt\n";
const checks =
  'if [ "$(cat /app/answer.txt 2>/dev/null)" = done ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n';
const manifest = (more = "") =>
  `schema_version = "1.4"\n${more}\n[environment]\nworkdir = "/app"\nnetwork_mode = "no-network"\n`;

/** A sound Harbor folder with these files over it; `null` takes one away. The path makes each one's content its own. */
export const harbor = (name: string, files: Record<string, Content | null> = {}): Files =>
  strip({
    "task.toml": manifest(),
    "instruction.md": `Write done to /app/answer.txt (${name}).\n`,
    "environment/Dockerfile": "FROM debian:bookworm\nWORKDIR /app\n",
    "solution/solve.sh": oracle,
    "tests/test.sh": `#!/bin/bash\n${checks}`,
    ...files,
  });

const compose =
  "services:\n  client:\n    build:\n      dockerfile: Dockerfile\n    image: ${T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME}\n    container_name: ${T_BENCH_TASK_DOCKER_CLIENT_CONTAINER_NAME}\n    command: [sh, -c, sleep infinity]\n    environment:\n      - TEST_DIR=${T_BENCH_TEST_DIR}\n    volumes:\n      - ${T_BENCH_TASK_LOGS_PATH}:${T_BENCH_CONTAINER_LOGS_PATH}\n";

/** A sound Terminal-Bench 1 folder with these files over it. */
export const bench = (name: string, files: Record<string, Content | null> = {}): Files =>
  strip({
    "task.yaml": `instruction: |-\n  Write done to /app/answer.txt (${name}).\nauthor_name: A. Author\ndifficulty: easy\nparser_name: pytest\nmax_agent_timeout_sec: 60\nmax_test_timeout_sec: 30\n`,
    Dockerfile: "FROM debian:bookworm\nWORKDIR /app\n",
    "docker-compose.yaml": compose,
    "solution.sh": oracle,
    "run-tests.sh": "#!/bin/bash\ncd /app\npython3 $TEST_DIR/test_outputs.py\n",
    "tests/test_outputs.py":
      "import unittest\nclass Outputs(unittest.TestCase):\n    def test_done(self):\n        self.assertEqual(open('/app/answer.txt').read().strip(), 'done')\nunittest.main(verbosity=2)\n",
    ...files,
  });

const strip = (files: Record<string, Content | null>): Files =>
  Object.fromEntries(Object.entries(files).filter(([, content]) => content !== null)) as Files;

const task = (
  path: string,
  files: Record<string, Content | null>,
  verdict: ForeignTask["verdict"],
  rest: Partial<ForeignTask> = {},
): ForeignTask => ({ path, files: harbor(path, files), verdict, ...rest });
const tb = (
  path: string,
  files: Record<string, Content | null>,
  verdict: ForeignTask["verdict"],
  rest: Partial<ForeignTask> = {},
): ForeignTask => ({ path: `bench/${path}`, files: bench(path, files), verdict, ...rest });

const crlf = (text: string) => text.replaceAll("\n", "\r\n");
const graded = (script: string) => ({ "tests/test.sh": `#!/bin/bash\n${script}` });

export const foreignTasks: readonly ForeignTask[] = [
  task("plain", {}, "proven"),
  task("a name with blanks", {}, "proven"),
  task(
    "old-spellings",
    {
      "task.toml":
        'version = "1.0"\nartifacts = "/app/answer.txt"\n[environment]\nworkdir = "/app"\nmemory = "1G"\nallow_internet = false\n',
    },
    "proven",
    { repair: "old spelling" },
  ),
  task("its-own-claim", { "task.toml": manifest('[metadata]\nverification = "live"\n') }, "proven"),
  task(
    "byte-order-marks",
    { "task.toml": `\ufeff${manifest()}`, "tests/test.sh": `\ufeff#!/bin/bash\n${checks}` },
    "proven",
    { repair: "byte order mark" },
  ),
  task(
    "windows-line-ends",
    { "tests/test.sh": crlf(`#!/bin/bash\n${checks}`), "solution/solve.sh": crlf(oracle) },
    "proven",
    { repair: "Windows line ends" },
  ),
  task("link-inside", { "tests/expected.txt": "done\n", "tests/again.txt": { link: "expected.txt" } }, "proven", {
    repair: "became a copy",
    holds: ["tests/again.txt"],
  }),
  task("link-to-nothing", { "environment/gone": { link: "nowhere" } }, "proven", {
    repair: "link to nothing",
    holds: ["!environment/gone"],
  }),
  task("link-out", { "environment/passwd": { link: "/etc/passwd" } }, "rejected", {
    code: "link_leads_out",
    file: "environment/passwd",
  }),
  task("link-up", { "tests/others": { link: "../../plain" } }, "rejected", {
    code: "link_leads_out",
    file: "tests/others",
  }),
  task("link-to-itself", { "tests/all": { link: ".." } }, "rejected", { code: "link_leads_out", file: "tests/all" }),
  task("pipe", { "tests/pipe": { fifo: true } }, "rejected", { code: "special_file", file: "tests/pipe" }),
  task("no-instruction", { "instruction.md": null }, "rejected", { code: "file_missing", file: "instruction.md" }),
  task("no-tests", { "tests/test.sh": null }, "rejected", { code: "file_missing", file: "tests/test.sh" }),
  task("no-manifest", { "task.toml": null }, "rejected", { code: "file_missing", file: "task.toml" }),
  task("broken-toml", { "task.toml": 'schema_version = "1.4"\n[environment\n' }, "rejected", {
    code: "toml_syntax",
    file: "task.toml",
    line: 2,
  }),
  task("wrong-type", { "task.toml": `${manifest()}cpus = "many"\n` }, "rejected", {
    code: "configuration_invalid",
    file: "task.toml",
    line: 6,
    field: "environment.cpus",
  }),
  task("latin-1", { "task.toml": Buffer.from('schema_version = "1.4"\n# caf\xe9\n', "latin1") }, "rejected", {
    code: "not_utf8",
    file: "task.toml",
    line: 2,
  }),
  task("both-manifests", { "task.yaml": "instruction: x\n" }, "proven", { repair: "stands beside task.toml" }),
  task("outer", {}, "proven", { holds: ["!inner/task.toml"], repair: "a task of its own" }),
  task("outer/inner", {}, "proven"),
  task("z-mirror/plain", { "instruction.md": "Write done to /app/answer.txt (plain).\n" }, "rejected", {
    code: "copy",
  }),
  task("__MACOSX/plain", {}, null),
  { path: "not-a-task", files: { "task.yaml": "steps: []\n" }, verdict: null },
  {
    path: "with-canary",
    files: harbor("with-canary", { "instruction.md": "<!-- canary 1234 -->\nWrite done to /app/answer.txt.\n" }),
    verdict: "proven",
  },
  task("windows", { "task.toml": `${manifest()}os = "windows"\n`, "tests/test.bat": "exit 0\n" }, "not run", {
    code: "unsupported",
  }),
  task("services", { "environment/docker-compose.yaml": "services:\n  main: {}\n  database: {}\n" }, "not run", {
    code: "unsupported",
  }),
  task("no-solution", { "solution/solve.sh": null }, "not run", { code: "solution_missing" }),
  task("wrong-solution", { "solution/solve.sh": "#!/bin/bash\necho no > /app/answer.txt\n" }, "failed"),
  task(
    "copies-what-is-missing",
    { "environment/Dockerfile": "FROM debian:bookworm\nWORKDIR /app\nCOPY data.csv /app/\n" },
    "failed",
    { gate: "dockerfile_lint" },
  ),
  task("no-reward", graded("set -e\nfalse\necho 1 > /logs/verifier/reward.txt\n"), "failed", {
    code: "reward_missing|verifier_crash",
  }),
  task("reward-beside-the-work", graded("echo 1 > /app/reward.txt\n"), "failed", {
    code: "reward_missing|verifier_crash",
  }),
  task("hangs", { "task.toml": manifest("[verifier]\ntimeout_sec = 2\n"), ...graded("sleep 1000\n") }, "failed", {
    code: "verifier_timeout",
  }),
  task(
    "no-pytest",
    graded(
      "python3 -I -S -m pytest /tests\nif [ $? -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n",
    ),
    "failed",
    { code: "verifier_tools_missing" },
  ),
  task(
    "flag-refused",
    graded("echo 'pytest: error: unrecognized arguments: --ctrf'\necho 0 > /logs/verifier/reward.txt\n"),
    "failed",
    { code: "verifier_tools_missing" },
  ),
  task(
    "fetches-in-vain",
    graded("curl -fsS https://example.org/tool.sh -o tool.sh\necho 0 > /logs/verifier/reward.txt\n"),
    "not run",
    { code: "verifier_tools_missing" },
  ),
  task(
    "no-tests-found",
    graded("echo '============ no tests ran in 0.01s ============'\necho 1 > /logs/verifier/reward.txt\n"),
    "failed",
    { code: "no_check_ran" },
  ),

  tb("plain", {}, "proven", {
    repair: "its exit status is the reward",
    holds: [
      "tests/test.sh",
      "solution/solve.sh",
      "environment/Dockerfile",
      "!environment/docker-compose.yaml",
      "!environment/task.yaml",
    ],
  }),
  tb("braces", { "run-tests.sh": '#!/bin/bash\npython3 "${TEST_DIR}/test_outputs.py"\n' }, "proven"),
  tb("errexit", { "run-tests.sh": "#!/bin/bash\nset -e\npython3 $TEST_DIR/test_outputs.py\nexit 0\n" }, "proven"),
  tb(
    "windows-line-ends",
    { "run-tests.sh": crlf("#!/bin/bash\npython3 $TEST_DIR/test_outputs.py\n"), "solution.sh": crlf(oracle) },
    "proven",
  ),
  tb(
    "compose-without-image",
    { "docker-compose.yaml": "services:\n  client:\n    command: [sleep, infinity]\n" },
    "proven",
    { repair: "names no image" },
  ),
  tb(
    "image-without-recipe",
    {
      Dockerfile: null,
      "docker-compose.yaml": "services:\n  client:\n    image: debian:bookworm\n    command: [sleep, infinity]\n",
      "solution.sh": `${oracle}`.replace("echo", "mkdir -p /app && echo"),
      "run-tests.sh": "#!/bin/bash\npython3 $TEST_DIR/test_outputs.py\n",
    },
    "proven",
  ),
  tb("recipe-copies-tests", { Dockerfile: "FROM debian:bookworm\nWORKDIR /app\nCOPY tests /app/tests\n" }, "proven", {
    holds: ["environment/tests/test_outputs.py"],
    repair: "copied into the image",
  }),
  tb("keystrokes", { "solution.sh": null, "solution.yaml": "- command: echo done\n" }, "rejected", {
    code: "solution_unsupported",
    file: "solution.yaml",
  }),
  tb("two-services", { "docker-compose.yaml": `${compose}  database:\n    image: postgres\n` }, "not run", {
    code: "unsupported",
    holds: ["environment/docker-compose.yaml"],
  }),
  tb("privileged", { "docker-compose.yaml": `${compose}    privileged: true\n` }, "not run", { code: "unsupported" }),
  tb(
    "volume-of-the-host",
    {
      "docker-compose.yaml": compose.replace(
        "${T_BENCH_TASK_LOGS_PATH}:${T_BENCH_CONTAINER_LOGS_PATH}",
        "/var/run/docker.sock:/var/run/docker.sock",
      ),
    },
    "not run",
    { code: "unsupported" },
  ),
  tb("no-recipe", { Dockerfile: null }, "rejected", { code: "file_missing", file: "Dockerfile" }),
  tb("broken-yaml", { "task.yaml": "instruction: x\n  author: [\n" }, "rejected", {
    code: "yaml_syntax",
    file: "task.yaml",
  }),
  tb("empty-yaml", { "task.yaml": "" }, "rejected", { code: "yaml_syntax", file: "task.yaml" }),
  tb("no-instruction", { "task.yaml": "difficulty: easy\n" }, "rejected", { code: "file_missing", file: "task.yaml" }),
  tb("bad-limit", { "task.yaml": "instruction: x\ndifficulty: easy\nmax_test_timeout_sec: soon\n" }, "rejected", {
    code: "field_invalid",
    file: "task.yaml",
    line: 3,
    field: "max_test_timeout_sec",
  }),
  tb(
    "aliases",
    {
      "task.yaml": `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ninstruction: x\n`,
    },
    "rejected",
    { code: "yaml_too_large", file: "task.yaml" },
  ),
  tb("runner-missing", { "run-tests.sh": "#!/bin/bash\nno-such-runner $TEST_DIR\n" }, "failed", {
    code: "reward_missing|verifier_crash",
  }),
];

export function layOut(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    const absolute = join(root, path);
    mkdirSync(dirname(absolute), { recursive: true });
    if (typeof content === "string" || Buffer.isBuffer(content)) writeFileSync(absolute, content);
    else if ("link" in content) symlinkSync(content.link, absolute);
    else execFileSync("mkfifo", [absolute]);
    if (path.endsWith(".sh")) chmodSync(absolute, 0o644);
  }
}
