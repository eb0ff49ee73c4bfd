/** One file of a task folder; `mode` is 0o644 or 0o755. */
export type FolderFile = { readonly content: string | Uint8Array; readonly mode: number };

/** A task folder before it is written: everything that Harbor's format asks for. */
export type TaskFolder = {
  /** The folder's name, derived from the content: two different tasks never share one. */
  readonly slug: string;
  /** `[task].name`. */
  readonly name: string;
  /** Equal for tasks that differ in nothing that an agent could see (case and white space of the instruction aside). */
  readonly distinctness: string;
  /** Paths relative to the folder, sorted. */
  readonly files: ReadonlyMap<string, FolderFile>;
};
