import type { Setting, Step } from "../feature.ts";
import { type Inputs, rendered } from "../project.ts";

export const make = (...args: string[]): Step => ({ do: "make", args, wanted: true });
export const failing = (...args: string[]): Step => ({ do: "make", args, wanted: false });
export const write = (path: string, text: string): Step => ({ do: "write", path, text });
export const read = (path: string, wanted: string | null): Step => ({ do: "read", path, wanted });
export const rebuilt = (paths: readonly string[], wanted: readonly string[]): Step => ({
  do: "rebuilt",
  paths,
  wanted,
});
export const built = (name: string) => `build/${name}.txt`;
export const page = ({ names }: Setting, name: string) => `${names.pages}/${name}.${names.extension}`;

/** Reads a built page, which must be what the inputs come to. */
export const readPage = ({ bug }: Setting, inputs: Inputs, name: string): Step =>
  read(built(name), rendered(inputs, name, bug));
/** The held-out page that takes a part in through another. */
export const first = ({ held }: Setting) => held.pages[0] as string;
export const second = ({ held }: Setting) => held.pages[1] as string;
