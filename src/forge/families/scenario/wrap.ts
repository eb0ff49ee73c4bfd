// Puts stages before a draft: its inputs are not there yet and have to be made, exactly, before its own work can start.
import type { Random } from "../../../statistics/index.ts";
import { pythonScript } from "../composition/index.ts";
import type { Difficulty, FixtureFile, Partial, TaskDraft } from "../family.ts";
import type { Delivery, Input, Stage } from "./stage.ts";

export type Wrapped = {
  readonly draft: TaskDraft;
  /** What comes before the base's own solution. */
  prefixed(solution: string): string;
  /** The solution of the whole with a mistake in one stage: a wrong intermediate. */
  readonly mistaken: string;
};

/** The folder or file that a draft works from, with the requirement that already guards it, if there is one. */
export type InputPlace = {
  readonly path: string;
  readonly requirement: string | null;
  readonly inputs: readonly Input[];
};

/** Null when a draft has no inputs that could be made by other work. */
export function inputPlace(draft: TaskDraft): InputPlace | null {
  const guarded = draft.requirements.filter(({ kind }) => kind === "invariant");
  const [own] = guarded;
  if (own === undefined) {
    const tops = new Set(draft.files.map(({ path }) => path.split("/")[0] as string));
    const [top] = tops;
    if (tops.size !== 1 || top === undefined || draft.files.some(({ path }) => !path.includes("/"))) return null;
    return placeAt(draft, `/app/${top}`, null);
  }
  const isPlain = draft.checks.includes(`def check_${own.id}(v):\n    v.same_as_pristine("${own.artefact}")\n`);
  const isAlone =
    guarded.length === 1 && draft.requirements.every((one) => one === own || one.artefact !== own.artefact);
  return isPlain && isAlone ? placeAt(draft, own.artefact, own.id) : null;
}

function placeAt(draft: TaskDraft, path: string, requirement: string | null): InputPlace | null {
  const relative = path.slice("/app/".length);
  const inside = draft.files.filter((file) => file.path.startsWith(`${relative}/`));
  if (inside.length === 0 || inside.some(({ mode }) => mode !== undefined && mode !== 0o644)) return null;
  return { path, requirement, inputs: inside.map(({ path, content }) => ({ path, content: Buffer.from(content) })) };
}

/** Stages in the order in which they were laid around the inputs: the last one is worked off first. */
export function wrap(
  base: TaskDraft,
  place: InputPlace,
  laid: readonly Stage[],
  order: { random: Random; difficulty: Difficulty; bug: string | null },
): Wrapped {
  const taken = new Set(base.files.map(({ path }) => path.split("/")[0]));
  const folders = order.random.shuffle(["delivery", "inbox", "handover", "transfer", "received", "shipment"]);
  const free = folders.filter((folder) => !taken.has(folder));
  const deliveries: Delivery[] = [];
  let inputs = place.inputs;
  for (const [index, stage] of laid.entries()) {
    const delivery = stage.deliver({
      random: order.random.fork(stage.id),
      inputs,
      folder: free[index] as string,
      difficulty: order.difficulty,
      bug: order.bug === stage.id,
    });
    deliveries.push(delivery);
    inputs = delivery.files.map(({ path, content }) => ({ path, content: Buffer.from(content) }));
  }
  const worked = [...deliveries].reverse();
  const programs = worked.map(({ program }) => program);
  const prefixed = (solution: string, parts = programs) =>
    `${parts.map((part) => pythonScript(part)).join("")}${solution}`;
  const wrong = order.random.integer(0, worked.length - 1);
  const mistaken = prefixed(
    base.solution,
    worked.map((delivery, index) => (index === wrong ? delivery.mistaken : delivery.program)),
  );
  return {
    draft: draftOf(base, place, { laid, worked, prefixed, outer: inputs as FixtureFile[] }),
    prefixed: (solution) => prefixed(solution),
    mistaken,
  };
}

function draftOf(
  base: TaskDraft,
  place: InputPlace,
  whole: {
    laid: readonly Stage[];
    worked: readonly Delivery[];
    prefixed: (solution: string) => string;
    outer: readonly FixtureFile[];
  },
): TaskDraft {
  const { laid, worked, prefixed, outer } = whole;
  const id = place.requirement ?? `R${base.requirements.length + 1}`;
  const delivered = `/app/${(outer[0] as FixtureFile).path.split("/")[0]}`;
  const inPlace = {
    id,
    statement: `${place.path} holds exactly the files that were delivered`,
    kind: "positive" as const,
    weight: 1,
    artefact: place.path,
    format: "files",
    sources: [delivered],
    derivation: laid
      .map(({ id: stage }) => stage)
      .reverse()
      .join(", then "),
    negatives: ["a file that was not delivered, an outdated or damaged version"],
    check: "names and bytes compared with the files as they were before they were delivered",
    shape: `inputs-${laid.map(({ id: stage }) => stage).join("-")}`,
  };
  const requirements = place.requirement
    ? base.requirements.map((one) => (one.id === place.requirement ? inPlace : one))
    : [...base.requirements, inPlace];
  const names = new Set(place.inputs.map(({ path }) => path));
  const others = requirements.filter((one) => one.id !== id && one.kind === "positive").map((one) => one.id);
  const first = (place.inputs[0] as Input).path;
  const partials: Partial[] = [
    ...base.partials.map((partial) => ({ ...partial, script: prefixed(partial.script) })),
    { name: "only the inputs in place", breaks: others, script: prefixed("") },
    { name: "an input altered", breaks: [id], script: `${prefixed(base.solution)}printf ' ' >> '/app/${first}'\n` },
  ];
  const said = worked.map(({ words }, index) =>
    index === 0
      ? words
      : words.replace(/^(They|What we have)/, (begin) =>
          begin === "They"
            ? "What comes out of that is an intermediate: they"
            : "What comes out of that is an intermediate: what we have",
        ),
  );
  return {
    ...base,
    title: `${laid
      .map(({ id: stage }) => stage)
      .reverse()
      .join(" ")} ${base.title}`,
    instruction: `The files under \`${place.path}\` that the work below starts from are not in place yet. ${said.join("\n\n")}\n\nPut them in place first: \`${place.path}\` must hold exactly these files, byte for byte, and nothing else. Everything below takes them as they are then.\n\n---\n\n${base.instruction}`,
    tags: [...base.tags, ...laid.map(({ family }) => family)],
    files: [...base.files.filter(({ path }) => !names.has(path)), ...outer],
    requirements,
    artefacts: [...new Set([...base.artefacts, place.path])],
    solution: prefixed(base.solution),
    partials,
    checks: place.requirement
      ? base.checks
      : `${base.checks}\n\ndef check_${id}(v):\n    v.same_as_pristine("${place.path}")\n`,
    verifierFiles: [
      ...(base.verifierFiles ?? []),
      ...place.inputs.map(({ path, content }) => ({ path: `pristine/${path}`, content })),
    ],
  };
}
