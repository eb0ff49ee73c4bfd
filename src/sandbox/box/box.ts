// One box sandbox: an overlay, and namespaces that live from the first command to the kill.

import { createHash } from "node:crypto";
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
import { bubblewrapArguments, type StagedMount } from "./bubblewrap-arguments.ts";
import { type CommandHost, runCommand, spawnCommand } from "./command-runner.ts";
import { makeGroup, type SandboxGroup } from "./control-groups.ts";
import { copyLayer } from "./copy-layer.ts";
import { copyOutOf } from "./copy-out.ts";
import { diffLayers } from "./diff-layers.ts";
import { copyInto, ensureDirectoryIn, readFileIn, writeFileIn } from "./file-operations.ts";
import { FileView, type Mapped, NeedsMount, noOpaqueDirectories } from "./file-view.ts";
import type { Holder } from "./holder.ts";
import { type LayerEntry, readLayer } from "./layer-entries.ts";
import { type CommandStreams, type Life, type LifeCommand, startLife } from "./life.ts";
import { LimitKeeper } from "./limit-keeper.ts";
import { resolverFile } from "./network-stack.ts";
import type { OutputCapture } from "./output-capture.ts";
import type { Pipes } from "./pipes.ts";
import {
  countOwnProcesses,
  hasInit,
  namespaceOf,
  type ProcessRow,
  processTable,
  signalProcess,
} from "./process-table.ts";
import { removeTree } from "./remove-tree.ts";
import { usualLimits } from "./resource-limits.ts";
import { startFailure } from "./run-command.ts";
import { SandboxNetwork } from "./sandbox-network.ts";
import { makeStage } from "./stage.ts";
import { asUser } from "./switch-helper.ts";
import { resolveUser, type User } from "./users.ts";
import { hostDiskFull, isDiskFull, type Workshop } from "./workshop.ts";

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export class Box implements SandboxHandle, CommandHost {
  readonly id: string;
  readonly backend = "box";
  readonly session: Sandbox;
  readonly spec: SandboxSpec;
  readonly directory: string;
  readonly #workshop: Workshop;
  readonly #layers: readonly string[];
  #inputs = 0;
  #life: Life | null = null;
  #pristine = true;
  #lost = false;
  #disposed = false;
  readonly #holder: Holder | null;
  readonly #network: SandboxNetwork;
  readonly #group: SandboxGroup | null;
  readonly limits: LimitKeeper | null;
  #queue: Promise<unknown> = Promise.resolve();
  /** Users that need not be looked up again: root, and whom the untouched image has. */
  readonly #users = new Map<string, User>();

  constructor(workshop: Workshop, id: string, spec: SandboxSpec) {
    this.#workshop = workshop;
    this.id = id;
    this.spec = spec;
    this.directory = join(workshop.sandboxes, id);
    this.#holder = workshop.holder;
    this.#layers = workshop.layersOf(spec.image);
    mkdirSync(this.directory, { recursive: true, mode: 0o755 });
    makeStage({
      directory: this.directory,
      layers: this.#layers,
      mounts: spec.mounts ?? [],
      shift: workshop.shift,
      helper: workshop.helper,
    });
    this.#network = new SandboxNetwork(spec.network ?? { mode: "none" }, workshop.shift === 0);
    writeFileSync(join(this.directory, "stage/resolv.conf"), resolverFile(), { mode: 0o644 });
    const limits = spec.limits ?? {};
    this.#group =
      limits.memoryBytes === undefined && limits.processes === undefined
        ? null
        : makeGroup(workshop.groups, `${workshop.label}-${id}`, limits);
    this.limits = Object.values(limits).every((limit) => limit === undefined)
      ? null
      : new LimitKeeper({
          limits,
          group: this.#group,
          directory: this.directory,
          watchMemory: workshop.groups.memory === null,
          members: () => this.#members().map((row) => row.pid),
        });
    this.session = {
      run: (command, options) => runCommand(this, command, options ?? {}),
      spawn: (command, options) => spawnCommand(this, command, options ?? {}),
      readFile: (path, options) => this.#withView((view) => readFileIn(view, absolute(path), options?.maximumBytes)),
      writeFile: (path, content, options) => this.#writeFile(path, content, options ?? {}),
    };
    const folder = this.#workingDirectory({});
    if (folder !== "/" && !folder.startsWith("/proc")) {
      const view = this.#view();
      try {
        ensureDirectoryIn(view, folder, this.#owner());
      } finally {
        view.close();
      }
    }
  }

  get pipes(): Pipes {
    return this.#workshop.pipes;
  }

  get life(): Life | null {
    return this.#life;
  }

  async killAll(): Promise<void> {
    const life = this.#life;
    this.#life = null;
    await this.#network.detach();
    await life?.kill();
  }

  async processes(): Promise<number> {
    return this.#life?.alive ? this.#members().length : 0;
  }

  async snapshot(): Promise<SandboxSnapshot> {
    return this.#still(async () => {
      const entries = await this.#entries();
      const opaque = new Set([...entries.values()].filter((entry) => entry.opaque).map((entry) => entry.path));
      const layer = this.#workshop.newSnapshotLayer(opaque);
      try {
        await copyLayer(join(this.directory, "u"), layer);
      } catch (error) {
        await removeTree(layer);
        throw error;
      }
      const { image } = this.spec;
      const content = [...entries.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
      const digest = createHash("sha256")
        .update(JSON.stringify([image.digest, content]))
        .digest("hex");
      const { dockerTag: _, ...rest } = image;
      return {
        image: { ...rest, digest: `sha256:${digest}`, layers: [...image.layers, layer] },
        dispose: async () => this.#workshop.discard(layer),
      };
    });
  }

  async fork(spec: Partial<Omit<SandboxSpec, "image">> = {}): Promise<SandboxHandle> {
    return this.#still(async () => {
      const child = await this.#workshop.create({ ...this.spec, network: this.#network.policy, ...spec });
      child.#pristine = this.#pristine;
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
      const lower = new FileView(this.#layers, [], this.#layers.map(this.#workshop.opaqueOf));
      try {
        const targets = new Set((this.spec.mounts ?? []).map((mount) => mount.target));
        return await diffLayers(entries, lower, this.#insideOwner, targets);
      } finally {
        lower.close();
      }
    });
  }

  readonly #insideOwner = (id: number): number => {
    const { shift } = this.#workshop;
    if (shift === 0) return id === process.getuid!() || id === process.getgid!() ? 0 : id;
    return id >= shift ? id - shift : 65_534;
  };

  #entries(): Promise<Map<string, LayerEntry>> {
    return readLayer(join(this.directory, "u"), this.#insideOwner);
  }

  /** Runs `action` while nothing inside moves. */
  #still<T>(action: () => Promise<T>): Promise<T> {
    return this.#exclusive(async () => {
      this.#assertUsable();
      const members = this.#life?.alive ? this.#members() : [];
      for (const row of members) signalProcess(row.pid, "SIGSTOP");
      try {
        return await action();
      } finally {
        for (const row of members) signalProcess(row.pid, "SIGCONT");
      }
    });
  }

  /** The processes inside, process number 1 left out. */
  #members(): ProcessRow[] {
    const namespace = this.#life === null ? null : namespaceOf(this.#life.monitorPid, "pid_for_children");
    if (namespace === null) return [];
    const monitor = this.#life!.monitorPid;
    return processTable().filter((row) => row.parent !== monitor && namespaceOf(row.pid, "pid") === namespace);
  }

  async copyOut(path: string, destination: string, quota: { bytes: number; files: number }): Promise<boolean> {
    return this.#withView(
      (view) => copyOutOf(view, absolute(path), destination, quota),
      () => removeTree(destination),
    );
  }

  async copyIn(source: string, path: string): Promise<void> {
    await this.#withView((view) => copyInto(view, source, absolute(path), this.#owner()));
  }

  async setNetwork(policy: NetworkPolicy): Promise<void> {
    await this.#exclusive(async () => {
      this.#assertUsable();
      await this.#network.change(policy, this.#life?.alive ? this.#life : null);
    });
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#workshop.forget(this);
    this.#workshop.discard(this.directory, this.#group, this.killAll());
  }

  #owner(user?: User): { uid: number; gid: number } {
    const { shift } = this.#workshop;
    return shift === 0
      ? { uid: process.getuid!(), gid: process.getgid!() }
      : { uid: (user?.uid ?? 0) + shift, gid: (user?.gid ?? 0) + shift };
  }

  #mapped(): Mapped[] {
    const mounts = (this.spec.mounts ?? []).map(({ source, target, readOnly }) => ({ source, target, readOnly }));
    mounts.push({ source: join(this.directory, "stage/shm"), target: "/dev/shm", readOnly: false });
    if (this.spec.image.hostSystem) mounts.push({ source: "/usr", target: "/usr", readOnly: true });
    return mounts;
  }

  #view(): FileView {
    const life = this.#life;
    if (life?.alive) return new FileView([`/proc/${life.monitorPid}/root/mnt/r`], this.#mapped(), []);
    const top = this.#pristine ? noOpaqueDirectories : "unknown";
    const opaque = [top, ...this.#layers.map(this.#workshop.opaqueOf)] as const;
    return new FileView([join(this.directory, "u"), ...this.#layers], this.#mapped(), opaque);
  }

  /** Files are reached through the mounted tree when there is one, else through the layers, which needs no process. */
  async #withView<T>(use: (view: FileView) => T | Promise<T>, beforeRetry?: () => Promise<void>): Promise<T> {
    return this.#exclusive(async () => {
      this.#assertUsable();
      let view = this.#view();
      try {
        return await use(view);
      } catch (error) {
        if (!(error instanceof NeedsMount)) throw this.#workshop.attribute(error, this);
        view.close();
        await beforeRetry?.();
        await this.#ensureLife();
        view = this.#view();
        return await use(view);
      } finally {
        view.close();
      }
    });
  }

  #exclusive<T>(action: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(action);
    this.#queue = next.catch(() => undefined);
    return next;
  }

  #assertUsable(): void {
    if (this.#disposed) {
      throw new SandboxError({ code: "sandbox_disposed", message: `the sandbox ${this.id} was disposed of already` });
    }
    if (this.#lost || this.#holder?.alive() === false) {
      throw new SandboxError({
        code: "sandbox_lost",
        message: `the processes that hold the sandbox ${this.id} were ended from outside`,
        isRetryable: true,
        remedy: "start again in a fresh sandbox",
      });
    }
  }

  /** Without control groups, the kernel's limit counts what the user runs already. */
  #processesByUser(): number | null {
    const wanted = this.spec.limits?.processes;
    if (wanted === undefined || this.#workshop.groups.processes !== null || this.#workshop.shift !== 0) return null;
    return wanted + countOwnProcesses();
  }

  #launchOptions() {
    const workshop = this.#workshop;
    return {
      directory: this.directory,
      holderPid: this.#holder?.pid ?? null,
      groups: this.#group?.folders ?? [],
      resourceLimits: this.limits?.resourceLimits(this.#processesByUser()) ?? usualLimits,
      loopback: workshop.loopback,
      shell: workshop.shell,
      perl: workshop.perl,
    };
  }

  async #ensureLife(): Promise<void> {
    if (this.#life?.alive) return;
    await this.#adopt(startLife(this.#launchOptions(), null).life);
  }

  async #adopt(life: Life): Promise<void> {
    this.#life = life;
    this.#pristine = false;
    const kills = this.#group?.events().memoryKills;
    const stopLooking = this.limits?.watchIdle(() => void this.killAll());
    void life.exited.then(() => {
      stopLooking?.();
      if (this.#life !== life) return;
      this.#lost = this.#group?.events().memoryKills === kills;
      this.#life = null;
    });
    if (await life.ready) return;
    this.#life = null;
    await life.kill();
    throw this.#workshop.launchFailed(life.diagnostics, this);
  }

  #workingDirectory(options: RunOptions): string {
    const chosen =
      options.workingDirectory ?? this.spec.workingDirectory ?? this.spec.image.configuration.workingDirectory;
    return chosen === "" ? "/" : absolute(chosen);
  }

  #user(options: { user?: string }, layers?: FileView): User {
    const name = options.user ?? this.spec.user ?? this.spec.image.configuration.user;
    const known = this.#users.get(name);
    if (known !== undefined) return known;
    const view = layers ?? this.#view();
    try {
      const user = resolveUser(name, (path) => {
        try {
          return Buffer.from(readFileIn(view, path, 4 * 1024 * 1024)).toString("utf8");
        } catch (error) {
          if (SandboxError.isInstance(error)) return null;
          throw error;
        }
      });
      if (this.#pristine || isRoot(name)) this.#users.set(name, user);
      return user;
    } finally {
      if (layers === undefined) view.close();
    }
  }

  #stagedMounts(): StagedMount[] {
    const view = this.#view();
    const place = (target: string): string => {
      try {
        return view.find(target, "follow").path;
      } catch {
        return target;
      }
    };
    try {
      const mounts = (this.spec.mounts ?? []).map(({ target, readOnly }, index) => ({
        name: `m${index}`,
        target: place(target),
        readOnly,
      }));
      if (this.#network.policy.mode !== "full") return mounts;
      return [...mounts, { name: "resolv.conf", target: place("/etc/resolv.conf"), readOnly: true }];
    } finally {
      view.close();
    }
  }

  #bubblewrap(words: readonly string[], options: RunOptions): string[] {
    const user = this.#user(options);
    const switches = user.uid !== 0 && this.#workshop.shift !== 0;
    const hostname = this.spec.hostname ?? "box";
    return bubblewrapArguments({
      hostSystem: this.spec.image.hostSystem,
      hostname,
      mounts: this.#stagedMounts(),
      environment: {
        PATH: defaultPath,
        HOME: user.home,
        HOSTNAME: hostname,
        ...this.#network.environment,
        ...this.spec.image.configuration.environment,
        ...this.spec.environment,
        ...options.environment,
      },
      workingDirectory: this.#workingDirectory(options),
      command: switches ? asUser(user, words) : words,
      helper: switches,
    });
  }

  async #knowUser(options: RunOptions): Promise<void> {
    try {
      this.#user(options);
    } catch (error) {
      if (!(error instanceof NeedsMount)) throw error;
      await this.#ensureLife();
    }
  }

  /** Starts a command: the first one starts the life too. */
  async begin(words: readonly string[], options: RunOptions, streams: CommandStreams): Promise<LifeCommand> {
    return this.#exclusive(async () => {
      this.#assertUsable();
      await this.#knowUser(options);
      const bubblewrap = this.#bubblewrap(words, options);
      try {
        if (this.#network.needsAttachment) {
          await this.#ensureLife();
          await this.#network.attach(this.#life!);
        }
        if (this.#life?.alive) return this.#life.enter(bubblewrap, streams);
        const started = startLife(this.#launchOptions(), { bubblewrap, streams });
        await this.#adopt(started.life);
        return started.command!;
      } catch (error) {
        throw (error as { code?: string }).code === "E2BIG" ? commandTooLong(error) : error;
      }
    });
  }

  async explain(
    outcome: { exitCode: number | null; stderr: OutputCapture },
    life: Life | null,
  ): Promise<number | null> {
    if (outcome.exitCode === null) {
      const { text } = outcome.stderr.output();
      const failure = startFailure(text);
      if (failure !== null) return failure;
      if (/^(bwrap|nsenter|launch): /m.test(text)) throw this.#workshop.launchFailed(text, this);
    }
    for (let wait = 0; wait < 100 && life?.alive && !hasInit(life.monitorPid); wait += 1) {
      await Promise.race([life.exited, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
    this.#assertUsable();
    return outcome.exitCode;
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

  async #writeFile(
    path: string,
    content: string | Uint8Array,
    options: { mode?: number; user?: string },
  ): Promise<void> {
    await this.#withView((view) => {
      const user = options.user === undefined ? undefined : this.#user({ user: options.user }, view);
      writeFileIn(view, absolute(path), content, {
        owner: this.#owner(user),
        setOwner: user !== undefined,
        ...(options.mode === undefined ? {} : { mode: options.mode }),
      });
    });
  }
}

const isRoot = (name: string): boolean => name === "" || name === "0" || name === "root";

const commandTooLong = (cause: unknown): SandboxError =>
  new SandboxError({
    code: "command_too_long",
    message: "the kernel takes no argument or variable over 128 KiB",
    remedy: "hand the text over by standard input or in a file",
    cause,
  });

function absolute(path: string): string {
  if (path.startsWith("/") && !path.includes("\0")) return path;
  throw new SandboxError({ code: "bad_path", message: `${path} is not an absolute path`, remedy: "begin it with /" });
}
