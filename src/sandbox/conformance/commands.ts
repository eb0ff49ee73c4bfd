// Commands: exit codes, environment, standard input, background work, what awkward programs do to a caller.
import { beforeAll, describe, expect, it } from "vitest";
import type { SandboxHandle } from "../../contract/index.ts";
import { outputOf, type Subject } from "./subject.ts";

export function commands(subject: Subject): void {
  describe("commands", () => {
    let sandbox: SandboxHandle;
    beforeAll(async () => {
      sandbox = await subject.create();
    });
    const run = (command: string | string[], options = {}) => sandbox.session.run(command, options);

    it("tells the exit code and keeps the two streams apart", async () => {
      const result = await run("echo out; echo err >&2; exit 3");
      expect(result).toMatchObject({ exitCode: 3, signal: null, limit: null });
      expect(result.stdout).toEqual({ text: "out\n", bytes: 4, truncated: false });
      expect(result.stderr.text).toBe("err\n");
    });

    it("runs an array without a shell", async () => {
      expect((await run(["printf", "%s", "$HOME; x"])).stdout.text).toBe("$HOME; x");
    });

    it("says 127 for a program that is not there, and goes on", async () => {
      expect((await run(["no-such-program"])).exitCode).toBe(127);
      expect((await run("no-such-program")).exitCode).toBe(127);
      expect((await run("echo ok")).stdout.text).toBe("ok\n");
    });

    it("names the signal that ended the command", async () => {
      expect(await run("kill -KILL $$")).toMatchObject({ exitCode: null, signal: "SIGKILL", limit: null });
      expect(await run("kill -TERM $$")).toMatchObject({ exitCode: null, signal: "SIGTERM", limit: null });
    });

    it("adds environment, and lets the call override the sandbox and the sandbox the image", async () => {
      const own = await subject.create({ environment: { LEVEL: "sandbox", KEPT: "yes", EMPTY: "" } });
      const text = await own.session.run('echo "$LEVEL $KEPT [$EMPTY] $PATH"', { environment: { LEVEL: "call" } });
      expect(text.stdout.text).toMatch(/^call yes \[\] \/.*bin/);
    });

    it("has a working directory, made when it was missing", async () => {
      const own = await subject.create({ workingDirectory: "/srv/new place" });
      expect(await outputOf(own, "pwd")).toBe("/srv/new place");
      expect((await own.session.run("pwd", { workingDirectory: "/tmp" })).stdout.text).toBe("/tmp\n");
    });

    it("keeps files from one command to the next", async () => {
      await run("echo kept > /tmp/kept");
      expect(await outputOf(sandbox, "cat /tmp/kept")).toBe("kept");
    });

    it("ends standard input at once when there is none", async () => {
      expect((await run('read line; echo "[$line] $?"', { timeoutMilliseconds: 5000 })).stdout.text).toBe("[] 1\n");
    });

    it("hands input over, bytes as they are", async () => {
      const input = Uint8Array.from([0, 255, 10, 65]);
      expect((await run("od -An -tx1", { input })).stdout.text.trim()).toBe("00 ff 0a 41");
      expect((await run("wc -c", { input: "x".repeat(300_000) })).stdout.text.trim()).toBe("300000");
    });

    it("runs here-documents and commands longer than one argument may be", async () => {
      expect((await run("cat <<'E'\n$HOME `x`\nE\necho end")).stdout.text).toBe("$HOME `x`\nend\n");
      const long = `cat > /tmp/long <<'E'\n${"0123456789abcdef\n".repeat(12_000)}E\nwc -c < /tmp/long`;
      expect((await run(long)).stdout.text.trim()).toBe("204000");
    });

    it("gives no terminal, so that pagers and prompts do not wait", async () => {
      const result = await run("test -t 0 || test -t 1 || echo none; seq 1 500 | more | tail -1; echo ok", {
        timeoutMilliseconds: 10_000,
      });
      expect(result.stdout.text).toBe("none\n500\nok\n");
    });

    it("does not depend on the profile of the image", async () => {
      const own = await subject.create({ environment: { BASH_ENV: "/tmp/noise", ENV: "/tmp/noise" } });
      await own.session.writeFile("/root/.bashrc", "echo noise; exit 1\n");
      await own.session.writeFile("/root/.profile", "echo noise; exit 1\n");
      expect((await own.session.run("echo quiet")).stdout.text).toBe("quiet\n");
    });

    it("returns when the command does, whatever holds the output open behind it", async () => {
      const begun = Date.now();
      const result = await run("sleep 30 & echo started");
      expect(result.stdout.text).toBe("started\n");
      expect(Date.now() - begun).toBeLessThan(5000);
      expect(
        await outputOf(
          sandbox,
          "for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline 2>/dev/null; echo; done | grep -c '^sleep 30'",
        ),
      ).toBe("1");
    });

    it("returns from a command that makes itself a daemon", async () => {
      const result = await run("(setsid sh -c 'sleep 20; echo late' </dev/null &) ; echo parent", {
        timeoutMilliseconds: 10_000,
      });
      expect(result).toMatchObject({ exitCode: 0, limit: null });
      expect(result.stdout.text).toBe("parent\n");
    });

    it("opens /dev/stdout and /dev/stderr as files", async () => {
      const result = await run("echo one > /dev/stderr; echo two > /dev/stdout; echo three | tee /dev/stderr");
      expect(result.exitCode).toBe(0);
      expect(result.stderr.text).toBe("one\nthree\n");
      expect(result.stdout.text).toBe("two\nthree\n");
    });

    it("spawns a process that one can talk to", async () => {
      const child = await sandbox.session.spawn('while read line; do echo "got $line"; done; exit 5');
      const lines: string[] = [];
      const first = new Promise<void>((resolve) => {
        child.stdout.on("data", (chunk) => {
          lines.push(String(chunk));
          resolve();
        });
      });
      child.stdin.write("a\n");
      await first;
      child.stdin.end("b\n");
      expect(await child.exit).toEqual({ exitCode: 5, signal: null });
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(lines.join("")).toBe("got a\ngot b\n");
    });

    it("kills a spawned process", async () => {
      const child = await sandbox.session.spawn(["sleep", "100"]);
      await child.kill();
      expect((await child.exit).exitCode).toBeNull();
    });

    it("runs commands side by side", async () => {
      const begun = Date.now();
      const results = await Promise.all([1, 2, 3].map((n) => run(`sleep 1; echo ${n}`)));
      expect(results.map((result) => result.stdout.text)).toEqual(["1\n", "2\n", "3\n"]);
      expect(Date.now() - begun).toBeLessThan(2800);
    });
  });
}
