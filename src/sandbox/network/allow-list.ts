// Which hosts an allow-list admits: `example.org` (ports 80 and 443), `example.org:8080`, `*.example.org` (all below it).
import { isIP } from "node:net";

const usualPorts = [80, 443];

export function isAllowed(hosts: readonly string[], host: string, port: number): boolean {
  const name = normalise(host);
  return hosts.some((entry) => {
    const { pattern, port: only } = splitEntry(entry);
    if (only === null ? !usualPorts.includes(port) : only !== port) return false;
    return pattern.startsWith("*.")
      ? name.endsWith(pattern.slice(1)) && name.length > pattern.length - 1
      : name === pattern;
  });
}

/** Whether the entry that admits `host` names an address, which the owner then means literally. */
export const isLiteral = (host: string): boolean => isIP(host) !== 0;

/** Addresses that a name may not stand for: the host itself, its links, and what answers for clouds there. */
export function isInternalAddress(address: string): boolean {
  const plain = address.toLowerCase().replace(/^::ffff:/, "");
  return /^(0\.|127\.|169\.254\.|::1?$|fe[89ab]|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|f[cd])/.test(plain);
}

const normalise = (host: string): string => host.toLowerCase().replace(/\.$/, "");

function splitEntry(entry: string): { pattern: string; port: number | null } {
  const match = /^(.*):(\d+)$/.exec(entry);
  if (match === null || isIP(entry) === 6) return { pattern: normalise(entry), port: null };
  return { pattern: normalise(match[1]!), port: Number(match[2]) };
}
