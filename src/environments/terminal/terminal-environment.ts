import { posix } from "node:path";
import type {
  Action,
  Environment,
  FileChange,
  Json,
  JsonObject,
  Observation,
  RunResult,
  SandboxSnapshot,
  Snapshot,
  Transition,
} from "../../contract/index.ts";
import { EnvironmentError } from "../../contract/index.ts";
import { describeLimit, describeRun, limitJson } from "./observation-text.ts";
import type { TerminalState } from "./terminal-state.ts";
import { isToolName, type ToolName, terminalTools, toolArguments } from "./tools.ts";

export type TerminalEnvironmentOptions = {
  readonly instruction: string;
  /** Wall time of a command that names none, and the most that one may name. */
  readonly commandTimeoutMilliseconds: number;
  /** Bytes kept of each stream, and of a file that is read. */
  readonly outputBytes: number;
};

const quiet: Record<string, string> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  TERM: "dumb",
  BASH_ENV: "",
  ENV: "",
};
const shell = 'command -v bash >/dev/null 2>&1 && exec bash --noprofile --norc -c "$1"; exec sh -c "$1"';

/** A terminal as an agent holds it: tools, and what they show. */
export class TerminalEnvironment implements Environment {
  readonly kind = "terminal";
  readonly tools = terminalTools();
  readonly #state: TerminalState;
  readonly #options: TerminalEnvironmentOptions;
  readonly #snapshots = new Map<string, { saved: SandboxSnapshot; changes: FileChange[]; steps: number }>();
  #last: Observation;
  #steps = 0;
  #submitted = false;

  constructor(state: TerminalState, options: TerminalEnvironmentOptions) {
    this.#state = state;
    this.#options = options;
    this.#last = this.#first();
  }

