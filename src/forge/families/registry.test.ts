import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Random } from "../../statistics/index.ts";
import type { Difficulty } from "./family.ts";
import { families } from "./registry.ts";

describe("the registry of families", () => {
  it("holds families with different ids, each with a skill in the agents' format", () => {
    expect(new Set(families.map((family) => family.id)).size).toBe(families.length);
    for (const { id } of families) {
      const skill = readFileSync(new URL(`./${id}/SKILL.md`, import.meta.url), "utf8");
      const [, front = "", body = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(skill) ?? [];
      expect(front).toContain(`name: ${id}\n`);
      expect(front).toMatch(/^description: .{60,1024}$/m);
      expect(body.length, id).toBeGreaterThan(800);
    }
  });

  it("shows at least twenty shapes of requirements", () => {
    const shapes = new Set<string>();
    for (const family of families)
      for (let index = 0; index < 15; index++) {
        const difficulty = ((index % 5) + 1) as Difficulty;
        const draft = family.draft(new Random(`shapes/${index}`), difficulty);
        for (const requirement of draft.requirements) shapes.add(requirement.shape);
      }
    expect(shapes.size).toBeGreaterThanOrEqual(20);
  });
});
