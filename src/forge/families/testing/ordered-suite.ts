import { describe, expect, it } from "vitest";
import { Random } from "../../../statistics/index.ts";
import { requirementSchema } from "../../../tasks/index.ts";
import { type Difficulty, type DraftStep, type Family, stepsOf, type TaskDraft } from "../family.ts";
import { layoutTask } from "../harness/index.ts";
import { type Attempt, Bench, bubblewrapWorks } from "./bench.ts";
import { answersInImage } from "./leaks.ts";
import { demandedNames, visibleText } from "./vocabulary.ts";

const levels: readonly Difficulty[] = [1, 2, 3, 4, 5];
/** Tasks of each level that are really run; a sweep sets the variable. */
const perLevel = Number(process.env.ROUTESETTER_FAMILY_TASKS ?? 1);
/** Where a sweep begins, so that it draws other tasks than the suite. */
const firstSeed = Number(process.env.ROUTESETTER_FAMILY_SEED ?? 0);

const drafts = (family: Family, difficulty: Difficulty, count: number) =>
  Array.from({ length: count }, (_, index) =>
    family.draft(new Random(`suite/${family.id}/${difficulty}/${firstSeed + index}`), difficulty),
  );
const positives = (step: Pick<DraftStep, "requirements">) =>
  step.requirements.filter((entry) => entry.kind === "positive");
const broken = (step: DraftStep, attempt: Attempt) =>
  step.requirements.filter(({ id }) => attempt.rewards?.[id] !== 1).map(({ id }) => id);

/** Runs `use` with each step in turn and the tree in which it begins, every step before it solved. */
function throughSteps(
  family: Family,
  draft: TaskDraft,
  use: (bench: Bench, step: DraftStep, app: string, solved: Attempt, index: number) => void,
): void {
  const bench = new Bench(layoutTask(family, draft, { seed: 7, index: 0 }));
  try {
    let left: string | undefined;
    for (const [index, step] of stepsOf(draft).entries()) {
      const app = bench.begin(step.name, left);
      const solved = bench.attempt(step.solution, { step: step.name, app });
      use(bench, step, app, solved, index);
      left = solved.app;
    }
  } finally {
    bench.close();
  }
}

/** The least reward of a step when each step's own solution is run. */
function leastReward(family: Family, draft: TaskDraft): number {
  const rewards: number[] = [];
  throughSteps(family, draft, (_bench, _step, _app, solved) => rewards.push(solved.rewards?.reward ?? 0));
  return Math.min(...rewards);
}

