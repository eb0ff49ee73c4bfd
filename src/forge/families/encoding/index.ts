// Archive and compression formats, written the same on every platform.
export * from "./bytes.ts";
export * from "./crc32.ts";
export * from "./deflate.ts";
export * from "./gzip.ts";
export * from "./tar.ts";
export * from "./xz.ts";
export * from "./zip.ts";
