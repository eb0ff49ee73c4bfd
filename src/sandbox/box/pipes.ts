// Real pipes for the output of commands. Node hands sockets to its children, and a socket can't be opened again as
// /dev/stdout; a FIFO whose name is removed at once behaves as a pipe does.
import { execFile, execFileSync } from "node:child_process";
import { closeSync, constants, openSync, unlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { launchEnvironment, requireTool } from "./tools.ts";

const batch = 64;

/** Both ends as file descriptors; the reading end does not block. */
export type Pipe = { readonly reader: number; readonly writer: number };
export interface Pipes {
  take(): Pipe;
}

/** A stock of pipes in `directory`, filled again in the background. */
export async function openPipes(directory: string): Promise<Pipes> {
  await mkdir(directory, { recursive: true });
  const program = requireTool("mkfifo");
  const stock: string[] = [];
  let counter = 0;
  let filling = false;
  const names = (): string[] => Array.from({ length: batch }, () => join(directory, `p${counter++}`));
  const argumentsFor = (paths: string[]): string[] => ["-m", "666", ...paths];
  const fill = (): void => {
    if (filling) return;
    filling = true;
    const paths = names();
    execFile(program, argumentsFor(paths), { env: launchEnvironment }, (error) => {
      filling = false;
      if (error === null) stock.push(...paths);
    });
  };
  const fillNow = (): void => {
    const paths = names();
    execFileSync(program, argumentsFor(paths), { env: launchEnvironment, stdio: "ignore" });
    stock.push(...paths);
  };
  fillNow();
  return {
    take() {
      if (stock.length === 0) fillNow();
      if (stock.length < batch / 2) fill();
      const path = stock.pop()!;
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        return { reader, writer: openSync(path, constants.O_WRONLY) };
      } catch (error) {
        closeSync(reader);
        throw error;
      } finally {
        unlinkSync(path);
      }
    },
  };
}
