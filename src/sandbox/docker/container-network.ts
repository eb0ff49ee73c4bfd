// The network of one container. None and full are the engine's own; for an allow-list the container has none, and the proxy
// that every backend shares listens on the loopback device of its network namespace.
import type Docker from "dockerode";
import type { NetworkPolicy } from "../../contract/index.ts";
import { proxyEnvironment, startAllowListProxy } from "../network/allow-list-proxy.ts";
import { networkUnavailable } from "../network/unavailable.ts";
import { networkName } from "./container-settings.ts";

export class ContainerNetwork {
  readonly #docker: Docker;
  readonly #container: Docker.Container;
  #policy: NetworkPolicy;
  #proxy: { close(): Promise<void> } | null = null;

  constructor(docker: Docker, container: Docker.Container, policy: NetworkPolicy) {
    this.#docker = docker;
    this.#container = container;
    this.#policy = policy;
  }

  get policy(): NetworkPolicy {
    return this.#policy;
  }

  /** What commands must know, beside their own environment. */
  get environment(): Readonly<Record<string, string>> {
    return this.#policy.mode === "allowlist" ? proxyEnvironment : {};
  }

  /**
   * To be called after each start: a new first process has a new namespace. `firstProcess` is its number on this machine,
   * null when the engine is on another one. Errors: SandboxError `network_unavailable`.
   */
  async attach(firstProcess: number | null): Promise<void> {
    const policy = this.#policy;
    await this.close();
    if (policy.mode !== "allowlist") return;
    this.#proxy = await startAllowListProxy(reachable(firstProcess), false, policy.hosts);
  }

  /** A policy that can't be kept here changes nothing; one that fails on the way leaves the container without network. */
  async change(policy: NetworkPolicy, firstProcess: number | null): Promise<void> {
    if (policy.mode === "allowlist") reachable(firstProcess);
    await this.close();
    const wanted = networkName(policy);
    const { Networks } = (await this.#container.inspect()).NetworkSettings;
    for (const name of Object.keys(Networks).filter((name) => name !== wanted)) {
      await this.#docker.getNetwork(name).disconnect({ Container: this.#container.id, Force: true });
    }
    this.#policy = { mode: "none" };
    if (!(wanted in Networks)) await this.#docker.getNetwork(wanted).connect({ Container: this.#container.id });
    this.#policy = policy;
    try {
      await this.attach(firstProcess);
    } catch (error) {
      this.#policy = { mode: "none" };
      throw error;
    }
  }

  /** Takes the proxy away; the engine's own networks end with the container. */
  async close(): Promise<void> {
    const proxy = this.#proxy;
    this.#proxy = null;
    await proxy?.close();
  }
}

function reachable(firstProcess: number | null): number {
  const obstacle = allowListObstacle(process.getuid?.() ?? null, firstProcess);
  if (obstacle !== null) {
    throw networkUnavailable(
      `the docker backend can't keep an allow-list here: ${obstacle}`,
      "use the box backend, or network mode none or full",
    );
  }
  return firstProcess!;
}

/** Why no proxy can listen inside a container, or null. `user` is null where users have no number. */
export function allowListObstacle(user: number | null, firstProcess: number | null): string | null {
  if (user !== 0) return "only root may enter the network of a container";
  return firstProcess === null ? "the engine's processes are not on this machine" : null;
}
