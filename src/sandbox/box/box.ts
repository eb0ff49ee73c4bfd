// One box sandbox: an overlay, and namespaces that live from the first command to the kill.
import { mkdirSync, openSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type FileChange,
  type NetworkPolicy,
  type RunOptions,
  type Sandbox,
  SandboxError,
  type SandboxHandle,
  type SandboxSnapshot,
  type SandboxSpec,
} from "../../contract/index.ts";
import { BoxFiles } from "./box-files.ts";
import { absolute, BoxLife, type BoxParts } from "./box-life.ts";
import { type CommandHost, runCommand, spawnCommand } from "./command-runner.ts";
import { makeGroup, type SandboxGroup } from "./control-groups.ts";
import { copyLayer } from "./copy-layer.ts";
import { copyOutOf } from "./copy-out.ts";
import { diffLayers } from "./diff-layers.ts";
import { copyInto, ensureDirectoryIn, readFileIn, writeFileIn } from "./file-operations.ts";
import { type FileView, NeedsMount } from "./file-view.ts";
import { type LayerEntry, readLayer } from "./layer-entries.ts";
import type { CommandStreams, Life, LifeCommand } from "./life.ts";
import { LimitKeeper } from "./limit-keeper.ts";
import { resolverFile } from "./network-stack.ts";
import type { OutputCapture } from "./output-capture.ts";
import type { Pipes } from "./pipes.ts";
import { signalProcess } from "./process-table.ts";
import { removeTree } from "./remove-tree.ts";
import { SandboxNetwork } from "./sandbox-network.ts";
import { snapshotLayer } from "./snapshot-layer.ts";
import { makeStage } from "./stage.ts";
import { hostDiskFull, isDiskFull, type Workshop } from "./workshop.ts";

