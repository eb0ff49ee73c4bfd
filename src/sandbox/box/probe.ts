// What this machine can hold, said honestly.
import { accessSync, constants, existsSync } from "node:fs";
import type { Enforcement } from "../../contract/index.ts";
import { findTool } from "./tools.ts";
import type { Workshop } from "./workshop.ts";

/** See SandboxBackend.probe. */
export function probeBox(workshop: Workshop): { problems: string[]; enforcement: Enforcement[] } {
  const problems: string[] = [];
  if (!existsSync("/mnt")) problems.push("the folder /mnt is missing: mkdir /mnt");
  try {
    accessSync(workshop.sandboxes, constants.W_OK);
  } catch {
    problems.push(`the state folder ${workshop.sandboxes} can't be written`);
  }
  const { leaked } = workshop.shell;
  if (leaked.length > 0) {
    problems.push(
      `open files that were inherited (${leaked.join(", ")}) would be seen inside: install bash, or close them`,
    );
  }
  if (workshop.loopback === ":") problems.push("no loopback device without network: install perl or iproute2");
  const grouped = "a control group per sandbox";
  const enforcement: Enforcement[] = [
    workshop.groups.memory !== null
      ? { limit: "memory", how: "enforced", by: grouped }
      : {
          limit: "memory",
          how: "watched",
          by: "resident bytes summed every 100 ms: no control group can be made here",
        },
    workshop.groups.processes !== null
      ? { limit: "processes", how: "enforced", by: grouped }
      : workshop.shift === 0
        ? {
            limit: "processes",
            how: "enforced",
            by: "RLIMIT_NPROC in the sandbox's user namespace (before Linux 5.14 it counts all processes of this user)",
          }
        : {
            limit: "processes",
            how: "none",
            by: "no control group can be made here, and root is exempt from RLIMIT_NPROC",
          },
    {
      limit: "disk",
      how: "watched",
      by: "one file by RLIMIT_FSIZE (enforced); the sum by a look every 100 ms at the host's free space and the tree",
    },
    { limit: "cpu", how: "enforced", by: "RLIMIT_CPU, per process" },
    { limit: "time", how: "enforced", by: "a clock outside the sandbox, then SIGKILL" },
    { limit: "output", how: "enforced", by: "what is over the limit is counted and dropped outside the sandbox" },
    workshop.shift === 0
      ? {
          limit: "users",
          how: "none",
          by: "an ordinary user has one uid to give: everything inside is root and USER is ignored",
        }
      : { limit: "users", how: "enforced", by: "65,536 uids of a user namespace, from 100,000 up on the host" },
    workshop.filtered
      ? { limit: "system calls", how: "enforced", by: "a filter: no keys, bpf, perf, io_uring, mounts, modules, clock" }
      : {
          limit: "system calls",
          how: "none",
          by: `this kernel has no seccomp filters, or their numbers on ${process.arch} are not known`,
        },
    networkLine(),
  ];
  return { problems, enforcement };
}

function networkLine(): Enforcement {
  const tool = ["slirp4netns", "pasta"].find((name) => findTool(name) !== null);
  return tool === undefined
    ? {
        limit: "network",
        how: "enforced",
        by: "a network namespace with loopback only; apt-get install passt for more",
      }
    : { limit: "network", how: "enforced", by: `a network namespace; ${tool} when network is asked for` };
}
