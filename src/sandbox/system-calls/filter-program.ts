// The filter as the kernel takes it: a classic BPF program over the number, the processor and the first argument of each
// system call. One section for each way of calling that the processor has; any other way is refused.
import { endianness } from "node:os";
import {
  type Abi,
  absentCalls,
  type CallNumbers,
  deniedCalls,
  errorNumbers,
  lastKnownCall,
  namespaceCalls,
  namespaceFlags,
  socketCalls,
  socketFamilies,
  timeNamespaceFlag,
} from "./denied.ts";

type Instruction = readonly [code: number, onTrue: number, onFalse: number, value: number];

const load = 0x20;
const jump = 0x05;
const ifEqual = 0x15;
const ifAtLeast = 0x35;
const ifAny = 0x45;
const answer = 0x06;

const offsets = { number: 0, processor: 4, firstArgument: 16 } as const;
const allow: Instruction = [answer, 0, 0, 0x7fff0000];
const refuse = (error: number): Instruction => [answer, 0, 0, 0x00050000 | error];
const allowed = [allow];
const denied = [refuse(errorNumbers.notPermitted)];
const absent = [refuse(errorNumbers.notThere)];
/** The lower half: flags and families fit. */
const loadArgument: Instruction = [load, 0, 0, offsets.firstArgument];

const auditNumbers: Readonly<Record<Abi, number>> = { x64: 0xc000003e, i386: 0x40000003, arm64: 0xc00000b7 };
const abisOf: Partial<Record<string, readonly Abi[]>> = { x64: ["x64", "i386"], arm64: ["arm64"] };

/** The program for a processor as Node names it, null for one whose calls are not known here. */
export function filterProgram(architecture: string = process.arch): Buffer | null {
  const abis = abisOf[architecture];
  if (abis === undefined || endianness() !== "LE") return null;
  const program: Instruction[] = [[load, 0, 0, offsets.processor]];
  for (const abi of abis) {
    const section = sectionOf(abi);
    program.push([ifEqual, 1, 0, auditNumbers[abi]], [jump, 0, 0, section.length], ...section);
  }
  program.push(refuse(errorNumbers.notThere));
  return encode(program);
}

/** Decides by the number, in a tree: the kernel goes through it for every number there is when a filter is set. */
function sectionOf(abi: Abi): Instruction[] {
  const bodies = new Map<number, readonly Instruction[]>();
  const set = (calls: Readonly<Record<string, CallNumbers>>, body: (name: string) => readonly Instruction[]): void => {
    for (const [name, call] of Object.entries(calls)) if (call[abi] !== undefined) bodies.set(call[abi], body(name));
  };
  set(absentCalls, () => absent);
  set(deniedCalls, () => denied);
  set(namespaceCalls, (name) => {
    const flags = name === "unshare" ? namespaceFlags | timeNamespaceFlag : namespaceFlags;
    return [loadArgument, [ifAny, 0, 1, flags], ...denied, allow];
  });
  set(socketCalls, () => [
    loadArgument,
    ...socketFamilies.flatMap((family): Instruction[] => [[ifEqual, 0, 1, family], allow]),
    refuse(errorNumbers.noSuchFamily),
  ]);
  const ranges: Range[] = [];
  for (let number = 0; number <= lastKnownCall; number += 1) {
    const body = bodies.get(number) ?? allowed;
    if (ranges.at(-1)?.body !== body) ranges.push({ from: number, body });
  }
  ranges.push({ from: lastKnownCall + 1, body: absent });
  return [[load, 0, 0, offsets.number], ...tree(ranges)];
}

type Range = { readonly from: number; readonly body: readonly Instruction[] };

function tree(ranges: readonly Range[]): readonly Instruction[] {
  if (ranges.length === 1) return ranges[0]!.body;
  const middle = ranges.length >> 1;
  const [below, above] = [tree(ranges.slice(0, middle)), tree(ranges.slice(middle))];
  return [[ifAtLeast, 0, 1, ranges[middle]!.from], [jump, 0, 0, below.length], ...below, ...above];
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, onTrue, onFalse, value], index) => {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(onTrue, index * 8 + 2);
    bytes.writeUInt8(onFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  });
  return bytes;
}
