import { join } from "node:path";
import {
  type Environment,
  type FileChange,
  type Image,
  type Judge,
  type NetworkPolicy,
  type RunOptions,
  type RunResult,
  type SandboxBackend,
  type SandboxSpec,
  TaskFormatError,
  type VerificationMode,
} from "../../contract/index.ts";
import type { ImageStore } from "../../sandbox/index.ts";
import { requirementsOf, type Task } from "../../tasks/index.ts";
import { arrive } from "./arrive.ts";
import { TerminalJudge } from "./judge/terminal-judge.ts";
import { makeLogFolders, prepareSandbox } from "./prepare-sandbox.ts";
import { type TerminalSettings, terminalSettings } from "./settings.ts";
import { taskImage } from "./task-image.ts";
import { TerminalEnvironment } from "./terminal-environment.ts";
import { type EarlierState, TerminalState } from "./terminal-state.ts";
import { type Variation, variationEnvironment } from "./variation.ts";
import { openWorkspace } from "./workspace.ts";

export type OpenTerminalOptions = {
  readonly backend: SandboxBackend;
  readonly images: ImageStore;
  /** The task's image when the caller has resolved it already. */
  readonly image?: Image;
  readonly mode?: VerificationMode;
  readonly variation?: Variation;
  /** In place of what the task asks for. */
  readonly network?: NetworkPolicy;
  readonly owner?: string;
  readonly signal?: AbortSignal;
  /** What `${NAME}` in the task's tables may name. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** Where the judge keeps what it carries over; the system's folder for temporary files by default. */
  readonly workDirectory?: string;
  readonly commandTimeoutMilliseconds?: number;
  readonly outputBytes?: number;
  /** Of a later step of an ordered task: what the steps before left. */
  readonly from?: EarlierState;
  /** A host folder whose files come into the working directory when the episode begins, and its setup.sh runs. */
  readonly arrives?: string;
};

/** What the runner may do in the agent's sandbox, and no agent can: put the solution there, run it with its variables. */
export type TerminalOperator = {
  readonly workingDirectory: string;
  copyIn(source: string, path: string): Promise<void>;
  run(command: string | readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Ends every process of the agent: its work is done. */
  end(): Promise<void>;
  /** What changed against the task's image so far. */
  changes(): Promise<FileChange[]>;
  /** The state as it is, for another terminal to begin with. */
  save(): Promise<EarlierState & { dispose(): Promise<void> }>;
};

export type OpenedTerminal = {
  readonly environment: Environment;
  readonly judge: Judge;
  readonly operator: TerminalOperator;
  readonly settings: TerminalSettings;
  readonly mode: VerificationMode;
  readonly image: Image;
  close(): Promise<void>;
};

/**
 * A task as an environment and its judge. The sandbox is made by `environment.reset`.
 * Errors: TaskFormatError for a task that can't be run, SandboxError for its image.
 */
export async function openTerminal(task: Task, options: OpenTerminalOptions): Promise<OpenedTerminal> {
  const settings = terminalSettings(task, options.variables);
  if (options.arrives === undefined) await assertRunnable(task);
  if (task.steps.length > 0)
    throw new TaskFormatError({
      code: "step_missing",
      message: "a task of several steps is opened step by step",
      where: { file: join(task.directory, "task.toml"), field: "steps" },
      remedy: "run it with runTrial, or lay out one step with layOutStep",
    });
  const image = options.image ?? (await taskImage(task, options));
  const mode = options.mode ?? settings.mode;
  const environment = { ...settings.environment, ...variationEnvironment(options.variation) };
  const workingDirectory = settings.workingDirectory ?? (image.configuration.workingDirectory || "/");
  const user = settings.agent.user ?? image.configuration.user;
  const spec: SandboxSpec = {
    image,
    limits: settings.limits,
    environment,
    workingDirectory,
    ...(options.owner === undefined ? {} : { owner: options.owner }),
    ...(options.variation?.hostname === undefined ? {} : { hostname: options.variation.hostname }),
  };
  const workspace = await openWorkspace(options.workDirectory);
  const logs = await makeLogFolders(workspace.directory);
  const state = new TerminalState(
    options.backend,
    { ...spec, network: options.network ?? settings.network },
    {
      user,
      workingDirectory,
      prepare: (handle) => prepareSandbox(handle, { settings, workingDirectory, logs }),
      shuffle: options.variation?.directoryOrder === "shuffled",
      ...(options.from ? { from: options.from } : {}),
      ...(options.arrives === undefined
        ? {}
        : { begin: (handle) => arrive(handle, { source: options.arrives as string, workingDirectory, user }) }),
    },
  );
  const terminal = new TerminalEnvironment(state, {
    instruction: task.instruction,
    commandTimeoutMilliseconds: options.commandTimeoutMilliseconds ?? 600_000,
    outputBytes: options.outputBytes ?? 32 * 1024,
  });
  const judge = new TerminalJudge(state, {
    task,
    settings,
    mode,
    backend: options.backend,
    spec,
    directory: workspace.directory,
    ...(options.signal ? { signal: options.signal } : {}),
  });
  return {
    environment: terminal,
    judge,
    operator: {
      workingDirectory,
      copyIn: (source, path) => state.handle.copyIn(source, path),
      run: (command, run) => state.run(command, run),
      end: () => state.handle.killAll(),
      changes: () => state.changes(),
      save: () => state.save(),
    },
    settings,
    mode,
    image,
    async close() {
      await terminal.close();
      await workspace.dispose();
    },
  };
}

const blocking = new Set(["windows", "compose", "image", "gpu", "tpu", "separate_verifier_image", "sidecar"]);

const supported = new WeakSet<Task>();

/** Errors: TaskFormatError `task_not_supported`, with what it needs and why that isn't there. */
export async function assertRunnable(task: Task): Promise<void> {
  if (supported.has(task)) return;
  const missing = (await requirementsOf(task)).filter((need) => !need.supported && blocking.has(need.need));
  const [first] = missing;
  if (!first) {
    supported.add(task);
    return;
  }
  throw new TaskFormatError({
    code: "task_not_supported",
    message: `this task can't be run here: ${missing.map(({ detail, reason }) => `${detail}: ${reason}`).join("; ")}`,
    where: { file: join(task.directory, "task.toml"), field: first.field },
    remedy: "run it with a tool that supports this, or leave it out",
  });
}
