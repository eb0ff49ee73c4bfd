import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Image } from "../../../contract/index.ts";
import { imageLinks } from "./image-links.ts";

const root = mkdtempSync(join(tmpdir(), "rs-links-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const image = (layers: readonly string[]): Image => ({
  digest: "sha256:0",
  layers,
  hostSystem: false,
  configuration: { environment: {}, workingDirectory: "/", user: "" },
  provenance: { base: "x", how: "built" },
});

test("finds the image's links, the upper layers first", () => {
  const [lower, upper] = [join(root, "lower"), join(root, "upper")];
  for (const layer of [lower, upper]) mkdirSync(join(layer, "var"), { recursive: true });
  symlinkSync("/run", join(lower, "var/run"));
  symlinkSync("/old", join(lower, "var/both"));
  writeFileSync(join(upper, "var/both"), "");
  const at = imageLinks(image([lower, upper]))!;
  expect(["/var/run", "/var/both", "/var", "/var/none", "/"].map(at)).toEqual(["/run", null, null, null, null]);
});

test("an image without layers can't be looked at", () => {
  expect(imageLinks(image([]))).toBeNull();
});
