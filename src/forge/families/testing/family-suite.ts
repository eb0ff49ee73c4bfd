import { describe, expect, it } from "vitest";
import { Random } from "../../../statistics/index.ts";
import { requirementSchema } from "../../../tasks/index.ts";
import type { Difficulty, Family, TaskDraft } from "../family.ts";
import { layoutTask } from "../harness/index.ts";
import { Bench, bubblewrapWorks } from "./bench.ts";
import { answersInImage } from "./leaks.ts";
import { demandedNames, visibleText } from "./vocabulary.ts";

const levels: readonly Difficulty[] = [1, 2, 3, 4, 5];
/** Tasks of each level that are really run; a sweep sets the variable. */
const perLevel = Number(process.env.ROUTESETTER_FAMILY_TASKS ?? 3);
/** Of those, tasks whose partials are run too, and whose environment is verified untouched. */
const controlled = process.env.ROUTESETTER_FAMILY_TASKS === undefined ? 2 : perLevel;
/** Where a sweep begins, so that it draws other tasks than the suite. */
const firstSeed = Number(process.env.ROUTESETTER_FAMILY_SEED ?? 0);

const randomFor = (family: Family, difficulty: Difficulty, index: number) =>
  new Random(`suite/${family.id}/${difficulty}/${firstSeed + index}`);
const drafts = (family: Family, difficulty: Difficulty, count: number) =>
  Array.from({ length: count }, (_, index) => family.draft(randomFor(family, difficulty, index), difficulty));
const openBench = (family: Family, draft: TaskDraft) => new Bench(layoutTask(family, draft, { seed: 7, index: 0 }));
const positives = (draft: TaskDraft) => draft.requirements.filter((entry) => entry.kind === "positive");

