// What a box costs: one sandbox from create to dispose, and how many a machine does in a second.
import type { Image, SandboxBackend } from "../src/contract/index.ts";

const cycle = async (image: Image, backend: SandboxBackend): Promise<void> => {
  const sandbox = await backend.create({ image });
  const result = await sandbox.session.run(["true"]);
  await sandbox.dispose();
  if (result.exitCode !== 0) throw new Error(`true did not succeed: ${JSON.stringify(result)}`);
};

/** Milliseconds of create, run `true`, dispose, one sandbox after the other; the first ones are not counted. */
export async function boxLifecycle(
  image: Image,
  backend: SandboxBackend,
  options: { samples?: number; warmUp?: number } = {},
): Promise<number[]> {
  const { samples = 100, warmUp = 5 } = options;
  const out: number[] = [];
  for (let index = -warmUp; index < samples; index += 1) {
    const begun = performance.now();
    await cycle(image, backend);
    if (index >= 0) out.push(performance.now() - begun);
  }
  return out;
}

/** Sandboxes in a second with `workers` at work, one number for each of `rounds` rounds of `each` sandboxes. */
export async function boxThroughput(
  image: Image,
  backend: SandboxBackend,
  options: { workers?: number; each?: number; rounds?: number } = {},
): Promise<number[]> {
  const { workers = 8, each = 200, rounds = 3 } = options;
  const out: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    let left = each;
    const begun = performance.now();
    await Promise.all(
      Array.from({ length: workers }, async () => {
        while (left > 0) {
          left -= 1;
          await cycle(image, backend);
        }
      }),
    );
    out.push(each / ((performance.now() - begun) / 1000));
  }
  return out;
}
