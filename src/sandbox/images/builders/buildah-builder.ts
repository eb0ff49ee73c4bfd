// Builds with buildah, in a storage of its own under the state directory; root only.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removeTree } from "../../box/remove-tree.ts";
import { extractTar } from "../export.ts";
import { BuildFailure, type EngineBuilder } from "./builder.ts";
import { contextTar } from "./context-tar.ts";
import { environmentOf } from "./docker-builder.ts";
import { runProgram } from "./run-program.ts";

export function buildahBuilder(directory: string): EngineBuilder {
  const storage = [
    "--root",
    join(directory, "storage"),
    "--runroot",
    join(directory, "run"),
    "--storage-driver",
    "overlay",
  ];
  const run = (argv: readonly string[], signal?: AbortSignal, log?: (text: string) => void) =>
    runProgram("buildah", [...storage, ...argv], { ...(signal && { signal }), ...(log && { log }) });
  const must = async (argv: readonly string[], signal?: AbortSignal): Promise<string> => {
    const { code, output } = await run(argv, signal);
    if (code !== 0) throw new Error(`buildah ${argv[0]} failed: ${output.trim().slice(-500)}`);
    return output.trim().split("\n").at(-1) ?? "";
  };
  return {
    name: "buildah",
    isDocker: false,
    async close() {
      await unmountUnder(directory);
    },
    async problem() {
      if (process.getuid?.() !== 0) return "buildah is used as root only";
      try {
        const { code, output } = await runProgram("buildah", ["--version"]);
        return code === 0 ? null : `buildah doesn't run: ${output.trim()}`;
      } catch {
        return "buildah isn't installed (apt-get install buildah)";
      }
    },
    async inspect(reference) {
      const { code, output } = await run(["inspect", "--type", "image", reference]);
      if (code !== 0) return null;
      const found = JSON.parse(output.slice(output.indexOf("{"))) as {
        FromImageID: string;
        OCIv1?: { config?: { Env?: string[]; WorkingDir?: string; User?: string } };
      };
      const { Env, WorkingDir, User } = found.OCIv1?.config ?? {};
      return {
        id: `sha256:${found.FromImageID}`,
        configuration: { environment: environmentOf(Env), workingDirectory: WorkingDir || "/", user: User ?? "" },
      };
    },
    async pull(reference, signal) {
      await must(["pull", reference.includes("/") ? reference : `docker.io/library/${reference}`], signal);
    },
    async importTar(file, tag, environment) {
      const container = await must(["from", "scratch"]);
      try {
        await must(["add", container, file, "/"]);
        await must([
          "config",
          ...Object.entries(environment).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
          container,
        ]);
        await must(["commit", container, tag]);
      } finally {
        await run(["rm", container]);
      }
    },
    async build(build) {
      const work = await mkdtemp(join(directory, "context-"));
      try {
        await extractTar(contextTar(build, ".routesetter/Dockerfile"), work);
        const argv = ["build", "--isolation", "chroot", "--layers=false", "--pull-never", "--format", "docker"];
        if (build.network !== "default") argv.push("--network", build.network);
        const { code, output } = await run(
          [...argv, "-f", join(work, ".routesetter/Dockerfile"), "-t", build.tag, work],
          build.signal,
          build.log,
        );
        if (code !== 0) {
          const step = /^(?:STEP|\[\S+\] STEP) \d+\/\d+: (.*)$/gm;
          const steps = [...output.matchAll(step)].map((match) => match[1] as string);
          const reason = output
            .trim()
            .split("\n")
            .reverse()
            .find((line) => /error/i.test(line));
          throw new BuildFailure(reason ?? `buildah ended with ${code}`, steps.at(-1) ?? null);
        }
      } catch (error) {
        if (build.signal.aborted) {
          await endProcessesIn(directory);
          await unmountUnder(join(directory, "storage", "overlay"), "/merged");
        }
        throw error;
      } finally {
        await removeTree(work);
      }
    },
    async extract(tag, destination) {
      const container = await must(["from", "--pull-never", tag]);
      try {
        const root = await must(["mount", container]);
        const child = spawn(
          "tar",
          ["-C", root, "--numeric-owner", "--xattrs", "--xattrs-include=user.*", "-cf", "-", "."],
          {
            stdio: ["ignore", "pipe", "ignore"],
          },
        );
        await extractTar(child.stdout, destination);
      } finally {
        await run(["umount", container]);
        await run(["rm", container]);
      }
    },
  };
}

/** Ends what a stopped build left running: processes whose root lies in our storage. */
async function endProcessesIn(directory: string): Promise<void> {
  for (let attempt = 0; attempt < 30; attempt++) {
    const left = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && rootOf(name).startsWith(directory));
    if (left.length === 0) return;
    for (const pid of left)
      try {
        process.kill(Number(pid), "SIGKILL");
      } catch {}
    await sleep(50);
  }
}

function rootOf(pid: string): string {
  try {
    return (
      readFileSync(`/proc/${pid}/mountinfo`, "utf8")
        .split("\n")
        .find((line) => line.split(" ")[4] === "/")
        ?.match(/(?:upperdir|lowerdir)=([^,]+)/)?.[1] ?? ""
    );
  } catch {
    return "";
  }
}

/** Mounts under `directory` whose path ends as told, the innermost first. */
async function unmountUnder(directory: string, ending = ""): Promise<void> {
  const points = readFileSync("/proc/self/mountinfo", "utf8")
    .split("\n")
    .map((line) => line.split(" ")[4] ?? "")
    .filter((point) => point.startsWith(`${directory}/`) && point.endsWith(ending));
  for (const point of points.reverse()) await runProgram("umount", ["-l", point]).catch(() => {});
}
