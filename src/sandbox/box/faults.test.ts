import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Image, type SandboxBackend, SandboxError, type SandboxHandle } from "../../contract/index.ts";
import { createBoxBackend, hostSkeleton } from "./index.ts";
import { ownerLabel } from "./owner-label.ts";

const asRoot = process.getuid?.() === 0;
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "none",
    (error) => (SandboxError.isInstance(error) ? error.code : String(error)),
  );

/** Processes that this one started and that are still there, by name. */
const children = (name: string): number[] =>
  readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const after = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return stat.includes(`(${name})`) && Number(after[1]) === process.pid && after[0] !== "Z";
      } catch {
        return false;
      }
    });

describe("faults of the host", () => {
  let folder: string;
  let image: Image;
  const backends: SandboxBackend[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "box-faults-"));
    await hostSkeleton(join(folder, "skeleton"));
    image = {
      digest: "sha256:host",
      layers: [join(folder, "skeleton")],
      hostSystem: true,
      configuration: { environment: {}, workingDirectory: "/root", user: "" },
      provenance: { base: "host", how: "host" },
    };
  });
  afterEach(async () => {
    await Promise.all(backends.splice(0).map((backend) => backend.close()));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const open = async (name: string): Promise<SandboxBackend> => {
    const backend = await createBoxBackend({ stateDirectory: join(folder, name) });
    backends.push(backend);
    return backend;
  };

  it.skipIf(!asRoot)("a killed holder is a lost sandbox, and new sandboxes get a new one", async () => {
    const before = new Set(children("cat"));
    const backend = await open("holder");
    const sandbox = await backend.create({ image });
    expect((await sandbox.session.run("echo fine")).exitCode).toBe(0);
    const holder = children("cat").find((pid) => !before.has(pid))!;
    process.kill(holder, "SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await codeOf(sandbox.session.run("echo fine"))).toBe("sandbox_lost");
    const next = await backend.create({ image });
    expect((await next.session.run("echo fine")).stdout.text).toBe("fine\n");
  });

  it("killed namespaces are a lost sandbox, during a command and before one", async () => {
    const backend = await open("life");
    const sandbox = await backend.create({ image });
    await sandbox.session.run("sleep 100 &");
    const { life } = sandbox as SandboxHandle & { life: { monitorPid: number } };
    const running = codeOf(sandbox.session.run("sleep 100"));
    await new Promise((resolve) => setTimeout(resolve, 300));
    const first = readFileSync(`/proc/${life.monitorPid}/task/${life.monitorPid}/children`, "utf8").split(" ")[0];
    process.kill(Number(first), "SIGKILL");
    expect(await running).toBe("sandbox_lost");
    expect(await codeOf(sandbox.session.run("echo fine"))).toBe("sandbox_lost");
    expect(await codeOf(sandbox.session.readFile("/etc/passwd"))).toBe("sandbox_lost");
  });

  it("what the agent kills is its own affair", async () => {
    const backend = await open("agent");
    const sandbox = await backend.create({ image });
    await sandbox.session.run("sleep 100 &");
    expect((await sandbox.session.run("kill -9 1; kill -9 -1; echo fine")).stdout.text).toBe("fine\n");
    expect(await codeOf(sandbox.session.run("kill -9 $$"))).toBe("none");
  });

  it("a sandbox that the agent made unusable is its own affair too", async () => {
    const backend = await open("broken");
    const mounts = [{ source: folder, target: "/logs/here", readOnly: true }];
    const sandbox = await backend.create({ image, mounts });
    expect(
      (await sandbox.session.run("rm -rf /proc /logs; touch /proc /logs; rmdir /proc; echo > /logs; true")).exitCode,
    ).toBe(0);
    await sandbox.killAll();
    await sandbox.session.writeFile("/etc/motd", "x");
    const wrecked = await backend.create({ image });
    await wrecked.session.run("echo fine");
    await wrecked.killAll();
    const upper = join((wrecked as SandboxHandle & { directory: string }).directory, "u");
    writeFileSync(join(upper, "proc"), "");
    expect(await wrecked.session.run("echo fine")).toMatchObject({ exitCode: 126, limit: null });
  });

  it.skipIf(!asRoot)("a full disk of the host is not the agent's failure; its quota is", async () => {
    const mount = join(folder, "small");
    mkdirSync(mount);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", mount]);
    try {
      const backend = await open("small");
      const fill = "head -c 50000000 /dev/zero > /tmp/fill";
      const free = await backend.create({ image });
      expect(await codeOf(free.session.run(fill))).toBe("host_disk_full");
      expect(await codeOf(free.session.writeFile("/tmp/more", "x".repeat(1_000_000)))).toBe("host_disk_full");
      await free.session.run("rm /tmp/fill").catch(() => undefined);
      const bounded = await backend.create({ image, limits: { diskBytes: 5_000_000 } });
      expect((await bounded.session.run(fill)).limit?.code).toBe("disk_limit");
      await Promise.all(backends.splice(0).map((backend) => backend.close()));
    } finally {
      execFileSync("umount", ["-l", mount]);
    }
  });

  it("reaps what a dead owner left, and nothing of a living one", async () => {
    const backend = await open("reap");
    const alive = await backend.create({ image });
    await alive.session.run("echo x > /tmp/x");
    const dead = join(folder, "reap", `${ownerLabel(process.pid).replace(/^\d+-\d+/, "999999-1")}.0`);
    mkdirSync(join(dead, "sandboxes/box-1/u/locked"), { recursive: true });
    execFileSync("chmod", ["000", join(dead, "sandboxes/box-1/u/locked")]);
    expect(await backend.reap()).toContain(dead);
    expect(existsSync(dead)).toBe(false);
    expect((await alive.session.run("cat /tmp/x")).stdout.text).toBe("x\n");
  });

  it("a writer left in the background is ended between commands", async () => {
    const backend = await open("idle");
    const sandbox = await backend.create({ image, limits: { diskBytes: 5_000_000 } });
    await sandbox.session.run(
      "(i=0; while :; do head -c 1000000 /dev/zero > /tmp/b$i; i=$((i+1)); sleep 0.05; done) >/dev/null 2>&1 &",
    );
    for (let wait = 0; wait < 60 && (await sandbox.processes()) > 0; wait += 1) {
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(await sandbox.processes()).toBe(0);
  });

  it("says what is missing", async () => {
    const backend = await open("missing");
    const gone = { ...image, layers: [join(folder, "not-there")] };
    expect(await codeOf(backend.create({ image: gone }))).toBe("image_missing");
    const mounts = [{ source: join(folder, "not-there"), target: "/x", readOnly: true }];
    expect(await codeOf(backend.create({ image, mounts }))).toBe("mount_missing");
  });
});
