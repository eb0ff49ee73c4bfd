import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Image } from "../../contract/index.ts";
import { sandboxConformance } from "../conformance/index.ts";
import { findControlGroups } from "./control-groups.ts";
import { createBoxBackend, hostSkeleton, shiftOwners } from "./index.ts";
import { findTool } from "./tools.ts";

const here = dirname(fileURLToPath(import.meta.url));
const asRoot = process.getuid?.() === 0;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "box-peer-"));
  await chmod(folder, 0o755);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const imageOf = (layer: string, hostSystem: boolean): Image => ({
  digest: `sha256:${hostSystem ? "host" : "tree"}`,
  layers: [layer],
  hostSystem,
  configuration: { environment: {}, workingDirectory: "/root", user: "" },
  provenance: { base: "test", how: hostSystem ? "host" : "bootstrapped" },
});

// The slower launch, for machines without perl, differs in its first steps only: `npm run proof` holds it to the whole suite.
if (process.env.ROUTESETTER_LONG) {
  sandboxConformance("box launched by the system's tools", {
    backend: () => createBoxBackend({ stateDirectory: join(folder, "shell"), launch: "shell" }),
    image: async () => {
      const skeleton = join(folder, "shell-skeleton");
      await hostSkeleton(skeleton);
      return imageOf(skeleton, true);
    },
  });
}

const tree = process.env.ROUTESETTER_TEST_TREE ?? join(tmpdir(), "routesetter-test-debian");
describe.skipIf(!asRoot || (findTool("debootstrap") === null && !existsSync(tree)))("on a Debian tree", () => {
  sandboxConformance("box on a root file system", {
    backend: () => createBoxBackend({ stateDirectory: join(folder, "tree") }),
    image: async () => {
      if (!existsSync(tree)) {
        const words = ["--variant=minbase", "--include=python3-minimal", "bookworm", `${tree}.part`];
        execFileSync("debootstrap", words, { stdio: "ignore" });
        execFileSync("mv", [`${tree}.part`, tree]);
      }
      await shiftOwners(tree);
      return imageOf(tree, false);
    },
  });
});

const busybox = findTool("busybox");
describe.skipIf(busybox === null)("an image with nothing but busybox", () => {
  it("runs commands, switches users, is written and read", async () => {
    const root = join(folder, "busybox");
    mkdirSync(join(root, "bin"), { recursive: true });
    execFileSync("cp", [busybox!, join(root, "bin/busybox")]);
    for (const name of ["sh", "cat", "id", "ls", "sleep", "echo"]) await symlink("busybox", join(root, "bin", name));
    await shiftOwners(root);
    const backend = await createBoxBackend({ stateDirectory: join(folder, "busybox-state") });
    try {
      const sandbox = await backend.create({ image: imageOf(root, false) });
      await sandbox.session.writeFile("/srv/f", "content\n");
      expect((await sandbox.session.run("cat /srv/f; ls /; sleep 100 & echo")).stdout.text).toContain("content\nbin\n");
      expect((await sandbox.session.run("id -u", { user: "1000:1000" })).stdout.text).toBe("1000\n");
      expect((await sandbox.session.run(["/bin/ls", "/bin"])).exitCode).toBe(0);
      const paths = (await sandbox.diff()).map((change) => change.path);
      expect(paths).toEqual(expect.arrayContaining(["/srv", "/srv/f"]));
      expect(paths.filter((path) => !path.startsWith("/srv") && !path.startsWith("/root"))).toEqual([]);
    } finally {
      await backend.close();
    }
  });
});

describe("owners and users", () => {
  let module: string;
  let skeleton: string;
  beforeAll(async () => {
    const project = join(here, "../../..");
    const built = join(folder, "built");
    const words = ["-p", "tsconfig.json", "--outDir", built, "--noEmitOnError", "false"];
    try {
      execFileSync(join(project, "node_modules/.bin/tsc"), words, { cwd: project, stdio: "ignore" });
    } catch {}
    await symlink(join(project, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    module = join(built, "sandbox/box/index.js");
    skeleton = join(folder, "owner-skeleton");
    await hostSkeleton(skeleton);
  });

  const sleepers = (): number =>
    readdirSync("/proc").filter((entry) => {
      try {
        return readFileSync(`/proc/${entry}/cmdline`, "utf8").startsWith("sleep\u000098765");
      } catch {
        return false;
      }
    }).length;
  const until = async (condition: () => boolean): Promise<boolean> => {
    for (let wait = 0; wait < 250 && !condition(); wait += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    return condition();
  };

  it.each(["idle", "midway"])(
    "everything dies with a killed owner (%s), and the reaper removes the rest",
    async (mode) => {
      const state = join(folder, `owner-${mode}`);
      const child = spawn(process.execPath, [join(here, "fixtures/dying-owner.mjs"), module, state, skeleton, mode], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      await new Promise((resolve) => child.stdout.once("data", resolve));
      await until(() => sleepers() === (mode === "midway" ? 4 : 3));
      expect(sleepers()).toBe(mode === "midway" ? 4 : 3);
      child.kill("SIGKILL");
      expect(await until(() => sleepers() === 0)).toBe(true);
      expect(readdirSync(state)).toHaveLength(1);
      const groups = (): string[] => {
        const { memory } = findControlGroups();
        return memory === null
          ? []
          : readdirSync(memory).filter((name) => name.startsWith(`routesetter-${child.pid}-`));
      };
      if (asRoot && findControlGroups().memory !== null) expect(groups()).toHaveLength(3);
      const backend = await createBoxBackend({ stateDirectory: state });
      expect((await backend.reap()).length).toBeGreaterThan(0);
      expect(groups()).toEqual([]);
      await backend.close();
      expect(readdirSync(state)).toEqual([]);
      expect(readFileSync("/proc/self/mountinfo", "utf8")).not.toContain(state);
    },
  );

  it.skipIf(!asRoot)("works for an ordinary user, with one uid", () => {
    const own = join(folder, "ordinary");
    mkdirSync(own, { mode: 0o777 });
    execFileSync("chmod", ["777", own]);
    const program = [process.execPath, join(here, "fixtures/ordinary-user.mjs"), module, own];
    const text = execFileSync("setpriv", ["--reuid=65534", "--regid=65534", "--clear-groups", "--", ...program], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: own },
    });
    expect(text.trim()).toBe("fine");
  });
});
