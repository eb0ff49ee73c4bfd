import { describe, expect, it } from "vitest";
import type { Outcome } from "../contract/index.ts";
import { Random } from "../statistics/index.ts";
import { compareAgents, type PlayedEpisode } from "./compare.ts";

const episode = (agent: string, task: number, outcome: Outcome, more: Partial<PlayedEpisode> = {}): PlayedEpisode => ({
  agent,
  task: `task-${task}`,
  outcome,
  milliseconds: 1_000,
  tokens: 10,
  costUsd: 0.5,
  ...more,
});
const numbers = Array.from({ length: 10 }, (_, index) => index);
const compare = (episodes: PlayedEpisode[], k = 1) =>
  compareAgents(episodes, { agents: ["a", "b"], k, random: new Random("compare") });

describe("compareAgents", () => {
  it("gives each agent its rate, pass@k, time and cost, and the paired difference from the first", () => {
    const { rows, differences } = compare(
      numbers.flatMap((task) => [
        episode("a", task, "failure"),
        episode("a", task, "failure"),
        episode("b", task, task < 8 ? "success" : "failure", { milliseconds: 3_000 }),
        episode("b", task, "failure"),
      ]),
      2,
    );
    expect(rows.map(({ agent, rate, passAtK }) => [agent, rate.rate, passAtK.value])).toEqual([
      ["a", 0, 0],
      ["b", 0.4, 0.8],
    ]);
    expect(rows[1]).toMatchObject({ medianSeconds: 1, tokens: 200, costUsd: 10 });
    expect(differences).toMatchObject([{ agent: "b", against: "a", tasks: 10, difference: { mean: 0.4 } }]);
    expect(differences[0]?.difference?.low).toBeGreaterThan(0);
  });

  it("finds no difference between an agent and itself", () => {
    const { differences } = compare(
      numbers.flatMap((task) => ["a", "b"].map((name) => episode(name, task, "success"))),
    );
    expect(differences[0]?.difference).toEqual({ mean: 0, low: 0, high: 0 });
  });

  it("pairs only tasks that both were graded on, and says nothing on fewer than five", () => {
    const { differences } = compare(
      numbers.flatMap((task) => [
        episode("a", task, "success"),
        episode("b", task, task < 4 ? "failure" : "task_error"),
      ]),
    );
    expect(differences).toEqual([{ agent: "b", against: "a", tasks: 4, difference: null }]);
  });

  it("refuses a difference when too many attempts met a fault of the machine", () => {
    const { rows, differences } = compare(
      numbers.flatMap((task) => [
        episode("a", task, "success"),
        episode("b", task, task < 9 ? "failure" : "infra_error"),
      ]),
    );
    expect(rows[1]?.rate.refused).toMatch(/infrastructure/);
    expect(differences[0]?.difference).toBeNull();
  });

  it("keeps an unknown cost unknown, and a k without enough attempts unanswered", () => {
    const { rows } = compare([episode("a", 1, "success", { costUsd: null }), episode("a", 2, "success")], 3);
    expect(rows[0]).toMatchObject({ costUsd: null, passAtK: { value: null, k: 3 } });
    expect(rows[0]?.passAtK.reason).toMatch(/k = 3/);
  });
});
