// One container as a sandbox: what tools get, and what its owner does with it.
import { createHash } from "node:crypto";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import {
  type Cause,
  type FileChange,
  type Image,
  type NetworkPolicy,
  type RunOptions,
  type RunResult,
  type Sandbox,
  SandboxError,
  type SandboxHandle,
  type SandboxSnapshot,
  type SandboxSpec,
  type SpawnedProcess,
} from "../../contract/index.ts";
import { captureOutput } from "../box/output-capture.ts";
import { signalProcess } from "../box/process-table.ts";
import { defaultOutputBytes, splitExitCode } from "../box/run-command.ts";
import { resolveUser } from "../box/users.ts";
import { statusOf } from "../images/builders/connect.ts";
import { copyIntoContainer, copyOutOf, readFileIn, writeFileIn } from "./archive.ts";
import { changesFromEngine, changesFromLayers, layersOf } from "./changes.ts";
import { ContainerNetwork } from "./container-network.ts";
import { environmentList, ownProcesses } from "./container-settings.ts";
import { ControlGroup, type LimitCounters } from "./control-group.ts";
import { bytesUnder } from "./disk-watch.ts";
import { attributed } from "./errors.ts";
import { type RunningExec, shellArguments, startExec } from "./exec.ts";

export type DockerSandboxParts = {
  readonly docker: Docker;
  readonly container: Docker.Container;
  readonly id: string;
  readonly tag: string;
  readonly spec: SandboxSpec;
  readonly labels: Readonly<Record<string, string>>;
  readonly create: (spec: SandboxSpec) => Promise<SandboxHandle>;
  readonly forget: (id: string) => void;
};

const diskPollMilliseconds = 200;

export class DockerSandbox implements SandboxHandle {
  readonly id: string;
  readonly backend = "docker";
  readonly session: Sandbox;
  readonly #parts: DockerSandboxParts;
  readonly #network: ContainerNetwork;
  readonly #commands = new Set<{ stop: (cause: Cause) => void }>();
  #group: ControlGroup | null = null;
  #upper: string | null = null;
  #watch: NodeJS.Timeout | null = null;
  /** Once over the limit, only who writes more is ended: cleaning up must be possible. */
  #highestBytes = 0;
  #disposed: Promise<void> | null = null;

