import { copyFileSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Image } from "../../contract/index.ts";
import { removeTree } from "../box/remove-tree.ts";
import { sandboxConformance } from "../conformance/index.ts";
import { dockerProblem, openDocker } from "../images/builders/connect.ts";
import { openImageStore } from "../images/index.ts";
import { createDockerBackend } from "./index.ts";

const required = process.env.ROUTESETTER_REQUIRE_DOCKER === "1";
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

test.runIf(required)("the engine is there", () => expect(problem).toBeNull());

describe.skipIf(problem !== null && !required)("docker", () => {
  sandboxConformance("docker", {
    backend: open,
    image: taskImage,
    without: { network: "the engine has no allow-list" },
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
      await expect(
        backend.create({ image: await taskImage(), network: { mode: "allowlist", hosts: ["example.org"] } }),
      ).rejects.toMatchObject({ code: "network_unavailable" });
    } finally {
      await backend.close();
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
