// import: every folder in the manner of public ones is imported or refused as its row says; sources stay as they are.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Desk, type Ended } from "../support/command-line.ts";
import { foreignTasks, harbor, layOut } from "../support/foreign-tasks.ts";

let desk: Desk;
let ended: Ended;
let before: string;
// biome-ignore lint/suspicious/noExplicitAny: the report as a reader of JSON has it.
let bySource: Map<string, any>;
const listing = (folder: string) =>
  execFileSync("find", [folder, "-printf", "%P %s %m %l %T@\n"], { encoding: "utf8" });
const host = ["--builder", "host"];

beforeAll(async () => {
  desk = new Desk();
  for (const { path, files } of foreignTasks) layOut(desk.path("theirs", path), files);
  layOut(desk.path("theirs"), { LICENSE: "MIT\n" });
  before = listing(desk.path("theirs"));
  ended = await desk.run("import", "theirs", ...host, "--json");
  const report = JSON.parse(readFileSync(desk.path("tasks/imported/import.json"), "utf8"));
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  bySource = new Map(report.imported.map((one: any) => [one.source.replace(/^theirs\//, ""), one]));
}, 120_000);
afterAll(() => desk?.close());

describe("import of a tree of others", () => {
  it("finds what is there, and the counts add up", () => {
    const expected = foreignTasks.filter(({ verdict }) => verdict !== null);
    expect(expected.length).toBeGreaterThanOrEqual(40);
    const { counts } = ended.result();
    expect(counts.found).toBe(expected.length);
    expect(counts.loaded + counts.rejected).toBe(counts.found);
    expect(counts.proven + counts.failed + counts.notRun).toBe(counts.loaded);
    expect(ended.code).toBe(1);
  });

  it.each(foreignTasks.filter(({ verdict }) => verdict !== null).map((one) => [one.path, one] as const))(
    "%s",
    (path, wanted) => {
      const found = bySource.get(path);
      const { verdict, code, file, line, field } = wanted;
      expect({ verdict: found?.verdict, reason: found?.reason }).toMatchObject({
        verdict,
        ...(code
          ? {
              reason: {
                code: expect.stringMatching(`^(?:${code})$`),
                ...(file && { file }),
                ...(line && { line }),
                ...(field && { field }),
              },
            }
          : {}),
      });
      if (verdict === "rejected") expect(found.reason.remedy).not.toBe("");
      if (verdict === "proven") expect(["sealed", "restored"]).toContain(found.mode);
      if (wanted.repair) expect(JSON.stringify(found.repairs)).toContain(wanted.repair);
      if (wanted.gate) expect(found.findings.map(({ gate }: { gate: string }) => gate)).toContain(wanted.gate);
      for (const name of wanted.holds ?? [])
        expect(existsSync(desk.path(found.written, name.replace("!", ""))), name).toBe(!name.startsWith("!"));
      if (found.written) expect(found.lineage).toMatchObject({ digest: expect.stringMatching(/^sha256:/) });
    },
  );

  it("what only looks like a task is none", () => {
    for (const path of ["__MACOSX/plain", "not-a-task"]) expect(bySource.has(path)).toBe(false);
  });

  it("the mode is recorded with the task, the licence above it is found, and a claim of its own is not believed", () => {
    const toml = (path: string) => readFileSync(desk.path(bySource.get(path).written, "task.toml"), "utf8");
    expect(toml("its-own-claim")).toContain('verification = "restored"');
    expect(toml("plain")).toContain('verification = "restored"');
    expect(toml("plain")).toContain('licence = "LICENSE"');
    expect(bySource.get("old-spellings").mode).toBe("sealed");
  });

  it("what was written is a task folder that check accepts, and the source is untouched", async () => {
    expect(listing(desk.path("theirs"))).toBe(before);
    const names = ["plain", "bench/plain"].map((path) => bySource.get(path).written);
    const checked = await desk.run("check", ...names, ...host, "--gate", "oracle_max", "--gate", "floor_gap");
    expect(checked.code, checked.stdout).toBe(0);
  });
});

describe("import from git", () => {
  it("clones without running anything of the repository, and keeps the commit", async () => {
    const repository = desk.path("repository");
    mkdirSync(repository);
    layOut(repository, harbor("repository"));
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        encoding: "utf8",
      });
    git("init", "--quiet");
    layOut(repository, { ".git/hooks/post-checkout": `#!/bin/sh\ntouch ${desk.path("hooked")}\n` });
    execFileSync("chmod", ["755", join(repository, ".git/hooks/post-checkout")]);
    git("add", "-A");
    git("commit", "--quiet", "-m", "a task");
    execFileSync("git", ["clone", "--quiet", "--bare", repository, desk.path("bare.git")]);
    const one = await desk.run("import", `file://${desk.path("bare.git")}`, ...host, "--out", "tasks/git", "--json");
    expect(one.code, one.stderr).toBe(0);
    const report = JSON.parse(readFileSync(desk.path("tasks/git/import.json"), "utf8"));
    expect(report.imported[0].lineage.commit).toBe(git("rev-parse", "HEAD").trim());
    expect(existsSync(desk.path("hooked"))).toBe(false);
    git("checkout", "--quiet", "--detach");
    expect(existsSync(desk.path("hooked")), "the hook works where hooks are on").toBe(true);
  });

  it("refuses protocols that run programs, and addresses with a password", async () => {
    for (const source of ["ext::sh -c touch% hooked", "ssh://nowhere/x", "https://me:secret@example.org/x"]) {
      const refused = await desk.run("import", source, ...host);
      expect([refused.code, refused.stderr + refused.stdout], source).toEqual([
        2,
        expect.not.stringContaining("Error:"),
      ]);
    }
  });
});

describe("what import is asked", () => {
  it("--level static runs nothing; a source is never written to; an empty tree is no success", async () => {
    const only = await desk.run(
      "import",
      "theirs/plain",
      "theirs/bench/plain",
      "--level",
      "static",
      "--out",
      "tasks/static",
      "--json",
    );
    expect([only.code, only.result().counts.converted, only.result().cost.trials]).toEqual([0, 2, 0]);
    expect((await desk.run("import", "theirs", "--out", "theirs/here")).code).toBe(2);
    mkdirSync(desk.path("empty"));
    expect((await desk.run("import", "empty", "--level", "static", "--out", "tasks/empty")).code).toBe(1);
    expect((await desk.run("import", "nowhere", "--level", "static", "--out", "tasks/empty")).stdout).toContain(
      "is not there",
    );
  });
});
