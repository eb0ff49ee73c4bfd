// What bubblewrap is told: the view of one command. Everything under /mnt is the stage that the mount table prepared.

/** The capabilities that containers have and that a sandbox needs for chown, su, services and package managers. */
export const keptCapabilities = [
  "CAP_CHOWN",
  "CAP_SETUID",
  "CAP_SETGID",
  "CAP_DAC_OVERRIDE",
  "CAP_FOWNER",
  "CAP_FSETID",
  "CAP_KILL",
  "CAP_NET_BIND_SERVICE",
] as const;

/** A mount that the stage holds at `/mnt/<name>`, to be seen at `target`, a path without links. */
export type StagedMount = { readonly name: string; readonly target: string; readonly readOnly: boolean };

export type View = {
  readonly hostSystem: boolean;
  readonly hostname: string;
  readonly mounts: readonly StagedMount[];
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
  readonly command: readonly string[];
  /** Root has more than one uid to switch between; one uid alone can't keep SETUID of use. */
  readonly helper: boolean;
};

/** Where the program that switches users is seen, when a command runs as another user. */
export const helperFolder = "/dev/.switch";

export function bubblewrapArguments(view: View): string[] {
  const out = ["--bind", "/mnt/r", "/"];
  if (view.hostSystem) out.push("--ro-bind", "/usr", "/usr");
  out.push("--proc", "/proc", "--dev", "/dev", "--bind", "/mnt/shm", "/dev/shm");
  for (const mount of view.mounts)
    out.push(mount.readOnly ? "--ro-bind" : "--bind", `/mnt/${mount.name}`, mount.target);
  if (view.helper) out.push("--ro-bind", "/mnt/h", helperFolder);
  out.push("--remount-ro", "/dev", "--unshare-uts", "--hostname", view.hostname, "--cap-drop", "ALL");
  for (const capability of keptCapabilities) out.push("--cap-add", capability);
  // Without --die-with-parent: together with --pidns it kills now and then what it has just started, since the process
  // that enters the namespace exits after the one that it leaves behind asked for that signal. Process 1 does its work.
  out.push("--new-session", "--clearenv");
  for (const [name, value] of Object.entries(view.environment)) out.push("--setenv", name, value);
  out.push("--chdir", view.workingDirectory, "--", ...view.command);
  return out;
}
