import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FixtureFile } from "../family.ts";

function contentsBelow(path: string): Buffer[] {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return [];
  if (status.isDirectory()) return readdirSync(path).flatMap((name) => contentsBelow(join(path, name)));
  return status.isFile() ? [readFileSync(path)] : [];
}

/** Fixtures that hold, byte for byte, what the solution left at one of the places (host paths): answers in the image. */
export function answersInImage(fixtures: readonly FixtureFile[], places: readonly string[]): string[] {
  const answers = places.flatMap(contentsBelow).filter((content) => content.length > 0);
  return fixtures
    .filter((fixture) => answers.some((answer) => answer.equals(Buffer.from(fixture.content as string))))
    .map((fixture) => fixture.path);
}
