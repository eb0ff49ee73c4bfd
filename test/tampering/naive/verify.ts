// The verifier that the attacks are made for: the tests lie in the agent's own sandbox, test.sh runs there as it is, and
// the reward is whatever file is found.
import { join } from "node:path";
import type { Image, SandboxBackend } from "../../../src/contract/index.ts";
import type { Task } from "../../../src/tasks/index.ts";

/** The reward that such a verifier reports, null when it finds none, and what test.sh printed. */
export async function naiveReward(
  backend: SandboxBackend,
  image: Image,
  task: Task,
  script: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<{ reward: number | null; output: string }> {
  const sandbox = await backend.create({ image, workingDirectory: "/app" });
  try {
    await sandbox.session.run(["/bin/sh", "-c", "mkdir -p /logs/verifier; chmod 777 /logs/verifier"], {
      workingDirectory: "/",
    });
    await sandbox.copyIn(join(task.directory, "tests"), "/tests");
    for (const [path, content] of Object.entries(files)) await sandbox.session.writeFile(path, content);
    await sandbox.session.run(["/bin/sh", "-c", script], { timeoutMilliseconds: 60_000 });
    const test = await sandbox.session.run(["/bin/sh", "-c", "/tests/test.sh 2>&1"], { timeoutMilliseconds: 60_000 });
    const found = await sandbox.session.run(
      ["/bin/sh", "-c", "cat /logs/verifier/reward.json 2>/dev/null || cat /logs/verifier/reward.txt"],
      { workingDirectory: "/" },
    );
    const number = /-?\d+(?:\.\d+)?/.exec(found.stdout.text);
    return { reward: number ? Number(number[0]) : null, output: `${test.limit?.message ?? ""}${test.stdout.text}` };
  } finally {
    await sandbox.dispose();
  }
}
