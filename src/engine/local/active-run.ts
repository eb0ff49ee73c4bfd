// One run that is being executed: what it has asked for, what is in flight, and what stops it.
import { setImmediate } from "node:timers/promises";
import { EngineError, type Json, type RunEvent } from "../../contract/index.ts";
import { type NewEvent, storedJson } from "../../store/index.ts";
import { Bits } from "./bits.ts";
import { inlineLimitBytes, type Journal, type RunRow, type StepRow } from "./journal.ts";
import { resultText } from "./result-text.ts";
import { type Scope, scopes } from "./scope.ts";

const breathMilliseconds = 20;
const startsAfterMilliseconds = 50;
const readAhead = 128;
const readAheadLimit = 4 * readAhead;

/** An event as subscribers get it: with its run and time. */
export type LiveEvent = { readonly run: string; readonly time: number; readonly event: RunEvent };
export type Asked = { readonly row: StepRow; readonly isNew: boolean };
export type InFlight = { row: StepRow; isWritten: boolean; abandon: ((reason: unknown) => void) | null };

export class ActiveRun {
  readonly row: RunRow;
  readonly journal: Journal;
  readonly controller = new AbortController();
  /** Steps in flight, by key. */
  readonly inFlight = new Map<string, InFlight>();
  /** Which steps an error comes from, to be done again when the run that failed of it is resumed. */
  readonly causes = new WeakMap<object, Set<string>>();
  abandonFlow: ((reason: unknown) => void) | null = null;
  readonly #notify: (event: LiveEvent) => void;
  readonly #asked = new Bits();
  /** Keys that were asked for and have no row yet. */
  readonly #unwritten = new Set<string>();
  /** Finished steps that the flow will probably ask for next: the order of a resumed run is about the same. */
  readonly #ahead = new Map<string, StepRow>();
  readonly #firstNewOrdinal: number;
  #askedCount = 0;
  #nextOrdinal: number;
  #fatal: { reason: unknown } | null = null;
  #breath = performance.now();
  #starts: NodeJS.Timeout | null = null;

