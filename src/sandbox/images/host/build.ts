// The `host` builder: a Dockerfile over this machine's own system, without root, engine or network. Layers: the
// skeleton (made once a machine state) and the task's own files (made once a content).
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BuildContext } from "../context/read.ts";
import { parseDockerfile } from "../dockerfile/index.ts";
import { placeAtomically, type StoredImage } from "../stored-image.ts";
import { type HostSystem, readHostSystem } from "./bases.ts";
import { type HostPlan, interpretForHost } from "./interpret.ts";
import { readHostPackages } from "./packages.ts";
import { fillSkeleton } from "./skeleton.ts";
import { HostTree } from "./tree.ts";
import { writeTree } from "./write-tree.ts";

export type PreparedHostImage = { readonly digest: string; readonly plan: HostPlan; readonly system: HostSystem };

let skeleton: { digest: string; tree: HostTree } | null = null;

/** What would be built, without writing anything. Errors: SandboxError `host_image_unsuitable`. */
export function prepareHostImage(context: BuildContext, dockerfileText: string): PreparedHostImage {
  const system = readHostSystem();
  if (skeleton?.digest !== system.digest) {
    skeleton = { digest: system.digest, tree: new HostTree() };
    fillSkeleton(skeleton.tree);
  }
  const host = { system, packages: readHostPackages(), skeleton: skeleton.tree };
  const plan = interpretForHost(parseDockerfile(dockerfileText), context, host);
  const identity = JSON.stringify([
    "host",
    system.digest,
    context.digest,
    context.dockerfile === null ? dockerfileText : "",
  ]);
  return { digest: `sha256:${createHash("sha256").update(identity).digest("hex")}`, plan, system };
}

/** Writes the layers. Two processes that do it at once end with one of the results. */
export async function writeHostImage(
  prepared: PreparedHostImage,
  imagesDirectory: string,
  ownerShift: number | null,
): Promise<StoredImage> {
  const { plan, system } = prepared;
  const skeletonName = `host-${system.digest.slice(0, 32)}-${ownerShift ?? "plain"}`;
  if (!existsSync(join(imagesDirectory, skeletonName)))
    placeAtomically(imagesDirectory, skeletonName, (directory) => {
      if (skeleton) writeTree(skeleton.tree, join(directory, "root"), ownerShift);
    });
  const name = prepared.digest.slice("sha256:".length);
  const note =
    plan.baseKind === "python" || plan.baseMatch === "family"
      ? `this machine's own system (${system.name}) stands in for ${plan.base}`
      : undefined;
  const stored: StoredImage = {
    version: 1,
    digest: prepared.digest,
    layers: [`${skeletonName}/root`, `${name}/layer`],
    hostSystem: true,
    configuration: plan.configuration,
    provenance: { base: plan.base, how: "host", builder: "host", ...(note && { note }) },
  };
  placeAtomically(
    imagesDirectory,
    name,
    (directory) => writeTree(plan.tree, join(directory, "layer"), ownerShift),
    stored,
  );
  return stored;
}
