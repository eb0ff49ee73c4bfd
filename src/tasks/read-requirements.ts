import { TaskFormatError } from "../contract/index.ts";
import { JsonLocator, parseJson } from "./locate-json.ts";
import type { Path } from "./locate-toml.ts";
import { fieldName } from "./parse-configuration.ts";
import { type Requirements, requirementsSchema } from "./requirements.ts";
import type { TaskWarning } from "./task.ts";

/**
 * Reads the text of a requirements.json. Ids are unique, at least one requirement is positive, paths are normal. An
 * artefact that is not carried over is a warning. Errors: TaskFormatError (`json_syntax`, `requirements_invalid`)
 * with file, line, column and field.
 */
export function parseRequirements(
  text: string,
  file = "requirements.json",
): { requirements: Requirements; warnings: TaskWarning[] } {
  let locator: JsonLocator | undefined;
  const locate = (path: Path) => {
    locator ??= new JsonLocator(text);
    return locator.find(path);
  };
  const fail = (code: string, message: string, path: Path, remedy: string, more = 0): never => {
    throw new TaskFormatError({
      code,
      message: message + (more > 0 ? ` (and ${more} more)` : ""),
      where: { file, ...locate(path), field: fieldName(path) },
      remedy,
    });
  };

  const value = parseJson(
    text,
    ({ expected, ...place }) =>
      new TaskFormatError({
        code: "json_syntax",
        message: `not valid JSON: expected ${expected}`,
        where: { file, ...place },
        remedy: "correct the syntax at this place",
      }),
  );
  locator = new JsonLocator(text);
  const { duplicate } = locator;
  if (duplicate !== null)
    fail("requirements_invalid", `${duplicate.at(-1)} stands there twice`, duplicate, "leave one of the two out");
  const result = requirementsSchema.safeParse(value);
  if (!result.success) {
    const issue = result.error.issues[0] as (typeof result.error.issues)[number];
    const path = issue.path as Path;
    const at = issue.code === "unrecognized_keys" ? [...path, issue.keys[0] as string] : path;
    fail(
      "requirements_invalid",
      issue.message.replace(/^Invalid input: /, ""),
      at,
      `give ${fieldName(at) || "the file"} as version 1 of requirements.json has it`,
      result.error.issues.length - 1,
    );
  }
  const requirements = result.data as Requirements;
  const invalid = (message: string, path: Path, remedy: string) => fail("requirements_invalid", message, path, remedy);

  const seen = new Set<string>();
  for (const [index, { id }] of requirements.requirements.entries()) {
    if (seen.has(id))
      invalid(`a second requirement ${id}`, ["requirements", index, "id"], "give each an id of its own");
    seen.add(id);
  }
  if (!requirements.requirements.some((requirement) => requirement.kind === "positive"))
    invalid("no requirement is positive", ["requirements"], "at least one must ask for work");
  for (const name of ["artefacts", "executes"] as const)
    for (const [index, path] of requirements[name].entries())
      if (!isNormal(path))
        invalid(`${path} is not a normal path`, [name, index], "leave out . and .. and double slashes");

  const warnings: TaskWarning[] = [];
  const warn = (message: string, path: Path) => {
    const line = locate(path)?.line;
    warnings.push({ message, file, ...(line === undefined ? {} : { line }), field: fieldName(path) });
  };
  const isCarried = (path: string) =>
    requirements.artefacts.some((artefact) => path === artefact || path.startsWith(`${artefact.replace(/\/$/, "")}/`));
  for (const [index, { id, artefact }] of requirements.requirements.entries())
    if (!isCarried(artefact))
      warn(`${id} is carried by ${artefact}, which is not among the artefacts`, ["requirements", index, "artefact"]);
  for (const [index, path] of requirements.executes.entries())
    if (!isCarried(path)) warn(`${path} is to be run but is not among the artefacts`, ["executes", index]);
  return { requirements, warnings };
}

const isNormal = (path: string): boolean =>
  path
    .replace(/\/$/, "")
    .split("/")
    .slice(1)
    .every((part) => part !== "" && part !== "." && part !== "..");
