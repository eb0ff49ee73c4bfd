import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FixtureFile } from "../family.ts";

type Answer = { readonly path: string; readonly content: Buffer };

function contentsBelow(path: string): Answer[] {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return [];
  if (status.isDirectory()) return readdirSync(path).flatMap((name) => contentsBelow(join(path, name)));
  return status.isFile() ? [{ path, content: readFileSync(path) }] : [];
}

const holds = (fixture: FixtureFile, answer: Answer) => answer.content.equals(Buffer.from(fixture.content as string));

/**
 * Fixtures that hold, byte for byte, what the solution left at one of the places (host paths): answers in the image. A
 * file that the solution left as it came is no answer.
 */
export function answersInImage(fixtures: readonly FixtureFile[], places: readonly string[]): string[] {
  const answers = places
    .flatMap(contentsBelow)
    .filter(({ content }) => content.length > 0)
    .filter(
      (answer) => !fixtures.some((fixture) => answer.path.endsWith(`/${fixture.path}`) && holds(fixture, answer)),
    );
  return fixtures.filter((fixture) => answers.some((answer) => holds(fixture, answer))).map((fixture) => fixture.path);
}
