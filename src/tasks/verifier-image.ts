import type { TaskConfiguration } from "./configuration.ts";

/**
 * Where the verifier of a task, or of a step of it, runs. `ownImage` is where its image comes from when it brings one,
 * and then its tests come with it; null when it runs in the task's image.
 */
export type VerifierImage = { readonly mode: "shared" | "separate"; readonly ownImage: string | null };

type Step = TaskConfiguration["steps"][number];

/** Resolves mode and image as Harbor does: the step's own word before the task's, an image before a build context. */
export function verifierImage(
  configuration: TaskConfiguration,
  hasFile: (path: string) => boolean,
  step?: Step,
): VerifierImage {
  const mode = (step && modeOf(step.verifier)) ?? modeOf(configuration.verifier) ?? "shared";
  if (mode === "shared") return { mode, ownImage: null };
  const places = [
    ...(step === undefined
      ? []
      : [{ image: step.verifier.environment?.docker_image, tests: `steps/${step.name}/tests` }]),
    { image: configuration.verifier.environment?.docker_image, tests: "tests" },
  ];
  for (const { image, tests } of places) {
    if (image !== undefined) return { mode, ownImage: image };
    const context = [`${tests}/Dockerfile`, `${tests}/docker-compose.yaml`].find(hasFile);
    if (context !== undefined) return { mode, ownImage: context };
  }
  return { mode, ownImage: null };
}

const modeOf = (verifier: Step["verifier"] | TaskConfiguration["verifier"]) =>
  verifier.environment_mode ?? (verifier.environment === undefined ? undefined : ("separate" as const));
