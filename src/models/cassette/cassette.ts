// A file of recorded replies, open in one of three modes and shared by all models of a run.
import { existsSync } from "node:fs";
import { ConfigError, ModelError, type ModelReply, type ModelRequest } from "../../contract/index.ts";
import { type ModelIdentity, requestKey } from "../request-key.ts";
import { appendEntry } from "./append-entry.ts";
import { formatEntry } from "./entry.ts";
import { nearestEntry } from "./nearest.ts";
import { type RecordedEntry, readCassette } from "./read-cassette.ts";

/**
 * `record` asks the model for everything, once; `replay` asks it for what is not recorded; `strict` never asks it. In
 * every mode the same request gets the same reply while the cassette is open, so that a recording replays as it ran.
 */
export type CassetteMode = "record" | "replay" | "strict";

export type CassetteOptions = {
  readonly file: string;
  readonly mode: CassetteMode;
  /** Texts that must never be written, such as API keys: a call that holds one is answered and not recorded. */
  readonly secrets?: readonly string[];
};

export type CassetteReport = {
  readonly replayed: number;
  readonly recorded: number;
  /** What a person should know: lines cut off by a crash, calls that were not recorded. */
  readonly notices: readonly string[];
};

export class Cassette {
  readonly file: string;
  readonly mode: CassetteMode;
  readonly #secrets: readonly string[];
  readonly #entries = new Map<string, RecordedEntry>();
  readonly #notices: string[] = [];
  #replayed = 0;
  #recorded = 0;

  /** ConfigError when the file is damaged, or missing in strict mode. */
  constructor(options: CassetteOptions) {
    this.file = options.file;
    this.mode = options.mode;
    this.#secrets = (options.secrets ?? []).filter((secret) => secret !== "");
    if (!["record", "replay", "strict"].includes(options.mode))
      throw new ConfigError({
        code: "cassette_mode_unknown",
        message: `"${options.mode}" is no mode of a cassette`,
        remedy: "use record, replay or strict",
      });
    if (options.mode !== "strict" && !existsSync(this.file)) return;
    const { entries, tornLines } = readCassette(this.file);
    // What was recorded later for the same call stands.
    if (this.mode !== "record") for (const entry of entries) this.#entries.set(entry.key, entry);
    for (const line of tornLines) this.#notices.push(`${this.file}:${line}: cut off by a crash and left out`);
  }

  holds(identity: ModelIdentity, request: ModelRequest): boolean {
    return this.#entries.has(requestKey(identity, request));
  }

  /** The recorded reply; null when the model is to be asked. ModelError `cassette_miss` in strict mode. */
  play(identity: ModelIdentity, request: ModelRequest): ModelReply | null {
    const entry = this.#entries.get(requestKey(identity, request));
    if (!entry) {
      if (this.mode === "strict") throw this.#miss(identity, request);
      return null;
    }
    this.#replayed++;
    return structuredClone(entry.reply);
  }

  record(identity: ModelIdentity, request: ModelRequest, reply: ModelReply): void {
    const entry = { key: requestKey(identity, request), identity, request, reply };
    const text = formatEntry(entry);
    if (this.#secrets.some((secret) => text.includes(JSON.stringify(secret).slice(1, -1)))) {
      this.#notices.push(`${this.file}: a call to ${identity.model} holds a secret and was not recorded`);
      return;
    }
    appendEntry(this.file, entry);
    this.#recorded++;
    this.#entries.set(entry.key, { ...structuredClone(entry), line: 0 });
  }

  report(): CassetteReport {
    return { replayed: this.#replayed, recorded: this.#recorded, notices: [...this.#notices] };
  }

  #miss(identity: ModelIdentity, request: ModelRequest): ModelError {
    const nearest = nearestEntry(this.#entries.values(), identity, request);
    const first = nearest?.differences[0];
    const more = (nearest?.differences.length ?? 0) - 1;
    const remedy = "record this request, or make it what was recorded";
    if (!nearest || !first)
      return new ModelError({
        code: "cassette_miss",
        message: "the cassette holds no reply at all",
        where: { file: this.file },
        remedy,
      });
    return new ModelError({
      code: "cassette_miss",
      message:
        `no reply is recorded for this request to ${identity.model}; the nearest has ${first.field} = ` +
        `${first.recorded}, asked was ${first.asked}${more > 0 ? ` (and ${more} more fields differ)` : ""}`,
      where: { file: this.file, line: nearest.entry.line, field: first.field },
      remedy,
      details: { differences: nearest.differences.slice(0, 10).map((difference) => ({ ...difference })) },
    });
  }
}
