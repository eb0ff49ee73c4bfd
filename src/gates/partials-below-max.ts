import type { Evidence } from "../contract/index.ts";
import type { Task } from "../tasks/index.ts";
import { defineGate, infrastructureFault, skipped } from "./gate.ts";
import { briefTrial, describeTrial, type Trial } from "./trial.ts";
import { workOf } from "./work.ts";

/** Requirements that a partial says it breaks: `# breaks: R1 R3` in its text, else `R1` in its name. */
export function declaredBreaks(name: string, text: string | null): string[] {
  const line = /^#\s*breaks:?\s+(.*)$/im.exec(text ?? "")?.[1];
  const ids =
    line === undefined ? name.toUpperCase().match(/(?<![A-Z0-9])R[1-9]\d*(?![A-Z0-9])/g) : line.match(/\bR[1-9]\d*\b/g);
  return [...new Set(ids ?? [])].sort();
}

/** `partials_below_max`: work that is not whole doesn't earn the full reward, and each partial really did its part. */
export const partialsBelowMax = defineGate({
  id: "partials_below_max",
  cost: "trial",
  measures: "Each solution/partial_*.sh runs to its end, changes something, and earns less than the full reward.",
  appliesTo: (task) => task.partials.length > 0 || task.requirements !== null,
  async look(task, context) {
    if (task.partials.length === 0)
      return {
        status: "fail",
        measured: { partials: 0 },
        evidence: [{ message: "the task has requirements, but no partial solution shows that each one counts" }],
        remediation: "Add solution/partial_*.sh, each of which leaves one requirement undone.",
      };
    const oracle = task.solution === null ? null : await context.trial({ agent: "oracle", repeat: 0 });
    if (oracle !== null && oracle.score !== 1)
      return skipped(`the whole solution doesn't reach the full reward: ${briefTrial(oracle)}`);
    const trials = await Promise.all(
      task.partials.map(({ name }) => context.trial({ agent: "partial", partial: name, repeat: 0 })),
    );
    const fault = infrastructureFault(trials);
    if (fault !== null) return fault;
    const rewards: Record<string, number | null> = {};
    const evidence: Evidence[] = [];
    for (const [index, { name, path }] of task.partials.entries()) {
      const trial = trials[index] as Trial;
      rewards[name] = trial.score;
      const say = (message: string) => evidence.push({ message: `${name} ${message}`, file: path });
      if (trial.scriptExit !== 0) say(`did not run to its end (exit status ${trial.scriptExit ?? "none"})`);
      if (trial.changes !== null && workOf(trial.changes).length === 0)
        say("changed nothing: it is no partial solution");
      if (trial.score === 1) say("earns the full reward");
      if (trial.score === null) say(`has no verdict: ${describeTrial(trial)}`);
      for (const message of wrongBreaks(
        declaredBreaks(name, context.files.text(path)),
        trial,
        requirementsAt(task, path),
      ))
        say(message);
    }
    return {
      status: evidence.length === 0 ? "pass" : "fail",
      measured: { partials: task.partials.length, rewards },
      evidence,
      remediation:
        "Sharpen the check that lets it pass, or repair the partial so that it breaks what it says and nothing else.",
    };
  },
});

/** What a partial answers for: the whole task, or its own step; what it does to later steps follows from that. */
function requirementsAt(task: Task, path: string): ReadonlySet<string> {
  const step = task.steps.find(({ name }) => path.startsWith(`steps/${name}/`));
  return new Set(((step ?? task).requirements?.requirements ?? []).map(({ id }) => id));
}

function wrongBreaks(declared: readonly string[], trial: Trial, own: ReadonlySet<string>): string[] {
  if (own.size === 0 || declared.length === 0 || trial.checks.length === 0) return [];
  const broken = [
    ...new Set(
      trial.checks.filter(({ status }) => status !== "passed").map(({ name, requirement }) => requirement ?? name),
    ),
  ]
    .filter((id) => own.has(id) || !/^R\d+$/.test(id))
    .sort();
  if (broken.join() === declared.join()) return [];
  return [`says that it breaks ${declared.join(", ")}, but breaks ${broken.join(", ") || "nothing"}`];
}
