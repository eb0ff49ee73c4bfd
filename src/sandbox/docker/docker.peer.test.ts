import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Transform } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import type { Image } from "../../contract/index.ts";
import { removeTree } from "../box/remove-tree.ts";
import { sandboxConformance } from "../conformance/index.ts";
import { defaultSocket, dockerProblem, openDocker } from "../images/builders/connect.ts";
import { openImageStore } from "../images/index.ts";
import { createDockerBackend } from "./index.ts";

const required = process.env.ROUTESETTER_REQUIRE_DOCKER === "1";
const asRoot = process.getuid?.() === 0;
const problem = await dockerProblem(await openDocker());
const scratch = mkdtempSync(join(tmpdir(), "docker-peer-"));
afterAll(() => removeTree(scratch));

const images = openImageStore({
  stateDirectory: join(scratch, "images"),
  builder: "docker",
  exportRootFileSystem: false,
  pullTimeoutMilliseconds: 15_000,
});
let image: Promise<Image> | null = null;
const taskImage = (): Promise<Image> => {
  image ??= (async () => {
    const context = join(scratch, "context");
    mkdirSync(context, { recursive: true });
    writeFileSync(
      join(context, "Dockerfile"),
      "FROM debian:bookworm-slim\nRUN apt-get update && apt-get install -y --no-install-recommends python3 && rm -rf /var/lib/apt/lists/*\nWORKDIR /root\n",
    );
    return (await images.resolve({ context })).image;
  })();
  return image;
};
const open = () => createDockerBackend({ stateDirectory: join(scratch, "state") });

