// The network of one sandbox: what its policy needs beside the namespace, attached to each life and taken off again.
import type { NetworkPolicy } from "../../contract/index.ts";
import { proxyEnvironment, startAllowListProxy } from "../network/allow-list-proxy.ts";
import type { Life } from "./life.ts";
import { startNetworkStack } from "./network-stack.ts";

export class SandboxNetwork {
  #policy: NetworkPolicy;
  readonly #rootless: boolean;
  #attached: { life: Life; close(): Promise<void> } | null = null;

  constructor(policy: NetworkPolicy, rootless: boolean) {
    this.#policy = policy;
    this.#rootless = rootless;
  }

  get policy(): NetworkPolicy {
    return this.#policy;
  }

  /** Whether a life must be complete before its first command. */
  get needsAttachment(): boolean {
    return this.#policy.mode !== "none";
  }

  get environment(): Readonly<Record<string, string>> {
    return this.#policy.mode === "allowlist" ? proxyEnvironment : {};
  }

  async attach(life: Life): Promise<void> {
    if (this.#attached?.life === life) return;
    await this.detach();
    if (this.#policy.mode === "full") {
      const stack = await startNetworkStack(life.monitorPid, this.#rootless);
      this.#attached = { life, close: () => stack.close() };
    } else if (this.#policy.mode === "allowlist") {
      const proxy = await startAllowListProxy(life.monitorPid, this.#rootless, this.#policy.hosts);
      this.#attached = { life, close: () => proxy.close() };
    }
  }

  async detach(): Promise<void> {
    const attached = this.#attached;
    this.#attached = null;
    await attached?.close();
  }

  async change(policy: NetworkPolicy, life: Life | null): Promise<void> {
    await this.detach();
    this.#policy = policy;
    if (life !== null) await this.attach(life);
  }
}
