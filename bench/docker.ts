// The peer of the box lifecycle: one container from create to dispose, as the docker backend does it.
import type { Image, SandboxBackend } from "../src/contract/index.ts";

/** Milliseconds of create + run `true` + dispose, `samples` times, one after the other; the first try isn't counted. */
export async function dockerLifecycle(backend: SandboxBackend, image: Image, samples = 15): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i <= samples; i++) {
    const begun = performance.now();
    const sandbox = await backend.create({ image });
    try {
      const result = await sandbox.session.run(["true"]);
      if (result.exitCode !== 0) throw new Error(`true ended with ${result.exitCode}: ${result.stderr.text}`);
    } finally {
      await sandbox.dispose();
    }
    if (i > 0) times.push(performance.now() - begun);
  }
  return times;
}
