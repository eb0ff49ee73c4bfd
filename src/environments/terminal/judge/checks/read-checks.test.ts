import { describe, expect, it } from "vitest";
import { VerifierError } from "../../../../contract/index.ts";
import { readChecks } from "./read-checks.ts";
import { countChecks } from "./run-report.ts";

const from = (output: string, rewards: Record<string, number> = { reward: 1 }, ctrf: string | null = null) =>
  readChecks({ ctrf, rewards, output });
const codeOf = (work: () => unknown) => {
  try {
    work();
    return "no error";
  } catch (error) {
    return VerifierError.isInstance(error) ? error.code : `another error: ${error}`;
  }
};
const statuses = (checks: { name: string; status: string }[]) =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]));

const verbose = `============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0 -- /usr/bin/python3
rootdir: /tests
collecting ... collected 9 items

test_a.py::test_x[a b] PASSED                                            [ 11%]
test_a.py::test_x[a c] FAILED                                            [ 22%]
test_a.py::test_x[x - y] PASSED                                          [ 33%]
test_a.py::test_x[tab\\tq] PASSED                                         [ 44%]
test_a.py::test_print PASSED                                             [ 55%]
test_a.py::test_s SKIPPED (later)                                        [ 66%]
test_a.py::test_xf XFAIL                                                 [ 77%]
test_a.py::test_td PASSED                                                [ 88%]
test_a.py::test_td ERROR                                                 [ 88%]
test_a.py::TestC::test_m PASSED                                          [100%]

==================================== ERRORS ====================================
_________________________ ERROR at teardown of test_td _________________________

test_a.py:14: RuntimeError
=========================== short test summary info ============================
FAILED test_a.py::test_x[a c] - AssertionError: no - c
ERROR test_a.py::test_td - RuntimeError: teardown
========== 1 failed, 6 passed, 1 skipped, 1 xfailed, 1 error in 0.04s ==========
`;

describe("pytest's output", () => {
  // BR013
  it("keeps tests with a common prefix apart, each with its own status", () => {
    const { checks, source } = from(verbose);
    expect(source).toBe("pytest");
    expect(checks).toHaveLength(10);
    expect(checks).toContainEqual({ name: "test_a.py::test_x[a b]", status: "passed" });
    expect(checks).toContainEqual({
      name: "test_a.py::test_x[a c]",
      status: "failed",
      message: "AssertionError: no - c",
    });
    expect(countChecks(checks)).toEqual({ passed: 6, failed: 1, skipped: 2, error: 1 });
  });

  it("reads colours, carriage returns, durations and tabs", () => {
    const coloured = verbose
      .replace(/PASSED {3,}/g, "\u001b[32mPASSED\u001b[0m\u001b[32m      ")
      .replace("test_print \u001b[32mPASSED", "test_print\t\u001b[32mPASSED 12.5ms")
      .replaceAll("\n", "\r\n");
    expect(from(coloured).checks).toEqual(from(verbose).checks);
  });

  it("reads the interleaved lines of two workers", () => {
    const parallel = `[gw0] linux Python 3.11.7 cwd: /tests
[gw0] [ 33%] PASSED test_a.py::test_x[a b] 
test_b.py::test_y 
[gw1] [ 66%] FAILED test_b.py::test_y 
[gw0] [100%] PASSED test_a.py::test_x[a c] 
=========================== short test summary info ============================
FAILED test_b.py::test_y - assert 0
========================= 1 failed, 2 passed in 1.20s ==========================
`;
    expect(statuses(from(parallel).checks)).toEqual({
      "test_a.py::test_x[a b]": "passed",
      "test_a.py::test_x[a c]": "passed",
      "test_b.py::test_y": "failed",
    });
  });

  it("reads a status that printed output has pushed to a later line", () => {
    const output = `test_a.py::test_x hello from the test\nmore PASSED\ntest_a.py::test_y PASSED\n2 passed in 0.01s\n`;
    expect(statuses(from(output).checks)).toEqual({ "test_a.py::test_x": "passed", "test_a.py::test_y": "passed" });
  });

  it("counts tests that quiet output does not name", () => {
    const quiet = `.F..\n=========================== short test summary info ============================
FAILED test_a.py::test_x[p - q] - assert 1 == 2
1 failed, 3 passed in 0.02s
`;
    const { checks } = from(quiet);
    expect(countChecks(checks)).toEqual({ passed: 3, failed: 1, skipped: 0, error: 0 });
    expect(checks[0]).toEqual({ name: "test_a.py::test_x[p - q]", status: "failed", message: "assert 1 == 2" });
  });

  it("reads failed subtests and a module that skips itself", () => {
    const output = `test_s.py::test_a SUBPASSED[m] (i=0)                                     [ 50%]
test_s.py::test_a SUBFAILED[m] (i=1)                                     [ 50%]
test_s.py::test_a FAILED                                                 [ 50%]
test_s.py::test_b PASSED                                                 [100%]
=========================== short test summary info ============================
SUBFAILED[m] (i=1) test_s.py::test_a - assert 1 != 1
FAILED test_s.py::test_a - contains 1 failed subtest
=============== 2 failed, 1 passed, 1 skipped, 2 subtests passed in 0.03s ================
`;
    expect(countChecks(from(output).checks)).toEqual({ passed: 1, failed: 2, skipped: 1, error: 0 });
  });

  it("refuses lines that do not add up to the summary", () => {
    expect(codeOf(() => from(verbose.replace("test_a.py::test_print PASSED", "test_a.py::test_print lost")))).toBe(
      "check_counts_differ",
    );
    expect(codeOf(() => from(verbose.replace("6 passed", "7 passed")))).toBe("check_counts_differ");
  });

  it("adds several runs in one output", () => {
    expect(from(verbose + verbose.replaceAll("test_a.py", "test_b.py")).checks).toHaveLength(20);
  });

  // BR008
  it.each([
    ["all skipped", "collected 0 items / 1 skipped\n\n========= 1 skipped in 0.01s =========\n"],
    ["all deselected", "collected 9 items / 9 deselected / 0 selected\n\n====== 9 deselected in 0.01s ======\n"],
    [
      "wrong path",
      "collected 0 items\n\n===== no tests ran in 0.00s =====\nERROR: file or directory not found: nope.py\n",
    ],
    [
      "collection error",
      "=== short test summary info ===\nERROR e/test_e.py\n!!! Interrupted: 1 error during collection !!!\n=== 1 skipped, 1 error in 0.11s ===\n",
    ],
  ])("with %s no check ran", (_, output) => {
    expect(codeOf(() => from(output))).toBe("no_check_ran");
  });
});

