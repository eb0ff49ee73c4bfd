// Files through the session and through the owner's handle.
import { chmod, lstat, mkdir, mkdtemp, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ArtefactError, SandboxError, type SandboxHandle } from "../../contract/index.ts";
import { outputOf, type Subject } from "./subject.ts";

const quota = { bytes: 1_000_000, files: 100 };

export function files(subject: Subject): void {
  describe("files", () => {
    let sandbox: SandboxHandle;
    let folder: string;
    beforeAll(async () => {
      sandbox = await subject.create();
      folder = await mkdtemp(join(tmpdir(), "conformance-"));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));
    const codeOf = (promise: Promise<unknown>) =>
      promise.then(
        () => "none",
        (error) => (SandboxError.isInstance(error) || ArtefactError.isInstance(error) ? error.code : String(error)),
      );

    it("writes and reads a file before anything has run", async () => {
      const fresh = await subject.create();
      await fresh.session.writeFile("/opt/new/deep/file.txt", "grüße\n");
      expect(Buffer.from(await fresh.session.readFile("/opt/new/deep/file.txt")).toString()).toBe("grüße\n");
      expect(await outputOf(fresh, "cat /opt/new/deep/file.txt; stat -c '%a %u %g' /opt/new/deep/file.txt")).toBe(
        "grüße\n644 0 0",
      );
      expect(await fresh.processes()).toBe(0);
    });

    it("sees what commands wrote, and commands see what it wrote", async () => {
      await sandbox.session.run("sleep 50 & mkdir -p /data; echo one > /data/a");
      expect(Buffer.from(await sandbox.session.readFile("/data/a")).toString()).toBe("one\n");
      await sandbox.session.writeFile("/data/a", "two\n");
      await sandbox.session.writeFile("/data/run.sh", "#!/bin/sh\necho ran\n", { mode: 0o755 });
      expect(await outputOf(sandbox, "cat /data/a; /data/run.sh")).toBe("two\nran");
    });

    it("keeps bytes as they are", async () => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) & 255);
      await sandbox.session.writeFile("/data/bytes", bytes);
      expect(Buffer.compare(await sandbox.session.readFile("/data/bytes"), bytes)).toBe(0);
    });

    it("follows links inside the sandbox only", async () => {
      await sandbox.session.run("ln -sf /etc/hostname /data/link; ln -sfn / /data/root; ln -sf loop /data/loop");
      await expect(sandbox.session.readFile("/data/link")).resolves.toBeInstanceOf(Uint8Array);
      expect(Buffer.from(await sandbox.session.readFile("/data/root/data/a")).toString()).toBe("two\n");
      expect(await codeOf(sandbox.session.readFile(`/data/root/../../..${process.cwd()}/package.json`))).toBe(
        "file_missing",
      );
      expect(await codeOf(sandbox.session.readFile("/data/loop"))).not.toBe("none");
    });

    it("says what is wrong", async () => {
      expect(await codeOf(sandbox.session.readFile("/data/missing"))).toBe("file_missing");
      expect(await codeOf(sandbox.session.readFile("/data"))).toBe("not_a_file");
      expect(await codeOf(sandbox.session.readFile("/data/bytes", { maximumBytes: 10 }))).toBe("file_too_large");
      await sandbox.session.run("mkfifo /data/fifo");
      expect(await codeOf(sandbox.session.readFile("/data/fifo"))).toBe("not_a_file");
      expect(await codeOf(sandbox.session.writeFile("/data/fifo", "x"))).toBe("not_a_file");
      expect(await codeOf(sandbox.session.writeFile("/data", "x"))).toBe("not_a_file");
    });

    it("copies a tree in, owned by root, modes and links kept", async () => {
      const source = join(folder, "source");
      await mkdir(join(source, "inner"), { recursive: true });
      await writeFile(join(source, "inner/script"), "#!/bin/sh\n");
      await chmod(join(source, "inner/script"), 0o750);
      await symlink("inner/script", join(source, "link"));
      await sandbox.copyIn(source, "/copied");
      expect(await outputOf(sandbox, "cd /copied; stat -c '%a %u:%g' inner/script; readlink link; ls")).toBe(
        "750 0:0\ninner/script\ninner\nlink",
      );
      await sandbox.copyIn(join(source, "inner/script"), "/copied-file");
      expect(await outputOf(sandbox, "stat -c '%a %u:%g' /copied-file")).toBe("750 0:0");
    });

    it("copies a tree out, readable whatever its modes were", async () => {
      await sandbox.session.run(
        "mkdir -p /out/d; echo secret > /out/d/f; ln -s d/f /out/inside; chmod 600 /out/d/f; chown 1234:1234 /out/d/f; chmod 700 /out/d; touch /out/empty",
      );
      const target = join(folder, "out");
      expect(await sandbox.copyOut("/out", target, quota)).toBe(true);
      expect(await readFile(join(target, "d/f"), "utf8")).toBe("secret\n");
      expect(await readlink(join(target, "inside"))).toBe("d/f");
      expect((await stat(join(target, "empty"))).size).toBe(0);
      expect((await lstat(join(target, "d/f"))).mode & 0o600).toBe(0o600);
    });

    it("says false when nothing is there, an empty file when there is one", async () => {
      expect(await sandbox.copyOut("/never", join(folder, "never"), quota)).toBe(false);
      expect(await sandbox.copyOut("/never/below", join(folder, "never"), quota)).toBe(false);
      expect(await sandbox.copyOut("/out/empty", join(folder, "empty"), quota)).toBe(true);
      expect(await sandbox.copyOut("/out/empty/below", join(folder, "never"), quota)).toBe(false);
    });

    const refused: [name: string, command: string, path: string][] = [
      ["a link", "ln -sfn /etc /a1", "/a1"],
      ["a link in the middle of the path", "mkdir -p /a2r/x; touch /a2r/x/f; ln -sfn /a2r /a2", "/a2/x/f"],
      ["a link inside that leads out", "mkdir -p /a3; ln -sf ../etc/passwd /a3/l", "/a3"],
      ["an absolute link inside", "mkdir -p /a4; touch /a4/f; ln -sf /a4/f /a4/l", "/a4"],
      [
        "a link that leads out through other links inside",
        "mkdir -p /a9/etc; touch /a9/etc/passwd; ln -s . /a9/x; ln -s x/x/../../etc/passwd /a9/l",
        "/a9",
      ],
      [
        "a path too long for the host",
        'n=$(printf %0200d 0); p=/b1; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do p=$p/$n; done; mkdir -p "$p"',
        "/b1",
      ],
      ["a FIFO", "mkdir -p /a5; mkfifo /a5/p", "/a5"],
      ["too many bytes", "mkdir -p /a6; head -c 1000001 /dev/zero > /a6/f", "/a6"],
      ["a sparse file larger than the quota", "mkdir -p /a7; truncate -s 10G /a7/f", "/a7"],
      ["too many files", "mkdir -p /a8; cd /a8; touch $(seq 1 120)", "/a8"],
    ];
    it.each(refused)("refuses %s", async (name, command, path) => {
      await sandbox.session.run(command);
      await expect(
        sandbox.copyOut(path, join(folder, name.replaceAll(" ", "-")), quota).catch((error) => {
          expect(ArtefactError.isInstance(error)).toBe(true);
          throw error;
        }),
      ).rejects.toThrow();
    });

    it("mounts a folder of the host, read-only when asked", async () => {
      await mkdir(join(folder, "shared"), { recursive: true });
      await writeFile(join(folder, "shared/f"), "from the host\n");
      const own = await subject.create({
        mounts: [{ source: join(folder, "shared"), target: "/mounted/here", readOnly: true }],
      });
      expect(await outputOf(own, "cat /mounted/here/f")).toBe("from the host");
      expect((await own.session.run("echo x > /mounted/here/f")).exitCode).not.toBe(0);
      expect(await readFile(join(folder, "shared/f"), "utf8")).toBe("from the host\n");
    });
  });
}
