import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { type ConfigError, RoutesetterError } from "../contract/index.ts";
import { decodeUtf8 } from "./utf8.ts";

type Fault = new (options: ConstructorParameters<typeof ConfigError>[0]) => RoutesetterError;

/**
 * A text file that somebody else wrote, without its byte order mark; null when nothing is there. It has to be a regular
 * file of at most `maximumBytes` that holds UTF-8; otherwise an error of the class and code given says what it is
 * instead, with file and line. A FIFO or a device is never waited for.
 */
export function readTextFile(
  file: string,
  options: { error: Fault; code: string; remedy: string; maximumBytes: number },
): { text: string; hasMark: boolean } | null {
  const { error: Class, code, remedy, maximumBytes } = options;
  const fault = (message: string, line?: number, cause?: unknown) =>
    new Class({ code, message, where: { file, ...(line === undefined ? {} : { line }) }, remedy, cause });
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const status = fstatSync(descriptor);
      if (!status.isFile()) throw fault("is no regular file");
      if (status.size > maximumBytes) throw fault(`holds ${status.size} bytes, more than ${maximumBytes}`);
      const decoded = decodeUtf8(readFileSync(descriptor));
      if ("text" in decoded) return decoded;
      throw fault(decoded.message, decoded.line);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (RoutesetterError.isInstance(error)) throw error;
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    if (reason === "ENOENT") return null;
    throw fault(reason === "ENXIO" ? "is no regular file" : `can't be read (${reason})`, undefined, error);
  }
}
