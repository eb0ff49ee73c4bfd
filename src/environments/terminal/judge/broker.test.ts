import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench } from "../../../../test/support/bench.ts";
import { SandboxError, type Verdict } from "../../../contract/index.ts";
import { openTerminal } from "../open-terminal.ts";
import { Broker, type BrokerExecute } from "./broker.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench?.close());

const client = `import base64, json, socket, sys
def ask(commands, files={}, collect=[]):
    s = socket.socket(socket.AF_UNIX); s.connect("/run/routesetter/broker.sock")
    s.sendall(json.dumps({"commands": commands, "files": {k: base64.b64encode(v.encode()).decode() for k, v in files.items()}, "collect": collect}).encode() + b"\\n")
    answer = json.loads(s.makefile().read())
    for r in answer["results"]:
        r["stdout"] = base64.b64decode(r["stdout"]).decode("latin1"); r["stderr"] = base64.b64decode(r["stderr"]).decode("latin1")
    answer["files"] = {k: v and base64.b64decode(v).decode() for k, v in answer["files"].items()}
    return answer
`;

/** Runs `checks` in a verifier whose artefact is /app/work; gives what it printed as JSON. */
async function verify(name: string, work: string, checks: string): Promise<{ seen: never; verdict: Verdict }> {
  const task = await bench.task(name, {
    "task.toml":
      'artifacts = ["work"]\n[metadata]\nverification = "sealed"\n[environment]\nworkdir = "/app"\nnetwork_mode = "no-network"\n',
    "tests/client.py": client,
    "tests/check.py": `from client import *\n${checks}`,
    "tests/secret.txt": "SECRET",
    "tests/test.sh":
      "#!/bin/bash\necho held > /logs/verifier/held\nsleep 300 & python3 /tests/check.py; kill $!\necho 1 > /logs/verifier/reward.txt\n",
  });
  const terminal = await openTerminal(task, bench);
  try {
    await terminal.environment.reset({});
    await terminal.environment.step({ name: "write", arguments: { path: "work", content: work } });
    await terminal.environment.step({ name: "run", arguments: { command: "chmod 0700 work" } });
    const verdict = await terminal.judge.verdict();
    const output = String(verdict.details?.output);
    return { seen: JSON.parse(output.slice(output.indexOf("{"))) as never, verdict };
  } finally {
    await terminal.close();
  }
}

