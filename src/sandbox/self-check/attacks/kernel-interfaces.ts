// Interfaces of the kernel that work doesn't need and that faults have been found in. Each is called in a way that does
// nothing even where it is open: what tells is whether the kernel refuses before it looks at the arguments.
import { type Attack, unless } from "../attack.ts";
import { tryCall } from "../inside.ts";

type Interface = {
  readonly id: string;
  readonly title: string;
  readonly proves: string;
  readonly calls: readonly (readonly [name: string, words: string, before?: string])[];
};

const interfaces: readonly Interface[] = [
  {
    id: "keyring",
    title: "use the kernel's keyrings",
    proves: "keys of the host's users stay theirs",
    calls: [
      ["keyctl", "0, -3, 0"],
      ["add_key", "0, 0, 0, 0, 0"],
      ["request_key", "0, 0, 0, 0"],
    ],
  },
  {
    id: "bpf",
    title: "load a program into the kernel",
    proves: "bpf is shut",
    calls: [["bpf", "0, 0, 0"]],
  },
  {
    id: "perf",
    title: "watch the kernel and the processor",
    proves: "perf events are shut",
    calls: [["perf_event_open", "0, 0, -1, -1, 0"]],
  },
  {
    id: "io-uring",
    title: "use io_uring, which no filter sees",
    proves: "io_uring is shut",
    calls: [["io_uring_setup", "0, 0"]],
  },
  {
    id: "userfaultfd",
    title: "hold the kernel at a page fault",
    proves: "userfaultfd is shut",
    calls: [["userfaultfd", "1"]],
  },
  {
    id: "kernel-code",
    title: "load a module or another kernel",
    proves: "the kernel's code stays as it is",
    calls: [
      ["init_module", "0, 0, $none", 'my $none = ""'],
      ["finit_module", "-1, $none, 0", 'my $none = ""'],
      ["delete_module", "0, 0"],
      ["kexec_load", "0, 0, 0, -1"],
      ["reboot", "0, 0, 0, 0"],
    ],
  },
  {
    id: "kernel-log",
    title: "read the kernel's log",
    proves: "addresses and other people's messages stay unread",
    calls: [["syslog", "10, 0, 0"]],
  },
  {
    id: "file-handles",
    title: "open files by number",
    proves: "no file is reached round the view that the sandbox has",
    calls: [["open_by_handle_at", "-100, $handle, 0", 'my $handle = pack("IiQ", 8, 1, 2)']],
  },
  {
    id: "swap-and-accounts",
    title: "change swap and accounting",
    proves: "what belongs to the whole machine stays as it is",
    calls: [
      ["swapon", "$file, 0", 'my $file = "/nowhere/at/all"'],
      ["acct", "$file", 'my $file = "/nowhere/at/all"'],
    ],
  },
];

export const kernelInterfaces: readonly Attack[] = interfaces.map(({ id, title, proves, calls }) => ({
  id,
  title,
  proves,
  async run({ create }) {
    const sandbox = await create();
    const evidence: string[] = [];
    for (const [name, words, before] of calls) {
      const answer = await tryCall(sandbox, name, words, before);
      if (answer !== null) evidence.push(answer);
    }
    return unless(evidence, calls.map(([name]) => name).join(", "));
  },
}));