/** What every family must hold. `shapes`: how many different shapes of requirements its tasks show at least. */
export function familySuite(
  family: Family,
  demands: { readonly shapes: number; readonly milliseconds?: number },
): void {
  describe(`family ${family.id}`, () => {
    it("draws the same bytes from the same seed, in at most ten milliseconds a task, no two alike", () => {
      const seen = new Set<string>();
      const begun = process.cpuUsage();
      for (const difficulty of levels)
        for (const draft of drafts(family, difficulty, 24))
          seen.add(layoutTask(family, draft, { seed: 7, index: 0 }).distinctness);
      const spent = process.cpuUsage(begun);
      const each = (spent.user + spent.system) / 1000 / (levels.length * 24);
      expect(seen.size).toBe(levels.length * 24);
      // The compiler warms up in here, and other work shares the processor.
      expect(each).toBeLessThan(demands.milliseconds ?? 30);
      for (const difficulty of levels)
        expect(family.draft(randomFor(family, difficulty, 3), difficulty)).toEqual(
          family.draft(randomFor(family, difficulty, 3), difficulty),
        );
    });

    it("states well-formed requirements of many shapes, each with its check, and partials that break different ones", () => {
      const shapes = new Set<string>();
      for (const difficulty of levels)
        for (const draft of drafts(family, difficulty, 20)) {
          const ids = draft.requirements.map((entry) => entry.id);
          for (const entry of draft.requirements) {
            requirementSchema.parse(entry);
            shapes.add(entry.shape);
            expect(draft.checks).toMatch(new RegExp(`^def check_${entry.id}\\(v\\):`, "m"));
            expect(
              draft.artefacts.some((path) => entry.artefact === path || entry.artefact.startsWith(`${path}/`)),
            ).toBe(true);
          }
          expect(ids).toEqual(ids.map((_, index) => `R${index + 1}`));
          expect(ids.length).toBeGreaterThanOrEqual(2);
          expect(ids.length).toBeLessThanOrEqual(6);
          expect(positives(draft).length).toBeGreaterThanOrEqual(1);
          expect(new Set(draft.partials.map((partial) => partial.breaks.join())).size).toBeGreaterThanOrEqual(2);
        }
      expect(shapes.size).toBeGreaterThanOrEqual(demands.shapes);
    });

    it("says in the instruction, or in a file that the agent has, every path and name that the verifier demands", () => {
      for (const difficulty of levels)
        for (const draft of drafts(family, difficulty, 20)) {
          for (const path of draft.artefacts) expect(draft.instruction, draft.title).toContain(path);
          const text = visibleText(draft);
          for (const name of demandedNames(draft.expected)) expect(text, `${draft.title}: ${name}`).toContain(name);
          const inputs = draft.requirements
            .filter((entry) => entry.kind === "invariant")
            .map((entry) => entry.artefact);
          for (const file of draft.files) {
            const place = `/app/${file.path}`;
            const isInput = inputs.some((path) => place === path || place.startsWith(`${path}/`));
            if (!isInput) expect(draft.artefacts, "an artefact that exists before any work").not.toContain(place);
          }
        }
    });

    describe.skipIf(!bubblewrapWorks)("run for real", () => {
      for (const difficulty of levels)
        it(`level ${difficulty}: the solution earns 1, nothing earns 0, each partial breaks what it says`, {
          timeout: 60_000 + perLevel * 10_000,
        }, () => {
          const spent = { solution: [] as number[], verifier: [] as number[] };
          for (const [index, draft] of drafts(family, difficulty, perLevel).entries()) {
            const bench = openBench(family, draft);
            try {
              const solved = bench.attempt(draft.solution);
              const all = Object.fromEntries(draft.requirements.map((entry) => [entry.id, 1]));
              expect(solved.rewards, `${draft.title}\n${solved.output}\n${solved.report}`).toEqual({
                reward: 1,
                ...all,
              });
              expect(solved.exitCode).toBe(0);
              const places = positives(draft).map((entry) => solved.app + entry.artefact.slice("/app".length));
              expect(answersInImage(draft.files, places), `${draft.title}: answers in the image`).toEqual([]);
              spent.solution.push(solved.milliseconds.script);
              spent.verifier.push(solved.milliseconds.verifier);
              if (index >= controlled) continue;
              const idle = bench.attempt(null);
              expect(idle.rewards).toMatchObject({ reward: 0 });
              for (const entry of positives(draft)) expect(idle.rewards, idle.report).toMatchObject({ [entry.id]: 0 });
              for (const partial of draft.partials) {
                const part = bench.attempt(partial.script);
                const broken = draft.requirements
                  .filter((entry) => part.rewards?.[entry.id] !== 1)
                  .map((entry) => entry.id);
                expect(broken, `${draft.title}, ${partial.name}\n${part.output}\n${part.report}`).toEqual([
                  ...partial.breaks,
                ]);
                expect(part).toMatchObject({ changed: true, exitCode: 0 });
                expect(part.rewards?.reward).toBeLessThan(1);
              }
            } finally {
              bench.close();
            }
          }
          const median = (values: number[]) => Math.round(values.sort((a, b) => a - b)[values.length >> 1] ?? 0);
          if (process.env.ROUTESETTER_FAMILY_TASKS)
            console.log(
              `${family.id} level ${difficulty}: ${perLevel} tasks, median solution ${median(spent.solution)} ms, verifier ${median(spent.verifier)} ms`,
            );
        });

      it("gives nothing for constants", () => {
        for (const difficulty of [1, 3, 5] as const) {
          const draft = drafts(family, difficulty, 1)[0]!;
          const bench = openBench(family, draft);
          const paths = [...new Set(positives(draft).map((entry) => entry.artefact))];
          for (const text of ["", "{}", "0"]) {
            const lines = paths.map(
              (path) => `mkdir -p "$(dirname ${path})"; [ -d ${path} ] || printf '${text}' > ${path}`,
            );
            const result = bench.attempt(`#!/bin/bash\n${lines.join("\n")}\n`);
            expect(result.rewards, `${draft.title}: ${text}\n${result.report}`).toMatchObject({ reward: 0 });
          }
          bench.close();
        }
      });

      it("has an oracle that fails when a derivation is wrong", () => {
        expect(family.derivations.length).toBeGreaterThanOrEqual(2);
        for (const derivation of family.derivations)
          for (const draft of drafts(family.withBug(derivation), 5, Math.max(1, perLevel >> 3))) {
            const bench = openBench(family, draft);
            const result = bench.attempt(draft.solution);
            bench.close();
            expect(result.rewards?.reward, `${derivation} in ${draft.title}`).toBeLessThan(1);
          }
      });

      it.skipIf(family.solutionAt === undefined)(
        "asks for other work, not only for more: level d doesn't suffice at d + 2",
        () => {
          for (const skill of [1, 2, 3] as const) {
            const difficulty = (skill + 2) as Difficulty;
            for (let index = 0; index < Math.max(2, perLevel >> 2); index++) {
              const draft = family.draft(randomFor(family, difficulty, index), difficulty);
              const bench = openBench(family, draft);
              const weak = bench.attempt(
                family.solutionAt?.(randomFor(family, difficulty, index), difficulty, skill) ?? "",
              );
              bench.close();
              expect(weak.rewards?.reward, `skill ${skill} at level ${difficulty}: ${draft.title}`).toBeLessThan(1);
              const own = family.solutionAt?.(randomFor(family, difficulty, index), difficulty, difficulty);
              expect(own).toBe(draft.solution);
            }
          }
        },
      );
    });
  });
}
