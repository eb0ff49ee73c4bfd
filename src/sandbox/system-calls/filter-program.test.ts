import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Abi, absentCalls, type CallNumbers, deniedCalls, namespaceCalls, socketCalls } from "./denied.ts";
import { engineProfile } from "./engine-profile.ts";
import { filterProgram } from "./filter-program.ts";

const headers: readonly (readonly [Abi, string])[] = [
  ["x64", "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"],
  ["i386", "/usr/include/x86_64-linux-gnu/asm/unistd_32.h"],
  ["arm64", "/usr/include/asm-generic/unistd.h"],
];
const all: Readonly<Record<string, CallNumbers>> = {
  ...deniedCalls,
  ...absentCalls,
  ...namespaceCalls,
  ...socketCalls,
};

/** What the kernel would answer: 0 for allowed, else the error's number. */
function verdict(program: Buffer, processor: number, number: number, argument = 0): number {
  let accumulator = 0;
  for (let at = 0; at < program.length / 8; at += 1) {
    const code = program.readUInt16LE(at * 8);
    const value = program.readUInt32LE(at * 8 + 4);
    const branch = (holds: boolean): void => {
      at += program.readUInt8(at * 8 + (holds ? 2 : 3));
    };
    if (code === 0x20) accumulator = value === 0 ? number : value === 4 ? processor : argument;
    else if (code === 0x05) at += value;
    else if (code === 0x15) branch(accumulator === value);
    else if (code === 0x35) branch(accumulator >= value);
    else if (code === 0x45) branch((accumulator & value) !== 0);
    else if (code === 0x06) return value === 0x7fff0000 ? 0 : value & 0xffff;
  }
  throw new Error("the program has no answer");
}

describe("numbers of system calls", () => {
  it.each(headers)("%s: as the kernel's header has them, where it is installed", (abi, file) => {
    if (!existsSync(file)) return expect(abi).toBeTypeOf("string");
    const text = readFileSync(file, "utf8");
    for (const [name, call] of Object.entries(all)) {
      const found = new RegExp(`#define __NR(?:3264)?_${name}\\s+(\\d+)`).exec(text)?.[1];
      // An older header doesn't know the newest calls; the one for arm64 names calls of 32-bit processors, too.
      if (found !== undefined && !(abi === "arm64" && name.endsWith("64")))
        expect([name, call[abi]]).toEqual([name, Number(found)]);
    }
  });
});

describe("the filter", () => {
  const x64 = filterProgram("x64")!;
  const [native, compat, arm] = [0xc000003e, 0x40000003, 0xc00000b7];

  it("refuses what is listed and leaves the rest alone, by each way of calling", () => {
    for (const call of Object.values(deniedCalls)) {
      if (call.x64 !== undefined) expect(verdict(x64, native, call.x64)).toBe(1);
      if (call.i386 !== undefined) expect(verdict(x64, compat, call.i386)).toBe(1);
      if (call.arm64 !== undefined) expect(verdict(filterProgram("arm64")!, arm, call.arm64)).toBe(1);
    }
    for (const harmless of [0, 1, 9, 39, 59, 101, 105, 231, 257, 436, 439])
      expect(verdict(x64, native, harmless)).toBe(0);
    expect(verdict(x64, native, 435)).toBe(38);
    expect(verdict(x64, native, 470)).toBe(38);
    expect(verdict(x64, native, 0x40000000 | 39)).toBe(38);
    expect(verdict(x64, arm, 39)).toBe(38);
    expect(filterProgram("mips")).toBeNull();
  });

  it("looks at the first argument of clone, unshare and socket", () => {
    expect(verdict(x64, native, 56, 0x01200011)).toBe(0);
    expect(verdict(x64, native, 56, 0x10000011)).toBe(1);
    expect(verdict(x64, native, 272, 0x400)).toBe(0);
    expect(verdict(x64, native, 272, 0x20000)).toBe(1);
    expect(verdict(x64, native, 272, 0x80)).toBe(1);
    for (const family of [1, 2, 10, 16]) expect(verdict(x64, native, 41, family)).toBe(0);
    for (const family of [38, 40, 31]) expect(verdict(x64, native, 41, family)).toBe(97);
  });

  it("has the same names for an engine", () => {
    const profile = JSON.parse(engineProfile()) as { syscalls: { names: string[]; errnoRet: number }[] };
    expect(profile.syscalls[0]!.names).toEqual(Object.keys(deniedCalls));
    expect(profile.syscalls.flatMap(({ names }) => names)).toEqual(expect.arrayContaining(Object.keys(all)));
  });
});
