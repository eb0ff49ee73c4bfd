import { isIP } from "node:net";

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Whether an entry of `allowed_hosts` is one: a host name, `*.host`, an IP address, or a CIDR range whose host bits are
 * zero. URLs, ports, paths and stars elsewhere are none.
 */
export function isAllowedHost(entry: string): boolean {
  const host = entry.trim().toLowerCase().replace(/\.$/, "");
  if (host.includes("/")) return isRange(host);
  if (isIP(host) !== 0) return !host.includes("%");
  const name = host.startsWith("*.") ? host.slice(2) : host;
  return isIP(name) === 0 && name.split(".").every((part) => label.test(part));
}

function isRange(text: string): boolean {
  const [address = "", length = "", ...rest] = text.split("/");
  const bits = isIP(address) === 4 ? 32 : isIP(address) === 6 && !address.includes("%") ? 128 : 0;
  if (bits === 0 || rest.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) > bits) return false;
  const host = BigInt(bits - Number(length));
  return (toInteger(address) & ((1n << host) - 1n)) === 0n;
}

function toInteger(address: string): bigint {
  if (address.includes(".") && !address.includes(":"))
    return address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const plain = dotted
    ? `${dotted[1]}${pair(dotted[2] as string, dotted[3] as string)}:${pair(dotted[4] as string, dotted[5] as string)}`
    : address;
  const [head = "", tail] = plain.split("::");
  const groups = (text: string | undefined) => (text ? text.split(":") : []);
  const [left, right] = [groups(head), groups(tail)];
  const all = [...left, ...new Array<string>(8 - left.length - right.length).fill("0"), ...right];
  return all.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
}

const pair = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16);