  constructor(parts: DockerSandboxParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.#network = new ContainerNetwork(parts.docker, parts.container, parts.spec.network ?? { mode: "none" });
    this.session = {
      run: (command, options) => this.#use("run a command", () => this.#run(command, options ?? {})),
      spawn: (command, options) => this.#use("start a command", () => this.#spawn(command, options ?? {})),
      readFile: (path, options) =>
        this.#use(`read ${path}`, () => readFileIn(parts.container, path, options?.maximumBytes)),
      writeFile: (path, content, options) =>
        this.#use(`write ${path}`, async () =>
          writeFileIn(parts.container, path, content, {
            ...(options?.mode !== undefined && { mode: options.mode }),
            owner: await this.#owner(options?.user ?? ""),
          }),
        ),
    };
  }

  /** Starts the container and learns where it runs. */
  async start(): Promise<void> {
    await this.#parts.container.start();
    await this.#locate();
    if (this.#parts.spec.limits?.diskBytes !== undefined) {
      this.#watch = setInterval(() => this.#checkDisk(), diskPollMilliseconds);
      this.#watch.unref();
    }
  }

  async #locate(): Promise<void> {
    const details = await this.#parts.container.inspect();
    this.#group = ControlGroup.of(details.Id, details.State.Pid);
    this.#upper = layersOf(details)?.upper ?? null;
    await this.#network.attach(this.#group?.firstProcess ?? null);
  }

  async #use<T>(doing: string, work: () => Promise<T>): Promise<T> {
    if (this.#disposed)
      throw new SandboxError({
        code: "sandbox_disposed",
        message: `the sandbox ${this.id} was disposed of`,
        remedy: "create another one",
      });
    return await attributed(`${this.id}: ${doing}`, work);
  }

  async #owner(user: string): Promise<{ uid: number; gid: number }> {
    if (user === "" || user === "root" || user === "0") return { uid: 0, gid: 0 };
    const read = async (path: string) =>
      readFileIn(this.#parts.container, path).then(
        (bytes) => Buffer.from(bytes).toString("utf8"),
        () => null,
      );
    const [passwd, group] = await Promise.all([read("/etc/passwd"), read("/etc/group")]);
    return resolveUser(user, (path) => (path === "/etc/passwd" ? passwd : group));
  }

  async #start(
    command: string | readonly string[],
    options: RunOptions,
    stdin: boolean,
    onOutput: (stream: "stdout" | "stderr", chunk: Buffer) => void,
  ): Promise<RunningExec> {
    const { spec, container } = this.#parts;
    if (this.#group && !this.#group.firstProcessAlive) await this.#restart();
    return await startExec(
      container,
      this.#group,
      {
        argv: shellArguments(command),
        environment: environmentList({
          ...this.#network.environment,
          ...spec.image.configuration.environment,
          ...spec.environment,
          ...options.environment,
        }),
        user: options.user ?? spec.user ?? spec.image.configuration.user,
        workingDirectory:
          options.workingDirectory ?? spec.workingDirectory ?? spec.image.configuration.workingDirectory,
        stdin,
      },
      onOutput,
      () => this.#restart(),
    );
  }

  async #restart(): Promise<void> {
    const { container } = this.#parts;
    await container.restart({ t: 0 });
    await this.#locate();
  }

  async #run(command: string | readonly string[], options: RunOptions): Promise<RunResult> {
    const begun = performance.now();
    const keep = options.outputBytes ?? defaultOutputBytes;
    const output = { stdout: captureOutput(keep), stderr: captureOutput(keep) };
    const before = { ...(await this.#counters()), disk: await this.#diskBefore() };
    let cause: Cause | null = null;
    let stopped: () => void = () => {};
    const stop = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    let running: RunningExec | null = null;
    const end = (reason: Cause): void => {
      if (cause !== null) return;
      cause = reason;
      stopped();
    };
    if (options.signal?.aborted) end(cancelled);
    const finish = (exitCode: number | null): RunResult => ({
      ...(cause === null ? splitExitCode(exitCode) : { exitCode: null, signal: "SIGKILL" }),
      stdout: output.stdout.output(),
      stderr: output.stderr.output(),
      limit: cause,
      milliseconds: performance.now() - begun,
    });
    const onAbort = (): void => end(cancelled);
    options.signal?.addEventListener("abort", onAbort, { once: true });
    const limit = options.timeoutMilliseconds;
    const timer =
      limit === undefined
        ? undefined
        : setTimeout(
            () => end({ code: "time_limit", message: `stopped after ${limit / 1000} seconds`, limit: limit / 1000 }),
            Math.min(limit, 2 ** 31 - 1),
          );
    const entry = { stop: end };
    this.#commands.add(entry);
    try {
      running = await this.#start(command, options, options.input !== undefined, (stream, chunk) =>
        output[stream].add(chunk),
      );
      if (options.input !== undefined)
        running.stream.end(typeof options.input === "string" ? options.input : Buffer.from(options.input));
      let exitCode = await Promise.race([running.ended, stop.then(() => null)]);
      if (cause !== null) {
        await running.kill();
        await Promise.race([running.ended.catch(() => null), sleep(3_000)]);
      }
      await Promise.race([running.drained, sleep(3_000)]);
      if (
        exitCode === 126 &&
        /^OCI runtime exec failed: .*(?:executable file not found|no such file or directory)/s.test(
          output.stdout.output().text,
        )
      )
        exitCode = 127;
      if (exitCode !== null && exitCode >= 125 && /^unable to find (?:user|group)/.test(output.stdout.output().text))
        await this.#owner(options.user ?? this.#parts.spec.user ?? this.#parts.spec.image.configuration.user);
      cause ??= await this.#limitThatFired(before, exitCode);
      return finish(exitCode);
    } catch (error) {
      const fired = await this.#limitThatFired(before, null).catch(() => null);
      if (fired === null || fired.code === "disk_limit") throw error;
      cause ??= fired;
      return finish(null);
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      this.#commands.delete(entry);
    }
  }

  async #spawn(command: string | readonly string[], options: RunOptions): Promise<SpawnedProcess> {
    const stdout = new PassThrough();
    const stderr = new PassThrough();
    const running = await this.#start(command, options, true, (stream, chunk) => {
      (stream === "stdout" ? stdout : stderr).write(chunk);
    });
    if (options.input !== undefined) running.stream.write(options.input);
    const exit = running.ended.then(splitExitCode);
    exit.catch(() => {});
    running.drained.then(() => {
      stdout.end();
      stderr.end();
    });
    const kill = (): Promise<void> => attributed(`${this.id}: kill a command`, () => running.kill());
    options.signal?.addEventListener("abort", () => void kill().catch(() => {}), { once: true });
    return { stdin: running.stream, stdout, stderr, exit, kill };
  }

  async #counters(): Promise<LimitCounters> {
    if (this.#group) return this.#group.counters();
    if (this.#parts.spec.limits?.memoryBytes === undefined) return { memory: 0, processes: 0 };
    const { container, docker } = this.#parts;
    const filters = JSON.stringify({ container: [container.id], event: ["oom"] });
    const events = await docker.getEvents({
      since: 0,
      until: (Date.now() / 1000).toFixed(3) as unknown as number,
      filters,
    });
    let text = "";
    for await (const chunk of events) text += chunk.toString();
    return { memory: text.split("\n").filter(Boolean).length, processes: 0 };
  }

  async #limitThatFired(before: LimitCounters & { disk: number }, exitCode: number | null): Promise<Cause | null> {
    const { memoryBytes, processes, cpuSeconds, diskBytes } = this.#parts.spec.limits ?? {};
    const after = await this.#counters();
    if (memoryBytes !== undefined && after.memory > before.memory)
      return {
        code: "memory_limit",
        message: `a process was ended because all together used more than ${memoryBytes} bytes`,
        limit: memoryBytes,
      };
    if (processes !== undefined && after.processes > before.processes)
      return { code: "process_limit", message: `more than ${processes} processes were wanted`, limit: processes };
    if (cpuSeconds !== undefined && exitCode === 152)
      return {
        code: "cpu_limit",
        message: `a process used more than ${cpuSeconds} seconds of CPU time`,
        limit: cpuSeconds,
      };
    if (diskBytes === undefined) return null;
    const written = await this.#diskBytes();
    return exitCode === 153 || (written > diskBytes && written > before.disk) ? diskLimit(diskBytes) : null;
  }

  async #diskBefore(): Promise<number> {
    const limit = this.#parts.spec.limits?.diskBytes;
    if (limit === undefined) return 0;
    const bytes = await this.#diskBytes();
    if (bytes > limit) this.#highestBytes = Math.max(this.#highestBytes, bytes);
    return bytes;
  }

  async #diskBytes(): Promise<number> {
    if (this.#upper !== null) return bytesUnder(this.#upper);
    const modem = this.#parts.docker.modem as unknown as {
      dial(options: object, callback: (error: unknown, data: { SizeRw?: number }) => void): void;
    };
    return await new Promise((resolve) =>
      modem.dial(
        {
          path: `/containers/${this.#parts.container.id}/json?size=1&`,
          method: "GET",
          options: {},
          statusCodes: { 200: true },
        },
        (error, data) => resolve(error ? 0 : (data.SizeRw ?? 0)),
      ),
    );
  }

  #checkDisk(): void {
    const limit = this.#parts.spec.limits?.diskBytes;
    if (limit === undefined || this.#disposed) return;
    void this.#diskBytes().then((bytes) => {
      const highest = Math.max(limit, this.#highestBytes);
      this.#highestBytes = bytes <= limit ? 0 : Math.max(bytes, highest);
      if (bytes <= highest || this.#disposed) return;
      for (const command of this.#commands) command.stop(diskLimit(limit));
      for (const pid of this.#group?.members() ?? []) signalProcess(pid, "SIGKILL");
    });
  }

  killAll(): Promise<void> {
    return this.#use("kill everything", async () => {
      const group = this.#group;
      if (group === null) return await this.#restart();
      for (let attempt = 0; attempt < 6; attempt++) {
        const members = group.members();
        if (members.length === 0) return await this.#settled(group);
        for (const pid of members) signalProcess(pid, "SIGKILL");
        await sleep(10);
      }
      await this.#parts.container.pause();
      for (const pid of group.members()) signalProcess(pid, "SIGKILL");
      await this.#parts.container.unpause();
      for (let attempt = 0; attempt < 100 && group.members().length > 0; attempt++) await sleep(20);
      if (group.members().length > 0) await this.#restart();
      else await this.#settled(group);
    });
  }

  /** Waits until the dead are off the books. */
  async #settled(group: ControlGroup): Promise<void> {
    for (let attempt = 0; attempt < 100 && group.current() > ownProcesses; attempt++) await sleep(10);
  }

  processes(): Promise<number> {
    return this.#use("count processes", async () => {
      if (this.#group) return this.#group.members().length;
      const { Processes, Titles } = (await this.#parts.container.top({ ps_args: "-o pid,stat" })) as {
        Processes: string[][];
        Titles: string[];
      };
      const state = Titles.indexOf("STAT");
      return Math.max(0, Processes.filter((row) => !row[state]?.startsWith("Z")).length - ownProcesses);
    });
  }

  diff(): Promise<FileChange[]> {
    return this.#use("read the changes", async () => {
      const { container, spec, docker, tag } = this.#parts;
      const targets = (spec.mounts ?? []).map((mount) => mount.target);
      const layers = layersOf(await container.inspect());
      if (layers) return await changesFromLayers(layers, targets);
      let made: Docker.Container | null = null;
      try {
        return await changesFromEngine(
          container,
          async () => {
            made ??= await docker.createContainer({ Image: tag, Cmd: ["/none"], Labels: { ...this.#parts.labels } });
            return made;
          },
          targets,
        );
      } finally {
        await (made as Docker.Container | null)?.remove({ force: true, v: true });
      }
    });
  }

  snapshot(): Promise<SandboxSnapshot> {
    return this.#use("take a snapshot", async () => {
      const { container, spec, docker } = this.#parts;
      const changes = await this.diff();
      const stable = changes.map(({ entry, ...change }) => {
        const { inode: _, ...own } = entry ?? {};
        return { ...change, entry: entry && own };
      });
      const digest = `sha256:${createHash("sha256")
        .update(JSON.stringify([spec.image.digest, stable]))
        .digest("hex")}`;
      const repo = "routesetter-snapshot";
      const name = `${this.id}-${snapshotCount++}`;
      await container.commit({ repo, tag: name, pause: true });
      const image: Image = {
        digest,
        layers: [],
        hostSystem: false,
        dockerTag: `${repo}:${name}`,
        configuration: spec.image.configuration,
        provenance: { ...spec.image.provenance, note: `a snapshot of ${this.id}` },
      };
      return {
        image,
        dispose: () =>
          attributed(`${this.id}: remove a snapshot`, async () => {
            for (let attempt = 0; ; attempt++)
              try {
                await docker.getImage(`${repo}:${name}`).remove({ force: true });
                return;
              } catch (error) {
                if (statusOf(error) === 404 || statusOf(error) === 409) return;
                // Two removals of one line of images at once trip over each other in the engine.
                if (attempt === 3 || !/unrecognized image ID/.test((error as Error).message)) throw error;
                await sleep(50);
              }
          }),
      };
    });
  }

  async fork(spec: Partial<Omit<SandboxSpec, "image">> = {}): Promise<SandboxHandle> {
    const snapshot = await this.snapshot();
    try {
      const fork = await this.#parts.create({
        ...this.#parts.spec,
        network: this.#network.policy,
        ...spec,
        image: snapshot.image,
      });
      const dispose = fork.dispose.bind(fork);
      fork.dispose = async () => {
        await dispose();
        await snapshot.dispose();
      };
      return fork;
    } catch (error) {
      await snapshot.dispose().catch(() => {});
      throw error;
    }
  }

  copyOut(path: string, destination: string, quota: { bytes: number; files: number }): Promise<boolean> {
    return this.#use(`copy ${path} out`, async () => {
      const { container } = this.#parts;
      const busy = this.#group === null || this.#group.members().length > 0;
      if (busy) await container.pause();
      try {
        return await copyOutOf(container, path, destination, quota);
      } finally {
        if (busy) await container.unpause();
      }
    });
  }

  copyIn(source: string, path: string): Promise<void> {
    return this.#use(`copy ${path} in`, () => copyIntoContainer(this.#parts.container, source, path));
  }

  /** The engine tells what changed only by walking everything, which costs more than it saves. */
  async isUntouched(): Promise<boolean> {
    return false;
  }

  setNetwork(policy: NetworkPolicy): Promise<void> {
    return this.#use("change the network", async () => {
      if (this.#group && !this.#group.firstProcessAlive) await this.#restart();
      await this.#network.change(policy, this.#group?.firstProcess ?? null);
    });
  }

  dispose(): Promise<void> {
    this.#disposed ??= (async () => {
      if (this.#watch) clearInterval(this.#watch);
      this.#parts.forget(this.id);
      await this.#network.close();
      await attributed(`${this.id}: dispose`, async () => {
        try {
          await this.#parts.container.remove({ force: true, v: true });
        } catch (error) {
          if (statusOf(error) !== 404 && !/already in progress/.test((error as Error).message)) throw error;
        }
      });
    })();
    return this.#disposed;
  }
}

let snapshotCount = 0;
const cancelled: Cause = { code: "cancelled", message: "the caller cancelled the command" };
const diskLimit = (bytes: number): Cause => ({
  code: "disk_limit",
  message: `more than ${bytes} bytes were written`,
  limit: bytes,
});
