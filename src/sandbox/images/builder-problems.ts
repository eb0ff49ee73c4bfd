// Which builders of images work on this machine.
import { tmpdir } from "node:os";
import { buildahBuilder } from "./builders/buildah-builder.ts";
import { dockerBuilder } from "./builders/docker-builder.ts";

/** For each why it can't be used, null when it can. The `host` builder needs nothing but Linux. */
export async function builderProblems(): Promise<Record<"host" | "docker" | "buildah", string | null>> {
  return {
    host: process.platform === "linux" ? null : "it makes images of a Linux machine's own system",
    docker: await dockerBuilder().problem(),
    buildah: await buildahBuilder(tmpdir()).problem(),
  };
}
