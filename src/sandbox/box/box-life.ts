// Keeps the life of one box: starts it when something needs it, lets commands in, notices when it was ended from outside.
import { release } from "node:os";
import { type RunOptions, SandboxError, type SandboxSpec } from "../../contract/index.ts";
import type { BoxFiles } from "./box-files.ts";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";
import type { SandboxGroup } from "./control-groups.ts";
import { type FileView, NeedsMount, pathError } from "./file-view.ts";
import type { Holder } from "./holder.ts";
import { type CommandStreams, type LaunchOptions, type Life, type LifeCommand, startLife } from "./life.ts";
import type { LimitKeeper } from "./limit-keeper.ts";
import type { OutputCapture } from "./output-capture.ts";
import { hasInit, namespaceOf, type ProcessRow, processesCountedAlready, processTable } from "./process-table.ts";
import { usualLimits } from "./resource-limits.ts";
import { startFailure } from "./run-command.ts";
import type { SandboxNetwork } from "./sandbox-network.ts";
import { asUser } from "./switch-helper.ts";
import type { Workshop } from "./workshop.ts";

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export type BoxParts = {
  readonly id: string;
  readonly directory: string;
  readonly spec: SandboxSpec;
  readonly workshop: Workshop;
  readonly files: BoxFiles;
  readonly network: SandboxNetwork;
  readonly group: SandboxGroup | null;
  readonly limits: LimitKeeper | null;
};

export class BoxLife {
  readonly #parts: BoxParts;
  readonly #holder: Holder | null;
  #life: Life | null = null;
  #lost = false;
  #hasRun = false;

  constructor(parts: BoxParts) {
    this.#parts = parts;
    this.#holder = parts.workshop.holder;
  }

  /** The life that is, null when none is. */
  get current(): Life | null {
    return this.#life?.alive ? this.#life : null;
  }

