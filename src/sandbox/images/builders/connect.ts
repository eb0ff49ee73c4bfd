// The Docker engine's API, reached by its socket; who calls learns in a few seconds whether anyone answers.
import type Docker from "dockerode";
import { SandboxError } from "../../../contract/index.ts";

/** From `DOCKER_HOST` (a UNIX socket) or the usual place. */
export const defaultSocket = (): string =>
  process.env.DOCKER_HOST?.startsWith("unix://")
    ? process.env.DOCKER_HOST.slice("unix://".length)
    : "/var/run/docker.sock";

/** The client's code is loaded when it is first needed: it is large. */
export async function openDocker(socketPath = defaultSocket()): Promise<Docker> {
  const { default: Client } = await import("dockerode");
  return new Client({ socketPath });
}

/** Why the engine can't be used, or null when it answers. */
export async function dockerProblem(docker: Docker, timeoutMilliseconds = 5_000): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMilliseconds} ms`)), timeoutMilliseconds);
    });
    const ping = docker.ping();
    ping.catch(() => {});
    await Promise.race([ping, late]);
    return null;
  } catch (error) {
    return `the Docker engine doesn't answer: ${(error as Error).message}`;
  } finally {
    clearTimeout(timer);
  }
}

/** Status code of an engine's refusal, 0 for anything else. */
export const statusOf = (error: unknown): number => Number((error as { statusCode?: unknown })?.statusCode ?? 0);

/** Whether the connection itself failed: nobody listens, or the engine died in the middle. */
export function isDisconnect(error: unknown): boolean {
  const { code, message = "" } = (error ?? {}) as { code?: string; message?: string };
  return (
    ["ECONNREFUSED", "ENOENT", "ECONNRESET", "EPIPE", "EACCES", "ENOTSOCK"].includes(code ?? "") ||
    /socket hang up|ECONNREFUSED|ECONNRESET/.test(message)
  );
}

export const engineUnavailable = (error: unknown): SandboxError =>
  new SandboxError({
    code: "engine_unavailable",
    message: `the Docker engine is gone: ${(error as Error)?.message ?? error}`,
    remedy: "start it again and resume",
    isRetryable: true,
    cause: error,
  });
