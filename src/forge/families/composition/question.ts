/** One requirement of a task with all that is derived from it. Texts that are Python may use `v` or the prelude. */
export type Question = {
  /** Name in `expected`, and of the solution's part; a Python identifier. */
  readonly key: string;
  readonly shape: string;
  /** `invariant`: holds when the step begins; `solve` is empty then, and `mistake` spoils it. Default `positive`. */
  readonly kind?: "positive" | "invariant";
  readonly artefact: string;
  readonly format: string;
  /** What must hold, in one sentence. */
  readonly statement: string;
  /** The paragraph of the instruction that asks for it. */
  readonly demand: string;
  readonly derivation: string;
  readonly ordering?: string;
  readonly negatives?: readonly string[];
  readonly sources: readonly string[];
  readonly weight?: number;
  readonly expected: unknown;
  /** Python that writes the artefact, after the prelude. */
  readonly solve: string;
  /** The same with a mistake that people make; the world must be such that it shows. */
  readonly mistake?: { readonly name: string; readonly solve: string };
  /** Python statements of the check; `wanted` is `expected` of this question. */
  readonly check: string;
};
