import { describe, expect, it } from "vitest";
import { TaskFormatError } from "../../../contract/index.ts";
import { type Task, taskConfigurationSchema } from "../../../tasks/index.ts";
import { carriedArtefacts } from "./carried-artefacts.ts";
import { excludePattern } from "./exclude-pattern.ts";

const task = (artifacts: unknown[], workdir = "/app"): Task => ({
  directory: "/task",
  id: "test/task",
  digest: "sha256:0",
  configuration: taskConfigurationSchema.parse({ artifacts, environment: { workdir } }),
  instruction: "",
  solution: null,
  partials: [],
  requirements: null,
  steps: [],
  warnings: [],
});
const paths = (artifacts: unknown[]) => carriedArtefacts(task(artifacts)).map(({ path }) => path);

describe("carriedArtefacts", () => {
  it.each([
    "/",
    "//",
    "/.",
    "/usr",
    "/usr/bin",
    "/bin/bash",
    "/etc",
    "/usr/local/bin/",
    "/tests",
    "/tests/x",
    "/logs",
    "/logs/verifier",
    "/proc/self",
    "/solution",
  ])("refuses %s when the task is opened", (path) => {
    expect(() => paths([path])).toThrow(TaskFormatError);
  });

  it.each([
    "/tmp",
    "/logs/artifacts",
    "/app",
    "/app/out.json",
    "/etc/nginx/nginx.conf",
    "/usr/local/bin/tool",
    "/root",
    "/testsuite",
  ])("carries %s", (path) => {
    expect(paths([path])).toContain(path);
  });

  it("resolves relative paths at the working directory and drops what lies inside another artefact", () => {
    expect(paths(["out.json", "./a/../a/b"].slice(0, 1))).toEqual(["/app/out.json", "/logs/artifacts"]);
    expect(paths(["/app", "/app/x", "/app2/"])).toEqual(["/app", "/app2", "/logs/artifacts"]);
  });
});

describe("excludePattern", () => {
  it.each([
    ["*.log", "a/b.log", true],
    ["*.log", "a/b.logs", false],
    ["node_modules", "x/node_modules", true],
    ["./cache/", "cache", true],
    ["a&b|c", "d/a&b|c", true],
    ["a&b|c", "c", false],
    ["[ab].txt", "b.txt", true],
    ["[!ab].txt", "b.txt", false],
    ["[", "[", true],
    ["x[1", "x[1", true],
    ["a.b", "aXb", false],
    ["$(rm)", "$(rm)", true],
  ])("%j on %j: %s", (pattern, path, expected) => {
    expect(excludePattern(pattern)(path)).toBe(expected);
  });
});