  /** Errors: SandboxError `sandbox_lost`. */
  assertNotLost(): void {
    if (!this.#lost && this.#holder?.alive() !== false) return;
    throw new SandboxError({
      code: "sandbox_lost",
      message: `the processes that hold the sandbox ${this.#parts.id} were ended from outside`,
      isRetryable: true,
      remedy: "start again in a fresh sandbox",
    });
  }

  async ensure(): Promise<void> {
    if (this.current === null) await this.#adopt(startLife(this.#launchOptions(), null).life);
  }

  async end(): Promise<void> {
    const life = this.#life;
    this.#life = null;
    await this.#parts.network.detach();
    await life?.kill();
  }

  /** The processes inside, process number 1 left out. */
  members(): ProcessRow[] {
    const monitor = this.current?.monitorPid;
    const namespace = monitor === undefined ? null : namespaceOf(monitor, "pid_for_children");
    if (namespace === null) return [];
    return processTable().filter((row) => row.parent !== monitor && namespaceOf(row.pid, "pid") === namespace);
  }

  /** Starts a command: the first one starts the life too. */
  async begin(words: readonly string[], options: RunOptions, streams: CommandStreams): Promise<LifeCommand> {
    const { network } = this.#parts;
    const bubblewrap = await this.#bubblewrap(words, options);
    try {
      if (network.needsAttachment || this.#parts.workshop.perl === null) await this.ensure();
      if (network.needsAttachment) await network.attach(this.#life!);
      const life = this.current;
      if (life !== null) return life.enter(bubblewrap, streams);
      if (this.#parts.workshop.perl === null) throw this.#parts.workshop.launchFailed("it ended at once", this.#parts);
      const started = startLife(this.#launchOptions(), { bubblewrap, streams });
      await this.#adopt(started.life);
      return started.command!;
    } catch (error) {
      throw (error as { code?: string }).code === "E2BIG" ? commandTooLong(error) : error;
    }
  }

  /**
   * The exit code of a command that was killed or ended without one. Throws when the host or the sandbox is to blame. A view
   * that can't be built although it could be before is the work of what ran inside (it replaced /proc, say): 126.
   */
  async explain(
    outcome: { exitCode: number | null; stderr: OutputCapture },
    life: Life | null,
  ): Promise<number | null> {
    if (outcome.exitCode === null) {
      const { text } = outcome.stderr.output();
      const failure = startFailure(text);
      if (failure !== null) return failure;
      const own = /^bwrap: Can't (create|mkdir|mount|bind|find|get|make|remount|open|read)/m.test(text);
      if (own && this.#hasRun && !/No space left on device/.test(text)) return 126;
      if (/^(bwrap|nsenter|launch): /m.test(text)) throw this.#parts.workshop.launchFailed(text, this.#parts);
    }
    for (let wait = 0; wait < 100 && life?.alive && !hasInit(life.monitorPid); wait += 1) {
      await Promise.race([life.exited, new Promise((resolve) => setTimeout(resolve, 20))]);
    }
    this.assertNotLost();
    return outcome.exitCode;
  }

  noteSuccess(): void {
    this.#hasRun = true;
  }

  workingDirectory(options: RunOptions): string {
    const { spec } = this.#parts;
    const chosen = options.workingDirectory ?? spec.workingDirectory ?? spec.image.configuration.workingDirectory;
    return chosen === "" ? "/" : absolute(chosen);
  }

  async #adopt(life: Life): Promise<void> {
    const { files, group, limits, workshop } = this.#parts;
    this.#life = life;
    files.pristine = false;
    files.opaque = "unknown";
    const kills = group?.events().memoryKills;
    const stopLooking = limits?.watchIdle(() => void this.end());
    void life.exited.then(() => {
      stopLooking?.();
      if (this.#life !== life) return;
      this.#lost = group?.events().memoryKills === kills;
      this.#life = null;
    });
    if (await life.ready) return;
    this.#life = null;
    await life.kill();
    throw workshop.launchFailed(life.diagnostics, this.#parts);
  }

  #launchOptions(): LaunchOptions {
    const { directory, group, limits, workshop } = this.#parts;
    return {
      directory,
      holderPid: this.#holder?.pid ?? null,
      groups: group?.folders ?? [],
      resourceLimits: limits?.resourceLimits(this.#processesByUser()) ?? usualLimits,
      loopback: workshop.loopback,
      shell: workshop.shell,
      perl: workshop.perl,
      filtered: workshop.filtered,
      alter: workshop.alter,
    };
  }

  /** Without control groups, the kernel's limit counts what the user runs already. */
  #processesByUser(): number | null {
    const { spec, workshop } = this.#parts;
    const wanted = spec.limits?.processes;
    if (wanted === undefined || workshop.groups.processes !== null || workshop.shift !== 0) return null;
    return wanted + processesCountedAlready(release());
  }

  async #bubblewrap(words: readonly string[], options: RunOptions): Promise<string[]> {
    const { files } = this.#parts;
    const build = (view: FileView): string[] => this.#argumentsIn(view, words, options);
    try {
      return await files.with(this.current, build);
    } catch (error) {
      if (!(error instanceof NeedsMount)) throw error;
      await this.ensure();
      return files.with(this.current, build);
    }
  }

  #argumentsIn(view: FileView, command: readonly string[], options: RunOptions): string[] {
    const { files, network, spec, workshop } = this.#parts;
    const user = files.user(options.user ?? spec.user ?? spec.image.configuration.user, view);
    const switches = user.uid !== 0 && workshop.shift !== 0;
    const hostname = spec.hostname ?? "box";
    const words = bubblewrapArguments({
      hostSystem: spec.image.hostSystem,
      hostname,
      mounts: files.stagedMounts(view, network.policy.mode === "full"),
      environment: {
        PATH: defaultPath,
        HOME: user.home,
        HOSTNAME: hostname,
        ...network.environment,
        ...spec.image.configuration.environment,
        ...spec.environment,
        ...options.environment,
      },
      workingDirectory: this.workingDirectory(options),
      command: switches ? asUser(user, command) : command,
      helper: switches,
    });
    return workshop.alter.bubblewrap(words);
  }
}

/** Errors: SandboxError `bad_path`. */
export function absolute(path: string): string {
  if (path.startsWith("/") && !path.includes("\0")) return path;
  throw pathError("bad_path", path, "is not an absolute path");
}

const commandTooLong = (cause: unknown): SandboxError =>
  new SandboxError({
    code: "command_too_long",
    message: "the kernel takes no argument or variable over 128 KiB",
    remedy: "hand the text over by standard input or in a file",
    cause,
  });
