import type { Random } from "../../../statistics/index.ts";
import type { Requirement } from "../../../tasks/index.ts";
import type { Difficulty, Family, FixtureFile, Partial as PartialSolution, TaskDraft } from "../family.ts";
import { checksSource } from "./checks.ts";
import type { Bug, Feature } from "./feature.ts";
import { programSource, render } from "./program.ts";
import { solutionScript } from "./solution.ts";
import { writeInstruction, writeManual } from "./text.ts";
import { drawWorld, type Fault, type World } from "./world.ts";

const answersOf = (feature: Feature, bug: Bug) => feature.probes.map((probe) => [probe, feature.answer(probe, bug)]);

/** What the report on the delivered state has to say: settings that several files have, with those files in order. */
function severalTimes(world: World): Record<string, string[]> {
  const { service, files, profiles } = world;
  const main = `${service.name}.${service.ending}`;
  const profile = `profiles/${profiles.wrong}.${service.ending}`;
  const extra = [...files.keys()].filter((path) => path.startsWith("conf.d/")).sort();
  const rest = [...(files.has(profile) ? [profile] : []), ...extra];
  const order = service.precedence === "last" ? [main, ...rest] : [...rest, main];
  const where: Record<string, string[]> = {};
  for (const path of order)
    for (const { section, key } of files.get(path) ?? [])
      where[`${section}.${key}`] = [...(where[`${section}.${key}`] ?? []), path];
  for (const { kind, target } of world.faults)
    if (kind === "environment")
      where[`${target.section}.${target.key}`] = [...(where[`${target.section}.${target.key}`] ?? []), "override.env"];
  return Object.fromEntries(Object.entries(where).filter(([, paths]) => paths.length > 1));
}

/** Draws a task; `skill` below `level` gives the solution that would do at that lower level. */
export function draftService(random: Random, level: Difficulty, bug: Bug, skill: Difficulty = level): TaskDraft {
  const world = drawWorld(random.fork("world"), level);
  const choices = random.fork("choices");
  const { service, root, program } = world;
  const report =
    level >= 2 && choices.boolean(0.6)
      ? `/app/${choices.pick(["review", "out", "report"])}/${choices.pick(["set-twice", "duplicates", "overlaps"])}.json`
      : null;
  const requirements: Requirement[] = [];
  const rows: Record<string, unknown> = {};
  const plan: { id: string; check: "answers" | "report" | "kept" }[] = [];
  const add = (
    fields: Pick<Requirement, "statement" | "kind" | "artefact" | "shape" | "format" | "check" | "derivation">,
    check: (typeof plan)[number]["check"],
    data: unknown,
  ) => {
    const id = `R${requirements.length + 1}`;
    requirements.push({ id, weight: 1, sources: [root, world.manual], negatives: [], ...fields });
    plan.push({ id, check });
    rows[id] = data;
    return id;
  };
  const settled = service.features.filter((feature) => !world.faults.some((fault) => fault.feature === feature));
  const probed = "the pristine program is started with the configuration and probed";
  add(
    {
      statement: "the service starts and answers by the settings that nobody complained about",
      kind: "positive",
      artefact: root,
      shape: "service-starts",
      format: service.format,
      check: probed,
      derivation: "the configuration as it should take effect",
    },
    "answers",
    settled.flatMap((feature) => answersOf(feature, bug)),
  );
  const owners = new Map<Fault | "report", string>();
  for (const fault of world.faults)
    owners.set(
      fault,
      add(
        {
          statement: `the settings of ${fault.feature.name} take effect as demanded`,
          kind: "positive",
          artefact: root,
          shape: fault.feature.shape,
          format: service.format,
          check: probed,
          derivation: "the demand",
        },
        "answers",
        answersOf(fault.feature, bug),
      ),
    );
  if (report !== null)
    owners.set(
      "report",
      add(
        {
          statement: `${report} lists what several files set, in the delivered state`,
          kind: "positive",
          artefact: report,
          shape: "override-report",
          format: "JSON object of arrays",
          check: "compared with the files as drawn",
          derivation: "the files in the order in which they are read",
        },
        "report",
        [report, severalTimes(world)],
      ),
    );
  const kept = [program, ...(level >= 2 ? [`${root}/${world.managed}`] : [])];
  add(
    {
      statement: `${kept.join(" and ")} unchanged`,
      kind: "invariant",
      artefact: program,
      shape: "files-kept",
      format: "any",
      check: "bytes compared",
      derivation: "none",
    },
    "kept",
    kept,
  );

  const partials: PartialSolution[] = choices.sample([...owners.keys()], 2).map((target) => ({
    name: typeof target === "string" ? `wrong-${target}` : `without-${target.feature.name}`,
    breaks: [owners.get(target) as string],
    script: solutionScript(world, level, target, report),
  }));
  const inside = root.slice("/app/".length);
  const remark = random.fork("remarks");
  const files: FixtureFile[] = [
    { path: program.slice("/app/".length), content: programSource(service) },
    { path: world.manual.slice("/app/".length), content: writeManual(random.fork("manual"), world) },
    ...[...world.files].map(([path, settings]) => ({
      path: `${inside}/${path}`,
      content: render(
        service.format,
        settings,
        path === world.managed
          ? "written by the fleet manager"
          : remark.pick(["checked in spring", "see the wiki", "ask the night shift", "as agreed"]),
      ),
    })),
    ...[...world.texts].map(([path, content]) => ({ path: `${inside}/${path}`, content })),
    ...service.features.flatMap((feature) =>
      feature.secret
        ? [{ path: "handover/issued-token.txt", content: `issued for ${service.name}:\n${feature.secret.text}\n` }]
        : [],
    ),
  ];
  const managed = files.filter(({ path }) => kept.includes(`/app/${path}`) && path !== program.slice("/app/".length));
  return {
    title: `${service.name}: configuration, ${world.faults.map((fault) => fault.feature.name).join(", ")}`,
    instruction: writeInstruction(random.fork("letter"), world, report),
    difficulty: level,
    tags: ["configuration", "service", service.format],
    packages: [],
    files,
    requirements,
    artefacts: [root, program, ...(report === null ? [] : [report])],
    executes: [],
    solution: solutionScript(world, skill, null, report),
    partials,
    checks: checksSource(plan, program, root),
    expected: { rows },
    verifierFiles: managed.map((file) => ({ ...file, path: `pristine/${file.path}` })),
  };
}

const family = (bug: Bug): Family => ({
  id: "service-configuration",
  title: "Service configuration that has to run",
  draft: (random, difficulty) => draftService(random, difficulty, bug),
  derivations: ["size-units", "level-order"],
  withBug: (derivation) => family(derivation as Bug),
  solutionAt: (random, difficulty, skill) => draftService(random, difficulty, bug, skill).solution,
});

/** A small service that doesn't start and does the wrong things until its configuration is right. */
export const serviceConfiguration: Family = family(null);
