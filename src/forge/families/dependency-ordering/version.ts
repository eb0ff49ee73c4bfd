import type { Random } from "../../../statistics/index.ts";

/** `epoch:numbers-pre`, as in `1:2.10.0-rc.1`; epoch 0 isn't written. */
export type Version = { readonly epoch: number; readonly numbers: readonly number[]; readonly pre: number };
/** No pre-release. */
const release = 1_000_000;

export const isRelease = ({ pre }: Version): boolean => pre === release;

export type Operator = ">=" | ">" | "<" | "<=" | "=" | "!=" | "~" | "^";
export type Clause = { readonly operator: Operator; readonly version: Version };

export function versionText({ epoch, numbers, pre }: Version): string {
  return `${epoch > 0 ? `${epoch}:` : ""}${numbers.join(".")}${pre === release ? "" : `-rc.${pre}`}`;
}

export function compareVersions(a: Version, b: Version): number {
  const [left, right] = [a, b].map(({ epoch, numbers, pre }) => [epoch, ...numbers, pre]) as [number[], number[]];
  for (const [index, value] of left.entries()) if (value !== right[index]) return value - (right[index] as number);
  return 0;
}

export function meets(version: Version, { operator, version: bound }: Clause): boolean {
  const order = compareVersions(version, bound);
  const alike = (count: number) =>
    version.epoch === bound.epoch && bound.numbers.slice(0, count).every((n, i) => n === version.numbers[i]);
  switch (operator) {
    case ">=":
      return order >= 0;
    case ">":
      return order > 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case "~":
      return order >= 0 && alike(2);
    case "^":
      return order >= 0 && alike(1);
  }
}

/** Versions of one package, ascending; second numbers pass from one digit to two. */
export function drawVersions(random: Random, count: number): Version[] {
  let [major, minor, patch] = [random.integer(0, 3), random.integer(7, 9), random.integer(0, 3)];
  const versions: Version[] = [];
  while (versions.length < count) {
    versions.push({ epoch: 0, numbers: [major, minor, patch], pre: release });
    const step = random.pick(["minor", "minor", "patch", "major"]);
    if (step === "patch") patch += random.integer(1, 9);
    else if (step === "minor") [minor, patch] = [minor + random.integer(1, 3), random.integer(0, 2)];
    else [major, minor, patch] = [major + 1, random.pick([0, 1, 9]), 0];
  }
  return versions;
}

/** Clauses that `anchor` meets and that say something about the versions around it. */
export function drawClauses(random: Random, versions: readonly Version[], at: number, operators: boolean): Clause[] {
  const anchor = versions[at] as Version;
  const below = versions[Math.max(0, at - random.integer(0, 2))] as Version;
  const above = versions[at + random.integer(1, 2)];
  const kind = random.integer(0, 9);
  if (kind < 2) return [{ operator: ">=", version: below }];
  if (kind < 5 && above)
    return [
      { operator: ">=", version: below },
      { operator: "<", version: above },
    ];
  if (kind < 6 && above) return [{ operator: "<", version: above }];
  if (kind < 7) return [{ operator: "<=", version: versions[Math.min(at + 1, versions.length - 1)] as Version }];
  if (kind < 8 && at > 0) return [{ operator: ">", version: versions[at - 1] as Version }];
  if (operators) return [{ operator: random.pick(["~", "^", "^"] as const), version: anchor }];
  const other = versions.at(-1) as Version;
  return other === anchor ? [{ operator: ">=", version: anchor }] : [{ operator: "!=", version: other }];
}