/** The engine behind a socket that tells no process numbers of this machine, as one on another machine would not. */
async function engineElsewhere(path: string): Promise<{ path: string; close(): Promise<void> }> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    const engine = connect(defaultSocket());
    const hide = new Transform({
      transform: (chunk: Buffer, _, done) =>
        done(null, Buffer.from(chunk.toString("latin1").replace(/"Pid":(\d+)/g, blankNumber), "latin1")),
    });
    for (const stream of [client, engine, hide]) stream.on("error", () => [client, engine].map((end) => end.destroy()));
    client.pipe(engine).pipe(hide).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return {
    path,
    close() {
      for (const client of clients) client.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
const blankNumber = (_: string, digits: string): string => `"Pid":${"0".padEnd(digits.length)}`;

test.runIf(required)("the engine is there", () => expect(problem).toBeNull());

describe.skipIf(problem !== null && !required)("docker", () => {
  sandboxConformance("docker", {
    backend: open,
    image: taskImage,
    ...(asRoot ? {} : { without: { allowList: "only root may enter a container's network" } }),
  });

  test("files looked at and taken out leave no connection open", async () => {
    const sockets = () =>
      readdirSync("/proc/self/fd").filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).startsWith("socket:");
        } catch {
          return false;
        }
      }).length;
    const backend = await open();
    const sandbox = await backend.create({ image: await taskImage() });
    try {
      const quota = { bytes: 1024 * 1024, files: 10 };
      const takeOut = (name: string) => sandbox.copyOut("/etc/hostname", join(scratch, name), quota);
      await takeOut("connection-first");
      const before = sockets();
      for (let count = 0; count < 20; count++) await takeOut(`connection-${count}`);
      expect(sockets()).toBeLessThan(before + 5);
    } finally {
      await sandbox.dispose();
      await backend.close();
    }
  });

  test("faults: no engine, no image, a container that vanished", async () => {
    const socketPath = join(scratch, "no.sock");
    await expect(createDockerBackend({ stateDirectory: scratch, socketPath })).rejects.toMatchObject({
      code: "engine_unavailable",
    });
    const backend = await open();
    try {
      const missing = { ...(await taskImage()), dockerTag: "routesetter:never-built" };
      await expect(backend.create({ image: missing })).rejects.toMatchObject({ code: "image_missing" });
      const hosted = { ...(await taskImage()), hostSystem: true };
      const { dockerTag: _, ...untagged } = hosted;
      await expect(backend.create({ image: untagged })).rejects.toMatchObject({ code: "image_unsuitable" });
      const sandbox = await backend.create({ image: await taskImage() });
      await (await openDocker()).getContainer(sandbox.id).remove({ force: true });
      await expect(sandbox.session.run("true")).rejects.toMatchObject({ code: "sandbox_lost" });
      await expect(sandbox.session.readFile("/etc/passwd")).rejects.toMatchObject({ code: "sandbox_lost" });
      await sandbox.dispose();
    } finally {
      await backend.close();
    }
  });

  test("network: the policy holds when the container is ended from outside and starts again", async ({ skip }) => {
    if (!asRoot) skip("only root may enter a container's network");
    const backend = await open();
    const docker = await openDocker();
    const devices = 'grep -c : /proc/net/dev; echo "$https_proxy"; grep -c :0C38 /proc/net/tcp';
    try {
      const sandbox = await backend.create({ image: await taskImage(), network: { mode: "full" } });
      const afterwards = async (): Promise<string> => {
        await docker.getContainer(sandbox.id).kill();
        return (await sandbox.session.run(devices)).stdout.text;
      };
      expect(await afterwards()).toBe("2\n\n0\n");
      await sandbox.setNetwork({ mode: "none" });
      expect(await afterwards()).toBe("1\n\n0\n");
      await sandbox.setNetwork({ mode: "allowlist", hosts: ["example.org"] });
      expect(await afterwards()).toBe("1\nhttp://127.0.0.1:3128\n1\n");
    } finally {
      await backend.close();
    }
  });

  test("network: a proxy that can't listen leaves none, and says why", async ({ skip }) => {
    if (!asRoot) skip("only root may enter a container's network");
    const backend = await open();
    try {
      const sandbox = await backend.create({ image: await taskImage(), network: { mode: "full" } });
      await sandbox.session.run(
        "python3 -c \"import socket,time; s=socket.socket(); s.bind(('127.0.0.1',3128)); s.listen(); time.sleep(60)\" & sleep 1",
      );
      await expect(sandbox.setNetwork({ mode: "allowlist", hosts: ["example.org"] })).rejects.toMatchObject({
        code: "network_unavailable",
        message: expect.stringContaining("EADDRINUSE"),
      });
      expect((await sandbox.session.run("grep -c : /proc/net/dev; echo $https_proxy")).stdout.text).toBe("1\n\n");
    } finally {
      await backend.close();
    }
  });

  test("network: an engine whose processes are elsewhere has no allow-list, and says so", async () => {
    const elsewhere = await engineElsewhere(join(scratch, "elsewhere.sock"));
    const backend = await createDockerBackend({
      stateDirectory: join(scratch, "elsewhere"),
      socketPath: elsewhere.path,
    });
    const refusal = { code: "network_unavailable", message: expect.stringMatching(/not on this machine|only root/) };
    try {
      const hosts = ["example.org"];
      await expect(
        backend.create({ image: await taskImage(), network: { mode: "allowlist", hosts } }),
      ).rejects.toMatchObject(refusal);
      const sandbox = await backend.create({ image: await taskImage(), network: { mode: "full" } });
      await expect(sandbox.setNetwork({ mode: "allowlist", hosts })).rejects.toMatchObject(refusal);
      const count = async () => (await sandbox.session.run("grep -c : /proc/net/dev")).stdout.text;
      expect(await count()).toBe("2\n");
      await sandbox.setNetwork({ mode: "none" });
      expect(await count()).toBe("1\n");
    } finally {
      await backend.close();
      await elsewhere.close();
    }
  });

  test("the reaper removes what a dead process left, and nothing else", async () => {
    const backend = await open();
    const docker = await openDocker();
    const alive = await backend.create({ image: await taskImage() });
    const name = `routesetter-dead-${process.pid}`;
    await docker.createContainer({
      name,
      Image: (await taskImage()).dockerTag ?? "",
      Cmd: ["true"],
      Labels: { "routesetter.process": "1-1-00000000", "routesetter.owner": "someone" },
    });
    const removed = await backend.reap();
    expect(removed).toContain(name);
    expect(removed).not.toContain(alive.id);
    await expect(docker.getContainer(name).inspect()).rejects.toMatchObject({ statusCode: 404 });
    expect((await alive.session.run("echo on")).stdout.text).toBe("on\n");
    await backend.close();
    await expect(docker.getContainer(alive.id).inspect()).rejects.toMatchObject({ statusCode: 404 });
  });

  test("an image of layers on disk is imported once, owners as inside", async () => {
    const exported = openImageStore({ stateDirectory: join(scratch, "exported"), builder: "docker" });
    const context = join(scratch, "layered");
    mkdirSync(context, { recursive: true });
    writeFileSync(
      join(context, "Dockerfile"),
      "FROM debian:bookworm-slim\nRUN echo x > /mine && chown 33:34 /mine\nENV A=1\n",
    );
    const { dockerTag: _, ...untagged } = (await exported.resolve({ context })).image;
    const backend = await open();
    const sandbox = await backend.create({ image: { ...untagged, digest: `sha256:${"0".repeat(24)}${process.pid}` } });
    expect((await sandbox.session.run("stat -c %u:%g /mine; echo $A; id -u")).stdout.text).toBe("33:34\n1\n0\n");
    await backend.close();
  });

  test("BusyBox alone is enough", async ({ skip }) => {
    if (!existsSync("/bin/busybox")) skip("this machine has no busybox to make the image of");
    const context = join(scratch, "busybox");
    mkdirSync(context, { recursive: true });
    copyFileSync("/bin/busybox", join(context, "busybox"));
    writeFileSync(
      join(context, "Dockerfile"),
      'FROM scratch\nCOPY busybox /bin/busybox\nRUN ["/bin/busybox","--install","-s","/bin"]\n',
    );
    const small = (await images.resolve({ context })).image;
    const backend = await open();
    const sandbox = await backend.create({ image: small });
    expect((await sandbox.session.run("echo one | cat; sleep 100 &")).stdout.text).toBe("one\n");
    await sandbox.session.writeFile("/new/file", "text");
    expect((await sandbox.session.run("kill -9 -1; cat /new/file")).stdout.text).toBe("text");
    expect(await sandbox.processes()).toBe(0);
    expect((await sandbox.diff()).map((change) => change.path)).toContain("/new/file");
    await backend.close();
  });

  test("limits fire together with the output so far", async () => {
    const backend = await open();
    const sandbox = await backend.create({ image: await taskImage(), limits: { memoryBytes: 64 * 1024 ** 2 } });
    const result = await sandbox.session.run("echo before; head -c 200000000 /dev/zero | tail -c 200000000 >/dev/null");
    expect(result).toMatchObject({ limit: { code: "memory_limit" }, stdout: { text: "before\n" } });
    await backend.close();
  });
});
