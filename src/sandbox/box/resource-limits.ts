// Resource limits of a command, written for the two ways of launching.

export type ResourceLimit = {
  readonly resource: "cpu" | "file-size" | "core" | "processes";
  readonly soft: number;
  readonly hard: number;
};

/** No core dumps, whatever else. */
export const usualLimits: readonly ResourceLimit[] = [{ resource: "core", soft: 0, hard: 0 }];

const numbers = { cpu: 0, "file-size": 1, core: 4, processes: 6 } as const;

/** `NUMBER:SOFT:HARD` for each, as prlimit takes them: seconds, bytes, bytes, processes. */
export const limitNumbers = (limits: readonly ResourceLimit[]): string =>
  limits.map(({ resource, soft, hard }) => `${numbers[resource]}:${soft}:${hard}`).join(" ");

/** The same as shell text; file sizes are in blocks of 512 bytes there. */
export const limitCommands = (limits: readonly ResourceLimit[]): string =>
  limits
    .map(({ resource, soft, hard }) => {
      if (resource === "cpu") return `ulimit -S -t ${soft}; ulimit -H -t ${hard}`;
      if (resource === "file-size") return `ulimit -f ${Math.ceil(hard / 512)}`;
      if (resource === "core") return "ulimit -c 0";
      return `ulimit -p ${hard} 2>/dev/null || ulimit -u ${hard}`;
    })
    .join("; ");
