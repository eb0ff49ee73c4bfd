import { describe, expect, it } from "vitest";
import { readChecks } from "./read-checks.ts";

const judged = (output: string, reward: number) => () => readChecks({ ctrf: null, rewards: { reward }, output });
const code = expect.objectContaining({ code: "verifier_tools_missing" });

describe("a verifier that could not run its checks gives no verdict", () => {
  it.each([
    ["pytest is missing", "/tests/test.sh: line 3: pytest: command not found"],
    ["pytest is missing in dash", "/tests/test.sh: 3: pytest: not found"],
    ["its module is", "/usr/bin/python3: No module named pytest"],
    ["it refuses a flag", "ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --ctrf"],
  ])("whatever its reward file says: %s", (_, output) => {
    expect(judged(output, 0)).toThrow(code);
    expect(judged(output, 1)).toThrow(code);
  });

  it.each([
    ["curl", "curl: (6) Could not resolve host: astral.sh"],
    ["apt", "E: Unable to locate package jq"],
    ["pip", "ERROR: No matching distribution found for pytest==8.4.1"],
    ["npm", "npm error code EAI_AGAIN"],
    ["uv", "error: Failed to fetch: `https://example.org/simple/pytest/`"],
  ])("a 0 after %s could not fetch; a 1 was earned by something else", (_, output) => {
    expect(judged(output, 0)).toThrow(code);
    expect(judged(output, 1)().checks[0]?.status).toBe("passed");
  });

  it.each(["the work is wrong", "AssertionError: pytest: command not found in the log", ""])(
    "another output leaves the reward as it is: %s",
    (output) => {
      expect(judged(output, 0)().checks).toEqual([{ name: "reward", status: "failed" }]);
    },
  );

  it("checks that a runner named stand, whatever else was printed", () => {
    const output =
      "curl: (6) Could not resolve host: astral.sh\ntest_a.py::test_a FAILED\n===== 1 failed in 0.01s =====\n";
    expect(judged(output, 0)().checks[0]?.status).toBe("failed");
  });
});
