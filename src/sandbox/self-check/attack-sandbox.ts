// Carries out attacks on the sandboxes of one backend, one after the other.
import { type Image, RoutesetterError, type SandboxBackend, type SandboxHandle } from "../../contract/index.ts";
import { type Attack, CannotTell, type Outcome, type Subject } from "./attack.ts";
import { attacks as allAttacks } from "./attacks/index.ts";
import { type HostTargets, openHostTargets } from "./host-targets.ts";

export type Finding = Outcome & {
  readonly id: string;
  readonly title: string;
  readonly proves: string;
  readonly milliseconds: number;
};

export type AttackOptions = {
  readonly backend: SandboxBackend;
  /** An image with a shell, coreutils and perl, whose user is root. */
  readonly image: Image;
  readonly attacks?: readonly Attack[];
  readonly onFinding?: (finding: Finding) => void;
  readonly signal?: AbortSignal;
};

/** Resolves to one finding for each attack. It rejects only when it was aborted. */
export async function attackSandbox(options: AttackOptions): Promise<Finding[]> {
  const host = await openHostTargets();
  const findings: Finding[] = [];
  try {
    for (const attack of options.attacks ?? allAttacks) {
      options.signal?.throwIfAborted();
      const begun = performance.now();
      const outcome = await carryOut(attack, options, host);
      const { id, title, proves } = attack;
      const finding = { id, title, proves, ...outcome, milliseconds: Math.round(performance.now() - begun) };
      findings.push(finding);
      options.onFinding?.(finding);
    }
    return findings;
  } finally {
    await host.close();
  }
}

async function carryOut(attack: Attack, { backend, image }: AttackOptions, host: HostTargets): Promise<Outcome> {
  const made: SandboxHandle[] = [];
  const subject: Subject = {
    backend,
    host,
    async create(spec = {}) {
      const sandbox = await backend.create({ image, workingDirectory: "/tmp", ...spec });
      made.push(sandbox);
      return sandbox;
    },
  };
  try {
    return await attack.run(subject);
  } catch (error) {
    if (error instanceof CannotTell) return { verdict: "unknown", detail: error.message, remedy: error.remedy };
    const detail = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { verdict: "unknown", detail, remedy: RoutesetterError.isInstance(error) ? error.remedy : "report it" };
  } finally {
    host.restore();
    await Promise.all(made.map((sandbox) => sandbox.dispose().catch(() => undefined)));
  }
}
