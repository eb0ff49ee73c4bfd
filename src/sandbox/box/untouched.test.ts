import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { createBoxBackend, hostSkeleton } from "./index.ts";

const folder = await mkdtemp(join(tmpdir(), "box-untouched-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

it("what nothing wrote to is untouched: in a fresh sandbox, and in one that ran once its layer was read", async () => {
  const skeleton = join(folder, "skeleton");
  await hostSkeleton(skeleton);
  const backend = await createBoxBackend({ stateDirectory: join(folder, "state") });
  try {
    const sandbox = await backend.create({
      image: {
        digest: "sha256:host",
        layers: [skeleton],
        hostSystem: true,
        configuration: { environment: {}, workingDirectory: "/root", user: "" },
        provenance: { base: "host", how: "host" },
      },
    });
    expect(await sandbox.isUntouched("/etc")).toBe(true);
    await sandbox.session.run("mkdir -p /srv/made; echo x > /etc/made; rm -rf /tmp; mkdir /tmp");
    await sandbox.killAll();
    await sandbox.diff();
    expect(await sandbox.isUntouched("/etc/passwd")).toBe(true);
    expect(await sandbox.isUntouched("/var")).toBe(true);
    for (const path of ["/etc", "/etc/made", "/srv", "/tmp"]) expect(await sandbox.isUntouched(path), path).toBe(false);
    await sandbox.session.writeFile("/var/written", "by the owner");
    expect(await sandbox.isUntouched("/var")).toBe(false);
  } finally {
    await backend.close();
  }
});
