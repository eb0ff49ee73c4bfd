// Serves one verification's requests to execute artefacts: a UNIX socket in a folder that is mounted into the
// verifier's sandbox. The verifier sends commands, the answer comes back through the same connection, nothing else.
import { chmod, mkdir } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { RoutesetterError } from "../../../contract/index.ts";
import { hostStorage } from "../workspace.ts";
import { type BrokerRequest, type BrokerResponse, brokerRequestSchema } from "./broker-protocol.ts";

export const brokerDirectory = "/run/routesetter";
const maximumRequestBytes = 64 * 1024 * 1024;

export type BrokerLimits = { readonly requests: number; readonly concurrent: number };

/** Runs one request; a rejection is a fault of the host. */
export type BrokerExecute = (request: BrokerRequest, signal: AbortSignal) => Promise<BrokerResponse>;

export class Broker {
  /** The host's folder with the socket, to be mounted at `brokerDirectory`. */
  readonly directory: string;
  /** The first fault that was not the artefact's: it decides over the whole verification. */
  fault: unknown = null;
  readonly #server: Server;
  readonly #execute: BrokerExecute;
  readonly #limits: BrokerLimits;
  readonly #abort = new AbortController();
  readonly #sockets = new Set<Socket>();
  readonly #running = new Set<Promise<void>>();
  #requests = 0;

  private constructor(directory: string, execute: BrokerExecute, limits: BrokerLimits) {
    this.directory = directory;
    this.#execute = execute;
    this.#limits = limits;
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  /** Errors: SandboxError when the socket can't be made. */
  static async open(
    parent: string,
    execute: BrokerExecute,
    limits: BrokerLimits = { requests: 1000, concurrent: 4 },
  ): Promise<Broker> {
    const directory = join(parent, "b");
    const broker = new Broker(directory, execute, limits);
    const path = join(directory, "broker.sock");
    await hostStorage(async () => {
      await mkdir(directory, { recursive: true });
      await new Promise<void>((resolve, reject) => {
        broker.#server.once("error", reject);
        broker.#server.listen(path, resolve);
      });
      await chmod(directory, 0o755);
      await chmod(path, 0o666);
    });
    return broker;
  }

  /** Ends every connection and waits until no nested sandbox is left. */
  async close(): Promise<void> {
    this.#abort.abort();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([closed, ...this.#running]);
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    const chunks: Buffer[] = [];
    let size = 0;
    let started = false;
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      if (started) return;
      const end = chunk.indexOf(10);
      chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
      size += chunk.length;
      if (end < 0 && size <= maximumRequestBytes) return;
      started = true;
      const work = this.#answer(size > maximumRequestBytes ? null : Buffer.concat(chunks)).then((response) => {
        if (!socket.destroyed) socket.end(line(response));
      });
      this.#running.add(work);
      void work.finally(() => this.#running.delete(work));
    });
    socket.on("end", () => {
      if (!started) socket.end(`${JSON.stringify(refusal("the request has no newline at its end"))}\n`);
    });
  }

  async #answer(bytes: Buffer | null): Promise<BrokerResponse> {
    if (bytes === null) return refusal(`a request has at most ${maximumRequestBytes} bytes`);
    this.#requests += 1;
    if (this.#requests > this.#limits.requests)
      return refusal(`a verification has at most ${this.#limits.requests} requests`);
    if (this.#running.size >= this.#limits.concurrent)
      return refusal(`at most ${this.#limits.concurrent} requests run at once`);
    let request: BrokerRequest;
    try {
      request = brokerRequestSchema.parse(JSON.parse(bytes.toString("utf8")));
    } catch (error) {
      return refusal(`not a request: ${error instanceof Error ? error.message.slice(0, 500) : error}`);
    }
    try {
      return await this.#execute(request, this.#abort.signal);
    } catch (error) {
      if (!this.#abort.signal.aborted) this.fault ??= error;
      return refusal(RoutesetterError.isInstance(error) ? `${error.code}: ${error.message}` : String(error));
    }
  }
}

function line(response: BrokerResponse): string {
  try {
    return `${JSON.stringify(response)}\n`;
  } catch {
    return `${JSON.stringify(refusal("the answer is too long"))}\n`;
  }
}

const refusal = (error: string): BrokerResponse => ({ results: [], files: {}, error });
