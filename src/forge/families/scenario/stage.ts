import type { Random } from "../../../statistics/index.ts";
import type { Difficulty, FixtureFile } from "../family.ts";

/** A file that a later part of the work starts from; the path is relative to /app. */
export type Input = { readonly path: string; readonly content: Uint8Array };

export type Delivery = {
  /** What lies in the image in place of the inputs. */
  readonly files: readonly FixtureFile[];
  /** Sentences for the instruction: what was delivered and how inputs come of it. */
  readonly words: string;
  /** Python that makes the inputs from the delivery; its working directory is /app. */
  readonly program: string;
  /** The same with the mistake that people make: some input comes out wrong. */
  readonly mistaken: string;
};

/** One kind of work that has to be done, and done right, before another family's work can start. */
export type Stage = {
  readonly id: string;
  /** The skill family that this work is of. */
  readonly family: string;
  suits(inputs: readonly Input[]): boolean;
  /** `bug`: the delivery does not give the inputs, as when this code were wrong. */
  deliver(order: {
    readonly random: Random;
    readonly inputs: readonly Input[];
    /** Where the delivery lies, relative to /app. */
    readonly folder: string;
    readonly difficulty: Difficulty;
    readonly bug: boolean;
  }): Delivery;
};

/** Writes what `made` (path to bytes) holds. */
export const writeMade = `
import os
for path, data in made.items():
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
`;
