import type { Random } from "../../statistics/index.ts";

/** What a repeat changes around a trial without changing the task: results must not depend on it. */
export type Variation = {
  readonly hostname?: string;
  readonly timeZone?: string;
  readonly locale?: string;
  readonly hashSeed?: number;
  /** Files of the agent's working directory come from readdir in another order. */
  readonly directoryOrder?: "image" | "shuffled";
};

/** The environment variables of a variation, for the agent's and the verifier's sandbox alike. */
export function variationEnvironment(variation: Variation | undefined): Record<string, string> {
  if (!variation) return {};
  const { timeZone, locale, hashSeed } = variation;
  return {
    ...(timeZone === undefined ? {} : { TZ: timeZone }),
    ...(locale === undefined ? {} : { LANG: locale, LC_ALL: locale }),
    ...(hashSeed === undefined ? {} : { PYTHONHASHSEED: String(hashSeed) }),
  };
}

const timeZones = ["Pacific/Kiritimati", "America/St_Johns", "Asia/Kathmandu", "UTC"] as const;

/** The variation of a repeat; the first repeat has none. */
export function drawVariation(random: Random, repeat: number): Variation {
  if (repeat === 0) return {};
  return {
    hostname: `host-${random.word().toString(16).padStart(8, "0")}`,
    timeZone: random.pick(timeZones),
    locale: random.pick(["C", "C.UTF-8", "POSIX"]),
    hashSeed: random.integer(1, 4294967295),
    directoryOrder: random.boolean() ? "shuffled" : "image",
  };
}
