// import on engines and registries: ten oracles on a base that stands in for theirs, and verifiers that fetch their tools.
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { dockerProblem, openDocker } from "../../src/sandbox/images/builders/connect.ts";
import { Desk } from "../support/command-line.ts";
import { bench, type Files, harbor, layOut } from "../support/foreign-tasks.ts";

const problem = await dockerProblem(await openDocker());
const bundle = "/etc/ssl/certs/ca-certificates.crt";
let desk: Desk;
beforeAll(() => {
  desk = new Desk();
});
afterAll(() => desk?.close());

const from = (base: string, more = "") => `FROM ${base}\nWORKDIR /app\n${more}`;
const recipe = (base: string, more = ""): Files => harbor(base + more, { "environment/Dockerfile": from(base, more) });
const pinned = `python:3.12-slim@sha256:${"ab".repeat(32)}`;
const strangers: Record<string, Files> = {
  "python-slim": recipe("python:3.13-slim"),
  "python-pinned": recipe(pinned),
  "python-on-path": recipe("python:3.11", "RUN python --version && pip --version\n"),
  "not-managed": recipe("python:3.12", 'RUN test -z "$(find /usr/lib/python3* -name EXTERNALLY-MANAGED)"\n'),
  "ubuntu-without-python": recipe("ubuntu:24.04", "RUN ! test -e /usr/bin/python\n"),
  "here-document": recipe("ubuntu:22.04", "RUN <<EOF\nset -e\necho a > /a\nEOF\n"),
  "copy-chmod": harbor("copy-chmod", {
    "environment/Dockerfile": from("ubuntu:24.04", "COPY --chmod=0700 run.sh /app/\n"),
    "environment/run.sh": "#!/bin/sh\n",
  }),
  "two-stages": recipe("ubuntu:24.04 AS made\nRUN echo x > /x\nFROM ubuntu:24.04", "COPY --from=made /x /x\n"),
  "bench-python": bench("bench-python", {
    Dockerfile: from("python:3.13-slim"),
    "run-tests.sh": "#!/bin/bash\npython $TEST_DIR/test_outputs.py\n",
  }),
  "entrypoint-of-its-own": recipe("ubuntu:24.04", 'ENTRYPOINT ["/bin/false"]\n'),
};

const fetching = (lines: string): Files =>
  harbor(lines, {
    "task.toml": '[environment]\nworkdir = "/app"\n',
    "environment/Dockerfile": from("python:3.13-slim"),
    "tests/test_outputs.py": 'def test_done():\n    assert open("/app/answer.txt").read().strip() == "done"\n',
    "tests/test.sh": `#!/bin/bash\n${lines}\nif [ $? -eq 0 ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n`,
  });

async function run(name: string, tasks: Record<string, Files>) {
  for (const [path, files] of Object.entries(tasks)) layOut(desk.path(name, path), files);
  desk.write({
    "routesetter.toml": `[images]\nbuilder = "docker"\n${existsSync(bundle) ? `ca_bundle = "${bundle}"\n` : ""}[images.substitutes]\n"python:*" = "debian:bookworm-slim"\n"ubuntu:*" = "debian:bookworm-slim"\n[import]\npython_pins = "system"\n`,
  });
  const ended = await desk.run("import", name, "--out", `tasks/${name}`, "--json");
  // biome-ignore lint/suspicious/noExplicitAny: the report as a reader of JSON has it.
  const all = JSON.parse(readFileSync(desk.path("tasks", name, "import.json"), "utf8")).imported as any[];
  return { ended, all };
}

it.skipIf(problem !== null)(
  "ten oracles pass on a base that stands in for theirs, and the report shows it",
  async () => {
    const { all } = await run("strangers", strangers);
    expect(Object.fromEntries(all.map(({ name, verdict, reason }) => [name, reason?.message ?? verdict]))).toEqual(
      Object.fromEntries(Object.keys(strangers).map((name) => [name, "proven"])),
    );
    for (const { base } of all) expect(base).toContain("debian:bookworm-slim");
    expect(readFileSync(desk.path("tasks/strangers/import.md"), "utf8")).toContain("stands in for python:3.13-slim");
  },
  300_000,
);

it.skipIf(problem !== null)(
  "what a verifier fetches is prepared once, and the oracle passes with the network cut",
  async () => {
    const { all } = await run("fetching", {
      pip: fetching("pip install pytest==8.4.1\npytest /tests/test_outputs.py -rA"),
      uvx: fetching(
        "curl -LsSf https://astral.sh/uv/0.9.5/install.sh | sh\nsource $HOME/.local/bin/env\nuvx -p 3.13 -w pytest==8.4.1 \\\n  pytest /tests/test_outputs.py -rA",
      ),
    });
    for (const one of all) {
      expect([one.name, one.verdict, one.network, one.reason]).toEqual([one.name, "proven", "none", null]);
      expect(one.preparations.join("\n")).toContain("in the image now");
    }
  },
  300_000,
);
