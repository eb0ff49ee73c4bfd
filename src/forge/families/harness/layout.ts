import { createHash } from "node:crypto";
import { canonicalJson } from "../../../contract/index.ts";
import { type DraftStep, type Family, type FixtureFile, stepsOf, type TaskDraft } from "../family.ts";
import { harnessSources } from "./assets.ts";
import { taskConfiguration } from "./configuration.ts";
import type { FolderFile, TaskFolder } from "./folder.ts";

const workdir = "/app/";

/** The files that the named path (a file or a directory under /app) came with. */
function pristineFiles(fixtures: readonly FixtureFile[], path: string): FixtureFile[] {
  const relative = path.slice(workdir.length);
  return fixtures.filter((file) => file.path === relative || file.path.startsWith(`${relative}/`));
}

function hashText(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
}

function* contentOf(files: readonly FixtureFile[]): Generator<string | Uint8Array> {
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    yield file.path;
    yield file.content;
  }
}

function* seenByAgent(draft: TaskDraft): Generator<string | Uint8Array> {
  const words = (step: Pick<DraftStep, "instruction">) => step.instruction.toLowerCase().replace(/\s+/g, " ").trim();
  yield words(draft);
  yield* contentOf(draft.files);
  for (const step of draft.later ?? []) {
    yield words(step);
    yield step.setup ?? "";
    yield* contentOf(step.arrives);
  }
}

function* wholeDraft(family: string, draft: TaskDraft): Generator<string | Uint8Array> {
  const { files, verifierFiles, later, ...rest } = draft;
  yield family;
  yield canonicalJson(rest);
  yield* contentOf(files);
  for (const file of verifierFiles ?? []) {
    yield file.path;
    yield file.content;
  }
  for (const { arrives, verifierFiles: hidden, ...step } of later ?? []) {
    yield canonicalJson(step);
    yield* contentOf(arrives);
    yield* contentOf(hidden ?? []);
  }
}

function slugOf(family: string, draft: TaskDraft): string {
  const words = draft.title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  return `${family}-${words}-${hashText(wholeDraft(family, draft)).slice(0, 12)}`;
}

function dockerfile(packages: readonly string[]): string {
  const names = [...new Set(["python3", ...packages])].sort().join(" ");
  return [
    "FROM debian:bookworm-slim",
    "",
    "RUN apt-get update \\",
    `    && apt-get install -y --no-install-recommends ${names} \\`,
    "    && rm -rf /var/lib/apt/lists/*",
    "",
    "ENV LANG=C.UTF-8",
    "WORKDIR /app",
    "COPY files/ /app/",
    "",
  ].join("\n");
}

function readme(family: Pick<Family, "id" | "title">, draft: TaskDraft, seed: string | number, index: number): string {
  return [
    `# ${draft.title}`,
    "",
    `A terminal task of the skill family "${family.title}" (\`${family.id}\`), difficulty ${draft.difficulty} of 5.`,
    ...(draft.later === undefined
      ? []
      : [`It has ${1 + draft.later.length} steps in one environment; each begins where the one before ended.`]),
    "",
    "## Provenance",
    "",
    `Composed by Routesetter's procedural author from seed \`${seed}\`, index ${index}; no model took part.`,
    "Names, hosts, people and figures are drawn from the seed and belong to nobody. The same seed gives the same bytes.",
    "Licence: Apache-2.0.",
    "",
  ].join("\n");
}

type Add = (path: string, content: string | Uint8Array, mode?: number) => void;
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
const setupScript = (text: string) => `#!/bin/bash\nset -euo pipefail\n${text.trim()}\n`;

/** What a task of one step has at its root and a step of an ordered task in its folder. */
function layoutStep(
  add: Add,
  folder: string,
  step: Omit<DraftStep, "name" | "arrives">,
  fixtures: readonly FixtureFile[],
): void {
  const { artefacts, executes, requirements } = step;
  add(`${folder}instruction.md`, `${step.instruction.trim()}\n`);
  add(`${folder}requirements.json`, json({ version: 1, artefacts, executes, requirements }));
  add(`${folder}solution/solve.sh`, step.solution, 0o755);
  step.partials.forEach((partial, index) => {
    add(`${folder}solution/partial_${index + 1}_breaks_${partial.breaks.join("_")}.sh`, partial.script, 0o755);
  });

  const harness = harnessSources();
  const tests = `${folder}tests/`;
  add(`${tests}test.sh`, "#!/bin/sh\nexec /usr/bin/python3 -I -S /tests/verifier.py\n", 0o755);
  add(`${tests}verifier.py`, harness.verifier);
  if (executes.length > 0) add(`${tests}execution.py`, harness.execution);
  add(`${tests}checks.py`, step.checks);
  const weights = requirements.map(({ id, kind, weight }) => ({ id, kind, weight }));
  add(`${tests}expected.json`, `${JSON.stringify({ requirements: weights, executes, expected: step.expected })}\n`);
  for (const requirement of requirements.filter((entry) => entry.kind === "invariant"))
    for (const file of pristineFiles(fixtures, requirement.artefact))
      add(`${tests}pristine/${file.path}`, file.content);
  for (const file of step.verifierFiles ?? []) add(`${tests}${file.path}`, file.content, file.mode);
}

/**
 * Lays a draft out as a Harbor task folder: of several steps when the draft has later ones. The same family, draft, seed and index give the same bytes.
 * `seed` and `index` are recorded as provenance only.
 */
export function layoutTask(
  family: Pick<Family, "id" | "title">,
  draft: TaskDraft,
  origin: { readonly seed: string | number; readonly index: number },
): TaskFolder {
  const slug = slugOf(family.id, draft);
  const name = `routesetter/${slug}`;
  const files = new Map<string, FolderFile>();
  const add: Add = (path, content, mode = 0o644) => files.set(path, { content, mode });

  add("task.toml", taskConfiguration(family, draft, { name, ...origin }));
  add("README.md", readme(family, draft, origin.seed, origin.index));
  add("environment/Dockerfile", dockerfile(draft.packages));
  for (const file of draft.files) add(`environment/files/${file.path}`, file.content, file.mode);
  if (draft.later === undefined) layoutStep(add, "", draft, draft.files);
  else
    for (const [index, step] of stepsOf(draft).entries()) {
      const folder = `steps/${step.name}/`;
      layoutStep(add, folder, step, index === 0 ? draft.files : []);
      for (const file of step.arrives) add(`${folder}workdir/${file.path}`, file.content, file.mode);
      if (step.setup !== undefined) add(`${folder}workdir/setup.sh`, setupScript(step.setup), 0o755);
    }

  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { slug, name, distinctness: `sha256:${hashText(seenByAgent(draft))}`, files: new Map(sorted) };
}