describe("nested execution", () => {
  it("sees no tests, no reward directory, no verifier process and no network, and writes to the pipe alone", async () => {
    const probe = `#!/bin/sh
exec 2>&1
echo "uid $(id -u) $(id -G)"
echo "tests $(ls -A /tests | wc -l)"
ls /logs/verifier; cat /tests/secret.txt /logs/verifier/held; ls -A /run/routesetter
for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; echo; done
for f in /app/x /app/work /usr/x /etc/x /tests/x /logs/verifier/reward.txt /run/routesetter/x /root/x; do (echo 1 > $f) 2>/dev/null && echo "WROTE $f"; done
echo t > /tmp/t && echo "wrote /tmp/t"
(exec 3<>/dev/tcp/1.1.1.1/80) 2>/dev/null && echo NETWORK
grep -v lo: /proc/net/dev | tail -n +3
kill -9 -1 1 2>/dev/null; echo alive
`;
    const { seen, verdict } = await verify("probe", probe, 'print(json.dumps(ask([{"argv": ["/app/work"]}])))');
    const answer = seen as { results: { exit_code: number; stdout: string }[]; error: null };
    expect(answer.error).toBeNull();
    const text = answer.results[0]!.stdout;
    expect(text).toContain("uid 65534 65534");
    expect(text).toContain("tests 0");
    expect(text).not.toMatch(/SECRET|held\n|broker\.sock\n|WROTE|NETWORK|check\.py|sleep 300/);
    expect(text).toContain("wrote /tmp/t");
    expect(verdict.score).toBe(1);
  });

  it("gives output byte for byte, exit codes, time limits, input files and what is collected", async () => {
    const work = `#!/bin/sh
case $1 in
  bytes) printf '\\377\\000\\n'; cat; exit 7;;
  slow) echo before; sleep 60;;
  files) cat /app/in/data.txt > /app/out/result.txt; ln -s /etc/passwd /app/out/link; mkfifo /app/out/pipe;;
esac
`;
    const { seen } = await verify(
      "protocol",
      work,
      `b = base64.b64encode(b"input").decode()
a = ask([{"argv": ["/app/work", "bytes"], "stdin": b}, {"argv": ["/app/work", "slow"], "timeout_sec": 0.5}, {"argv": ["/nope"]}])
c = ask([{"argv": ["/app/work", "files"]}], {"/app/in/data.txt": "given"}, ["/app/out/result.txt", "/app/out/link", "/app/out/pipe", "/app/out/none"])
d = ask([{"argv": []}])
e = ask([{"argv": ["true"]}], {"relative": "x"})
print(json.dumps({"a": a, "c": c, "d": d, "e": e}))`,
    );
    const { a, c, d, e } = seen as Record<
      string,
      { results: Record<string, unknown>[]; files: object; error: string | null }
    >;
    expect(a!.results[0]).toMatchObject({ exit_code: 7, stdout: "\u00ff\0\ninput", timed_out: false });
    expect(a!.results[1]).toMatchObject({ exit_code: 124, stdout: "before\n", timed_out: true });
    expect(a!.results[2]!.exit_code).not.toBe(0);
    expect(c).toMatchObject({
      error: null,
      files: { "/app/out/result.txt": "given", "/app/out/link": null, "/app/out/pipe": null, "/app/out/none": null },
    });
    expect(d!.error).toContain("not a request");
    expect(e!.error).toContain("not a request");
  });

  it("answers endless output within bounds, whatever many commands print", async () => {
    const { seen } = await verify(
      "flood",
      "#!/bin/sh\nhead -c 8388608 /dev/zero; head -c 8388608 /dev/zero >&2\n",
      `answer = ask([{"argv": ["/app/work"], "timeout_sec": 30}] * 8)
print(json.dumps({"error": answer["error"], "results": len(answer["results"]), "bytes": sum(len(r["stdout"]) + len(r["stderr"]) for r in answer["results"])}))`,
    );
    expect(seen).toEqual({ error: null, results: 8, bytes: 64 * 1024 * 1024 });
  });

  it("carries nothing from one request to the next", async () => {
    const { seen } = await verify(
      "fresh",
      "#!/bin/sh\nls /tmp/left 2>/dev/null; echo x > /tmp/left; (sleep 100 &) ; echo done\n",
      'print(json.dumps({"r": [ask([{"argv": ["/app/work"]}])["results"][0]["stdout"] for _ in range(3)]}))',
    );
    expect(seen).toEqual({ r: ["done\n", "done\n", "done\n"] });
  });
});

describe("Broker", () => {
  async function talk(execute: BrokerExecute, lines: string[], limits?: { requests: number; concurrent: number }) {
    const parent = await mkdtemp(join(tmpdir(), "rs-b-"));
    const broker = await Broker.open(parent, execute, limits);
    try {
      const answers = [];
      for (const line of lines)
        answers.push(
          await new Promise<string>((resolve, reject) => {
            let text = "";
            const socket = connect(join(broker.directory, "broker.sock"));
            socket.on("data", (chunk) => {
              text += chunk;
            });
            socket.on("end", () => resolve(text));
            socket.on("error", reject);
            socket.end(line);
          }),
        );
      return { answers: answers.map((text) => JSON.parse(text)), broker };
    } finally {
      await broker.close();
      await rm(parent, { recursive: true });
    }
  }
  const fine = async () => ({ results: [], files: {}, error: null });
  const request = '{"commands": [{"argv": ["true"]}]}\n';

  it("refuses what is no request, and too many", async () => {
    const { answers } = await talk(fine, ["{}\n", "no newline", "[1]\n", request, request], {
      requests: 3,
      concurrent: 1,
    });
    expect(answers.map(({ error }) => error?.slice(0, 20) ?? null)).toEqual([
      "not a request: [\n  {",
      "the request has no n",
      "not a request: [\n  {",
      null,
      "a verification has a",
    ]);
  });

  it("keeps the host's fault for the judge", async () => {
    const fault = new SandboxError({ code: "sandbox_lost", message: "gone" });
    const { answers, broker } = await talk(() => Promise.reject(fault), [request]);
    expect(answers[0].error).toBe("sandbox_lost: gone");
    expect(broker.fault).toBe(fault);
  });
});
