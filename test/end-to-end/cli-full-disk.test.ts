// A full disk stops a run as infrastructure; nothing is lost, and it goes on when there is space again.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk } from "../support/command-line.ts";

let desk: Desk;
let mounted = false;
const small = () => join(desk.directory, "small");
const idOf = (text: string) => /"run":"([^"]+)"/.exec(text)?.[1] as string;

beforeAll(() => {
  desk = new Desk();
  for (const name of ["a", "b", "c"]) desk.task(name);
  mkdirSync(small());
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", small()], { stdio: "ignore" });
    mounted = true;
  } catch {
    // Mounting needs root: the tests skip.
  }
});
afterAll(async () => {
  if (mounted) execFileSync("umount", ["-l", small()]);
  await desk?.close();
});

/** Fills the small disk up to its last blocks, though others write to it at the same time. */
function fill(file: string, leave = 0): void {
  const { bavail, bsize } = statfsSync(small());
  try {
    writeFileSync(join(small(), file), Buffer.alloc(Math.max(0, bavail * bsize - leave)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

// BR065
describe("a full disk", () => {
  it("below the project's state: exit 3, and the run goes on from where it was", async (context) => {
    if (!mounted) context.skip("mounting a small file system needs root");
    const args = ["tasks", "--gate", "oracle_max", "--gate", "manifest", "--concurrency", "1", "--json"];
    const started = desk.start(["check", ...args, "--project", small()]);
    await started.until("run-started");
    await started.until('"done":1');
    fill("ballast");
    const ended = await started.ended;
    expect([ended.code, ended.result().status], ended.stderr).toEqual([3, "infrastructure"]);
    expect(ended.stderr).toMatch(/disk that holds the state is full[\s\S]*free some space/);
    const again = await desk.run("runs", "list", "--project", small());
    expect([0, 3]).toContain(again.code);

    rmSync(join(small(), "ballast"));
    const id = idOf(ended.stdout);
    const resumed = await desk.run("runs", "resume", id, "--project", small(), "--json");
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.result().counts).toMatchObject({ found: 3, accepted: 3 });
    const details = (await desk.run("runs", "show", id, "--project", small(), "--json")).result().run;
    expect(details.run).toMatchObject({ status: "done", steps: 3 });
    expect(details.attempts.redone).toBe(0);
  });

  it("below what is being forged: the same command goes on with what was left", async (context) => {
    if (!mounted) context.skip("mounting a small file system needs root");
    const project = join(small(), "forge");
    const forge = ["forge", "--count", "3", "--seed", "5", "--concurrency", "1", "--json", "--project", project];
    const started = desk.start([...forge, "--family", "tabular-reconciliation"]);
    await started.until("task-accepted");
    fill("ballast");
    const stopped = await started.ended;
    expect([stopped.code, stopped.result().code], stopped.stderr).toEqual([3, "host_disk_full"]);
    rmSync(join(small(), "ballast"));
    const ended = await desk.run(...forge, "--family", "tabular-reconciliation");
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.result().counts).toMatchObject({ found: 3, accepted: 3 });
    rmSync(project, { recursive: true });
  });

  it("below the cache: exit 3 with everything not graded, and exactly that is taken again", async (context) => {
    if (!mounted) context.skip("mounting a small file system needs root");
    for (const name of ["big", "bigger"])
      desk.task(`disk/${name}`, {
        "environment/Dockerfile": "FROM debian:bookworm\nWORKDIR /app\nCOPY data.bin /app/\n",
        "environment/data.bin": name.slice(-1).repeat(6_000_000),
      });
    const env = { ROUTESETTER_CACHE: join(small(), "cache") };
    const start = (...args: string[]) => desk.start(args, { env }).ended;
    expect((await start("rollout", "tasks/a", "--json")).code).toBe(0);
    fill("ballast", 4_500_000);
    const full = await start("rollout", "tasks/a", "tasks/disk", "--agent", "oracle", "--json");
    expect(full.code, `${full.stdout}${full.stderr}`).toBe(3);
    expect(full.result().counts).toMatchObject({ attempted: 3, infra_error: 2, success: 1 });
    rmSync(join(small(), "ballast"));
    const mended = await start("runs", "resume", idOf(full.stdout), "--only", "infra", "--json");
    expect(mended.code, `${mended.stdout}${mended.stderr}`).toBe(0);
    expect(mended.result().counts).toMatchObject({ attempted: 3, success: 3, retaken: 2, kept: 1 });
    expect(existsSync(join(small(), "cache"))).toBe(true);
  });

  it("at the other end of standard output: exit 3, with the reason", async () => {
    const { code, stderr } = await desk.shell("$R check tasks/a --gate manifest --json > /dev/full");
    expect(code).toBe(3);
    expect(stderr).toMatch(/standard output can't be written: ENOSPC/);
  });
});
