// The two ways to make a sandbox's namespaces and to enter them, as a program with its words and its environment.
import { fastEnter, fastLaunch } from "./fast-launch.ts";
import { enterScript, filterFile, innerScript, outerScript } from "./launch-script.ts";
import type { LaunchOptions } from "./life.ts";
import { limitCommands, limitNumbers } from "./resource-limits.ts";
import { launchEnvironment, requireTool } from "./tools.ts";

type Launch = { program: string; words: string[]; environment: Record<string, string> };

/** Only the fast way takes a first command along. `hasScript`: descriptor 8 brings the command and must stay open. */
export function launchOf(options: LaunchOptions, bubblewrap: readonly string[], hasScript: boolean): Launch {
  const { alter, holderPid, perl, shell } = options;
  if (perl !== null && holderPid !== null)
    return fast(perl, alter.launch(fastLaunch()), holderPid, options, bubblewrap, hasScript);
  const rootless = holderPid === null;
  return {
    program: requireTool("unshare"),
    words: [
      ...(rootless ? ["--user", "--map-root-user"] : []),
      "--mount",
      shell.program,
      "-c",
      alter.launch(outerScript(holderPid, shell.closing)),
    ],
    environment: {
      ...shellEnvironment(options, hasScript),
      INNER: alter.launch(innerScript({ closeUserNamespaces: rootless, loopback: options.loopback })),
    },
  };
}

export function enterOf(
  options: LaunchOptions,
  monitorPid: number,
  bubblewrap: readonly string[],
  hasScript: boolean,
): Launch {
  const { alter, holderPid, perl, shell } = options;
  if (perl !== null && holderPid !== null)
    return fast(perl, alter.launch(fastEnter()), monitorPid, options, bubblewrap, hasScript);
  return {
    program: requireTool(shell.program),
    words: ["-c", alter.launch(enterScript(holderPid, shell.closing)), "sh", ...bubblewrap],
    environment: { ...shellEnvironment(options, hasScript), MONITOR: String(monitorPid) },
  };
}

const fast = (
  program: string,
  text: string,
  pid: number,
  options: LaunchOptions,
  bubblewrap: readonly string[],
  hasScript: boolean,
): Launch => ({
  program,
  words: [
    "-e",
    text,
    "--",
    String(pid),
    options.groups.join("\n"),
    limitNumbers(options.resourceLimits),
    hasScript ? "yes" : "",
    options.filtered ? filterFile : "",
    requireTool("bwrap"),
    ...bubblewrap,
  ],
  environment: { ...launchEnvironment },
});

const shellEnvironment = (options: LaunchOptions, hasScript: boolean): Record<string, string> => ({
  ...launchEnvironment,
  GROUPS: options.groups.join(" "),
  LIMITS: limitCommands(options.resourceLimits),
  SCRIPT: hasScript ? "yes" : "",
  FILTER: options.filtered ? filterFile : "",
});
