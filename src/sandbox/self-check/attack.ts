// What an attack on a sandbox is, and what it finds.
import type { SandboxBackend, SandboxHandle, SandboxSpec } from "../../contract/index.ts";
import type { HostTargets } from "./host-targets.ts";

export type Verdict = "held" | "hole" | "unknown";
export type Outcome = {
  readonly verdict: Verdict;
  /** What was seen: of a hole the evidence, else how it was tried or why it can't be told. */
  readonly detail: string;
  /** What to do, when it is not held. */
  readonly remedy?: string;
};

/** What is attacked, and what of the host it must not reach. */
export interface Subject {
  readonly backend: SandboxBackend;
  readonly host: HostTargets;
  /** A sandbox without network, unless the specification says otherwise; disposed of when the attack is over. */
  create(spec?: Partial<Omit<SandboxSpec, "image">>): Promise<SandboxHandle>;
}

export type Attack = {
  readonly id: string;
  /** What is tried, in a few words. */
  readonly title: string;
  /** What follows when it is held. */
  readonly proves: string;
  run(subject: Subject): Promise<Outcome>;
};

export const held = (detail: string): Outcome => ({ verdict: "held", detail });
export const hole = (detail: string, remedy?: string): Outcome => ({
  verdict: "hole",
  detail,
  ...(remedy === undefined ? {} : { remedy }),
});

/** Held when there is no evidence. */
export const unless = (evidence: readonly string[], detail: string, remedy?: string): Outcome =>
  evidence.length === 0 ? held(detail) : hole(evidence.slice(0, 6).join("; "), remedy);

/** An attack can't be carried out here; nothing follows from that. */
export class CannotTell extends Error {
  readonly remedy: string;
  constructor(reason: string, remedy: string) {
    super(reason);
    this.remedy = remedy;
  }
}
