// The shell texts that start a sandbox's namespaces and enter them. Descriptors: 3 status lines, 4 5 6 the command's
// standard streams, 7 the control pipe whose end (our death included) ends the process number 1 and so everything.

/** Joins the control groups in $GROUPS; runs as the host's root, before anything of the sandbox exists. */
const joinGroups = `for group in $GROUPS; do echo 0 > "$group/cgroup.procs" || exit 70; done
`;

/** Relative to the sandbox's folder, in which every launch begins. */
export const filterFile = "../../filter";

/** Descriptor 8 is kept when it brings a command too long for an argument. */
const closeStray = 'exec 9>&-; [ -n "$SCRIPT" ] || exec 8>&-\n';

/** In the private mount namespace: mounts what the file \`fstab\` lists, then gives the mounts' owner away. */
export const outerScript = (holderPid: number | null, closing: string): string =>
  holderPid === null
    ? `${closing}${closeStray}mount -a -T fstab || exit 71
exec unshare --pid --net --ipc sh -c "$INNER"
`
    : `${closing}${closeStray}${joinGroups}mount -a -T fstab || exit 71
exec nsenter --user=/proc/${holderPid}/ns/user -S 0 -G 0 unshare --pid --net --ipc sh -c "$INNER"
`;

/**
 * In the new namespaces: process number 1 (it ignores SIGCHLD, so the kernel reaps orphans, and ends with the control
 * pipe) and the loopback device. Commands enter from outside, the first one too.
 */
export const innerScript = (options: { closeUserNamespaces: boolean; loopback: string }): string =>
  `${options.closeUserNamespaces ? "echo 0 > /proc/sys/user/max_user_namespaces\n" : ""}\
( trap "" CHLD; exec cat <&7 >/dev/null 2>&1 3>&- 4<&- 5>&- 6>&- 7<&- 8<&- ) &
${options.loopback}
echo '{"ready":true}' >&3
exec 3>&- 4<&- 5>&- 6>&- 7<&- 8<&-
wait
`;

/**
 * A command: enters the namespaces of the monitor $MONITOR and builds its view there. Nothing forks once the limits are set:
 * outside the sandbox they would count every process of the user.
 */
export const enterScript = (holderPid: number | null, closing: string): string =>
  `${closing}exec 4>&- 5>&- 6>&- 7>&-
${closeStray}[ -z "$FILTER" ] || { exec 7<"$FILTER"; set -- --seccomp 7 "$@"; }
${holderPid === null ? "" : joinGroups}eval "$LIMITS"
exec 9</proc/$MONITOR/ns/pid_for_children || exit 72
exec nsenter --target $MONITOR --user --mount --net --ipc ${holderPid === null ? "--preserve-credentials" : "-S 0 -G 0"} bwrap --pidns 9 --block-fd 9 --json-status-fd 3 "$@"
`;

/** Brings the loopback device of a new network namespace up; perl starts twice as fast as ip. */
export const loopbackCommand = (tools: { perl: string | null; ip: string | null }): string =>
  tools.perl !== null
    ? `${tools.perl} -e 'socket(S,2,2,0);$r=pack("a16sx22","lo",0x41);ioctl(S,0x8914,$r)'`
    : tools.ip !== null
      ? `${tools.ip} link set lo up`
      : ":";
