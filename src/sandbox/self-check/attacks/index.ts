// All attacks, in the order in which they are carried out: what costs nothing first.
import type { Attack } from "../attack.ts";
import { hostFiles } from "./host-files.ts";
import { kernelInterfaces } from "./kernel-interfaces.ts";
import { leaks } from "./leaks.ts";
import { networkAttacks } from "./network.ts";
import { paths } from "./paths.ts";
import { privileges } from "./privileges.ts";
import { processAttacks } from "./processes.ts";
import { resources } from "./resources.ts";

export const attacks: readonly Attack[] = [
  ...hostFiles,
  ...leaks,
  ...processAttacks,
  ...networkAttacks,
  ...paths,
  ...privileges,
  ...kernelInterfaces,
  ...resources,
];
