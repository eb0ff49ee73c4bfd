// The proxy of a sandbox with an allow-list, of whatever backend. It runs here, outside; only its listening socket belongs
// to the sandbox's network namespace, which has nothing else but a loopback device. A child made it there and handed it over.
import { spawn } from "node:child_process";
import { lookup } from "node:dns/promises";
import { createServer, type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { launchEnvironment, requireTool } from "../box/tools.ts";
import { isAllowed, isInternalAddress, isLiteral } from "./allow-list.ts";
import { networkUnavailable } from "./unavailable.ts";

const proxyPort = 3128;

/** What programs inside must know to use the proxy. */
export const proxyEnvironment: Readonly<Record<string, string>> = (() => {
  const address = `http://127.0.0.1:${proxyPort}`;
  const names = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
  const local = "localhost,127.0.0.1,::1";
  return { ...Object.fromEntries(names.map((name) => [name, address])), no_proxy: local, NO_PROXY: local };
})();

const program = `const s=require("net").createServer().listen(${proxyPort},"127.0.0.1",()=>process.send("listening",s,()=>process.exit()));s.on("error",e=>{console.error(e.message);process.exit(1)})`;

/** Starts the proxy for the network namespace of process `pid`. */
export async function startAllowListProxy(
  pid: number,
  rootless: boolean,
  hosts: readonly string[],
): Promise<{ close(): Promise<void> }> {
  const listening = await listenInside(pid, rootless);
  const proxy = createProxy(hosts);
  listening.unref();
  const sockets = new Set<Socket>();
  listening.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    proxy.emit("connection", socket);
  });
  return {
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listening.close(resolve));
    },
  };
}

function listenInside(pid: number, rootless: boolean): Promise<Server> {
  const flags = rootless
    ? ["--user", "--net", "--preserve-credentials", "--target", String(pid)]
    : [`--net=/proc/${pid}/ns/net`];
  const child = spawn(requireTool("nsenter"), [...flags, "--", process.execPath, "-e", program], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: launchEnvironment,
    cwd: "/",
    serialization: "json",
  });
  let diagnostics = "";
  child.stderr!.on("data", (chunk) => {
    diagnostics += chunk;
  });
  return new Promise((resolve, reject) => {
    const refuse = (): void =>
      reject(networkUnavailable(`the proxy could not listen: ${diagnostics.trim()}`, "use network mode none"));
    child.on("message", (_, handle) => resolve(handle as Server));
    child.on("error", refuse);
    child.on("exit", (code) => {
      if (code !== 0) refuse();
    });
  });
}

function createProxy(hosts: readonly string[]): HttpServer {
  const proxy = createServer((incoming, response) => void forward(hosts, incoming, response));
  proxy.on(
    "connect",
    (incoming: IncomingMessage, client: Duplex, head: Buffer) => void tunnel(hosts, incoming, client, head),
  );
  return proxy;
}

async function tunnel(
  hosts: readonly string[],
  incoming: IncomingMessage,
  client: Duplex,
  head: Buffer,
): Promise<void> {
  client.on("error", () => undefined);
  const { host, port } = splitAuthority(incoming.url ?? "");
  const address = await admitted(hosts, host, port);
  if (address === null) {
    client.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    return;
  }
  const upstream = connect(port, address, () => {
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    upstream.write(head);
    upstream.pipe(client).pipe(upstream);
  });
  upstream.on("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n"));
  client.on("close", () => upstream.destroy());
}

async function forward(hosts: readonly string[], incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const refuse = (status: number, text: string): void => void response.writeHead(status).end(`${text}\n`);
  let target: URL;
  try {
    target = new URL(incoming.url ?? "");
  } catch {
    return refuse(400, "not a proxy request");
  }
  const port = Number(target.port || 80);
  const address = target.protocol === "http:" ? await admitted(hosts, target.hostname, port) : null;
  if (address === null) return refuse(403, `${target.host} is not on the allow-list`);
  const headers = { ...incoming.headers, host: target.host };
  delete (headers as Record<string, unknown>)["proxy-connection"];
  const outgoing = request(
    { host: address, port, method: incoming.method, path: `${target.pathname}${target.search}`, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  outgoing.on("error", () => (response.headersSent ? response.destroy() : refuse(502, "no answer")));
  incoming.pipe(outgoing);
}

/** The address to connect to when the list admits the host, else null. A name may not lead to the host's own network. */
async function admitted(hosts: readonly string[], host: string, port: number): Promise<string | null> {
  if (!isAllowed(hosts, host, port)) return null;
  if (isLiteral(host)) return host;
  const found = await lookup(host).catch(() => null);
  return found === null || isInternalAddress(found.address) ? null : found.address;
}

function splitAuthority(authority: string): { host: string; port: number } {
  const colon = authority.lastIndexOf(":");
  return { host: authority.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(authority.slice(colon + 1)) };
}
