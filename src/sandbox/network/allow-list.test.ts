import { describe, expect, it } from "vitest";
import { isAllowed, isInternalAddress } from "./allow-list.ts";

describe("isAllowed", () => {
  const hosts = ["example.org", "*.deb.example", "10.1.2.3:8080", "Files.Example:8443"];
  it.each([
    ["example.org", 443],
    ["EXAMPLE.org.", 80],
    ["a.deb.example", 443],
    ["10.1.2.3", 8080],
    ["files.example", 8443],
  ])("admits %s:%i", (host, port) => expect(isAllowed(hosts, host, port)).toBe(true));
  it.each([
    ["example.org", 22],
    ["evil-example.org", 443],
    ["www.example.org", 443],
    ["deb.example", 443],
    ["xdeb.example", 443],
    ["10.1.2.3", 80],
    ["files.example", 443],
    ["", 443],
  ])("refuses %s:%i", (host, port) => expect(isAllowed(hosts, host, port)).toBe(false));
});

describe("isInternalAddress", () => {
  it.each([
    "127.0.0.1",
    "::1",
    "::ffff:127.0.0.1",
    "169.254.169.254",
    "10.0.0.1",
    "172.16.0.9",
    "192.168.1.1",
    "fd00::1",
    "0.0.0.0",
  ])("%s is", (address) => expect(isInternalAddress(address)).toBe(true));
  it.each(["93.184.216.34", "172.32.0.1", "2606:2800::1", "11.0.0.1"])("%s is not", (address) =>
    expect(isInternalAddress(address)).toBe(false),
  );
});
