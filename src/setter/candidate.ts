import type { Json } from "../contract/index.ts";

/** One thing that a setter proposes: its place in the order of proposals, its identity, and what it was drawn from. */
export type Candidate<Design extends Json = Json> = {
  readonly index: number;
  /** Content-derived: the same proposal has the same key wherever it is made. */
  readonly key: string;
  readonly design: Design;
};
