// What this machine can do, what to do about what it can't, and whether its sandboxes hold.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, type Json, RoutesetterError, type SandboxBackend } from "../../contract/index.ts";
import {
  attackImage,
  attackSandbox,
  attacks,
  builderProblems,
  createBoxBackend,
  createDockerBackend,
  type Finding,
  removeTree,
} from "../../sandbox/index.ts";
import { carryOutFix, planFix } from "../doctor/fix.ts";
import { findLacks, type Lack, type Part } from "../doctor/lacks.ts";
import { type Machine, readMachine } from "../doctor/machine.ts";
import { factsOf, findingLine, wrapRemedy } from "../doctor/words.ts";
import { type CommandContext, execute } from "../execute.ts";
import type { CommandResult, Reporter } from "../output/events.ts";
import { type CommonOptions, openProject, type Project } from "../project.ts";

export type DoctorOptions = CommonOptions & {
  backend: "box" | "docker" | "all";
  fix?: true | string;
  attack?: boolean;
};
type BackendName = "box" | "docker";
type Examined = { readonly backend: BackendName; readonly problem: string | null; readonly findings: Finding[] };

const parts: readonly string[] = ["box", "network", "docker", "buildah"];

export const doctor = (options: DoctorOptions): Promise<void> =>
  execute("doctor", options, async (context) => {
    const fix = options.fix === true ? "box" : options.fix;
    if (fix !== undefined && !parts.includes(fix))
      throw new ConfigError({
        code: "bad_option",
        message: `there is nothing to fix called "${fix}"`,
        remedy: `take --fix ${parts.join(", --fix ")}`,
      });
    const project = openProject(options);
    let [machine, problems] = [readMachine(project.cacheDirectory), await builderProblems()];
    if (fix !== undefined && fixPart(fix as Part, machine, problems.docker === null, context.report))
      [machine, problems] = [readMachine(project.cacheDirectory), await builderProblems()];
    const lacks = report(context.report, machine, problems);

    const wanted: BackendName[] = options.backend === "all" ? ["box", "docker"] : [options.backend];
    const examined: Examined[] = [];
    for (const name of wanted) {
      const stopped = lacks.find(({ part, stops }) => stops && part === name);
      const one = stopped
        ? { backend: name, problem: stopped.what, findings: [] }
        : await examine(name, project, options, context);
      if (one.problem !== null && !stopped)
        context.report.event({ type: "backend", backend: name, problem: one.problem, text: `${name}: ${one.problem}` });
      examined.push(one);
    }
    return conclude(examined, options);
  });

/** Whether something was changed. */
function fixPart(part: Part, machine: Machine, engineRuns: boolean, report: Reporter): boolean {
  const plan = planFix(part, machine, engineRuns);
  const say = (text: string): void => report.event({ type: "fix", part, what: text, text: `fix ${part}: ${text}` });
  if (typeof plan === "string") {
    say(plan);
    return false;
  }
  const failure = carryOutFix(plan, say);
  if (failure !== null) report.warning(`fix ${part}: ${failure}`);
  else say("done");
  return true;
}

function report({ event, line }: Reporter, machine: Machine, problems: Record<string, string | null>): Lack[] {
  for (const [name, value] of Object.entries(factsOf(machine)))
    event({ type: "fact", name, value, text: `${name.padEnd(16)} ${value}` });
  const builders = Object.entries(problems).map(([name, problem]) => `${name} ${problem === null ? "yes" : "no"}`);
  event({
    type: "fact",
    name: "builders",
    value: problems,
    text: `${"image builders".padEnd(16)} ${builders.join(", ")}`,
  });
  const lacks = findLacks(machine, problems);
  if (lacks.length > 0) line("");
  for (const lack of lacks)
    event({ type: "lack", ...lack, text: wrapRemedy(`${lack.part}: ${lack.what}`, lack.remedy) });
  return lacks;
}

async function examine(
  name: BackendName,
  project: Project,
  options: DoctorOptions,
  { report, signal }: CommandContext,
): Promise<Examined> {
  const findings: Finding[] = [];
  const folder = mkdtempSync(join(tmpdir(), "routesetter-doctor-"));
  let backend: SandboxBackend | null = null;
  try {
    const open = name === "box" ? createBoxBackend : createDockerBackend;
    backend = await open({ stateDirectory: join(project.cacheDirectory, name) });
    const { problems, enforcement } = await backend.probe();
    report.event({ type: "backend", backend: name, problems, enforcement, text: `\n${name}` });
    for (const { limit, how, by } of enforcement) report.line(`  ${limit.padEnd(14)} ${how}: ${by}`);
    if (problems.length > 0) return { backend: name, problem: problems.join("; "), findings };
    if (options.attack === false) return { backend: name, problem: null, findings };
    const image = await attackImage(name === "box" ? "host system" : "few programs", join(folder, "image"));
    report.line("");
    await attackSandbox({
      backend,
      image,
      signal,
      onFinding: (finding) => {
        findings.push(finding);
        const { id, ...rest } = finding;
        report.event({ type: "finding", backend: name, attack: id, ...rest, text: findingLine(finding) } as never);
        report.event({
          type: "progress",
          what: `attacks on ${name}`,
          done: findings.length,
          total: attacks.length,
          counts: countsOf(findings),
        });
      },
    });
    return { backend: name, problem: null, findings };
  } catch (error) {
    if (!RoutesetterError.isInstance(error)) throw error;
    return { backend: name, problem: error.message, findings };
  } finally {
    await backend?.close();
    await removeTree(folder);
  }
}

function countsOf(findings: readonly Finding[]): { held: number; holes: number; unknown: number } {
  const count = (wanted: Finding["verdict"]): number => findings.filter(({ verdict }) => verdict === wanted).length;
  return { held: count("held"), holes: count("hole"), unknown: count("unknown") };
}

function conclude(examined: readonly Examined[], { backend, attack }: DoctorOptions): CommandResult {
  const findings = examined.flatMap((one) => one.findings);
  const there = examined.filter(({ problem }) => problem === null);
  const allHeld = findings.every(({ verdict }) => verdict === "held");
  const missing = backend === "all" ? there.length === 0 : there.length < examined.length;
  const state = (one: Examined): string => {
    if (one.problem !== null) return "can't be used";
    if (attack === false) return "can be used; it was not attacked";
    const bad = one.findings.filter(({ verdict }) => verdict !== "held");
    return bad.length === 0
      ? `holds: ${one.findings.length} attacks, all held`
      : `doesn't hold: ${bad.map(({ id }) => id).join(", ")}`;
  };
  const backends: Record<string, Json> = Object.fromEntries(examined.map((one) => [one.backend, state(one)]));
  return {
    status: allHeld && !missing ? "ok" : "infrastructure",
    counts: { found: findings.length, ...countsOf(findings) },
    cost: {},
    outputs: [],
    lines: ["", ...examined.map((one) => `${one.backend} ${state(one)}`)],
    data: { backends },
  };
}
