// One request and its answer: deadlines, the whole body, and what a failure of it is called.
import { ModelError, type ModelReply } from "../../contract/index.ts";
import { failedAnswer, failedResponse, failure, redact } from "./failures.ts";

export type Limits = {
  /** Milliseconds until the answer begins, and between two of its pieces. Default 2 minutes. */
  readonly idleMilliseconds: number;
  /** Milliseconds for the whole. Default 10 minutes. */
  readonly totalMilliseconds: number;
  /** Bytes of the answer's body. Default 32 MiB. */
  readonly bodyBytes: number;
};

const usual: Limits = { idleMilliseconds: 120_000, totalMilliseconds: 600_000, bodyBytes: 32 * 1024 ** 2 };

export class Exchange {
  readonly signal: AbortSignal;
  readonly fetch: typeof globalThis.fetch;
  readonly #own = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #secret: string | null;
  readonly #limits: Limits;
  #body: string | null = null;
  #failed: ModelError | null = null;

  constructor(options: { key: string | null; limits?: Partial<Limits> }, caller: AbortSignal | undefined) {
    this.#limits = { ...usual, ...options.limits };
    this.#secret = options.key;
    this.#caller = caller;
    this.signal = caller ? AbortSignal.any([caller, this.#own.signal]) : this.#own.signal;
    this.fetch = (input, init) => this.#fetch(input, init);
  }

  /** `send` makes the SDK call `fetch`; what it makes of the body doesn't count, `read` does. */
  async run(send: () => Promise<void>, read: (body: string) => ModelReply): Promise<ModelReply> {
    const { totalMilliseconds } = this.#limits;
    const timer = setTimeout(
      () => this.#own.abort(failure("timeout", `no whole answer within ${totalMilliseconds / 1000} s`)),
      totalMilliseconds,
    );
    try {
      let sent: unknown = null;
      await send().catch((error) => {
        sent = error;
      });
      this.#caller?.throwIfAborted();
      if (this.#failed) throw this.#failed;
      if (this.#body === null) throw this.#attribute(sent);
      return this.#readAnswer(this.#body, read);
    } catch (error) {
      if (this.#caller?.aborted) throw error;
      throw redact(ModelError.isInstance(error) ? error : this.#attribute(error), this.#secret);
    } finally {
      clearTimeout(timer);
    }
  }

  /** What an error quotes of the answer is cut: the key goes before that, or a part of it would stay. */
  #readAnswer(body: string, read: (body: string) => ModelReply): ModelReply {
    try {
      return read(body);
    } catch (error) {
      const secret = this.#secret;
      if (secret && body.includes(secret)) read(this.#clean(body));
      throw error;
    }
  }

  /** Never throws for a fault of the endpoint: the SDK would wrap it. */
  async #fetch(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
    const watch = new IdleWatch(this.#limits.idleMilliseconds, this.#own);
    let response: Response | null = null;
    try {
      response = await globalThis.fetch(input, { ...init, signal: this.signal });
      watch.touch();
      const text = await this.#read(response, watch);
      if (response.ok) this.#body = text;
      else this.#failed = failedResponse(response.status, response.headers, this.#clean(text));
      return new Response(text, { status: response.status, headers: response.headers });
    } catch (error) {
      this.#failed = this.#attribute(error, response);
      throw error;
    } finally {
      watch.stop();
    }
  }

  async #read(response: Response, watch: IdleWatch): Promise<string> {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      watch.touch();
      length += chunk.length;
      if (length > this.#limits.bodyBytes)
        throw failure("answer_too_large", `the answer has more than ${this.#limits.bodyBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  }

  #clean(text: string): string {
    return this.#secret ? text.replaceAll(this.#secret, "[key]") : text;
  }

  #attribute(error: unknown, response: Response | null = null): ModelError {
    if (ModelError.isInstance(error)) return error;
    const reason = this.#own.signal.reason;
    if (this.#own.signal.aborted && ModelError.isInstance(reason))
      return response?.ok ? failedAnswer("timeout", reason.message, null) : reason;
    const { message, cause } = error instanceof Error ? error : new Error(String(error));
    const detail = cause instanceof Error ? `${message}: ${cause.message}` : message;
    if (response?.ok)
      return failedAnswer("truncated", `the connection broke off within the answer (${detail})`, null, error);
    return failure("connection", `the endpoint can't be reached (${detail})`, error);
  }
}

class IdleWatch {
  readonly #milliseconds: number;
  readonly #controller: AbortController;
  #timer: NodeJS.Timeout;

  constructor(milliseconds: number, controller: AbortController) {
    this.#milliseconds = milliseconds;
    this.#controller = controller;
    this.#timer = this.#start();
  }

  touch(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #start(): NodeJS.Timeout {
    const message = `nothing came for ${this.#milliseconds / 1000} s`;
    return setTimeout(() => this.#controller.abort(failure("timeout", message)), this.#milliseconds);
  }
}
