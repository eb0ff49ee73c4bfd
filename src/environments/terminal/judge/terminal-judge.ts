// Sealed verification: the agent's processes end first, then what may be carried over is taken out once, then a fresh
// sandbox is made for each grading. The reward comes from a folder that did not exist while the agent lived.

import { createHash } from "node:crypto";
import { access, constants, mkdir } from "node:fs/promises";
import { join } from "node:path";
import {
  ArtefactError,
  canonicalJson,
  type JsonObject,
  type Judge,
  type SandboxBackend,
  type SandboxHandle,
  type SandboxSpec,
  type Verdict,
  type VerificationMode,
  VerifierError,
} from "../../../contract/index.ts";
import type { Task } from "../../../tasks/index.ts";
import type { TerminalSettings } from "../settings.ts";
import type { TerminalState } from "../terminal-state.ts";
import { hostStorage } from "../workspace.ts";
import { Broker, brokerDirectory } from "./broker.ts";
import { type CarriedWork, placeWork, readableWork } from "./carried-work.ts";
import { readChecks } from "./checks/read-checks.ts";
import { type Collected, collectWork } from "./collect-work.ts";
import { findForgedFiles } from "./forged-files.ts";
import { nestedExecution } from "./nested-execution.ts";
import { parseReward } from "./reward.ts";
import { evidence, isRootUser, runVerifier, type VerifierRun } from "./run-verifier.ts";

export type TerminalJudgeOptions = {
  readonly task: Task;
  readonly settings: TerminalSettings;
  readonly mode: VerificationMode;
  readonly backend: SandboxBackend;
  /** The verifier's sandbox, but for mounts and network. */
  readonly spec: SandboxSpec;
  /** A host folder of this judge's own. */
  readonly directory: string;
  readonly signal?: AbortSignal;
};

const outputBytes = 1024 * 1024;
const gitSettings: Record<string, string> = {
  GIT_CONFIG_COUNT: "3",
  GIT_CONFIG_KEY_0: "safe.directory",
  GIT_CONFIG_VALUE_0: "*",
  GIT_CONFIG_KEY_1: "core.hooksPath",
  GIT_CONFIG_VALUE_1: "/dev/null",
  GIT_CONFIG_KEY_2: "core.fsmonitor",
  GIT_CONFIG_VALUE_2: "false",
};

export class TerminalJudge implements Judge {
  readonly digest: string;
  readonly #state: TerminalState;
  readonly #options: TerminalJudgeOptions;
  #work: Promise<Collected> | null = null;
  #gradings = 0;

  constructor(state: TerminalState, options: TerminalJudgeOptions) {
    this.#state = state;
    this.#options = options;
    const identity = { task: options.task.digest, image: options.spec.image.digest, mode: options.mode };
    this.digest = `sha256:${createHash("sha256").update(canonicalJson(identity)).digest("hex")}`;
  }

