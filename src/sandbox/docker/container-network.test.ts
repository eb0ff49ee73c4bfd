import { describe, expect, it } from "vitest";
import { allowListObstacle } from "./container-network.ts";
import { networkName } from "./container-settings.ts";

describe("allowListObstacle", () => {
  it("is none for root beside the engine", () => expect(allowListObstacle(0, 4711)).toBeNull());
  it("names the user", () => expect(allowListObstacle(1000, 4711)).toContain("only root"));
  it("names a system without user numbers too", () => expect(allowListObstacle(null, 4711)).toContain("only root"));
  it("names the engine elsewhere", () => expect(allowListObstacle(0, null)).toContain("not on this machine"));
});

describe("networkName", () => {
  it("gives only full a network of the engine's", () => {
    expect(networkName({ mode: "none" })).toBe("none");
    expect(networkName({ mode: "allowlist", hosts: ["example.org"] })).toBe("none");
    expect(networkName({ mode: "full" })).toBe("bridge");
  });
});
