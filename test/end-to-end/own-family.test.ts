// The worked example of docs/families.md: it holds what every family must hold, and forge loads it as it loads anybody's.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { familySuite } from "../../src/forge/families/testing/index.ts";
import { Desk } from "../support/command-line.ts";

const { default: example } = await import(new URL("../../examples/own-family/index.mjs", import.meta.url).href);
familySuite(example, { shapes: 2 });

describe("forge --families", () => {
  const desk = new Desk();
  afterAll(() => desk.close());
  const folder = join(import.meta.dirname, "../../examples/own-family");

  it("forges tasks of a family of one's own, and goes on only with the same family", async () => {
    const forge = ["forge", "--families", folder, "--count", "2", "--seed", "2", "--json"];
    const forged = await desk.run(...forge);
    expect(forged.code, forged.stderr).toBe(0);
    expect(forged.result()).toMatchObject({ counts: { accepted: 2, rejected: 0 } });
    const mixed = await desk.run("forge", "--families", folder, "--family", "log-forensics", "--count", "1", "--json");
    expect(mixed.result(), mixed.stderr).toMatchObject({ counts: { accepted: 1 } });
  });

  it("names file, field and remedy of a module that can't be used", async () => {
    desk.write({
      "id.mjs": "export default { id: 'Bad Id', title: 'x', derivations: [], draft() {}, withBug() {} };",
      "syntax.mjs": "export default {",
      "none.mjs": "export const family = 1;",
      "taken.mjs": "export default { id: 'log-forensics', title: 'x', derivations: [], draft() {}, withBug() {} };",
    });
    cpSync(folder, desk.path("empty"), { recursive: true, filter: (path) => !path.endsWith(".mjs") });
    const cases: [string, RegExp][] = [
      ["id.mjs", /id\.mjs family 1\.id: must be lower-case words/],
      ["syntax.mjs", /syntax\.mjs: can't be loaded/],
      ["none.mjs", /none\.mjs: exports no family/],
      ["taken.mjs", /taken\.mjs id: there is a family "log-forensics" already/],
      ["empty", /empty: has no index\.mjs/],
      ["nowhere", /nowhere: is not there/],
    ];
    for (const [path, message] of cases) {
      const ended = await desk.run("forge", "--families", path);
      expect(ended.code, path).toBe(2);
      expect(ended.stderr).toMatch(message);
      expect(ended.stderr).toContain("docs/families.md");
    }
  });
});
