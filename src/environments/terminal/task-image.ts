import { join } from "node:path";
import type { Image } from "../../contract/index.ts";
import type { ImageStore } from "../../sandbox/index.ts";
import type { Task } from "../../tasks/index.ts";

export type TaskImageOptions = { readonly images: ImageStore; readonly signal?: AbortSignal };

/** The image that a task names or whose recipe it holds. Errors: SandboxError. */
export async function taskImage(task: Task, { images, signal }: TaskImageOptions): Promise<Image> {
  const { docker_image, build_timeout_sec } = task.configuration.environment;
  const { image } = await images.resolve({
    context: join(task.directory, "environment"),
    timeoutMilliseconds: build_timeout_sec * 1000,
    ...(docker_image === undefined ? {} : { dockerImage: docker_image }),
    ...(signal ? { signal } : {}),
  });
  return image;
}