export class Box implements SandboxHandle, CommandHost {
  readonly id: string;
  readonly backend = "box";
  readonly session: Sandbox;
  readonly spec: SandboxSpec;
  readonly directory: string;
  readonly limits: LimitKeeper | null;
  readonly #workshop: Workshop;
  readonly #files: BoxFiles;
  readonly #network: SandboxNetwork;
  readonly #group: SandboxGroup | null;
  readonly #life: BoxLife;
  #inputs = 0;
  #disposed = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(workshop: Workshop, id: string, spec: SandboxSpec) {
    this.#workshop = workshop;
    this.id = id;
    this.spec = spec;
    this.directory = join(workshop.sandboxes, id);
    this.#files = new BoxFiles(workshop, this.directory, spec);
    this.#network = new SandboxNetwork(spec.network ?? { mode: "none" }, workshop.shift === 0);
    mkdirSync(this.directory, { recursive: true, mode: 0o755 });
    const { shift, helper } = workshop;
    makeStage({ directory: this.directory, layers: this.#files.layers, mounts: spec.mounts ?? [], shift, helper });
    writeFileSync(join(this.directory, "stage/resolv.conf"), resolverFile(), { mode: 0o644 });
    const limits = spec.limits ?? {};
    const grouped = limits.memoryBytes !== undefined || limits.processes !== undefined;
    this.#group = grouped ? makeGroup(workshop.groups, `${workshop.label}-${id}`, limits) : null;
    this.limits = Object.values(limits).every((limit) => limit === undefined)
      ? null
      : new LimitKeeper({
          limits,
          group: this.#group,
          directory: this.directory,
          watchMemory: workshop.groups.memory === null,
          members: () => this.#life.members().map((row) => row.pid),
        });
    this.#life = new BoxLife(this.#parts());
    this.session = {
      run: (command, options) => runCommand(this, command, options ?? {}),
      spawn: (command, options) => spawnCommand(this, command, options ?? {}),
      readFile: (path, options) => this.#withView((view) => readFileIn(view, absolute(path), options?.maximumBytes)),
      writeFile: (path, content, options) => this.#writeFile(path, content, options ?? {}),
    };
    this.#makeWorkingDirectory();
  }

  get pipes(): Pipes {
    return this.#workshop.pipes;
  }

  get life(): Life | null {
    return this.#life.current;
  }

  async killAll(): Promise<void> {
    await this.#life.end();
  }

  async processes(): Promise<number> {
    return this.#life.members().length;
  }

  async snapshot(): Promise<SandboxSnapshot> {
    return this.#still(async () =>
      snapshotLayer(this.#workshop, this.spec.image, join(this.directory, "u"), await this.#entries()),
    );
  }

  async fork(spec: Partial<Omit<SandboxSpec, "image">> = {}): Promise<SandboxHandle> {
    return this.#still(async () => {
      const child = await this.#workshop.create({ ...this.spec, network: this.#network.policy, ...spec });
      child.#files.pristine = this.#files.pristine;
      child.#files.opaque = this.#files.opaque;
      try {
        await copyLayer(join(this.directory, "u"), join(child.directory, "u"));
      } catch (error) {
        await child.dispose();
        throw error;
      }
      return child;
    });
  }

  async diff(): Promise<FileChange[]> {
    return this.#still(async () => {
      const entries = await this.#entries();
      const image = this.#files.imageView();
      try {
        const targets = new Set((this.spec.mounts ?? []).map((mount) => mount.target));
        return await diffLayers(entries, image, this.#files.insideOwner, targets);
      } finally {
        image.close();
      }
    });
  }

  async copyOut(path: string, destination: string, quota: { bytes: number; files: number }): Promise<boolean> {
    return this.#withView(
      (view) => copyOutOf(view, absolute(path), destination, quota),
      () => removeTree(destination),
    );
  }

  async copyIn(source: string, path: string): Promise<void> {
    await this.#withView((view) => copyInto(view, source, absolute(path), this.#files.owner()));
  }

  /** Told by the written layer, which a mounted tree does not show. */
  async isUntouched(path: string): Promise<boolean> {
    return this.#exclusive(async () => {
      if (this.#life.current !== null) return false;
      try {
        return await this.#files.with(null, (view) => {
          const found = view.find(absolute(path), "refuse");
          return found.status !== null && found.level > 0;
        });
      } catch (error) {
        if (error instanceof NeedsMount || SandboxError.isInstance(error)) return false;
        throw this.#workshop.attribute(error, this);
      }
    });
  }

  async setNetwork(policy: NetworkPolicy): Promise<void> {
    await this.#exclusive(() => this.#network.change(policy, this.#life.current));
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#workshop.forget(this);
    this.#workshop.discard(this.directory, this.#group, this.killAll());
  }

  begin(words: readonly string[], options: RunOptions, streams: CommandStreams): Promise<LifeCommand> {
    return this.#exclusive(() => this.#life.begin(words, options, streams));
  }

  async explain(
    outcome: { exitCode: number | null; stderr: OutputCapture },
    life: Life | null,
  ): Promise<number | null> {
    this.#assertUsable();
    return this.#life.explain(outcome, life);
  }

  noteSuccess(): void {
    this.#life.noteSuccess();
  }

  assertHostDisk(): void {
    if (isDiskFull(this.directory)) throw hostDiskFull(this.id);
  }

  inputFile(content: string | Uint8Array): number {
    this.#inputs += 1;
    const path = join(this.directory, `input-${this.#inputs}`);
    writeFileSync(path, content, { flag: "wx", mode: 0o644 });
    const fd = openSync(path, "r");
    unlinkSync(path);
    return fd;
  }

  #parts(): BoxParts {
    return {
      id: this.id,
      directory: this.directory,
      spec: this.spec,
      workshop: this.#workshop,
      files: this.#files,
      network: this.#network,
      group: this.#group,
      limits: this.limits,
    };
  }

  #makeWorkingDirectory(): void {
    const folder = this.#life.workingDirectory({});
    if (folder === "/" || folder.startsWith("/proc")) return;
    const view = this.#files.view(null);
    try {
      ensureDirectoryIn(view, folder, this.#files.owner());
    } finally {
      view.close();
    }
  }

  async #entries(): Promise<Map<string, LayerEntry>> {
    const entries = await readLayer(join(this.directory, "u"), this.#files.insideOwner);
    if (this.#life.current === null)
      this.#files.opaque = new Set([...entries.values()].filter(({ opaque }) => opaque).map(({ path }) => path));
    return entries;
  }

  /** Runs `action` while nothing inside moves. */
  #still<T>(action: () => Promise<T>): Promise<T> {
    return this.#exclusive(async () => {
      const members = this.#life.members();
      for (const row of members) signalProcess(row.pid, "SIGSTOP");
      try {
        return await action();
      } finally {
        for (const row of members) signalProcess(row.pid, "SIGCONT");
      }
    });
  }

  async #withView<T>(use: (view: FileView) => T | Promise<T>, beforeRetry?: () => Promise<void>): Promise<T> {
    return this.#exclusive(async () => {
      try {
        return await this.#files.with(this.#life.current, use);
      } catch (error) {
        if (!(error instanceof NeedsMount)) throw this.#workshop.attribute(error, this);
        await beforeRetry?.();
        await this.#life.ensure();
        return await this.#files.with(this.#life.current, use);
      }
    });
  }

  async #writeFile(
    path: string,
    content: string | Uint8Array,
    options: { mode?: number; user?: string },
  ): Promise<void> {
    await this.#withView((view) => {
      const user = options.user === undefined ? undefined : this.#files.user(options.user, view);
      writeFileIn(view, absolute(path), content, {
        owner: this.#files.owner(user),
        setOwner: user !== undefined,
        ...(options.mode === undefined ? {} : { mode: options.mode }),
      });
    });
  }

  /** One after the other: what changes the life, the layers or the mounts. */
  #exclusive<T>(action: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(() => {
      this.#assertUsable();
      return action();
    });
    this.#queue = next.catch(() => undefined);
    return next;
  }

  #assertUsable(): void {
    if (this.#disposed) {
      throw new SandboxError({ code: "sandbox_disposed", message: `the sandbox ${this.id} was disposed of already` });
    }
    this.#life.assertNotLost();
  }
}