  async reset(options: { seed?: number; signal?: AbortSignal } = {}): Promise<Observation> {
    options.signal?.throwIfAborted();
    await this.#state.begin();
    options.signal?.throwIfAborted();
    this.#steps = 0;
    this.#submitted = false;
    this.#last = this.#first();
    return structuredClone(this.#last);
  }

  async step(action: Action, options: { signal?: AbortSignal } = {}): Promise<Transition> {
    options.signal?.throwIfAborted();
    if (this.#submitted || this.#state.closed)
      return this.#refuse("episode_over", "the work was submitted; nothing runs any more", true);
    this.#steps += 1;
    if (!isToolName(action.name))
      return this.#refuse(
        "unknown_tool",
        `there is no tool ${JSON.stringify(action.name)}; there are ${Object.keys(toolArguments).join(", ")}`,
      );
    const parsed = toolArguments[action.name].safeParse(action.arguments);
    if (!parsed.success) {
      const issues = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
      return this.#refuse("bad_arguments", `${action.name} can't take these arguments: ${issues.join("; ")}`);
    }
    const transition = await this.#perform(action.name, parsed.data, options.signal);
    this.#last = transition.observation;
    return structuredClone(transition);
  }

  async observe(): Promise<Observation> {
    return structuredClone(this.#last);
  }

  async view(): Promise<Json> {
    return {
      kind: this.kind,
      working_directory: this.#state.workingDirectory,
      steps: this.#steps,
      submitted: this.#submitted,
    };
  }

  async snapshot(): Promise<Snapshot> {
    const saved = await this.#state.handle.snapshot();
    const id = `${saved.image.digest}#${this.#snapshots.size}`;
    this.#snapshots.set(id, { saved, changes: await this.#state.changes(), steps: this.#steps });
    return { kind: this.kind, digest: saved.image.digest, data: { id, submitted: this.#submitted } };
  }

  async restore(snapshot: Snapshot): Promise<void> {
    const data = snapshot.data as { id?: string; submitted?: boolean } | null;
    const found = this.#snapshots.get(data?.id ?? "");
    if (!found)
      throw new EnvironmentError({
        code: "snapshot_unknown",
        message: "this snapshot is not one of this terminal's",
        remedy: "restore it with the environment that made it",
      });
    await this.#state.start(found.saved.image, found.changes);
    this.#steps = found.steps;
    this.#submitted = data?.submitted === true;
  }

  async close(): Promise<void> {
    await this.#state.dispose();
    for (const { saved } of this.#snapshots.values()) await saved.dispose();
    await this.#state.close();
    this.#snapshots.clear();
  }

  #first(): Observation {
    return {
      text: this.#options.instruction,
      data: { instruction: this.#options.instruction, working_directory: this.#state.workingDirectory },
    };
  }

  async #perform(name: ToolName, parameters: unknown, signal: AbortSignal | undefined): Promise<Transition> {
    if (name === "submit") {
      this.#submitted = true;
      return transition({ text: "submitted", data: {} }, {}, true);
    }
    if (name === "run") {
      const { command, timeout_sec } = parameters as { command: string; timeout_sec?: number };
      const longest = this.#options.commandTimeoutMilliseconds;
      const result = await this.#state.run(["/bin/sh", "-c", shell, "sh", command], {
        environment: quiet,
        timeoutMilliseconds: timeout_sec === undefined ? longest : Math.min(longest, timeout_sec * 1000),
        outputBytes: this.#options.outputBytes,
        ...(signal ? { signal } : {}),
      });
      return transition(describeRun(result), result.limit ? { limit: limitJson(result.limit) } : {});
    }
    const { path, content, range } = parameters as { path: string; content?: string; range?: [number, number] };
    const absolute = posix.resolve(this.#state.workingDirectory, path);
    return name === "write" ? this.#write(absolute, content ?? "", signal) : this.#read(absolute, range, signal);
  }

  async #write(path: string, content: string, signal: AbortSignal | undefined): Promise<Transition> {
    const result = await this.#script('mkdir -p -- "$2" && cat > "$1"', [path, posix.dirname(path)], signal, content);
    const bytes = Buffer.byteLength(content);
    if (result.exitCode !== 0) return this.#fileError(`write ${path}`, result);
    return transition({ text: `wrote ${bytes} bytes to ${path}`, data: { path, bytes } }, {});
  }

  async #read(path: string, range: [number, number] | undefined, signal: AbortSignal | undefined): Promise<Transition> {
    const result = range
      ? await this.#script('sed -n -e "$2,$3p" -e "$3q" < "$1"', [path, String(range[0]), String(range[1])], signal)
      : await this.#script('cat < "$1"', [path], signal);
    if (result.exitCode !== 0) return this.#fileError(`read ${path}`, result);
    const { text, truncated, bytes } = result.stdout;
    const note = truncated
      ? `\n[cut: ${Buffer.byteLength(text)} of ${bytes} bytes shown (output_limit = ${this.#options.outputBytes}); read the rest by lines]`
      : "";
    return transition({ text: text + note, data: { path, text, bytes, truncated } }, {});
  }

  #script(
    script: string,
    words: readonly string[],
    signal: AbortSignal | undefined,
    input?: string,
  ): Promise<RunResult> {
    return this.#state.run(["/bin/sh", "-c", script, "sh", ...words], {
      environment: quiet,
      timeoutMilliseconds: Math.min(60_000, this.#options.commandTimeoutMilliseconds),
      outputBytes: this.#options.outputBytes,
      ...(input === undefined ? {} : { input }),
      ...(signal ? { signal } : {}),
    });
  }

  #fileError(what: string, result: RunResult): Transition {
    const reason = result.limit ? describeLimit(result.limit) : result.stderr.text.replace(/^.*?: \d+: /, "").trim();
    const refused = this.#refuse("file_error", `${what}: ${reason || `exit code ${result.exitCode}`}`);
    return result.limit ? { ...refused, info: { ...refused.info, limit: limitJson(result.limit) } } : refused;
  }

  #refuse(code: string, message: string, terminated = false): Transition {
    const observation = { text: `error: ${message}`, data: {} };
    this.#last = observation;
    return transition(observation, { error: { code, message } }, terminated);
  }
}

function transition(observation: Observation, info: JsonObject, terminated = false): Transition {
  return { observation, reward: 0, terminated, truncated: false, info };
}
