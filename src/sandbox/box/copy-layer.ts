// Copies a layer as it is: whiteouts, opaque directories, owners, modes, extended attributes, hard links, sparse files.
import { execFile } from "node:child_process";
import { SandboxError } from "../../contract/index.ts";
import { asLayerOwner, launchEnvironment } from "./tools.ts";

/** Copies the content of `source` into `target`, which exists; `target`'s own mode and owner become `source`'s. */
export async function copyLayer(source: string, target: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    execFile(
      ...asLayerOwner("cp", ["-a", "--reflink=auto", "--sparse=auto", `${source}/.`, `${target}/`]),
      { env: launchEnvironment },
      (error, _out, diagnostics) => (error === null ? resolve() : reject(copyFailed(source, diagnostics, error))),
    );
  });
}

const copyFailed = (source: string, diagnostics: string, cause: Error): SandboxError =>
  new SandboxError({
    code: /No space left on device/.test(diagnostics) ? "host_disk_full" : "snapshot_failed",
    message: `the layer ${source} could not be copied: ${diagnostics.trim() || cause.message}`,
    isRetryable: true,
    remedy: "free some space on the host, then try again",
    cause,
  });
