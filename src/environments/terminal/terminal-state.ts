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
  type SandboxSnapshot,
  type SandboxSpec,
} from "../../contract/index.ts";
import { mergeChanges } from "./merge-changes.ts";
import { shuffleDirectory } from "./shuffle-directory.ts";

/** A state that an earlier step left: a snapshot's image, and all that had changed against the task's own. */
export type EarlierState = { readonly image: Image; readonly changes: readonly FileChange[] };

export class TerminalState {
  readonly image: Image;
  readonly user: string;
  readonly workingDirectory: string;
  readonly #backend: SandboxBackend;
  readonly #spec: SandboxSpec;
  readonly #prepare: (handle: SandboxHandle) => Promise<void>;
  readonly #shuffle: boolean;
  readonly #from: EarlierState | null;
  readonly #begin: (handle: SandboxHandle) => Promise<void>;
  #handle: SandboxHandle | null = null;
  #earlier: FileChange[] = [];
  #isFromImage = true;
  readonly #shuffled: SandboxSnapshot[] = [];
  /** True once the judge has begun: no tool runs any more. */
  closed = false;

  constructor(
    backend: SandboxBackend,
    spec: SandboxSpec,
    options: {
      user: string;
      workingDirectory: string;
      prepare: (handle: SandboxHandle) => Promise<void>;
      shuffle: boolean;
      /** Where a later step begins, in place of the task's image. */
      from?: EarlierState;
      /** Runs when an episode begins, wherever it begins. */
      begin?: (handle: SandboxHandle) => Promise<void>;
    },
  ) {
    this.#backend = backend;
    this.#spec = spec;
    this.#prepare = options.prepare;
    this.#shuffle = options.shuffle;
    this.#from = options.from ?? null;
    this.#begin = options.begin ?? (async () => {});
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

  /** A fresh sandbox where the episode begins. */
  async begin(): Promise<void> {
    if (this.#from) await this.start(this.#from.image, [...this.#from.changes]);
    else await this.start();
    await this.#begin(this.handle);
  }

  /** A fresh sandbox; from a snapshot, `image` is its image and `earlier` what had changed before it. */
  async start(image = this.#spec.image, earlier: FileChange[] = []): Promise<void> {
    await this.dispose();
    const handle = await this.#backend.create({ ...this.#spec, image });
    this.#handle = handle;
    this.#earlier = earlier;
    this.#isFromImage = image === this.#spec.image;
    this.closed = false;
    if (image !== this.#spec.image) return;
    if (this.#shuffle && this.workingDirectory !== "/") {
      this.#handle = null;
      const create = (from: Image) => this.#backend.create({ ...this.#spec, image: from });
      const start = await shuffleDirectory(handle, this.workingDirectory, create);
      this.#handle = start.handle;
      this.#earlier = start.changes;
      this.#shuffled.push(start.saved);
    }
    await this.#prepare(this.handle);
  }

  /** All changes against the task's own image, over snapshots too. */
  async changes(): Promise<FileChange[]> {
    return mergeChanges(this.#earlier, await this.handle.diff());
  }

  /** Whether a path is for certain as the task's own image has it. */
  async isUntouched(path: string): Promise<boolean> {
    return this.#isFromImage && (await this.handle.isUntouched(path));
  }

  /** The state as it is; what it stands on goes with it, and away with it. */
  async save(): Promise<EarlierState & { dispose(): Promise<void> }> {
    const changes = await this.changes();
    const saved = await this.handle.snapshot();
    const below = this.#shuffled.splice(0);
    const dispose = async () => {
      for (const one of [saved, ...below]) await one.dispose();
    };
    return { image: saved.image, changes, dispose };
  }

  run(command: string | readonly string[], options: RunOptions = {}): Promise<RunResult> {
    return this.handle.session.run(command, { workingDirectory: this.workingDirectory, user: this.user, ...options });
  }

  async dispose(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.dispose();
  }

  async close(): Promise<void> {
    await this.dispose();
    for (const saved of this.#shuffled.splice(0)) await saved.dispose();
  }
}
