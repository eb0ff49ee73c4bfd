// The agent's sandbox and what the runner knows about it, shared by the environment and the judge. The environment
// hands its session to tools only; the handle never leaves this folder.
import {
  EnvironmentError,
  type FileChange,
  type Image,
  type RunOptions,
  type RunResult,
  type SandboxBackend,
  type SandboxHandle,
  type SandboxSpec,
} from "../../contract/index.ts";
import { mergeChanges } from "./merge-changes.ts";

export class TerminalState {
  readonly image: Image;
  readonly user: string;
  readonly workingDirectory: string;
  readonly #backend: SandboxBackend;
  readonly #spec: SandboxSpec;
  readonly #prepare: (handle: SandboxHandle) => Promise<void>;
  #handle: SandboxHandle | null = null;
  #earlier: FileChange[] = [];
  /** True once the judge has begun: no tool runs any more. */
  closed = false;

  constructor(
    backend: SandboxBackend,
    spec: SandboxSpec,
    options: { user: string; workingDirectory: string; prepare: (handle: SandboxHandle) => Promise<void> },
  ) {
    this.#backend = backend;
    this.#spec = spec;
    this.#prepare = options.prepare;
    this.image = spec.image;
    this.user = options.user;
    this.workingDirectory = options.workingDirectory;
  }

  get handle(): SandboxHandle {
    if (this.#handle) return this.#handle;
    throw new EnvironmentError({
      code: "not_reset",
      message: "the terminal has no sandbox yet",
      remedy: "call reset() first",
    });
  }

  get isOpen(): boolean {
    return this.#handle !== null;
  }

  /** A fresh sandbox; from a snapshot, `image` is its image and `earlier` what had changed before it. */
  async start(image = this.#spec.image, earlier: FileChange[] = []): Promise<void> {
    await this.dispose();
    const handle = await this.#backend.create({ ...this.#spec, image });
    this.#handle = handle;
    this.#earlier = earlier;
    this.closed = false;
    if (image === this.#spec.image) await this.#prepare(handle);
  }

  /** All changes against the task's own image, over snapshots too. */
  async changes(): Promise<FileChange[]> {
    return mergeChanges(this.#earlier, await this.handle.diff());
  }

  run(command: string | readonly string[], options: RunOptions = {}): Promise<RunResult> {
    return this.handle.session.run(command, { workingDirectory: this.workingDirectory, user: this.user, ...options });
  }

  async dispose(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.dispose();
  }
}
