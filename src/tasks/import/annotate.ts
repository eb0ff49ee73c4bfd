import { parse, stringify } from "smol-toml";
import type { VerificationMode } from "../../contract/index.ts";

export type ImportRecord = {
  /** The mode that was proven; without one a claim of the original is removed. */
  readonly verification: VerificationMode | null;
  /** Whether what the verifier fetched is in the image now, so that it works without network. */
  readonly isOffline: boolean;
  /** For the verifier's environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** `[metadata.imported]`. */
  readonly lineage: Readonly<Record<string, string>>;
};

type Table = Record<string, unknown>;
const tableAt = (root: Table, key: string): Table => {
  const found = root[key];
  if (typeof found === "object" && found !== null && !Array.isArray(found)) return found as Table;
  const made: Table = {};
  root[key] = made;
  return made;
};

/** Writes into the text of a task.toml what the import found out. The text stays as it is where only lines are added. */
export function annotateConfiguration(text: string, record: ImportRecord): string {
  const root = parse(text, { maxDepth: 100, integersAsBigInt: "asNeeded" }) as Table;
  const before = structuredClone(root);
  const metadata = tableAt(root, "metadata");
  delete metadata.verification;
  if (record.verification !== null) metadata.verification = record.verification;
  metadata.imported = { ...record.lineage };
  if (record.isOffline) {
    const verifier = tableAt(root, "verifier");
    verifier.network_mode = "no-network";
    delete verifier.allowed_hosts;
    if (Object.keys(record.variables).length > 0) verifier.env = { ...tableAt(verifier, "env"), ...record.variables };
  }
  const grown = withLines(text, before, record);
  return grown !== null && stringify(parse(grown)) === stringify(root) ? grown : stringify(root);
}

/** The text with lines added; null where a line stands in the way. The caller compares what it says. */
function withLines(text: string, before: Table, record: ImportRecord): string | null {
  if (record.isOffline) return null;
  let grown = text;
  if (record.verification !== null) {
    const line = `verification = ${JSON.stringify(record.verification)}`;
    if (/^\[metadata\][ \t]*(?:#.*)?$/m.test(grown))
      grown = grown.replace(/^\[metadata\][ \t]*(?:#.*)?$/m, `$&\n${line}`);
    else if ("metadata" in before) return null;
    else grown = `${grown.replace(/\n*$/, "\n")}\n[metadata]\n${line}\n`;
  }
  const lineage = Object.entries(record.lineage).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  grown = `${grown.replace(/\n*$/, "\n")}\n[metadata.imported]\n${lineage.join("\n")}\n`;
  try {
    parse(grown);
    return grown;
  } catch {
    return null;
  }
}
