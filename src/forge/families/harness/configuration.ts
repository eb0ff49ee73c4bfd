import { stringify } from "smol-toml";
import { type Family, stepsOf, type TaskDraft } from "../family.ts";

const levels = { 1: "easy", 2: "easy", 3: "medium", 4: "hard", 5: "hard" } as const;

/** The text of `task.toml` (schema 1.4). */
export function taskConfiguration(
  family: Pick<Family, "id">,
  draft: TaskDraft,
  identity: { readonly name: string; readonly seed: string | number; readonly index: number },
): string {
  return `${stringify({
    schema_version: "1.4",
    ...(draft.later === undefined ? { artifacts: [...draft.artefacts] } : { multi_step_reward_strategy: "mean" }),
    task: {
      name: identity.name,
      version: "1.0.0",
      description: draft.title,
      keywords: [family.id, ...draft.tags],
    },
    metadata: {
      difficulty: levels[draft.difficulty],
      level: draft.difficulty,
      category: family.id,
      tags: [...draft.tags],
      verification: "sealed",
      author: "procedural",
      seed: String(identity.seed),
      index: identity.index,
    },
    agent: { timeout_sec: 600 + 300 * draft.difficulty },
    verifier: { timeout_sec: stepsOf(draft).some(({ executes }) => executes.length > 0) ? 180 : 60 },
    environment: {
      build_timeout_sec: 600,
      cpus: 1,
      memory_mb: 1024,
      storage_mb: 2048,
      network_mode: "no-network",
      workdir: "/app",
    },
    ...(draft.later === undefined
      ? {}
      : { steps: stepsOf(draft).map(({ name, artefacts }) => ({ name, artifacts: [...artefacts] })) }),
  })}\n`;
}
