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
const ifGreater = 0x25;
const ifAny = 0x45;
const answer = 0x06;

const offsets = { number: 0, processor: 4, firstArgument: 16 } as const;
const allow: Instruction = [answer, 0, 0, 0x7fff0000];
const refuse = (error: number): Instruction => [answer, 0, 0, 0x00050000 | error];

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

function sectionOf(abi: Abi): Instruction[] {
  const numbers = (calls: Readonly<Record<string, CallNumbers>>): number[] =>
    Object.values(calls).flatMap((call) => call[abi] ?? []);
  const section: Instruction[] = [
    [load, 0, 0, offsets.number],
    [ifGreater, 0, 1, lastKnownCall],
    refuse(errorNumbers.notThere),
  ];
  for (const number of numbers(absentCalls)) section.push([ifEqual, 0, 1, number], refuse(errorNumbers.notThere));
  for (const number of numbers(deniedCalls)) section.push([ifEqual, 0, 1, number], refuse(errorNumbers.notPermitted));
  for (const [name, call] of Object.entries(namespaceCalls)) {
    const flags = name === "unshare" ? namespaceFlags | timeNamespaceFlag : namespaceFlags;
    section.push(...withArgument(call[abi]!, [[ifAny, 0, 1, flags], refuse(errorNumbers.notPermitted), allow]));
  }
  for (const number of numbers(socketCalls)) {
    const families = socketFamilies.flatMap((family): Instruction[] => [[ifEqual, 0, 1, family], allow]);
    section.push(...withArgument(number, [...families, refuse(errorNumbers.noSuchFamily)]));
  }
  section.push(allow);
  return section;
}

/** `body` decides by the first argument (its lower half: flags and families fit), and must answer. */
const withArgument = (number: number, body: readonly Instruction[]): Instruction[] => [
  [ifEqual, 0, body.length + 1, number],
  [load, 0, 0, offsets.firstArgument],
  ...body,
];

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
