// The built command line as a real process, in a project and a cache of its own, and tiny task folders for it.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeTree } from "../../src/sandbox/index.ts";

export const main = new URL(`../../${process.env.ROUTESETTER_DIST ?? "dist"}/cli/main.js`, import.meta.url).pathname;

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind.
export type Event = { type: string; [key: string]: any };
export type Ended = {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Every line of standard output as JSON; throws when one is none. */
  events: () => Event[];
  /** The last line. */
  result: () => Event;
};
export type Started = { process: ChildProcess; ended: Promise<Ended>; until(text: string): Promise<void> };
type StartOptions = { cwd?: string; env?: Record<string, string | undefined> };

/** A project directory and a cache that go away with `close`. */
export class Desk {
  readonly directory = mkdtempSync(join(tmpdir(), "rs-cli-"));
  readonly project = join(this.directory, "project");
  readonly cache: string;

  constructor(cache?: string) {
    this.cache = cache ?? join(this.directory, "cache");
    mkdirSync(this.project);
  }

  path(...names: string[]): string {
    return join(this.project, ...names);
  }

  start(args: readonly string[], { cwd = this.project, env = {} }: StartOptions = {}): Started {
    const child = spawn(process.execPath, [main, ...args], {
      cwd,
      env: { ...process.env, NO_COLOR: undefined, FORCE_COLOR: undefined, ROUTESETTER_CACHE: this.cache, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    const ended = new Promise<Ended>((resolve) =>
      child.on("close", (code) => {
        const events = () =>
          stdout
            .trimEnd()
            .split("\n")
            .map((line) => JSON.parse(line) as Event);
        resolve({ code, stdout, stderr, events, result: () => events().at(-1) as Event });
      }),
    );
    const until = async (text: string) => {
      for (let turn = 0; turn < 600; turn++) {
        if (`${stdout}${stderr}`.includes(text)) return;
        if (child.exitCode !== null) break;
        await sleep(50);
      }
      throw new Error(`never said ${JSON.stringify(text)}:\n${stdout}\n${stderr}`);
    };
    return { process: child, ended, until };
  }

  run(...args: string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  /** A shell line with `$R` for the command line. */
  async shell(line: string): Promise<Ended> {
    const child = spawn("bash", ["-c", line], {
      cwd: this.project,
      env: { ...process.env, ROUTESETTER_CACHE: this.cache, R: `${process.execPath} ${main}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (text) => {
      stdout += text;
    });
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { code, stdout, stderr, events: () => [], result: () => ({ type: "none" }) };
  }

  write(files: Record<string, string>, folder = this.project): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
      if (path.endsWith(".sh")) chmodSync(join(folder, path), 0o755);
    }
  }

  /** A task with these files over the usual ones; its oracle takes `seconds`. */
  task(name: string, files: Record<string, string> = {}, seconds = 0): string {
    const folder = join(this.project, "tasks", name);
    this.write(
      {
        "task.toml": `schema_version = "1.4"\nartifacts = ["answer.txt"]\n[metadata]\nverification = "sealed"\nname = "${createHash("sha256").update(name).digest("hex")}"\n[environment]\nworkdir = "/app"\nnetwork_mode = "no-network"\n`,
        "instruction.md": `Write the word done to /app/answer.txt.\n`,
        "environment/Dockerfile": "FROM debian:bookworm\nWORKDIR /app\n",
        "solution/solve.sh": `#!/bin/bash\nsleep ${seconds}\necho done > /app/answer.txt\n`,
        "tests/test.sh":
          '#!/bin/bash\nif [ "$(cat /app/answer.txt 2>/dev/null)" = done ]; then echo 1; else echo 0; fi > /logs/verifier/reward.txt\n',
        ...files,
      },
      folder,
    );
    return folder;
  }

  close(): Promise<void> {
    return removeTree(this.directory);
  }
}

/** Every file below a folder with its mode and the digest of its bytes. */
export function tree(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const path of (readdirSync(folder, { recursive: true }) as string[]).sort()) {
    const stat = statSync(join(folder, path));
    const content = stat.isFile()
      ? createHash("sha256")
          .update(readFileSync(join(folder, path)))
          .digest("hex")
      : "";
    found[path] = `${(stat.mode & 0o777).toString(8)} ${content}`;
  }
  return found;
}

/** Processes whose command line, working directory or mounts name the folder. */
export function processesNaming(folder: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      if (command.includes(folder) || readFileSync(`/proc/${pid}/mountinfo`, "utf8").includes(folder))
        found.push(`${pid} ${command}`);
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}
