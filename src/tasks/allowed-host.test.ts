import { expect, test } from "vitest";
import { isAllowedHost } from "./allowed-host.ts";

test.each([
  ...["example.com", "*.example.com", "EXAMPLE.com.", "localhost", "a-b.c", "192.0.2.1", "192.0.2.0/24", "0.0.0.0/0"],
  ...["2001:db8::1", "2001:db8::/32", "::/0", "::ffff:1.2.3.0/120"],
])("%s is an entry", (entry) => {
  expect(isAllowedHost(entry)).toBe(true);
});

test.each([
  ...["", "*", "*.", "a.*.b", "*a.b", "http://a.b", "a.b:80", "a.b/path", "a..b", "-a.b", "a_b", "*.1.2.3.4"],
  ...["192.0.2.1/24", "192.0.2.0/33", "192.0.2.0/", "2001:db8::1/32", "fe80::1%eth0", "[::1]", "10.0.0.0/8/8", "a b"],
])("%j is none", (entry) => {
  expect(isAllowedHost(entry)).toBe(false);
});