  constructor(row: RunRow, journal: Journal, notify: (event: LiveEvent) => void) {
    this.row = row;
    this.journal = journal;
    this.#notify = notify;
    this.#nextOrdinal = journal.ordinals(row.number).ordinal + 1;
    this.#firstNewOrdinal = this.#nextOrdinal;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The error that ends the run whatever its flow does, if there is one. */
  get fatal(): { reason: unknown } | null {
    return this.#fatal ?? (this.signal.aborted ? { reason: this.signal.reason } : null);
  }

  /** Makes an error final: no flow can swallow it, and steps at work are told to stop. Returns it. */
  fail<E>(error: E): E {
    if (!this.#fatal) {
      this.#fatal = { reason: error };
      this.controller.abort(error);
    }
    return error;
  }

  /** Whether the run failed for good; when it is only cancelled, what steps still finish is kept. */
  get isFailed(): boolean {
    return this.#fatal !== null;
  }

  throwIfEnded(): void {
    const fatal = this.fatal;
    if (fatal) throw fatal.reason;
  }

  /** Runs a piece of the journal's work; its failure is final. */
  durably<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** Takes the key: the journal's row, or a new one. The same key twice in one run is final. */
  ask(key: string, kind: StepRow["kind"], stage: string | null): Asked {
    this.throwIfEnded();
    if (scopes.getStore()?.step && scopes.getStore()?.run === this.row.number)
      throw this.fail(
        new EngineError({
          code: "step_nested",
          message: `${kind} ${JSON.stringify(key)} was asked for inside of another step of run ${this.row.id}`,
          remedy: "ask for it in the flow, or in an item of `all`, and pass its result to the step",
        }),
      );
    const row = this.durably(() => this.#find(key));
    if (this.#unwritten.has(key) || (row && this.#asked.has(row.ordinal))) throw this.fail(this.#duplicate(key, kind));
    if (row && row.kind !== kind) throw this.fail(this.#changed(key, row.kind, kind));
    const ordinal = row?.ordinal ?? this.#nextOrdinal++;
    this.#asked.add(ordinal);
    this.#askedCount++;
    if (row) return { row, isNew: false };
    this.#unwritten.add(key);
    return {
      row: {
        run: this.row.number,
        ordinal,
        key,
        kind,
        stage,
        status: "running",
        attempts: 0,
        started_at: this.journal.store.clock(),
        finished_at: null,
        result: null,
        blob: null,
        error: null,
      },
      isNew: true,
    };
  }

  /** The key that was asked for has its row now, or never gets one. */
  settle(key: string): void {
    this.#unwritten.delete(key);
  }

  /** Keys that the journal has and the flow didn't ask for, up to a limit. */
  unasked(limit: number): { count: number; keys: string[] } {
    const { count, ordinal } = this.journal.ordinals(this.row.number);
    const keys: string[] = [];
    if (count === this.#askedCount) return { count: 0, keys };
    for (let i = 0; i <= ordinal && keys.length < limit; i++) {
      if (this.#asked.has(i)) continue;
      const key = this.journal.keyAt(this.row.number, i);
      if (key !== undefined) keys.push(key);
    }
    return { count: keys.length < limit ? keys.length : count - this.#askedCount, keys };
  }

  /** Notes a step that begins; when it takes long, others see it in the journal. */
  begin(key: string, row: StepRow): InFlight {
    const entry: InFlight = { row, isWritten: false, abandon: null };
    this.inFlight.set(key, entry);
    this.#starts ??= setTimeout(() => this.#writeStarts(), startsAfterMilliseconds).unref();
    return entry;
  }

  /** The value of a result as the journal keeps it. */
  async value(row: Pick<StepRow, "result" | "blob">): Promise<Json | undefined> {
    if (row.blob === null) return row.result === null ? undefined : storedJson(row.result, this.journal.store.file);
    const { blob } = row;
    try {
      return storedJson((await this.journal.store.blobs.get(blob)).toString("utf8"), this.journal.store.file);
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** What the journal keeps of a value: its text, or the blob that holds it. */
  async kept(
    value: unknown,
    owner: string,
  ): Promise<{ text: string | null; result: string | null; blob: string | null }> {
    const text = resultText(value, owner);
    if (text === null || text.length * 3 <= inlineLimitBytes || Buffer.byteLength(text) <= inlineLimitBytes)
      return { text, result: text, blob: null };
    try {
      return { text, result: null, blob: await this.journal.store.blobs.put(text) };
    } catch (error) {
      throw this.fail(error);
    }
  }

  /** Emits from wherever in the flow the caller is; `fallback` is the scope when that can't be told. */
  emit(event: RunEvent, fallback: Scope): void {
    const current = scopes.getStore();
    const scope = current?.run === this.row.number ? current : fallback;
    const time = this.journal.store.clock();
    const stored: NewEvent = { run: this.row.id, source: scope.sourceOf(event), type: event.type, time, body: event };
    if (scope.pending) scope.pending.push(stored);
    else if (!this.durably(() => this.journal.store.events.append(stored))) return;
    this.#notify({ run: this.row.id, time, event });
  }

  /** An event of the engine itself about this run. */
  tell(type: string, body: { [key: string]: Json } = {}): void {
    const time = this.journal.store.clock();
    const event: RunEvent = { ...body, type };
    this.journal.store.events.append({ run: this.row.id, type, time, body: event });
    this.#notify({ run: this.row.id, time, event });
  }

  /** Lets timers, signals and other runs have their turn now and then, however fast the steps are. */
  async breathe(): Promise<void> {
    if (performance.now() - this.#breath < breathMilliseconds) return;
    await setImmediate();
    this.#breath = performance.now();
  }

  /** Steps, and a flow, that ignore the signal are left behind. */
  abandonAll(): void {
    this.abandonFlow?.(this.signal.reason);
    for (const { abandon } of this.inFlight.values()) abandon?.(this.signal.reason);
  }

  end(): void {
    if (this.#starts) clearTimeout(this.#starts);
  }

  #find(key: string): StepRow | undefined {
    const known = this.#ahead.get(key);
    if (known) {
      this.#ahead.delete(key);
      return known;
    }
    const row = this.journal.step(this.row.number, key);
    if (row && row.ordinal < this.#firstNewOrdinal && !this.#asked.has(row.ordinal)) {
      if (this.#ahead.size > readAheadLimit) this.#ahead.clear();
      for (const next of this.journal.finishedSteps(this.row.number, row.ordinal, readAhead))
        if (next.ordinal < this.#firstNewOrdinal && !this.#asked.has(next.ordinal)) this.#ahead.set(next.key, next);
    }
    return row;
  }

  #writeStarts(): void {
    this.#starts = null;
    const entries = [...this.inFlight.values()].filter((entry) => !entry.isWritten);
    if (entries.length === 0 || this.fatal) return;
    try {
      this.journal.writeStarts(entries.map(({ row }) => row));
      for (const entry of entries) entry.isWritten = true;
    } catch (error) {
      this.fail(error);
    }
  }

  #duplicate(key: string, kind: string): EngineError {
    return new EngineError({
      code: "key_duplicate",
      message: `run ${this.row.id} asked for ${kind} ${JSON.stringify(key)} twice`,
      remedy: "give each step of a run a key of its own, from what it works on and not from its position",
      details: { key },
    });
  }

  #changed(key: string, was: string, is: string): EngineError {
    return new EngineError({
      code: "step_changed",
      message: `${JSON.stringify(key)} was a ${was} when run ${this.row.id} was journalled, and the flow asks for a ${is} now`,
      remedy: `change the version of flow ${this.row.flow} and start a new run`,
      details: { key },
    });
  }
}
