// What a sandbox may inherit by mistake: variables and open files.
import { type Attack, unless } from "../attack.ts";
import { shell } from "../inside.ts";

const environment: Attack = {
  id: "environment",
  title: "find a variable of the host",
  proves: "nothing of this process's environment gets in, keys least of all",
  async run({ create, host }) {
    const sandbox = await create();
    const found = await shell(
      sandbox,
      `(env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n') | grep -c ${host.secret}; true`,
    );
    return unless(
      found === "0" ? [] : [`the variable ${host.variable} of this process is seen inside`],
      "in the command's own environment and in every process's",
    );
  },
};

const descriptors: Attack = {
  id: "open-files",
  title: "use an open file that was left over",
  proves: "a command starts with its three standard streams and nothing else",
  async run({ create }) {
    const sandbox = await create();
    const listing = await shell(sandbox, "exec ls -l /proc/self/fd");
    const evidence = [...listing.matchAll(/ (\d+) -> (.*)$/gm)]
      .filter(([, number, target]) => Number(number) > 2 && !/^\/proc\/(self|\d+)\/fd$/.test(target!))
      .map(([, number, target]) => `descriptor ${number} leads to ${target}`);
    return unless(evidence, "0, 1 and 2");
  },
};

export const leaks: readonly Attack[] = [environment, descriptors];
