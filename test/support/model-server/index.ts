// A local model endpoint in a process of its own, with faults on demand. `script` says what comes, one entry a request.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

export type ScriptedCall = { readonly id: string; readonly name: string; readonly arguments: string };

export type ScriptedAnswer = {
  readonly text?: string;
  readonly reasoning?: string;
  readonly refusal?: string;
  readonly calls?: readonly ScriptedCall[];
  /** OpenAI's dialect in pieces: the `tool_calls` deltas as they are sent, one a piece. */
  readonly deltas?: readonly object[];
  /** The endpoint's own word for why it ended; null: none. */
  readonly finish?: string | null;
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number };
  readonly fault?:
    | "rate-limit"
    | "rate-limit-after"
    | "status"
    | "overflow"
    | "filter"
    | "echo-key"
    | "hang"
    | "reset"
    | "not-json"
    | "truncated";
  /** Of `status`. */
  readonly status?: number;
  readonly message?: string;
  /** Of `rate-limit-after`. */
  readonly seconds?: number;
  /** Of `truncated`: how many pieces come, and whether the connection is closed as if all were well. */
  readonly pieces?: number;
  readonly clean?: boolean;
  /** An error object in the answer, after what came before. */
  readonly error?: string;
  /** Milliseconds before each piece. */
  readonly slow?: number;
  /** The last entry may stand for all requests to come. */
  readonly repeat?: boolean;
};

export type LoggedRequest = {
  readonly path: string;
  readonly key: string | null;
  readonly body: { readonly messages?: unknown; readonly [key: string]: unknown };
};

export class ModelServer {
  readonly #process: ChildProcess;
  readonly origin: string;

  private constructor(process: ChildProcess, port: string) {
    this.#process = process;
    this.origin = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<ModelServer> {
    const child = spawn(process.execPath, [join(import.meta.dirname, "server.mjs")], {
      stdio: ["ignore", "pipe", "inherit", "ipc"],
    });
    const port = await new Promise<string>((resolve, reject) => {
      child.once("error", reject);
      child.stdout?.once("data", (data: Buffer) => resolve(String(data).trim()));
    });
    return new ModelServer(child, port);
  }

  async script(...entries: readonly ScriptedAnswer[]): Promise<void> {
    await fetch(`${this.origin}/script`, { method: "POST", body: JSON.stringify(entries) });
  }

  /** The requests since the script was set. */
  async log(): Promise<LoggedRequest[]> {
    return (await (await fetch(`${this.origin}/log`)).json()) as LoggedRequest[];
  }

  close(): void {
    this.#process.kill();
  }
}
