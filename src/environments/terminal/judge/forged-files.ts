// What lies where only the kernel may write, before the verifier has begun.
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { ArtefactError, type SandboxHandle } from "../../../contract/index.ts";

/** One line for each thing found in /logs/verifier, /tests or /run/routesetter of the agent's sandbox. */
export async function findForgedFiles(agent: SandboxHandle, scratch: string): Promise<string[]> {
  const found: string[] = [];
  for (const [index, folder] of ["/logs/verifier", "/tests", "/run/routesetter"].entries()) {
    const copy = join(scratch, `forged-${index}`);
    try {
      if (!(await agent.copyOut(folder, copy, { bytes: 1024 * 1024, files: 100 }))) continue;
      const names = await readdir(copy).catch(() => [""]);
      found.push(...names.sort().map((name) => `written before verification: ${folder}${name && `/${name}`}`));
    } catch (error) {
      if (!ArtefactError.isInstance(error)) throw error;
      found.push(`written before verification: ${folder} (${error.code})`);
    } finally {
      await rm(copy, { recursive: true, force: true }).catch(() => {});
    }
  }
  return found;
}
