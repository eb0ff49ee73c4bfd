import type { Image } from "../../contract/index.ts";

export type ImageRequest = {
  /** The build context: a folder with a Dockerfile. */
  readonly context: string;
  /** `[environment].docker_image`, used when the context has no Dockerfile. */
  readonly dockerImage?: string;
  readonly timeoutMilliseconds?: number;
  readonly signal?: AbortSignal;
};

/**
 * Makes images: content-addressed by build context and base digest, built once, shared by all trials on either
 * backend. Errors: SandboxError (`image_missing`, `image_build_failed`, `image_build_timeout`, `builder_unavailable`).
 */
export interface ImageStore {
  /** `log` is the build's output. A second request for the same content builds nothing. */
  resolve(request: ImageRequest): Promise<{ image: Image; built: boolean; log: string }>;
  /** What the request would be built from, without building: the identity that reports show. */
  digest(request: ImageRequest): Promise<string>;
  close(): Promise<void>;
}
