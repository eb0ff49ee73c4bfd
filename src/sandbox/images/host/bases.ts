// The table of base images that this machine's own system can stand in for, and how closely.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { readHostPackages } from "./packages.ts";
import { skeletonVersion } from "./skeleton.ts";

export type HostSystem = {
  /** `ID` of os-release, lower case. */
  readonly id: string;
  readonly like: readonly string[];
  readonly version: string;
  readonly codename: string;
  readonly name: string;
  /** `3.11`, or null. */
  readonly python: string | null;
  readonly digest: string;
};
export type HostBase = {
  /** `same` release as the image's, or another one of its family. */
  readonly match: "same" | "family";
  readonly kind: "debian" | "python";
  readonly environment: Readonly<Record<string, string>>;
};

let cached: HostSystem | null = null;

export function readHostSystem(): HostSystem {
  const packages = readHostPackages().digest ?? "without dpkg";
  let text = "";
  try {
    text = readFileSync("/etc/os-release", "utf8");
  } catch {}
  const digest = createHash("sha256")
    .update(JSON.stringify([skeletonVersion, text, packages]))
    .digest("hex");
  if (cached?.digest === digest) return cached;
  const field = (name: string): string => new RegExp(`^${name}="?([^"\\n]*)"?$`, "m").exec(text)?.[1] ?? "";
  let python: string | null = null;
  try {
    python = /python(3\.\d+)$/.exec(realpathSync("/usr/bin/python3"))?.[1] ?? null;
  } catch {}
  cached = {
    id: field("ID").toLowerCase(),
    like: field("ID_LIKE").toLowerCase().split(/\s+/).filter(Boolean),
    version: field("VERSION_ID"),
    codename: field("VERSION_CODENAME"),
    name: field("PRETTY_NAME") || "this machine's system",
    python,
    digest,
  };
  return cached;
}

/** How this machine can stand in for `image`, or the reason why it can't. */
export function hostBaseFor(image: string, system: HostSystem): HostBase | string {
  const [name = "", pin] = image.replace(/^(?:docker\.io\/)?(?:library\/)?/, "").split("@");
  const [repository, tag = "latest"] = name.split(":");
  if (pin) return `${image} is pinned to a digest, which only the image itself can satisfy`;
  const debianFamily = system.id === "debian" || system.id === "ubuntu" || system.like.includes("debian");
  const notFamily = `${image} is of the Debian family and this machine runs ${system.name}`;
  const plain = { LANG: "" };
  if (repository === "debian" || repository === "ubuntu") {
    if (!debianFamily) return notFamily;
    const release = tag.replace(/-slim$|-\d{8}(?:\.\d+)?(?:-slim)?$/, "");
    const same =
      system.id === repository &&
      [system.version, system.codename].some(
        (own) => own !== "" && own === release.split(".").slice(0, own.split(".").length).join("."),
      );
    return { match: same ? "same" : "family", kind: "debian", environment: withoutEmpty(plain) };
  }
  if (repository === "python") {
    if (!debianFamily) return notFamily;
    if (/alpine|windows/.test(tag)) return `${image} isn't of the Debian family`;
    const wanted = /^(\d+(?:\.\d+)?)(?:\.\d+)?(?:-|$)/.exec(tag)?.[1];
    if (system.python === null || !existsSync("/usr/bin/python3")) return "this machine has no /usr/bin/python3";
    if (wanted && wanted !== "3" && wanted !== system.python)
      return `${image} wants Python ${wanted} and this machine's is ${system.python}`;
    if (!wanted && !/^(?:latest|slim|slim-.+)$/.test(tag)) return `the tag of ${image} is unknown`;
    return { match: "family", kind: "python", environment: { LANG: "C.UTF-8" } };
  }
  return `${image} isn't among the bases that this machine's system can stand in for (debian, ubuntu, python)`;
}

const withoutEmpty = (record: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ""));
