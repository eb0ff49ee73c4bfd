// The launch of root's sandboxes in one process instead of eight: the same steps as the shell texts, in perl, whose
// `syscall` reaches what they need. It halves the cost of a sandbox; without perl the shell texts are used.
// Descriptors: 3 status lines, 4 5 6 the command's streams, 7 the control pipe, 8 a command that came as a file.

const numbers: Partial<Record<string, Record<string, number>>> = {
  x64: { mount: 165, unshare: 272, setns: 308, prlimit: 302, setuid: 117, setgid: 119, setgroups: 116, close: 3 },
  arm64: { mount: 40, unshare: 97, setns: 268, prlimit: 261, setuid: 147, setgid: 149, setgroups: 159, close: 57 },
};

/** Whether this processor's system calls are known. */
export const canLaunchFast = (): boolean => numbers[process.arch] !== undefined;

const shared = (): string => {
  const call = numbers[process.arch]!;
  return `
$^F = 255;
sub fail { print STDERR "launch: $_[0]: $!\\n"; exit 70 }
sub call { my ($what, $number, @rest) = @_; syscall($number, @rest) >= 0 or fail($what) }
sub shut { syscall(${call.close}, $_ + 0) for @_ }
sub namespace { open(my $file, "<", $_[0]) or fail($_[0]); call("setns $_[0]", ${call.setns}, fileno($file), 0); close($file) }
sub root { call("setgroups", ${call.setgroups}, 0, 0); call("setgid", ${call.setgid}, 0, 0, 0); call("setuid", ${call.setuid}, 0, 0, 0) }
sub groups { for (split(/\\n/, $_[0])) { open(my $file, ">", "$_/cgroup.procs") or fail($_); syswrite($file, "0") or fail($_); close($file) } }
sub limits { for (split(/ /, $_[0])) { my ($resource, $soft, $hard) = split(/:/); my $pair = pack("QQ", $soft, $hard); call("limit", ${call.prlimit}, 0, $resource + 0, $pair, 0) } }
sub stray { opendir(my $folder, "/proc/self/fd"); my @open = readdir($folder); closedir($folder); shut(grep { /^\\d+$/ && $_ > $_[0] } @open) }
sub filter { return () if $_[0] eq ""; open(FILTER, "<", $_[0]) or fail("filter"); return ("--seccomp", fileno(FILTER)) }
sub enter {
  my ($monitor, @kinds) = @_;
  open(SPACE, "<", "/proc/$monitor/ns/pid_for_children") or fail("pid namespace");
  open(my $user, "<", "/proc/$monitor/ns/user") or fail("user namespace");
  namespace("/proc/$monitor/ns/$_") for @kinds;
  call("setns user", ${call.setns}, fileno($user), 0);
  close($user);
  root();
  return fileno(SPACE);
}
my ($holder, $groups, $limits, $script, $filter, $bwrap, @command) = @ARGV;
`;
};

/**
 * Makes the namespaces. The first command's bubblewrap is forked before there is a pid namespace, so that nothing of the
 * host is inside of it: whatever is there can be looked into.
 * Arguments: holder's pid, control groups, limits, "yes" for descriptor 8, the filter's file, bubblewrap, its arguments.
 */
export const fastLaunch = (): string => {
  const call = numbers[process.arch]!;
  return `${shared()}
stray($script ? 8 : 7);
my @filter = filter($filter);
groups($groups);
call("unshare", ${call.unshare}, 0x20000);
my $none = "none"; my $slash = "/"; my $empty = "";
call("private", ${call.mount}, $none, $slash, $none, 0x44000, $empty);
open(my $table, "<", "fstab") or fail("fstab");
while (<$table>) {
  my ($source, $target, $type, $options) = map { s/\\\\(\\d{3})/chr(oct($1))/ger } split(/ /);
  my ($flags, $data) = $options eq "bind" ? (0x1000, "") : (0, $options);
  call("mount $target", ${call.mount}, $source, $target, $type, $flags, $data);
}
close($table);
my $go;
if (@command) {
  my $monitor = $$;
  pipe(my $wait, $go) or fail("pipe");
  my $first = fork(); defined($first) or fail("fork");
  if ($first == 0) {
    close($go);
    limits($limits);
    open(STDIN, "<&=4"); open(STDIN, "<&4"); open(STDOUT, ">&5"); open(STDERR, ">&6");
    shut(4, 5, 6, 7);
    sysread($wait, my $word, 1) or exit 70;
    close($wait);
    my $number = enter($monitor, "net", "ipc");
    exec { $bwrap } $bwrap, "--pidns", $number, "--block-fd", $number, "--json-status-fd", "3", @filter, @command or fail($bwrap);
  }
  close($wait);
}
namespace("/proc/$holder/ns/user");
root();
call("unshare", ${call.unshare}, 0x68000000);
my $init = fork(); defined($init) or fail("fork");
if ($init == 0) {
  $SIG{CHLD} = "IGNORE";
  $0 = "init";
  shut(3, 4, 5, 6, 8);
  close(FILTER);
  close($go) if $go;
  open(STDOUT, ">", "/dev/null"); open(STDERR, ">", "/dev/null");
  open(my $control, "<&=7"); my $word;
  while (sysread($control, $word, 64)) {}
  exit 0;
}
socket(my $socket, 2, 2, 0) or fail("socket");
my $device = pack("a16sx22", "lo", 0x41);
ioctl($socket, 0x8914, $device) or fail("loopback");
close($socket);
open(my $status, ">&=3"); syswrite($status, "{\\"ready\\":true}\\n");
$SIG{PIPE} = "IGNORE";
syswrite($go, "x") if $go;
shut(3, 4, 5, 6, 7, 8);
close(FILTER);
close($go) if $go;
1 while wait() > 0;
`;
};

/** Enters them: the holder's pid is the monitor's here, whose user namespace is the holder's. */
export const fastEnter = (): string => `${shared()}
stray($script ? 8 : 3);
shut(4, 5, 6, 7) if $script;
my @filter = filter($filter);
groups($groups);
limits($limits);
my $number = enter($holder, "net", "ipc", "mnt");
exec { $bwrap } $bwrap, "--pidns", $number, "--block-fd", $number, "--json-status-fd", "3", @filter, @command or fail($bwrap);
`;
