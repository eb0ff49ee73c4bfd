import { posix } from "node:path";
import type {
  Action,
  Environment,
  FileChange,
  Json,
  JsonObject,
  Observation,
  SandboxSnapshot,
  Snapshot,
  Transition,
} from "../../contract/index.ts";
import { EnvironmentError, RoutesetterError, SandboxError } from "../../contract/index.ts";
import { describeRun, limitJson } from "./observation-text.ts";
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
    await this.#state.start();
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
    try {
      return transition(
        name === "write" ? await this.#write(absolute, content ?? "") : await this.#read(absolute, range),
        {},
      );
    } catch (error) {
      if (isFaultOfHost(error)) throw error;
      const message = error instanceof Error ? error.message : String(error);
      return this.#refuse("file_error", `${name} ${absolute}: ${message}`);
    }
  }

  async #write(path: string, content: string): Promise<Observation> {
    await this.#state.handle.session.writeFile(path, content, this.#state.user ? { user: this.#state.user } : {});
    const bytes = Buffer.byteLength(content);
    return { text: `wrote ${bytes} bytes to ${path}`, data: { path, bytes } };
  }

  async #read(path: string, range: [number, number] | undefined): Promise<Observation> {
    const limit = this.#options.outputBytes;
    const wanted = range ? 64 * 1024 * 1024 : limit + 1;
    const bytes = await this.#state.handle.session.readFile(path, { maximumBytes: wanted });
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const lines = range
      ? text
          .split("\n")
          .slice(range[0] - 1, range[1])
          .join("\n")
      : text;
    const shown = Buffer.byteLength(lines) > limit ? cut(lines, limit) : lines;
    const truncated = shown.length < lines.length || bytes.length >= wanted;
    const note = truncated ? `\n[cut: ${Buffer.byteLength(shown)} bytes shown, output_limit = ${limit}]` : "";
    return { text: shown + note, data: { path, text: shown, truncated } };
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

/** Cuts to at most so many bytes, never inside a code point. */
function cut(text: string, bytes: number): string {
  const buffer = Buffer.from(text).subarray(0, bytes);
  return new TextDecoder().decode(buffer, { stream: true });
}

const fileCodes = /^(?:file|path|not_found|no_such|is_directory|permission|disk_limit|read_failed|write_failed)/;

function isFaultOfHost(error: unknown): boolean {
  if (SandboxError.isInstance(error)) return !fileCodes.test(error.code);
  return RoutesetterError.isInstance(error);
}
