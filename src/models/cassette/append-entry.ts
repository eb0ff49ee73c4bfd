// Adds a line to a cassette, whole or not at all as far as readers can tell; several processes may do so at once.
import { closeSync, constants, fdatasyncSync, fstatSync, mkdirSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { ModelError } from "../../contract/index.ts";
import { type CassetteEntry, formatEntry, repairLine } from "./entry.ts";

const momentMilliseconds = 20;

/**
 * One write at the end of the file, which the kernel keeps apart from those of other processes (on a local file
 * system). After a line that a crash cut off comes a mark, so that the new line stands by itself.
 */
export function appendEntry(file: string, entry: CassetteEntry): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const descriptor = openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o644);
    try {
      const line = `${endsInMidLine(descriptor) ? `\n${repairLine}\n` : ""}${formatEntry(entry)}\n`;
      const bytes = Buffer.from(line);
      const written = writeSync(descriptor, bytes);
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
      fdatasyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (cause) {
    throw new ModelError({
      code: "cassette_unwritable",
      message: `the reply came and could not be recorded: ${(cause as Error).message}`,
      where: { file },
      remedy: "make room, or name a file that you may write",
      cause,
    });
  }
}

/** Whether the file ends within a line that nobody is writing any more: it has not grown for a moment. */
function endsInMidLine(descriptor: number): boolean {
  const last = Buffer.alloc(1);
  for (let seen = -1; ; ) {
    const { size } = fstatSync(descriptor);
    if (size === 0) return false;
    readSync(descriptor, last, 0, 1, size - 1);
    if (last[0] === 10) return false;
    if (size === seen) return true;
    seen = size;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, momentMilliseconds);
  }
}
