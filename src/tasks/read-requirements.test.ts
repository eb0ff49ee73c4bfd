import { describe, expect, test } from "vitest";
import { TaskFormatError } from "../contract/index.ts";
import { parseRequirements } from "./read-requirements.ts";

const requirement = {
  id: "R1",
  statement: "Count the lines.",
  kind: "positive",
  artefact: "/app/out.json",
  format: "JSON",
  sources: ["/app/in.log"],
  derivation: "count",
  check: "equal",
  shape: "json-object",
};
const whole = { version: 1, artefacts: ["/app/out.json"], requirements: [requirement] };
const text = (value: unknown) => JSON.stringify(value, null, 2);

function refused(source: string): TaskFormatError {
  try {
    parseRequirements(source, "t/requirements.json");
  } catch (error) {
    if (TaskFormatError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("was accepted");
}

test("defaults are filled in", () => {
  const { requirements, warnings } = parseRequirements(text(whole));
  expect(warnings).toEqual([]);
  expect(requirements).toMatchObject({ executes: [], requirements: [{ id: "R1", weight: 1, negatives: [] }] });
});

describe("errors name file, line and field", () => {
  test.each([
    ['{\n  "version": 1,\n}', "json_syntax", 3, undefined],
    [text({ ...whole, version: 2 }), "requirements_invalid", 2, "version"],
    [text({ ...whole, surprise: 1 }), "requirements_invalid", 21, "surprise"],
    [text({ ...whole, requirements: [] }), "requirements_invalid", 6, "requirements"],
    [text({ ...whole, requirements: [{ ...requirement, id: "r1" }] }), "requirements_invalid", 8, "requirements[0].id"],
    [
      text({ ...whole, requirements: [{ ...requirement, weight: 0 }] }),
      "requirements_invalid",
      19,
      "requirements[0].weight",
    ],
    [
      text({ ...whole, requirements: [{ ...requirement, kind: "invariant" }] }),
      "requirements_invalid",
      6,
      "requirements",
    ],
    [text({ ...whole, requirements: [requirement, requirement] }), "requirements_invalid", 21, "requirements[1].id"],
    [text({ ...whole, artefacts: ["/app/../etc"] }), "requirements_invalid", 4, "artefacts[0]"],
    [text({ ...whole, artefacts: ["out.json"] }), "requirements_invalid", 4, "artefacts[0]"],
  ])("%#", (source, code, line, field) => {
    const error = refused(source);
    expect(error).toMatchObject({ code, where: { file: "t/requirements.json", line } });
    if (field !== undefined) expect(error.where.field).toBe(field);
    expect(error.remedy).not.toBe("");
  });
});

test("what is checked or run but not carried over is a warning", () => {
  const { warnings } = parseRequirements(
    text({
      ...whole,
      executes: ["/app/tool.py"],
      requirements: [requirement, { ...requirement, id: "R2", artefact: "/app/b" }],
    }),
  );
  expect(warnings.map((warning) => warning.field)).toEqual(["requirements[1].artefact", "executes[0]"]);
  expect(parseRequirements(text({ ...whole, artefacts: ["/app/"], executes: ["/app/tool.py"] })).warnings).toEqual([]);
});
