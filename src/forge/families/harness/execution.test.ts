import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { bubblewrapWorks } from "../testing/index.ts";
import { harnessSources } from "./assets.ts";

let directory = "";
let server: Server | undefined;
afterEach(() => {
  server?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Runs the verifier with one check against a broker that gives `answer`; resolves to what it asked, wrote and printed. */
async function verify(check: string, answer: unknown) {
  directory = mkdtempSync(join(tmpdir(), "broker-"));
  for (const name of ["tests", "logs", "run"]) mkdirSync(join(directory, name));
  const requests: unknown[] = [];
  server = createServer((connection) => {
    let text = "";
    connection.on("data", (chunk) => {
      text += chunk;
      if (!text.endsWith("\n")) return;
      requests.push(JSON.parse(text));
      connection.end(`${JSON.stringify(answer)}\n`);
    });
  });
  await new Promise<void>((resolve) => server?.listen(join(directory, "run/broker.sock"), resolve));
  const { verifier, execution } = harnessSources();
  const plan = { requirements: [{ id: "R1", kind: "positive", weight: 1 }], executes: ["/app/tool"], expected: {} };
  writeFileSync(join(directory, "tests/verifier.py"), verifier);
  writeFileSync(join(directory, "tests/execution.py"), execution);
  writeFileSync(join(directory, "tests/expected.json"), JSON.stringify(plan));
  writeFileSync(join(directory, "tests/checks.py"), `def check_R1(v):\n${check.replace(/^/gm, "    ")}\n`);
  const binds = ["--ro-bind", join(directory, "tests"), "/tests", "--bind", join(directory, "logs"), "/logs/verifier"];
  const child = spawn("bwrap", [
    ...["--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64"],
    ...["--proc", "/proc", "--dev", "/dev", ...binds, "--bind", join(directory, "run"), "/run/routesetter"],
    ...["/usr/bin/python3", "-I", "-S", "/tests/verifier.py"],
  ]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  const read = () => {
    try {
      return JSON.parse(readFileSync(join(directory, "logs/reward.json"), "utf8")) as unknown;
    } catch {
      return null;
    }
  };
  return { requests, output, exitCode, rewards: read() };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const check = [
  'r = v.execute(["/app/tool", "-x"], b"in\\n", timeout_sec=5, files={"/app/in/a": b"\\x00\\xff"}, collect=["/app/out", "/app/none"])',
  'v.equal([r.exit_code, r.stdout, r.stderr, r.timed_out], [3, b"out\\xc3\\xa9", b"err", False], "the run")',
  'v.equal(r.files, {"/app/out": b"left", "/app/none": None}, "the files")',
].join("\n");

describe.skipIf(!bubblewrapWorks)("executing artefacts through the broker", () => {
  it("asks in the broker's terms and hands the answer to the check", async () => {
    const result = { exit_code: 3, stdout: base64("outé"), stderr: base64("err"), timed_out: false };
    const files = { "/app/out": base64("left"), "/app/none": null };
    const seen = await verify(check, { results: [result], files, error: null });
    expect(seen.rewards, seen.output).toEqual({ reward: 1, R1: 1 });
    expect(seen.requests).toEqual([
      {
        commands: [{ argv: ["/app/tool", "-x"], stdin: base64("in\n"), timeout_sec: 5 }],
        files: { "/app/in/a": "AP8=" },
        collect: ["/app/out", "/app/none"],
      },
    ]);
  });

  it("writes no reward when the broker could not run the commands", async () => {
    const seen = await verify(check, { results: [], files: {}, error: "no sandbox to be had" });
    expect(seen).toMatchObject({ rewards: null, exitCode: 3 });
    expect(seen.output).toContain("no sandbox to be had");
  });
});
