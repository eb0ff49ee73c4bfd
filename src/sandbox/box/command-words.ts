// A command as words. The kernel takes 128 KiB in one argument, so a longer shell command comes as a file, descriptor 8.

const longest = 100_000;

export function commandWords(command: string | readonly string[]): { words: readonly string[]; script?: string } {
  if (typeof command !== "string") return { words: command };
  if (Buffer.byteLength(command) <= longest) return { words: ["/bin/sh", "-c", command] };
  return { words: ["/bin/sh", "/proc/self/fd/8"], script: command };
}
