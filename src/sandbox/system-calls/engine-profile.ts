// The same filter as a container engine takes it: JSON with names.
import {
  absentCalls,
  deniedCalls,
  errorNumbers,
  namespaceCalls,
  namespaceFlags,
  socketCalls,
  socketFamilies,
} from "./denied.ts";

const architectures = [
  { architecture: "SCMP_ARCH_X86_64", subArchitectures: ["SCMP_ARCH_X86", "SCMP_ARCH_X32"] },
  { architecture: "SCMP_ARCH_AARCH64", subArchitectures: ["SCMP_ARCH_ARM"] },
];

/**
 * The text of a profile. Engines from version 25 on have a list of their own that is at least as strict; earlier ones
 * leave io_uring and sockets of other families open.
 */
export function engineProfile(): string {
  const rule = (names: readonly string[], error: number, args: object[] = []) => ({
    names,
    action: "SCMP_ACT_ERRNO",
    errnoRet: error,
    args,
  });
  const family = (op: string, value: number) =>
    rule(Object.keys(socketCalls), errorNumbers.noSuchFamily, [{ index: 0, value, op }]);
  const highest = Math.max(...socketFamilies);
  const between = Array.from({ length: highest }, (_, number) => number).filter((n) => !socketFamilies.includes(n));
  const flags = Array.from({ length: 32 }, (_, bit) => 2 ** bit).filter((flag) => (namespaceFlags & flag) !== 0);
  return JSON.stringify({
    defaultAction: "SCMP_ACT_ALLOW",
    archMap: architectures,
    syscalls: [
      rule(Object.keys(deniedCalls), errorNumbers.notPermitted),
      rule(Object.keys(absentCalls), errorNumbers.notThere),
      ...flags.map((flag) =>
        rule(Object.keys(namespaceCalls), errorNumbers.notPermitted, [
          { index: 0, value: flag, valueTwo: flag, op: "SCMP_CMP_MASKED_EQ" },
        ]),
      ),
      ...between.map((number) => family("SCMP_CMP_EQ", number)),
      family("SCMP_CMP_GT", highest),
    ],
  });
}
