// The engine's refusals as errors that say whose fault they are: engine, image, disk, caller.
import { RoutesetterError, SandboxError } from "../../contract/index.ts";
import { engineUnavailable, isDisconnect, statusOf } from "../images/builders/connect.ts";

/** What `error`, thrown while `doing`, means. Errors of ours pass through. */
export function attribute(error: unknown, doing: string): unknown {
  if (RoutesetterError.isInstance(error)) return error;
  if (isDisconnect(error)) return engineUnavailable(error);
  const text = (error as Error)?.message ?? String(error);
  const make = (code: string, message: string, remedy: string, isRetryable = false): SandboxError =>
    new SandboxError({ code, message: `${doing}: ${message}`, remedy, isRetryable, cause: error });
  if (/no space left on device/i.test(text))
    return make("host_disk_full", "the engine's disk is full", "free space and resume", true);
  if (/no such image|image .* (?:not found|does not exist)/i.test(text))
    return make("image_missing", "the engine doesn't have the image any more", "build it again and resume", true);
  if (/unable to find (?:user|group)/i.test(text))
    return make("unknown_user", text.trim(), "use a name from the image's /etc/passwd and /etc/group, or a number");
  if (statusOf(error) === 404 || /no such container|is not running|No such exec/i.test(text))
    return make("sandbox_lost", "the container is gone", "run the trial again", true);
  return make("sandbox_failed", text.trim().slice(0, 500), "see the engine's log", statusOf(error) >= 500);
}

export async function attributed<T>(doing: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw attribute(error, doing);
  }
}
