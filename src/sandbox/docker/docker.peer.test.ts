import { mkdtempSync } from "node:fs";
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
    const { mkdirSync, writeFileSync } = await import("node:fs");
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
});
