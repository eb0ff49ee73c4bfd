// The compatible sandbox: containers of a Docker engine.
export { createDockerBackend, type DockerOptions } from "./backend.ts";
