// What a backend hands to the conformance suite, and how the suite's parts make sandboxes of it.
import { afterAll, beforeAll } from "vitest";
import type { Image, SandboxBackend, SandboxHandle, SandboxSpec } from "../../contract/index.ts";

export type ConformanceOptions = {
  readonly backend: () => Promise<SandboxBackend>;
  /** An image with /bin/sh and coreutils, whose user is root. */
  readonly image: (backend: SandboxBackend) => Promise<Image>;
  /** What the backend can't do on this machine, with the reason; the tests are shown as skipped. */
  readonly without?: Partial<Record<"network" | "allowList" | "limits" | "users", string>>;
};

export type Subject = {
  readonly options: ConformanceOptions;
  backend(): SandboxBackend;
  image(): Image;
  /** A sandbox that is disposed of when the part is over. */
  create(spec?: Partial<SandboxSpec>): Promise<SandboxHandle>;
};

/** To be called inside a describe block. */
export function openSubject(options: ConformanceOptions): Subject {
  let backend: SandboxBackend | undefined;
  let image: Image | undefined;
  const made: SandboxHandle[] = [];
  beforeAll(async () => {
    backend = await options.backend();
    image = await options.image(backend);
  });
  afterAll(async () => {
    await Promise.all(made.map((sandbox) => sandbox.dispose()));
    await backend?.close();
  });
  return {
    options,
    backend: () => backend!,
    image: () => image!,
    async create(spec = {}) {
      const sandbox = await backend!.create({ image: image!, ...spec });
      made.push(sandbox);
      return sandbox;
    },
  };
}

/** The text of the standard output of a command that must succeed. */
export async function outputOf(sandbox: SandboxHandle, command: string): Promise<string> {
  const result = await sandbox.session.run(command, { timeoutMilliseconds: 30_000 });
  if (result.exitCode !== 0) throw new Error(`${command}: ${JSON.stringify(result)}`);
  return result.stdout.text.trimEnd();
}
