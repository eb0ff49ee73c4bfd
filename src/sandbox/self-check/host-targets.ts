// What an attack aims at on the host: a file, a process, a variable, sockets; all made for the occasion.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";

export interface HostTargets {
  /** Random text that stands in the file and in the variable, and that the sockets say. */
  readonly secret: string;
  readonly folder: string;
  readonly file: string;
  readonly variable: string;
  processId(): number;
  /** An argument by which the process is known. */
  readonly processMark: string;
  /** Listens on the loopback address only. */
  readonly loopbackPort: number;
  /** Listens on every address. */
  readonly port: number;
  readonly addresses: readonly string[];
  /** A UNIX socket's name in the kernel's own list, without a file; null where that can't be made. */
  readonly abstractSocket: string | null;
  isFileUntouched(): boolean;
  /** Makes file and process again what they were. */
  restore(): void;
  isProcessAlive(): boolean;
  /** A number that no other attack uses, as an argument for `sleep`: seconds enough. */
  mark(): string;
  close(): Promise<void>;
}

export async function openHostTargets(): Promise<HostTargets> {
  const secret = `secret-${randomBytes(12).toString("hex")}`;
  const folder = mkdtempSync(join(tmpdir(), "routesetter-self-check-"));
  chmodSync(folder, 0o755);
  const file = join(folder, "file");
  writeFileSync(file, secret, { mode: 0o666 });
  chmodSync(file, 0o666);
  const variable = `ROUTESETTER_SELF_CHECK_${randomBytes(4).toString("hex").toUpperCase()}`;
  process.env[variable] = secret;
  const base = 30 + process.pid / 1e7;
  let marks = 0;
  const mark = (): string => (base + ++marks / 1e9).toFixed(9);
  const servers: Server[] = [];
  const processMark = mark().replace(/^30/, "3600");
  let child = sleeper(processMark);
  const isProcessAlive = (): boolean => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const abstractName = `routesetter-${secret.slice(0, 20)}`;
  const loopbackPort = await listen(servers, secret, "127.0.0.1");
  const port = await listen(servers, secret, "0.0.0.0");
  const abstractSocket = await listenAbstract(servers, secret, abstractName);
  return {
    secret,
    folder,
    file,
    variable,
    processId: () => child.pid ?? 0,
    processMark,
    loopbackPort,
    port,
    addresses: Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .filter(({ family, internal }) => family === "IPv4" && !internal)
      .map(({ address }) => address),
    abstractSocket,
    isFileUntouched: () => readFileSync(file, "utf8") === secret,
    restore() {
      writeFileSync(file, secret);
      if (!isProcessAlive()) child = sleeper(processMark);
    },
    isProcessAlive,
    mark,
    async close() {
      delete process.env[variable];
      child.kill("SIGKILL");
      for (const server of servers) server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function sleeper(mark: string): ChildProcess {
  const child = spawn("sleep", [mark], { stdio: "ignore" });
  child.on("error", () => undefined);
  return child;
}

async function listen(servers: Server[], secret: string, host: string): Promise<number> {
  const server = greeter(secret);
  server.listen(0, host);
  await once(server, "listening");
  servers.push(server);
  return (server.address() as { port: number }).port;
}

async function listenAbstract(servers: Server[], secret: string, name: string): Promise<string | null> {
  if (process.platform !== "linux") return null;
  const server = greeter(secret);
  try {
    server.listen(`\0${name}`);
    await once(server, "listening");
  } catch {
    return null;
  }
  servers.push(server);
  return name;
}

function greeter(secret: string): Server {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.end(`${secret}\n`);
  });
  server.unref();
  return server;
}
