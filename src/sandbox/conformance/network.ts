// Network: a loopback that works without one, nothing else unless asked, and only what was asked.
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SandboxHandle } from "../../contract/index.ts";
import { outputOf, type Subject } from "./subject.ts";

const python = "python3 -c 'import urllib.request, http.server' 2>/dev/null";

/** Asks a host for its page through a tunnel of the proxy that the environment names. */
const tunnelProgram = `
import http.client, os, sys, urllib.parse as p
proxy = p.urlsplit(os.environ["https_proxy"])
connection = http.client.HTTPConnection(proxy.hostname, proxy.port, timeout=10)
connection.set_tunnel(sys.argv[1], int(sys.argv[2]))
connection.request("GET", "/")
print(connection.getresponse().read().decode())
`;

export function network(subject: Subject): void {
  describe("network", () => {
    let server: Server;
    let port: number;
    beforeAll(async () => {
      server = createHttpServer((_, response) => response.end("from the host"));
      await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
      port = (server.address() as AddressInfo).port;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));
    const fetchIt = (address: string) =>
      `python3 -c "import urllib.request as u; print(u.urlopen('http://${address}:${port}', timeout=5).read().decode())" 2>&1 | tail -1`;
    const hasPython = async (sandbox: SandboxHandle) => (await sandbox.session.run(python)).exitCode === 0;

    // BR101
    it("none: the loopback device is up, and localhost has its address", async ({ skip }) => {
      const sandbox = await subject.create();
      expect(await outputOf(sandbox, "cat /proc/net/dev | grep -c lo:")).toBe("1");
      if (!(await hasPython(sandbox))) skip("the image has no python3 with urllib");
      const program = `
import socket, threading
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
threading.Thread(target=lambda: s.accept()[0].sendall(b"hello"), daemon=True).start()
print(socket.create_connection(("localhost", s.getsockname()[1]), 5).recv(5).decode())
`;
      await sandbox.session.writeFile("/tmp/loopback.py", program);
      expect(await outputOf(sandbox, "python3 /tmp/loopback.py")).toBe("hello");
    });

    it("none: a server in the background serves the next command", async ({ skip }) => {
      const sandbox = await subject.create();
      if (!(await hasPython(sandbox))) skip("the image has no python3 with urllib");
      await outputOf(sandbox, "cd /tmp; echo page > index.html; python3 -m http.server 8099 >/dev/null 2>&1 & sleep 1");
      expect(
        await outputOf(sandbox, fetchIt("localhost").replace(`:${port}`, ":8099").replace("| tail -1", "| head -1")),
      ).toBe("page");
    });

    it("none: nothing of the host or beyond is reached", async ({ skip }) => {
      const sandbox = await subject.create();
      if (!(await hasPython(sandbox))) skip("the image has no python3 with urllib");
      const own = Object.values(networkInterfaces())
        .flat()
        .find((item) => item?.family === "IPv4" && !item.internal);
      for (const address of ["127.0.0.1", ...(own === undefined ? [] : [own.address])]) {
        expect(await outputOf(sandbox, fetchIt(address))).not.toBe("from the host");
        expect(await (await fetch(`http://${address}:${port}`)).text()).toBe("from the host");
      }
    });

    const address = Object.values(networkInterfaces())
      .flat()
      .find((item) => item?.family === "IPv4" && !item.internal)?.address;
    const unaddressed = address === undefined ? "this machine has no address but its loopback" : null;
    const reason = subject.options.without?.network ?? unaddressed;
    describe.skipIf(reason !== null)(`beyond none${reason === null ? "" : ` (${reason})`}`, () => {
      it("full: reaches what the host reaches, not the host's loopback; none again cuts it off", async ({ skip }) => {
        const sandbox = await subject.create({ network: { mode: "full" } });
        if (!(await hasPython(sandbox))) skip("the image has no python3 with urllib");
        expect(await outputOf(sandbox, fetchIt(address!))).toBe("from the host");
        for (const loopback of ["127.0.0.1", "10.0.2.2"]) {
          expect(await outputOf(sandbox, fetchIt(loopback))).not.toBe("from the host");
        }
        await sandbox.setNetwork({ mode: "none" });
        expect(await outputOf(sandbox, fetchIt(address!))).not.toBe("from the host");
        await sandbox.setNetwork({ mode: "full" });
        await sandbox.killAll();
        expect(await outputOf(sandbox, fetchIt(address!))).toBe("from the host");
      });

      it("none, full, none: changed while something runs inside, which stays", async ({ skip }) => {
        const sandbox = await subject.create();
        if (!(await hasPython(sandbox))) skip("the image has no python3 with urllib");
        await outputOf(sandbox, "sleep 300 & echo $! > /tmp/number");
        expect(await outputOf(sandbox, fetchIt(address!))).not.toBe("from the host");
        await sandbox.setNetwork({ mode: "full" });
        expect(await outputOf(sandbox, fetchIt(address!))).toBe("from the host");
        await sandbox.setNetwork({ mode: "none" });
        expect(await outputOf(sandbox, fetchIt(address!))).not.toBe("from the host");
        expect(await outputOf(sandbox, "cat /proc/net/dev | grep -c :; kill -0 $(cat /tmp/number) && echo alive")).toBe(
          "1\nalive",
        );
      });
    });

    const noList = subject.options.without?.allowList ?? unaddressed;
    describe.skipIf(noList !== null)(`allow-list${noList === null ? "" : ` (${noList})`}`, () => {
      it("reaches what is listed, through the proxy, and nothing else", async ({ skip }) => {
        const sandbox = await subject.create({ network: { mode: "allowlist", hosts: [`${address}:${port}`] } });
        if (!(await hasPython(sandbox))) skip("the image has no python3 with urllib");
        expect(await outputOf(sandbox, fetchIt(address!))).toBe("from the host");
        expect(await outputOf(sandbox, fetchIt("example.org"))).not.toBe("from the host");
        expect(await outputOf(sandbox, `export no_proxy='*' NO_PROXY='*'; ${fetchIt(address!)}`)).not.toBe(
          "from the host",
        );
        await sandbox.setNetwork({ mode: "allowlist", hosts: ["example.org"] });
        expect(await outputOf(sandbox, fetchIt(address!))).not.toBe("from the host");
      });

      it("tunnels lead to what is listed only", async ({ skip }) => {
        const sandbox = await subject.create({ network: { mode: "allowlist", hosts: [`${address}:${port}`] } });
        if (!(await hasPython(sandbox))) skip("the image has no python3 with urllib");
        await sandbox.session.writeFile("/tmp/tunnel.py", tunnelProgram);
        const tunnel = (host: string) => outputOf(sandbox, `python3 /tmp/tunnel.py ${host} ${port} 2>&1 | tail -1`);
        expect(await tunnel(address!)).toBe("from the host");
        for (const host of ["127.0.0.1", "localhost", "example.org"]) expect(await tunnel(host)).toContain("403");
      });

      it("lasts over killAll and into a fork; none takes it away, and it comes back", async ({ skip }) => {
        const sandbox = await subject.create();
        if (!(await hasPython(sandbox))) skip("the image has no python3 with urllib");
        await sandbox.setNetwork({ mode: "allowlist", hosts: [`${address}:${port}`] });
        expect(await outputOf(sandbox, fetchIt(address!))).toBe("from the host");
        await sandbox.killAll();
        expect(await outputOf(sandbox, fetchIt(address!))).toBe("from the host");
        const fork = await sandbox.fork();
        try {
          expect(await outputOf(fork, fetchIt(address!))).toBe("from the host");
        } finally {
          await fork.dispose();
        }
        await sandbox.setNetwork({ mode: "none" });
        expect(await outputOf(sandbox, `echo "[$http_proxy]"; ${fetchIt(address!)}`)).not.toMatch(/from the host|3128/);
        await sandbox.setNetwork({ mode: "allowlist", hosts: [`${address}:${port}`] });
        expect(await outputOf(sandbox, `echo "[$http_proxy]"; ${fetchIt(address!)}`)).toMatch(/3128\]\nfrom the host$/);
      });
    });

    it("none: two sandboxes do not share ports", async ({ skip }) => {
      const [a, b] = [await subject.create(), await subject.create()];
      if (!(await hasPython(a))) skip("the image has no python3 with urllib");
      const listen = "import socket,time; s=socket.socket(); s.bind(('127.0.0.1',7777)); s.listen(); print('bound')";
      for (const sandbox of [a, b]) expect(await outputOf(sandbox, `python3 -c "${listen}"`)).toBe("bound");
    });
  });
}
