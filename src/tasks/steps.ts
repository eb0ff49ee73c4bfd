// A step of an ordered task as a task of its own, laid out below a folder of the runner's: so everything that can be done
// with a task can be done with a step.
import { cp, mkdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Task, TaskScript, TaskStep } from "./task.ts";

/**
 * Tests of the root come first and the step's over them, as Harbor uploads them. The digest is the whole task's; there
 * is no environment/: the image is the whole task's, too.
 */
export async function layOutStep(task: Task, step: TaskStep, directory: string): Promise<Task> {
  const place = join(task.directory, "steps", step.name);
  await mkdir(directory, { recursive: true });
  await copyFolder(join(task.directory, "tests"), join(directory, "tests"));
  await copyFolder(join(place, "tests"), join(directory, "tests"));
  await copyFolder(join(place, "solution"), join(directory, "solution"));
  await copyFolder(join(place, "workdir"), join(directory, "workdir"));
  const { agent, verifier, artifacts, healthcheck } = step.configuration;
  const { steps: _, ...whole } = task.configuration;
  const own = <T extends object>(value: T): Partial<T> =>
    Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Partial<T>;
  const inPlace = (script: TaskScript): TaskScript => ({
    name: script.name.split("/").at(-1) as string,
    path: script.path.slice(`steps/${step.name}/`.length),
  });
  return {
    ...task,
    directory,
    instruction: step.instruction,
    solution: step.solution && inPlace(step.solution),
    partials: step.partials.map(inPlace),
    requirements: step.requirements,
    steps: [],
    configuration: {
      ...whole,
      steps: [],
      artifacts: [...whole.artifacts, ...artifacts],
      agent: { ...whole.agent, ...own(agent) },
      verifier: {
        ...whole.verifier,
        ...own(verifier),
        timeout_sec: verifier.timeout_sec ?? whole.verifier.timeout_sec,
        env: { ...whole.verifier.env, ...verifier.env },
      },
      environment: { ...whole.environment, healthcheck: healthcheck ?? whole.environment.healthcheck },
    },
  };
}

/** A folder that isn't there is none. */
async function copyFolder(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true }).catch((error) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** The name of a step that was laid out. */
export const nameOfStep = (step: Task): string => basename(step.directory);
