import { describe, expect, it } from "vitest";
import { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { layoutTask } from "../harness/index.ts";
import { Bench, bubblewrapWorks, familySuite } from "../testing/index.ts";
import { drawScenario, scenarioFamily } from "./index.ts";

// A base is drawn and packed up once or twice more.
familySuite(scenarioFamily, { shapes: 15, milliseconds: 90 });

describe("scenarios", () => {
  it("join skills in at least forty ways", () => {
    const ways = new Set<string>();
    for (const difficulty of [1, 2, 3, 4, 5] as const)
      for (let index = 0; index < 60; index++) {
        const { draft } = drawScenario(new Random(`ways/${difficulty}/${index}`), difficulty);
        const [inputs] = draft.requirements.filter(({ shape }) => shape.startsWith("inputs-"));
        ways.add(`${inputs?.shape} ${draft.tags[0]}`);
      }
    expect(ways.size).toBeGreaterThanOrEqual(40);
  });

  // The files in place show every mistake; the answers show those that concern what was asked.
  it.skipIf(!bubblewrapWorks)("a wrong intermediate shows in the end", () => {
    let shown = 0;
    const levels: readonly Difficulty[] = [1, 2, 3, 4, 5];
    for (const difficulty of levels)
      for (let index = 0; index < 2; index++) {
        const { draft, mistaken } = drawScenario(new Random(`wrong/${difficulty}/${index}`), difficulty);
        const bench = new Bench(layoutTask(scenarioFamily, draft, { seed: 7, index: 0 }));
        const { rewards, output, report } = bench.attempt(mistaken);
        bench.close();
        expect(rewards?.reward, `${draft.title}\n${output}\n${report}`).toBeLessThan(1);
        const inputs = draft.requirements.find(({ shape }) => shape.startsWith("inputs-"));
        expect(rewards?.[inputs?.id as string], draft.title).toBe(0);
        if (draft.requirements.some(({ id }) => id !== inputs?.id && rewards?.[id] !== 1)) shown++;
      }
    expect(shown).toBeGreaterThanOrEqual(3);
  });
});
