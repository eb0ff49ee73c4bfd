// Standard output and error that may go away: a pipe whose reader left, a terminal that was closed, a full disk.

export type OutputStreams = {
  out(text: string): void;
  err(text: string): void;
  /** The reader of standard output went away. */
  readonly closed: () => boolean;
  /** The terminal was closed. */
  readonly hungUp: () => boolean;
  /** What else stood in the way of writing, null when nothing did. */
  readonly fault: () => Error | null;
};

const goneAway = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

/** `onEnd` is called once, when standard output can't be written any more. */
export function openStreams(onEnd: (reason: Error) => void): OutputStreams {
  let closed = false;
  let hungUp = false;
  let fault: Error | null = null;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    hungUp ||= error.code === "EIO" && process.stdout.isTTY;
    if (closed || fault) return;
    if (goneAway.has(error.code ?? "")) closed = true;
    else fault = error;
    onEnd(error);
  });
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    hungUp ||= error.code === "EIO" && process.stderr.isTTY;
  });
  return {
    out(text) {
      if (!closed && !fault) process.stdout.write(text);
    },
    err(text) {
      process.stderr.write(text);
    },
    closed: () => closed,
    hungUp: () => hungUp,
    fault: () => fault,
  };
}
