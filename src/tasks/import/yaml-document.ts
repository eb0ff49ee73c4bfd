import { type Document, LineCounter, parseDocument } from "yaml";
import { TaskFormatError } from "../../contract/index.ts";
import { decodeUtf8 } from "../utf8.ts";

export type YamlTable = Record<string, unknown>;

/** A YAML file of a foreign folder, with the line of each field; aliases are bounded. */
export class YamlDocument {
  readonly table: YamlTable;
  readonly #document: Document;
  readonly #lines = new LineCounter();
  readonly #file: string;

  /** Errors: TaskFormatError `not_utf8`, `yaml_syntax`, `yaml_too_large`. */
  constructor(content: Uint8Array, file: string) {
    this.#file = file;
    const decoded = decodeUtf8(content);
    if (!("text" in decoded)) throw this.#fault("not_utf8", decoded.message, decoded.line, "save it as UTF-8");
    if (content.length > 1 << 20) throw this.#fault("yaml_too_large", "holds more than 1 MiB", 1, "make it smaller");
    this.#document = parseDocument(decoded.text, { lineCounter: this.#lines, logLevel: "silent" });
    const [error] = this.#document.errors;
    if (error)
      throw this.#fault(
        "yaml_syntax",
        `not valid YAML: ${(error.message.split("\n")[0] ?? "").replace(/ at line \d+.*$/, "")}`,
        error.linePos?.[0].line ?? 1,
        "correct the syntax at this place",
      );
    let value: unknown;
    try {
      value = this.#document.toJS({ maxAliasCount: 50 });
    } catch (cause) {
      throw this.#fault(
        "yaml_too_large",
        `its aliases expand too far (${(cause as Error).message})`,
        1,
        "write them out",
      );
    }
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw this.#fault("yaml_syntax", "holds no mapping of names to values", 1, "see the format's documentation");
    this.table = value as YamlTable;
  }

  lineOf(path: readonly (string | number)[]): number {
    const node = this.#document.getIn(path, true) as { range?: readonly number[] } | undefined;
    return node?.range ? this.#lines.linePos(node.range[0] as number).line : 1;
  }

  fault(path: readonly (string | number)[], message: string, remedy: string, code = "field_invalid"): TaskFormatError {
    return this.#fault(code, message, this.lineOf(path), remedy, path.join("."));
  }

  #fault(code: string, message: string, line: number, remedy: string, field?: string): TaskFormatError {
    return new TaskFormatError({
      code,
      message,
      where: { file: this.#file, line, ...(field ? { field } : {}) },
      remedy,
    });
  }
}
