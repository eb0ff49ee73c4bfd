// One command in a container by the engine's exec: streams taken apart, the end seen even when something in the
// background holds the output open, everything that it started ended on demand.
import { existsSync } from "node:fs";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type Docker from "dockerode";
import { processTable, signalProcess, treeOf } from "../box/process-table.ts";
import type { ControlGroup } from "./control-group.ts";

export type ExecOptions = {
  readonly argv: readonly string[];
  readonly environment: readonly string[];
  readonly user: string;
  readonly workingDirectory: string;
  readonly stdin: boolean;
};
export type RunningExec = {
  readonly stream: Duplex;
  /** Resolves when the command itself ended; its output may be held open by others. */
  readonly ended: Promise<number | null>;
  /** Resolves when the output is complete as far as it will come. */
  readonly drained: Promise<void>;
  kill(): Promise<void>;
};

/** A string longer than one argument may be is handed over in parts. */
export function shellArguments(command: string | readonly string[]): string[] {
  if (typeof command !== "string") return [...command];
  const limit = 100_000;
  if (Buffer.byteLength(command) <= limit) return ["/bin/sh", "-c", command];
  const parts: string[] = [];
  for (let at = 0; at < command.length; at += limit / 4) parts.push(command.slice(at, at + limit / 4));
  const names = parts.map((_, index) => `\${${index + 1}}`).join("");
  return ["/bin/sh", "-c", `eval "set --\n${names}"`, "sh", ...parts];
}

export async function startExec(
  container: Docker.Container,
  group: ControlGroup | null,
  options: ExecOptions,
  onOutput: (stream: "stdout" | "stderr", chunk: Buffer) => void,
  restart: () => Promise<void>,
): Promise<RunningExec> {
  const exec = await container.exec({
    Cmd: [...options.argv],
    Env: [...options.environment],
    User: options.user,
    WorkingDir: options.workingDirectory,
    AttachStdin: options.stdin,
    AttachStdout: true,
    AttachStderr: true,
    Tty: false,
  });
  const stream = (await exec.start({ hijack: true, stdin: options.stdin })) as Duplex;
  const take = demultiplexer(onOutput);
  let lastData = Date.now();
  let finished: () => void = () => {};
  const drained = new Promise<void>((resolve) => {
    finished = resolve;
  });
  let streamOver = false;
  const over = (): void => {
    streamOver = true;
    finished();
  };
  stream.on("data", (chunk: Buffer) => {
    lastData = Date.now();
    take(chunk);
  });
  stream.on("end", over);
  stream.on("close", over);
  stream.on("error", over);
  let pid = 0;

  const ended = (async (): Promise<number | null> => {
    for (let wait = 4; ; wait = Math.min(wait * 1.5, 100)) {
      if (group === null || pid === 0 || streamOver || !existsSync(`/proc/${pid}`)) {
        const { Running, ExitCode, Pid } = await exec.inspect();
        if (!Running && ExitCode !== null) return ExitCode;
        if (Pid) pid = Pid;
      }
      await Promise.race([sleep(wait), ...(streamOver ? [] : [drained])]);
    }
  })();
  ended.then(
    async () => {
      const begun = Date.now();
      while (!streamOver && Date.now() - Math.max(lastData, begun) < 60 && Date.now() - begun < 2_000) await sleep(10);
      finished();
      // The engine closes the stream itself; one that goes away earlier can leave it stuck with the container locked.
      stream.end();
    },
    () => finished(),
  );
  return {
    stream,
    ended,
    drained,
    async kill() {
      for (let wait = 0; pid === 0 && wait < 40; wait++) {
        const { Running, Pid } = await exec.inspect();
        if (!Running && !Pid) return;
        if (Pid) pid = Pid;
        else await sleep(25);
      }
      if (group === null) return await restart();
      for (let attempt = 0; attempt < 20; attempt++) {
        const inside = new Set(group.members());
        const rows = processTable();
        const members = [...treeOf(pid, rows).map((row) => row.pid), pid].filter((member) => inside.has(member));
        if (members.length === 0) return;
        for (const member of members) signalProcess(member, "SIGKILL");
        await sleep(5);
      }
    },
  };
}

/** The engine's frames: one byte stream number, three empty, four length, then that many bytes. */
function demultiplexer(onOutput: (stream: "stdout" | "stderr", chunk: Buffer) => void): (chunk: Buffer) => void {
  let header = Buffer.alloc(0);
  let left = 0;
  let target: "stdout" | "stderr" = "stdout";
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (left === 0) {
        const part = chunk.subarray(at, at + 8 - header.length);
        header = Buffer.concat([header, part]);
        at += part.length;
        if (header.length < 8) return;
        target = header[0] === 2 ? "stderr" : "stdout";
        left = header.readUInt32BE(4);
        header = Buffer.alloc(0);
        continue;
      }
      const part = chunk.subarray(at, at + left);
      onOutput(target, part);
      left -= part.length;
      at += part.length;
    }
  };
}
