import type { TaskFolderFile } from "../write.ts";

export type ForeignFormat = "harbor" | "terminal-bench-1";

/** Something that was changed on the way in, or that a reader should know: never silent. */
export type ImportNote = { readonly message: string; readonly file: string; readonly line?: number };

/** What is kept of the original: enough to find it again and to prove that it is the same. */
export type ImportSource = {
  readonly format: ForeignFormat;
  /** sha256 over the paths and bytes of all files of the original. */
  readonly digest: string;
  /** The licence file that covers it, relative to the folder or to the tree it came in. */
  readonly licence: string | null;
};

/** A foreign folder as the files of a Harbor task folder. */
export type Conversion = {
  readonly name: string;
  readonly files: readonly TaskFolderFile[];
  readonly source: ImportSource;
  readonly repairs: readonly ImportNote[];
  /** Why it can't be run here, when that is seen from the files alone. */
  readonly cannotRun: string | null;
};
