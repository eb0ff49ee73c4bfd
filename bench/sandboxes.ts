// The box beside the Docker engine, on the same Debian root file system, in one run.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Image, SandboxBackend } from "../src/contract/index.ts";
import { createBoxBackend, createDockerBackend, openImageStore } from "../src/sandbox/index.ts";
import { boxLifecycle, boxThroughput } from "./box.ts";
import { dockerLifecycle } from "./docker.ts";
import type { Measure } from "./measure.ts";

const cache = process.env.ROUTESETTER_CACHE ?? join(homedir(), ".cache", "routesetter");

/** With an engine the image is Debian's root file system, on both; without one it is the machine's own system. */
async function withBox<T>(
  work: (box: SandboxBackend, image: Image, engine: SandboxBackend | null) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "routesetter-bench-"));
  mkdirSync(join(folder, "context"));
  writeFileSync(join(folder, "context", "Dockerfile"), "FROM debian:bookworm-slim\n");
  const docker = await createDockerBackend({ stateDirectory: join(folder, "docker") });
  const isThere = (await docker.probe()).problems.length === 0;
  const images = openImageStore({ stateDirectory: cache, builder: isThere ? "docker" : "host" });
  const box = await createBoxBackend({ stateDirectory: join(folder, "box") });
  try {
    const { image } = await images.resolve({ context: join(folder, "context") });
    return await work(box, image, isThere ? docker : null);
  } finally {
    await box.close();
    await docker.close();
    await images.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const measureBoxLifecycle = (): Promise<Measure> =>
  withBox(async (box, image, engine) => {
    const samples = await boxLifecycle(image, box);
    const baseline =
      engine === null ? {} : { baseline: { name: "docker", samples: await dockerLifecycle(engine, image) } };
    return { id: "box-lifecycle", unit: "ms", samples, goal: 20, ratioGoal: 10, ...baseline };
  });

export const measureBoxThroughput = (): Promise<Measure> =>
  withBox(async (box, image) => ({
    id: "box-throughput",
    unit: "sandboxes/s",
    samples: await boxThroughput(image, box),
    goal: 80,
    better: "higher",
  }));
