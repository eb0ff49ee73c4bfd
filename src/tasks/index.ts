// The task folder (Harbor): find, read, write, digest, requirements.
export * from "./canary.ts";
export * from "./configuration.ts";
export * from "./digest.ts";
export * from "./find.ts";
export { parseJson } from "./locate-json.ts";
export { TomlLocator } from "./locate-toml.ts";
export * from "./parse-configuration.ts";
export * from "./read.ts";
export * from "./read-requirements.ts";
export * from "./read-text-file.ts";
export * from "./requirements.ts";
export * from "./requirements-of.ts";
export * from "./resolve-environment.ts";
export * from "./task.ts";
export * from "./trace-matrix.ts";
export * from "./verifier-image.ts";
export * from "./write.ts";
export * from "./write-configuration.ts";
