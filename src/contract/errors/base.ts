import type { JsonObject } from "../json.ts";
import { printable, printableLine } from "../printable.ts";

const marker = Symbol.for("routesetter.error");
const cut = (text: string, length: number) => (text.length > length ? `${text.slice(0, length)}…` : text);

export type ErrorOptions = {
  code: string;
  message: string;
  isRetryable?: boolean;
  cause?: unknown;
  /** Where: a file, a line, a field. */
  where?: { file?: string; line?: number; column?: number; field?: string };
  /** What to do about it. */
  remedy?: string;
  details?: JsonObject;
};

/**
 * An error that is attributed at a boundary. The message says what was wrong, where and what to do, fit for a terminal. Check with
 * `isInstance`, which holds across copies of the package.
 */
export abstract class RoutesetterError extends Error {
  readonly code: string;
  readonly isRetryable: boolean;
  readonly where: NonNullable<ErrorOptions["where"]>;
  readonly remedy: string;
  readonly details: JsonObject;

  constructor(name: string, options: ErrorOptions) {
    const { file, line, column, field } = options.where ?? {};
    const place = [file && (line ? `${file}:${line}${column ? `:${column}` : ""}` : file), field]
      .filter(Boolean)
      .join(" ");
    const parts = [place && `${printableLine(cut(place, 1000))}: `, cut(options.message, 4000)];
    const remedy = options.remedy && ` → ${cut(options.remedy, 1000)}`;
    super(printable([...parts, remedy].filter(Boolean).join("")), { cause: options.cause });
    this.name = name;
    this.code = options.code;
    this.isRetryable = options.isRetryable ?? false;
    this.where = options.where ?? {};
    this.remedy = options.remedy ?? "";
    this.details = options.details ?? {};
    Object.defineProperty(this, marker, { value: name, enumerable: false });
  }

  static isInstance(error: unknown): error is RoutesetterError {
    return typeof error === "object" && error !== null && marker in error;
  }

  protected static hasName(error: unknown, name: string): boolean {
    return RoutesetterError.isInstance(error) && (error as unknown as Record<symbol, unknown>)[marker] === name;
  }
}
