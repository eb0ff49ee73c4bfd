// The models of a command: one ledger with its budgets, one cassette, opened by name and closed together.
import { existsSync, readFileSync } from "node:fs";
import { ConfigError } from "../contract/index.ts";
import { Cassette, type CassetteMode, describeSpending, Ledger, type OpenModel, openModel } from "../models/index.ts";
import { storedJson } from "../store/index.ts";
import type { Project } from "./project.ts";
import { shownPath } from "./run-identity.ts";
import { writeWhole } from "./write-whole.ts";

/** What the command line says about models, with paths relative to the project. */
export type ModelUse = {
  budgetUsd: number | null;
  budgetTokens: number | null;
  cassette: string | null;
  cassetteMode: CassetteMode;
};
export type ModelOptions = {
  budgetUsd?: string;
  budgetTokens?: string;
  cassette?: string;
  cassetteMode?: CassetteMode;
};

export const noModels: ModelUse = { budgetUsd: null, budgetTokens: null, cassette: null, cassetteMode: "replay" };

/** Errors: ConfigError `bad_option`. */
export function modelUse(options: ModelOptions, stored: (path: string) => string): ModelUse {
  return {
    budgetUsd: positive("--budget-usd", options.budgetUsd),
    budgetTokens: positive("--budget-tokens", options.budgetTokens),
    cassette: options.cassette === undefined ? null : stored(options.cassette),
    cassetteMode: options.cassetteMode ?? "replay",
  };
}

function positive(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value) && value > 0) return value;
  throw new ConfigError({ code: "bad_option", message: `${name} must be a number above 0, not "${text}"` });
}

export class ModelRoom {
  readonly ledger: Ledger;
  readonly #project: Project;
  readonly #cassette: Cassette | null;
  readonly #file: string | null;
  readonly #opened: OpenModel[] = [];
  #saving: Promise<void> = Promise.resolve();

  /** `ledgerFile` keeps what was spent, so that a run that goes on goes on with what is left of its budget. */
  constructor(project: Project, use: ModelUse, ledgerFile: string | null) {
    this.#project = project;
    this.#file = ledgerFile;
    const { budgetUsd: usd, budgetTokens: tokens } = use;
    this.ledger = new Ledger({
      limits: { ...(usd === null ? {} : { usd }), ...(tokens === null ? {} : { tokens }) },
      ...(ledgerFile && existsSync(ledgerFile)
        ? { state: storedJson(readFileSync(ledgerFile, "utf8"), ledgerFile) }
        : {}),
    });
    this.#cassette =
      use.cassette === null ? null : new Cassette({ file: shownPath(project, use.cassette), mode: use.cassetteMode });
  }

  /** Errors: ConfigError. */
  async open(spec: string, purpose: string): Promise<OpenModel> {
    const opened = await openModel(spec, {
      profiles: this.#project.configuration.models,
      directory: this.#project.directory,
      cassette: this.#cassette,
      ledger: this.ledger,
      purpose,
    });
    this.#opened.push(opened);
    return opened;
  }

  /** Writes what was spent so far, whole or not at all. */
  save(): Promise<void> {
    const file = this.#file;
    if (file === null || this.#opened.length === 0) return Promise.resolve();
    this.#saving = this.#saving.then(() => writeWhole(file, `${JSON.stringify(this.ledger.state())}\n`));
    return this.#saving;
  }

  /** What a person should know at the end; nothing when no model was used. */
  lines(): string[] {
    if (this.#opened.length === 0) return [];
    return [`models: ${describeSpending(this.ledger.totals())}`, ...(this.#cassette?.report().notices ?? [])];
  }

  async close(): Promise<void> {
    await this.save();
    for (const { close } of this.#opened) await close();
  }
}
