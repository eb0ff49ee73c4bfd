import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TaskFolder } from "../harness/index.ts";
import { treeDigest } from "./tree-digest.ts";

/** What one attempt at a task came to. */
export type Attempt = {
  /** Exit status of the script; null when nothing was run. */
  readonly exitCode: number | null;
  /** What the script printed, standard error included. */
  readonly output: string;
  /** False when the script left the working directory as it was. */
  readonly changed: boolean;
  /** The verifier's `reward.json`; null when it wrote none. */
  readonly rewards: Readonly<Record<string, number>> | null;
  readonly report: string;
  readonly milliseconds: { readonly script: number; readonly verifier: number };
  /** Host path of the working directory as the script left it. */
  readonly app: string;
};

/** True when bubblewrap can make a sandbox here. */
export const bubblewrapWorks: boolean = spawnSync("bwrap", ["--ro-bind", "/", "/", "true"]).status === 0;

/** A user namespace of its own would map one uid only, and artefacts are executed under another. */
const namespaces = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"];
const capabilities = ["CAP_SETUID", "CAP_SETGID", "CAP_CHOWN", "CAP_FOWNER", "CAP_DAC_OVERRIDE", "CAP_KILL"];

function sandbox(binds: readonly (readonly [string, string])[], command: readonly string[], seconds: number) {
  const system = ["--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"];
  const links = ["bin", "lib", "lib64", "sbin"].flatMap((name) =>
    existsSync(`/usr/${name}`) ? ["--symlink", `usr/${name}`, `/${name}`] : [],
  );
  const mounts = binds.flatMap(([from, to]) => ["--bind", from, to]);
  const granted = process.getuid?.() === 0 ? capabilities.flatMap((name) => ["--cap-add", name]) : [];
  const environment = ["--clearenv", "--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8"];
  const begun = performance.now();
  const child = spawnSync(
    "bwrap",
    [...namespaces, "--die-with-parent", "--new-session", "--cap-drop", "ALL", ...granted]
      .concat(system, links, mounts, environment, ["--chdir", "/app", "--", "timeout", "-k", "1", String(seconds)])
      .concat(command),
    { encoding: "utf8", maxBuffer: 64 << 20 },
  );
  return {
    exitCode: child.status ?? 255,
    output: `${child.stdout}${child.stderr}`,
    milliseconds: performance.now() - begun,
  };
}

/**
 * A task folder on disk with a bubblewrap sandbox for its scripts, for tests of families: the agent's script in one
 * sandbox, then the verifier in another over the pristine files and the declared artefacts alone.
 */
export class Bench {
  readonly directory: string;
  #trees = 0;

  constructor(folder: TaskFolder) {
    this.directory = mkdtempSync(join(tmpdir(), "family-"));
    for (const [path, file] of folder.files) {
      const target = join(this.directory, "task", path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, file.content, { mode: file.mode });
    }
  }

  #newFolder(): string {
    const path = join(this.directory, `tree-${++this.#trees}`);
    mkdirSync(path);
    return path;
  }

  /** A working tree as a step of an ordered task finds it: a copy of `from` (the image's, unless given), then what arrives. */
  begin(step: string, from = join(this.directory, "task/environment/files")): string {
    const app = join(this.#newFolder(), "app");
    cpSync(from, app, { recursive: true, verbatimSymlinks: true });
    const arriving = join(this.directory, "task/steps", step, "workdir");
    if (existsSync(arriving)) cpSync(arriving, app, { recursive: true });
    if (existsSync(join(arriving, "setup.sh"))) {
      const { exitCode, output } = sandbox([[app, "/app"]], ["/app/setup.sh"], 60);
      if (exitCode !== 0) throw new Error(`setup of ${step} ended with ${exitCode}: ${output}`);
    }
    return app;
  }

  /**
   * Runs a script as the agent (null: nothing is done), then verifies. `script` is a file's text. With `at`, in a copy of
   * a tree that `begin` gave for a step, by that step's verifier.
   */
  attempt(script: string | null, at?: { readonly step: string; readonly app: string }): Attempt {
    const here = this.#newFolder();
    const [app, solution, checked, tests, logs] = ["app", "solution", "checked", "tests", "logs"].map((name) =>
      join(here, name),
    ) as [string, string, string, string, string];
    for (const path of [solution, logs]) mkdirSync(path);
    const task = join(this.directory, "task", ...(at ? ["steps", at.step] : []));
    const { artefacts } = JSON.parse(readFileSync(join(task, "requirements.json"), "utf8")) as { artefacts: string[] };
    const pristine = join(this.directory, "task/environment/files");
    cpSync(at?.app ?? pristine, app, { recursive: true, verbatimSymlinks: true });
    const before = treeDigest(app);
    let run: { exitCode: number | null; output: string; milliseconds: number } = {
      exitCode: null,
      output: "",
      milliseconds: 0,
    };
    if (script !== null) {
      writeFileSync(join(solution, "script.sh"), script, { mode: 0o755 });
      const binds = [[app, "/app"] as const, [solution, "/solution"] as const];
      run = sandbox(binds, ["/solution/script.sh"], 60);
    }
    const changed = treeDigest(app) !== before;

    cpSync(pristine, checked, { recursive: true });
    for (const artefact of artefacts) {
      const [from, to] = [app, checked].map((root) => join(root, artefact.slice("/app".length))) as [string, string];
      rmSync(to, { recursive: true, force: true });
      if (!existsSync(from)) continue;
      mkdirSync(dirname(to), { recursive: true });
      cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    }
    cpSync(join(task, "tests"), tests, { recursive: true });
    const verified = sandbox(
      [
        [checked, "/app"],
        [tests, "/tests"],
        [logs, "/logs/verifier"],
      ],
      ["/tests/test.sh"],
      60,
    );
    const rewardFile = join(logs, "reward.json");
    return {
      exitCode: run.exitCode,
      output: run.output,
      changed,
      rewards: existsSync(rewardFile) ? JSON.parse(readFileSync(rewardFile, "utf8")) : null,
      report: verified.output,
      milliseconds: { script: run.milliseconds, verifier: verified.milliseconds },
      app,
    };
  }

  close(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }
}
