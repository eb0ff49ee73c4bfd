// The calls of the kernel that nothing inside a sandbox needs, by their numbers on each processor. Most are bound to
// capabilities that a sandbox hasn't; the filter keeps them shut when the kernel has a fault there. Debuggers, package
// managers, services and users' switches need none of them.

export type Abi = "x64" | "i386" | "arm64";
export type CallNumbers = Readonly<Partial<Record<Abi, number>>>;

const everywhere = (number: number): CallNumbers => ({ x64: number, i386: number, arm64: number });
const each = (x64: number | null, i386: number | null, arm64: number | null): CallNumbers => ({
  ...(x64 === null ? {} : { x64 }),
  ...(i386 === null ? {} : { i386 }),
  ...(arm64 === null ? {} : { arm64 }),
});

/** Refused with EPERM whatever their arguments are. */
export const deniedCalls: Readonly<Record<string, CallNumbers>> = {
  // Keys belong to users, not to sandboxes.
  add_key: each(248, 286, 217),
  request_key: each(249, 287, 218),
  keyctl: each(250, 288, 219),
  // Wide interfaces of the kernel; io_uring would go round this filter, too.
  bpf: each(321, 357, 280),
  perf_event_open: each(298, 336, 241),
  userfaultfd: each(323, 374, 282),
  io_uring_setup: everywhere(425),
  io_uring_enter: everywhere(426),
  io_uring_register: everywhere(427),
  // The kernel itself.
  kexec_load: each(246, 283, 104),
  kexec_file_load: each(320, null, 294),
  init_module: each(175, 128, 105),
  finit_module: each(313, 350, 273),
  delete_module: each(176, 129, 106),
  create_module: each(174, 127, null),
  get_kernel_syms: each(177, 130, null),
  query_module: each(178, 167, null),
  reboot: each(169, 88, 142),
  syslog: each(103, 103, 116),
  acct: each(163, 51, 89),
  swapon: each(167, 87, 224),
  swapoff: each(168, 115, 225),
  iopl: each(172, 110, null),
  ioperm: each(173, 101, null),
  vm86: each(null, 166, null),
  vm86old: each(null, 113, null),
  uselib: each(134, 86, null),
  sysfs: each(139, 135, null),
  ustat: each(136, 62, null),
  _sysctl: each(156, 149, null),
  nfsservctl: each(180, 169, 42),
  lookup_dcookie: each(212, 253, 18),
  vhangup: each(153, 111, 58),
  // The machine's clock.
  settimeofday: each(164, 79, 170),
  stime: each(null, 25, null),
  clock_settime: each(227, 264, 112),
  clock_settime64: each(null, 404, null),
  clock_adjtime: each(305, 343, 266),
  clock_adjtime64: each(null, 405, null),
  // Mounts and namespaces.
  mount: each(165, 21, 40),
  umount: each(null, 22, null),
  umount2: each(166, 52, 39),
  pivot_root: each(155, 217, 41),
  open_tree: everywhere(428),
  move_mount: everywhere(429),
  fsopen: everywhere(430),
  fsconfig: everywhere(431),
  fsmount: everywhere(432),
  fspick: everywhere(433),
  mount_setattr: everywhere(442),
  open_tree_attr: everywhere(467),
  setns: each(308, 346, 268),
  // Files by number instead of by name, and quotas.
  open_by_handle_at: each(304, 342, 265),
  quotactl: each(179, 131, 60),
  quotactl_fd: everywhere(443),
};

/** Answered as an old kernel would, so that the C library takes the way that can be filtered. */
export const absentCalls: Readonly<Record<string, CallNumbers>> = {
  clone3: everywhere(435),
  socketcall: each(null, 102, null),
};

/** Refused when the first argument asks for a new namespace. */
export const namespaceCalls: Readonly<Record<string, CallNumbers>> = {
  clone: each(56, 120, 220),
  unshare: each(272, 310, 97),
};
export const namespaceFlags = 0x7e020000;
/** CLONE_NEWTIME shares its bit with the signal that `clone` sends, so only `unshare` can ask for it. */
export const timeNamespaceFlag = 0x80;

/** Refused but for these families: UNIX, IPv4, IPv6, netlink, and packets, which need a capability. */
export const socketCalls: Readonly<Record<string, CallNumbers>> = { socket: each(41, 359, 198) };
export const socketFamilies: readonly number[] = [0, 1, 2, 10, 16, 17];

/** Newer calls than this (Linux 6.18) are unknown to the filter, and so absent. The same number on all processors. */
export const lastKnownCall = 469;

export const errorNumbers = { notPermitted: 1, notThere: 38, noSuchFamily: 97 } as const;
