import { accessSync, constants, existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import type { Image } from "../../contract/index.ts";
import { sandboxConformance } from "../conformance/index.ts";
import { createBoxBackend, hostSkeleton } from "./index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "box-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const imageOf = (layer: string, hostSystem: boolean): Image => ({
  digest: `sha256:${hostSystem ? "host" : "tree"}`,
  layers: [layer],
  hostSystem,
  configuration: { environment: {}, workingDirectory: "/root", user: "" },
  provenance: { base: "host", how: "host" },
});

function without(): { users?: string; network?: string } {
  if (process.getuid?.() === 0) return {};
  const users = "an ordinary user has one uid to give";
  try {
    accessSync("/dev/net/tun", constants.R_OK | constants.W_OK);
    return { users };
  } catch {
    return { users, network: "/dev/net/tun is closed to this user" };
  }
}

sandboxConformance("box on the host's system", {
  backend: () => createBoxBackend({ stateDirectory: join(folder, "state") }),
  image: async () => {
    const skeleton = join(folder, "skeleton");
    if (!existsSync(skeleton)) await hostSkeleton(skeleton);
    return imageOf(skeleton, true);
  },
  without: without(),
});
