import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openImageStore } from "../../src/sandbox/index.ts";
import { findTasks, type Task } from "../../src/tasks/index.ts";

const version = "0.25.0";
const cli = new URL("../../dist/cli/main.js", import.meta.url).pathname;
const classes = new URL("harbor", import.meta.url).pathname;
const root = mkdtempSync(join(tmpdir(), "harbor-"));
const cache = process.env.ROUTESETTER_CACHE ?? join(homedir(), ".cache", "routesetter");
const environment = join(cache, "peers", `harbor-${version}`);
const harbor = join(environment, "bin", "harbor");

/** The official package, installed once into an environment of its own. */
function installHarbor(): void {
  if (existsSync(join(environment, "installed"))) return;
  const versions = join(homedir(), ".pyenv", "versions");
  const known = existsSync(versions)
    ? readdirSync(versions)
        .filter((name) => /^3\.1[23]\./.test(name))
        .sort()
    : [];
  const python = known[0] ? join(versions, known[0], "bin", "python") : "python3.12";
  rmSync(environment, { recursive: true, force: true });
  mkdirSync(join(cache, "peers"), { recursive: true });
  execFileSync(python, ["-m", "venv", environment], { stdio: "inherit" });
  execFileSync(join(environment, "bin", "pip"), ["install", "--quiet", `harbor==${version}`], { stdio: "inherit" });
  writeFileSync(join(environment, "installed"), `${version}\n`);
}

type Scored = { rewards: Record<string, number>; digest: string };

function harborScores(agent: "oracle" | "nop", tasks: string, images: string): Map<string, Scored> {
  const jobs = join(root, "jobs");
  const flags = ["-e", "engine_environment:EngineEnvironment", "-o", jobs, "--job-name", agent, "-n", "2", "-q", "-y"];
  execFileSync(harbor, ["run", "-p", tasks, "-a", agent, ...flags], {
    env: {
      ...process.env,
      PYTHONPATH: classes,
      PYTHONDONTWRITEBYTECODE: "1",
      LITELLM_LOCAL_MODEL_COST_MAP: "True",
      ROUTESETTER_HARBOR_IMAGES: images,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const scores = new Map<string, Scored>();
  for (const trial of readdirSync(join(jobs, agent), { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const read = (file: string) => JSON.parse(readFileSync(join(jobs, agent, trial.name, file), "utf8"));
    const result = read("result.json");
    expect(result.exception_info, trial.name).toBeNull();
    scores.set(result.task_id.path.split("/").at(-1), {
      rewards: result.verifier_result.rewards,
      digest: read("lock.json").task.digest,
    });
  }
  return scores;
}

/** The same trial here: the rewards of each task, from the recorded trajectories. */
function ownScores(agent: "oracle" | "nop", tasks: string): Map<string, Record<string, number>> {
  const text = execFileSync(process.execPath, [cli, "rollout", tasks, "--agent", agent, "--json", "--project", root], {
    encoding: "utf8",
  });
  const { outputs } = JSON.parse(text.trim().split("\n").at(-1) as string) as { outputs: string[] };
  const folder = join(outputs[0] as string, agent);
  return new Map(
    readdirSync(folder).map((digest) => {
      const trajectory = JSON.parse(readFileSync(join(folder, digest, "1.json"), "utf8"));
      return [trajectory.task.digest, trajectory.verdict.rewards];
    }),
  );
}

describe(`the official harbor package ${version}`, () => {
  const shelf = join(root, "tasks");
  const images = join(root, "images.json");
  let tasks: readonly Task[] = [];

  beforeAll(async () => {
    installHarbor();
    execFileSync(process.execPath, [cli, "forge", "--count", "10", "--seed", "11", "--project", root], {
      stdio: "ignore",
    });
    ({ loaded: tasks } = await findTasks([shelf]));
    const store = openImageStore({
      stateDirectory: cache,
      builder: "docker",
      ...(process.env.SSL_CERT_FILE ? { caBundle: process.env.SSL_CERT_FILE } : {}),
    });
    const tags: Record<string, string> = {};
    for (const task of tasks) {
      const { image } = await store.resolve({ context: join(task.directory, "environment") });
      tags[join(task.directory, "environment")] = image.dockerTag as string;
    }
    await store.close();
    writeFileSync(images, JSON.stringify(tags));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("is given ten tasks", () => expect(tasks).toHaveLength(10));

  it.each(["oracle", "nop"] as const)("scores %s as it is scored here, and digests the folders alike", (agent) => {
    const theirs = harborScores(agent, shelf, images);
    const ours = ownScores(agent, shelf);
    expect(theirs.size).toBe(10);
    for (const task of tasks) {
      const name = task.directory.split("/").at(-1) as string;
      const scored = theirs.get(name);
      expect(scored?.digest, name).toBe(task.digest);
      expect(scored?.rewards, name).toEqual(ours.get(task.digest));
      expect(scored?.rewards.reward, name).toBe(agent === "oracle" ? 1 : 0);
    }
  });
});