describe("unittest's output", () => {
  const output = `test_a (__main__.T.test_a) ... ok
test_doc (__main__.T.test_doc)
Docs first line (with parens). ... ok
test_ef (__main__.T.test_ef) ... expected failure
test_f (__main__.T.test_f) ... FAIL
test_s (__main__.T.test_s) ... skipped 'why not'
test_sub (__main__.T.test_sub) ... noise
ok

======================================================================
FAIL: test_f (__main__.T.test_f)
----------------------------------------------------------------------
AssertionError: x

----------------------------------------------------------------------
Ran 6 tests in 0.001s

FAILED (failures=1, skipped=1, expected failures=1)
`;
  it("reads names under docstrings and behind noise", () => {
    const { checks, source } = from(output);
    expect(source).toBe("unittest");
    expect(countChecks(checks)).toEqual({ passed: 3, failed: 1, skipped: 2, error: 0 });
    expect(statuses(checks)["test_doc (__main__.T.test_doc)"]).toBe("passed");
  });

  it("counts without names, refuses counts that differ, and sees that nothing ran", () => {
    expect(
      from("..\n----------------------------------------------------------------------\nRan 2 tests in 0.000s\n\nOK\n")
        .checks,
    ).toHaveLength(2);
    expect(codeOf(() => from(output.replace("test_a (__main__.T.test_a) ... ok\n", "")))).toBe("check_counts_differ");
    expect(codeOf(() => from("Ran 0 tests in 0.000s\n\nNO TESTS RAN\n"))).toBe("no_check_ran");
    expect(codeOf(() => from("Ran 2 tests in 0.000s\n\nOK (skipped=2)\n"))).toBe("no_check_ran");
  });
});

describe("hostile output", () => {
  it("refuses summaries that count more checks than can have run", () => {
    expect(codeOf(() => from("===== 99999999999 passed in 0.10s =====\n"))).toBe("check_counts_differ");
    expect(codeOf(() => from("Ran 99999999999 tests in 0.1s\n\nOK\n"))).toBe("check_counts_differ");
    const skipped =
      "===== short test summary info =====\nSKIPPED [99999999] a.py:1: no\n===== 1 passed in 0.1s =====\n";
    expect(codeOf(() => from(skipped))).toBe("check_counts_differ");
  });

  it.each([
    ["colons", `a${"::".repeat(400_000)} b`],
    ["words", `a::b${" PASSED (".repeat(100_000)} b`],
    ["gaps", `a::b PASSED${" ".repeat(900_000)}x`],
    ["dots", "... ".repeat(250_000)],
    ["subtests", `a::b${" SUBFAILED[] (".repeat(60_000)}`],
    [
      "many short lines",
      `${"a::b PASSED\n".repeat(40_000)}==== short test summary info ====\n${"ERROR x - y\n".repeat(40_000)}`,
    ],
  ])("is read in bounded time: %s", (_, output) => {
    const begun = performance.now();
    for (const summary of ["==== 1 passed in 0.10s ====", "Ran 1 test in 0.1s\n\nOK"])
      codeOf(() => from(`a::b PASSED\n${output}\n${summary}\n`));
    expect(performance.now() - begun).toBeLessThan(5000);
  });
});

describe("other sources", () => {
  const ctrf = (tests: object[], summary?: object) => JSON.stringify({ results: { tests, summary } });
  it("prefers a CTRF report, and holds it to its own summary", () => {
    const tests = [
      { name: "R1 totals", status: "passed", duration: 1 },
      { name: "R2", status: "failed", message: "wrong" },
    ];
    expect(from("", { reward: 0.5, R1: 1 }, ctrf(tests, { tests: 2, passed: 1, failed: 1 })).checks).toEqual([
      { name: "R1 totals", status: "passed", requirement: "R1" },
      { name: "R2", status: "failed", message: "wrong", requirement: "R2" },
    ]);
    expect(codeOf(() => from("", { reward: 1 }, ctrf(tests, { passed: 2 })))).toBe("check_counts_differ");
    expect(codeOf(() => from("", { reward: 1 }, ctrf([])))).toBe("no_check_ran");
    expect(codeOf(() => from("", { reward: 1 }, "{"))).toBe("check_report_unreadable");
  });

  it("takes the reward's other keys as checks, and the reward alone as one", () => {
    expect(from("", { reward: 0.5, R1: 1, R2: 0 }).checks).toEqual([
      { name: "R1", status: "passed", requirement: "R1" },
      { name: "R2", status: "failed", requirement: "R2" },
    ]);
    expect(from("done\n", { reward: 1 }).checks).toEqual([{ name: "reward", status: "passed" }]);
  });
});