/** What every family of ordered tasks must hold; see `familySuite` for those of one step. */
export function orderedFamilySuite(family: Family, demands: { readonly shapes: number }): void {
  describe(`family ${family.id}`, () => {
    it("draws the same bytes from the same seed, no two alike", () => {
      const seen = new Set<string>();
      for (const difficulty of levels) {
        for (const draft of drafts(family, difficulty, 24))
          seen.add(layoutTask(family, draft, { seed: 7, index: 0 }).distinctness);
        expect(drafts(family, difficulty, 3)).toEqual(drafts(family, difficulty, 3));
      }
      expect(seen.size).toBe(levels.length * 24);
    });

    it("has two to four steps whose requirements are well formed, counted through, each with its check, and partials that break different ones", () => {
      const shapes = new Set<string>();
      const lengths = new Set<number>();
      for (const difficulty of levels)
        for (const draft of drafts(family, difficulty, 20)) {
          const steps = stepsOf(draft);
          lengths.add(steps.length);
          const ids = steps.flatMap((step) => step.requirements.map((entry) => entry.id));
          expect(ids).toEqual(ids.map((_, index) => `R${index + 1}`));
          for (const [index, step] of steps.entries()) {
            expect(step.name).toMatch(new RegExp(`^0${index + 1}-[a-z][a-z-]*$`));
            expect(positives(step).length).toBeGreaterThanOrEqual(1);
            expect(step.requirements.length).toBeLessThanOrEqual(7);
            expect(step.partials.length, `${draft.title}, ${step.name}`).toBeGreaterThanOrEqual(1);
            for (const entry of step.requirements) {
              requirementSchema.parse(entry);
              shapes.add(entry.shape);
              expect(step.checks).toMatch(new RegExp(`^def check_${entry.id}\\(v\\):`, "m"));
              expect(
                step.artefacts.some((path) => entry.artefact === path || entry.artefact.startsWith(`${path}/`)),
              ).toBe(true);
            }
          }
          const breaks = steps.flatMap((step) => step.partials.map((partial) => partial.breaks.join()));
          expect(new Set(breaks).size).toBeGreaterThanOrEqual(2);
        }
      expect(Math.min(...lengths)).toBeGreaterThanOrEqual(2);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(4);
      expect(shapes.size).toBeGreaterThanOrEqual(demands.shapes);
    });

    it("says by the time of each step every path and name that its verifier demands", () => {
      for (const difficulty of levels)
        for (const draft of drafts(family, difficulty, 20)) {
          let told = "";
          for (const [index, step] of stepsOf(draft).entries()) {
            told += visibleText({ ...draft, ...step, files: index === 0 ? draft.files : step.arrives });
            for (const path of step.artefacts) expect(step.instruction, draft.title).toContain(path);
            for (const name of demandedNames(step.expected)) expect(told, `${draft.title}: ${name}`).toContain(name);
          }
        }
    });

    describe.skipIf(!bubblewrapWorks)("run for real", () => {
      for (const difficulty of levels)
        it(`level ${difficulty}: solutions in order earn 1, nothing earns 0, partials break what they say, earlier work is needed and goes stale`, {
          timeout: 60_000 + perLevel * 20_000,
        }, () => {
          for (const draft of drafts(family, difficulty, perLevel)) {
            const given: TaskDraft["files"][number][] = [...draft.files];
            throughSteps(family, draft, (bench, step, app, solved, index) => {
              const name = `${draft.title}, ${step.name}`;
              const at = { step: step.name, app };
              expect(broken(step, solved), `${name}\n${solved.output}\n${solved.report}`).toEqual([]);
              expect(solved).toMatchObject({ exitCode: 0, rewards: { reward: 1 } });
              given.push(...step.arrives);
              const places = positives(step).map((entry) => solved.app + entry.artefact.slice("/app".length));
              expect(answersInImage(given, places), `${name}: answers in the image`).toEqual([]);
              const idle = bench.attempt(null, at);
              expect(idle.rewards, name).toMatchObject({ reward: 0 });
              for (const { id } of positives(step)) expect(idle.rewards, idle.report).toMatchObject({ [id]: 0 });
              for (const partial of step.partials) {
                const part = bench.attempt(partial.script, at);
                expect(broken(step, part), `${name}, ${partial.name}\n${part.output}\n${part.report}`).toEqual([
                  ...partial.breaks,
                ]);
                expect(part).toMatchObject({ changed: true, exitCode: 0 });
                expect(part.rewards?.reward).toBeLessThan(1);
              }
              if (index === 0) return;
              const again = bench.attempt(stepsOf(draft)[index - 1]?.solution ?? "", at);
              expect(again.rewards?.reward, `${name}: the step before, again\n${again.report}`).toBeLessThan(1);
              const untouched = stepsOf(draft)
                .slice(0, index + 1)
                .reduce<string | undefined>((left, { name: earlier }) => bench.begin(earlier, left), undefined);
              const alone = bench.attempt(step.solution, { step: step.name, app: untouched as string });
              expect(alone.rewards?.reward, `${name}: without the steps before\n${alone.report}`).toBeLessThan(1);
              const nothing = bench.attempt(null, { step: step.name, app: untouched as string });
              expect(nothing.rewards, nothing.report).toMatchObject({ reward: 0 });
            });
          }
        });

      it("has an oracle that fails when a derivation is wrong", { timeout: 120_000 }, () => {
        expect(family.derivations.length).toBeGreaterThanOrEqual(2);
        for (const derivation of family.derivations)
          for (const draft of drafts(family.withBug(derivation), 5, Math.max(1, perLevel >> 3)))
            expect(leastReward(family, draft), `${derivation} in ${draft.title}`).toBeLessThan(1);
      });
    });
  });
}
