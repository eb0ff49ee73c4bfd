import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Bench, openBench } from "../../../test/support/bench.ts";
import type { Environment, Transition } from "../../contract/index.ts";
import type { Task } from "../../tasks/index.ts";
import { openTerminal } from "./open-terminal.ts";

let bench: Bench;
let task: Task;
beforeAll(async () => {
  bench = await openBench();
  task = await bench.task("plain");
});
afterAll(() => bench?.close());

async function withTerminal<T>(
  use: (environment: Environment, run: (command: string, timeout_sec?: number) => Promise<Transition>) => Promise<T>,
  options: Partial<Parameters<typeof openTerminal>[1]> & { task?: Task } = {},
): Promise<T> {
  const terminal = await openTerminal(options.task ?? task, { ...bench, ...options });
  try {
    await terminal.environment.reset({});
    return await use(terminal.environment, (command, timeout_sec) =>
      terminal.environment.step({
        name: "run",
        arguments: timeout_sec === undefined ? { command } : { command, timeout_sec },
      }),
    );
  } finally {
    await terminal.close();
  }
}

describe("TerminalEnvironment", () => {
  it("observes before the first step, and shows no more than it should", async () => {
    const terminal = await openTerminal(task, bench);
    const before = await terminal.environment.observe();
    expect(before.text).toBe(task.instruction);
    expect(await terminal.environment.reset({ seed: 1 })).toEqual(before);
    expect(await terminal.environment.view()).toEqual({
      kind: "terminal",
      working_directory: "/app",
      steps: 0,
      submitted: false,
    });
    expect(JSON.stringify(Object.keys(terminal.environment))).not.toContain("judge");
    await terminal.close();
  });

  // BR011
  it("answers unknown tools and bad arguments alike on the first and on later steps", async () => {
    await withTerminal(async (environment) => {
      const shapes: string[] = [];
      for (let round = 0; round < 2; round++)
        for (const action of [
          { name: "nope", arguments: {} },
          { name: "run", arguments: {} },
          { name: "run", arguments: { command: 1 } },
          { name: "run", arguments: { command: "true", extra: 1 } },
          { name: "toString", arguments: {} },
          { name: "read", arguments: { path: "/app/missing" } },
        ]) {
          const { observation, info, ...rest } = await environment.step(action);
          expect(observation.text).toMatch(/^error: /);
          expect(Object.keys(info)).toEqual(["error"]);
          expect(rest).toEqual({ reward: 0, terminated: false, truncated: false });
          shapes.push((info.error as { code: string }).code);
        }
      expect(shapes.slice(0, 6)).toEqual(shapes.slice(6));
      expect(shapes.slice(0, 6)).toEqual([
        "unknown_tool",
        "bad_arguments",
        "bad_arguments",
        "bad_arguments",
        "unknown_tool",
        "file_error",
      ]);
    });
  });

  it("writes and reads files, whole and by lines, and cuts what is long", async () => {
    await withTerminal(
      async (environment) => {
        const step = (name: string, parameters: Record<string, never> | object) =>
          environment.step({ name, arguments: parameters as never });
        expect(
          (await step("write", { path: "deep/er/ä.txt", content: "one\ntwo\nthree\n" })).observation.data.path,
        ).toBe("/app/deep/er/ä.txt");
        expect((await step("read", { path: "/app/deep/er/ä.txt" })).observation.text).toBe("one\ntwo\nthree\n");
        expect((await step("read", { path: "deep/er/ä.txt", range: [2, 2] })).observation.text).toBe("two\n");
        await step("write", { path: "long", content: "ü".repeat(1000) });
        const { text, data } = (await step("read", { path: "long" })).observation;
        expect(data).toMatchObject({ truncated: true, bytes: 2000 });
        expect(text).toContain("[cut: 100 of 2000 bytes shown (output_limit = 101)");
      },
      { outputBytes: 101 },
    );
  });

  // BR048
  it("keeps what was printed before a limit, and names the limit with its value", async () => {
    await withTerminal(async (_, run) => {
      const { observation, info } = await run("echo start; sleep 60", 0.3);
      expect(observation.text).toContain("start\n");
      expect(observation.text).toContain("time_limit = 0.3");
      expect(info.limit).toMatchObject({ code: "time_limit", limit: 0.3 });
      const flood = await run("yes | head -c 5M; echo end >&2");
      expect(flood.observation.text).toContain("standard output cut: 32768 of 5242880 bytes shown");
      expect(flood.observation.text).toContain("[exit code 0]");
    });
  });

  // BR049
  it("runs pagers, editors and readers without a terminal", async () => {
    await withTerminal(async (_, run) => {
      await run(
        "git init -q r && cd r && for i in $(seq 40); do git -c user.name=a -c user.email=a@b commit -q --allow-empty -m c$i; done",
      );
      for (const command of [
        "cd r && git log",
        "cd r && git commit",
        "python3",
        "read x",
        "less /etc/passwd",
        "top",
        "cat",
      ]) {
        const { info } = await run(command, 20);
        expect(info.limit, command).toBeUndefined();
        expect((await run("echo ok")).observation.text).toBe("ok\n[exit code 0]");
      }
    });
  });

  // BR051
  it("depends on no profile and no prompt", async () => {
    const noisy = "echo PROFILE; PS1='$ '; set -u; exit 1\n";
    const profiled = await bench.task("profiled", {
      "environment/Dockerfile":
        "FROM debian:bookworm\nENV BASH_ENV=/etc/noisy ENV=/etc/noisy\nCOPY noisy /etc/noisy\nCOPY noisy /etc/profile\nCOPY noisy /root/.bashrc\nCOPY noisy /root/.profile\nWORKDIR /app\n",
      "environment/noisy": noisy,
    });
    await withTerminal(
      async (_, run) => {
        expect((await run("echo ok $UNSET")).observation.text).toBe("ok\n[exit code 0]");
        expect((await run("bash -l -c 'true'")).observation.text).toContain("PROFILE");
      },
      { task: profiled },
    );
  });

  it("gives every reset a fresh sandbox, and ends at submit", async () => {
    await withTerminal(async (environment, run) => {
      await run("echo x > made; (sleep 100 &)");
      await environment.reset({});
      expect((await run("ls")).observation.text).toBe("input.txt\n[exit code 0]");
      expect(await environment.step({ name: "submit", arguments: {} })).toMatchObject({ terminated: true });
      expect((await run("echo more")).info.error).toMatchObject({ code: "episode_over" });
    });
  });

  it("keeps variables byte for byte, and the variation of a repeat", async () => {
    const varied = await bench.task("varied", {
      "task.toml": `[environment]\nworkdir = "/app"\nnetwork_mode = "no-network"\nenv = { B = ${JSON.stringify('a$b\'c "d"\n\\e')}, H = "\${HOST_A:-x y}" }\n`,
    });
    await withTerminal(
      async (_, run) => {
        const { observation } = await run('printf "%s|" "$B" "$H" "$TZ" "$LC_ALL" "$PYTHONHASHSEED" "$(hostname)"');
        expect((observation.data.stdout as { text: string }).text).toBe(
          'a$b\'c "d"\n\\e|x y|Asia/Kathmandu|C|7|other|',
        );
      },
      { task: varied, variation: { hostname: "other", timeZone: "Asia/Kathmandu", locale: "C", hashSeed: 7 } },
    );
    await expect(
      openTerminal(
        await bench.task("unset", { "task.toml": '[environment]\nenv = { A = "$' + '{NOT_SET}" }\n' }),
        bench,
      ),
    ).rejects.toMatchObject({ code: "variable_unset" });
  });

  it("saves and restores, and still tells every change against the task's image", async () => {
    const terminal = await openTerminal(task, bench);
    try {
      const { environment, operator } = terminal;
      const run = (command: string) => environment.step({ name: "run", arguments: { command } });
      await environment.reset({});
      await run("echo first > first; echo changed > input.txt");
      const saved = await environment.snapshot();
      await run("rm first input.txt; echo second > second");
      await environment.restore(saved);
      expect((await run("ls; cat input.txt")).observation.text).toBe("first\ninput.txt\nchanged\n[exit code 0]");
      await run("rm first; echo third > third");
      const changes = (await operator.changes()).filter(({ path }) => path.startsWith("/app/"));
      expect(changes.map(({ change, path }) => `${change} ${path}`)).toEqual([
        "modified /app/input.txt",
        "added /app/third",
      ]);
      await expect(environment.restore({ ...saved, data: { id: "other" } })).rejects.toMatchObject({
        code: "snapshot_unknown",
      });
    } finally {
      await terminal.close();
    }
  });

  it("lists a folder in another order when a repeat asks for it, with the same files", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `file-${index}`);
    const many = await bench.task("many", {
      "environment/Dockerfile": "FROM debian:bookworm\nWORKDIR /app\nCOPY files /app/\n",
      ...Object.fromEntries(names.map((name) => [`environment/files/${name}`, `${name}\n`])),
    });
    const list = (directoryOrder: "image" | "shuffled") =>
      withTerminal(
        async (_, run) => String((await run("ls -U; cat file-* | sha256sum")).observation.text).split("\n"),
        {
          task: many,
          variation: { directoryOrder },
        },
      );
    const [plain, shuffled] = [await list("image"), await list("shuffled")];
    expect([...shuffled].sort()).toEqual([...plain].sort());
    expect(shuffled).not.toEqual(plain);
  });

  it("waits for the task's healthcheck, and says when it never holds", async () => {
    const checked = (name: string, command: string) =>
      bench.task(name, {
        "task.toml": `[environment]\nworkdir = "/app"\nnetwork_mode = "no-network"\n[environment.healthcheck]\ncommand = "${command}"\nretries = 2\ninterval_sec = 0.05\n`,
      });
    await withTerminal(async (_, run) => expect((await run("cat tries")).observation.text).toContain("xx"), {
      task: await checked("healthy", "printf x >> tries; grep -q xx tries"),
    });
    const sick = await openTerminal(await checked("sick", "false"), bench);
    await expect(sick.environment.reset({})).rejects.toMatchObject({ code: "healthcheck_failed" });
    await sick.close();
  });
});