  async verdict(): Promise<Verdict> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    const handle = this.#state.handle;
    this.#state.closed = true;
    const { directory } = this.#options;
    const scratch = join(directory, `grading-${++this.#gradings}`);
    await hostStorage(() => mkdir(scratch, { recursive: true }));
    let collected: Collected;
    try {
      this.#work ??= this.#collect(handle, directory);
      collected = await this.#work;
    } catch (error) {
      if (ArtefactError.isInstance(error)) return this.#refused(error);
      this.#work = null;
      throw error;
    }
    const run =
      this.#options.mode === "live"
        ? await this.#gradeLive(handle, scratch)
        : await this.#gradeFresh(collected, scratch);
    return this.#decide(run, collected);
  }

  async #collect(handle: SandboxHandle, directory: string): Promise<Collected> {
    if (this.#options.mode !== "live") await handle.killAll();
    const attacks = await findForgedFiles(handle, directory);
    const { task, settings, mode } = this.#options;
    const collected = await collectWork(this.#state, { task, settings, mode, directory: join(directory, "work") });
    return { ...collected, attacks: [...attacks, ...collected.attacks] };
  }

  async #gradeFresh(collected: Collected, scratch: string): Promise<VerifierRun> {
    const { backend, spec, settings, task, mode } = this.#options;
    let nested: Promise<CarriedWork> | null = null;
    const needsBroker = task.requirements === null || task.requirements.executes.length > 0;
    const readable = () => {
      nested ??= readableWork(collected.work, join(scratch, "nested"));
      return nested;
    };
    const broker = needsBroker
      ? await Broker.open(scratch, nestedExecution(backend, nestedSpec(spec), readable, join(scratch, "collected")))
      : null;
    try {
      const mountTests = task.requirements !== null && (await isExecutable(join(task.directory, "tests/test.sh")));
      const handle = await backend.create({
        ...spec,
        network: mode === "sealed" ? { mode: "none" } : settings.verifier.network,
        mounts: [
          ...(mountTests ? [{ source: join(task.directory, "tests"), target: "/tests", readOnly: true }] : []),
          ...(broker ? [{ source: broker.directory, target: brokerDirectory, readOnly: true }] : []),
        ],
      });
      try {
        const asRoot = isRootUser(this.#user());
        await placeWork(handle, asRoot ? collected.work : await readable());
        if (!mountTests) await copyTests(handle, task);
        const run = await this.#run(handle, scratch);
        if (broker?.fault) throw broker.fault;
        return run;
      } catch (error) {
        throw broker?.fault ?? error;
      } finally {
        await handle.dispose();
      }
    } finally {
      await broker?.close();
    }
  }

  async #gradeLive(handle: SandboxHandle, scratch: string): Promise<VerifierRun> {
    await handle.session.run(["/bin/rm", "-rf", "/tests"], { user: "0:0", workingDirectory: "/" });
    await copyTests(handle, this.#options.task);
    return this.#run(handle, scratch);
  }

  #run(handle: SandboxHandle, scratch: string): Promise<VerifierRun> {
    const { settings, signal } = this.#options;
    return runVerifier(handle, {
      workingDirectory: this.#state.workingDirectory,
      user: this.#user(),
      environment: { ...gitSettings, ...settings.verifier.environment },
      timeoutMilliseconds: settings.verifier.timeoutMilliseconds,
      outputBytes,
      destination: join(scratch, "logs"),
      ...(signal ? { signal } : {}),
    });
  }

  #user(): string {
    return this.#options.settings.verifier.user ?? this.#options.spec.image.configuration.user;
  }

  #decide(run: VerifierRun, collected: Collected): Verdict {
    const output = evidence(run.result.stdout.text);
    const { exitCode } = run.result;
    try {
      const { score, rewards } = parseReward(run);
      const report = readChecks({ ctrf: run.ctrf, rewards, output: run.result.stdout.text });
      const details: JsonObject = {
        ...this.#details(collected),
        exit_code: exitCode,
        checks_from: report.source,
        output,
      };
      return {
        success: score === 1,
        score,
        rewards,
        checks: report.checks,
        mode: this.#options.mode,
        attacks: [...collected.attacks],
        details,
      };
    } catch (error) {
      if (!VerifierError.isInstance(error)) throw error;
      throw new VerifierError({
        code: error.code,
        message: error.message,
        details: { exit_code: exitCode, output },
        cause: error,
      });
    }
  }

  #details(collected: Collected): JsonObject {
    const { mode } = this.#options;
    return {
      ...(mode === "live" ? { weaker: "the verifier ran where the agent had worked" } : {}),
      artefacts: collected.artefacts.map((artefact) => ({ ...artefact })),
      restored: collected.restored.map((entry) => ({ ...entry })),
      ...(collected.restoredCount > collected.restored.length ? { restored_count: collected.restoredCount } : {}),
    };
  }

  #refused(error: ArtefactError): Verdict {
    return {
      success: false,
      score: 0,
      rewards: {},
      checks: [],
      mode: this.#options.mode,
      attacks: [],
      details: { cause: { code: "artefact_refused", message: error.message }, artefact_error: error.code },
    };
  }
}

/** The verifier's sandbox without what only it may have. */
function nestedSpec(spec: SandboxSpec): SandboxSpec {
  const { memoryBytes, diskBytes } = spec.limits ?? {};
  return {
    ...spec,
    user: "65534:65534",
    limits: { ...(memoryBytes ? { memoryBytes } : {}), ...(diskBytes ? { diskBytes } : {}), processes: 256 },
  };
}

async function copyTests(handle: SandboxHandle, task: Task): Promise<void> {
  await handle.copyIn(join(task.directory, "tests"), "/tests");
  await handle.session.run(["/bin/chmod", "+x", "/tests/test.sh"], { user: "0:0", workingDirectory: "/" });
}

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
