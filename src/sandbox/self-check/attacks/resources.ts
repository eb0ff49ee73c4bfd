// Greed: more processes, memory, disk, output or time than a sandbox may have. Each takes a bounded amount over its limit,
// so that a sandbox that doesn't hold it harms nobody.
import type { RunResult, SandboxHandle } from "../../../contract/index.ts";
import { type Attack, held, hole } from "../attack.ts";
import { perl, seesProcess, shell } from "../inside.ts";

const megabyte = 1024 ** 2;
const groupsRemedy = "as root, mount control groups (version 1, or 2 with memory and pids in cgroup.subtree_control)";

/** The result, or null when it is not there in time. */
async function within(milliseconds: number, work: Promise<RunResult>): Promise<RunResult | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), milliseconds);
  });
  try {
    return await Promise.race([work.catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

const forkBomb: Attack = {
  id: "fork-bomb",
  title: "start processes without end",
  proves: "a sandbox has as many processes as it may, and works again afterwards",
  async run({ create }) {
    const [limit, wanted] = [24, 90];
    const sandbox = await create({ limits: { processes: limit } });
    const text = `i=0; while [ $i -lt ${wanted} ]; do sleep 20 >/dev/null 2>&1 & i=$((i+1)); echo $i; done`;
    const started = Number((await shell(sandbox, text)).split("\n").at(-1));
    await sandbox.killAll();
    if (started >= wanted) return hole(`${started} processes ran with a limit of ${limit}`, groupsRemedy);
    if ((await shell(sandbox, "echo on")) !== "on") return hole("the sandbox doesn't work afterwards");
    return held(`${started} of ${wanted} started with a limit of ${limit}`);
  },
};

const memoryBomb: Attack = {
  id: "memory-bomb",
  title: "take memory without end",
  proves: "what all processes together hold in memory is bounded",
  async run({ create }) {
    const sandbox = await create({ limits: { memoryBytes: 64 * megabyte } });
    await shell(sandbox, ":");
    const one = "head -c 50000000 /dev/zero | tail -c 50000000 | (sleep 1; wc -c)";
    const result = await sandbox.session.run(`${`${one} & `.repeat(5)} wait`, { timeoutMilliseconds: 30_000 });
    const through = result.stdout.text.split("\n").filter((line) => line.trim() === "50000000").length;
    if (through === 5 && result.limit === null)
      return hole("250 MB were held by five processes together with a limit of 64 MiB", groupsRemedy);
    return held(result.limit?.message ?? `${5 - through} of five processes were ended`);
  },
};

/** Writes so many files of a megabyte each into a folder of its own there, and waits for whoever is watching. */
async function fill(sandbox: SandboxHandle, place: string, count: number, name: string): Promise<RunResult> {
  const folder = `${place}/${name}`;
  await shell(sandbox, ":");
  try {
    return await sandbox.session.run(
      `mkdir -p ${folder}; i=0; while [ $i -lt ${count} ]; do head -c 1000000 /dev/zero > ${folder}/$i || exit 1; i=$((i+1)); done; sleep 2; echo full`,
      { timeoutMilliseconds: 30_000 },
    );
  } finally {
    await sandbox.session.run(`rm -rf ${folder}`);
  }
}

const diskFill: Attack = {
  id: "disk-fill",
  title: "fill the disk",
  proves: "the sum of what is written is bounded, in many small files too",
  async run({ create, host }) {
    const sandbox = await create({ limits: { diskBytes: 8 * megabyte } });
    const result = await fill(sandbox, "/tmp", 40, `attack-${host.mark()}`);
    if (result.stdout.text.includes("full")) return hole("40 MB were written with a limit of 8 MiB");
    return held(result.limit?.message ?? "ended before 40 MB were written");
  },
};

const sharedMemoryFill: Attack = {
  id: "shared-memory-fill",
  title: "fill /dev/shm",
  proves: "files in memory count, too",
  async run({ create, host }) {
    const sandbox = await create({ limits: { memoryBytes: 32 * megabyte, diskBytes: 32 * megabyte } });
    const result = await fill(sandbox, "/dev/shm", 90, `attack-${host.mark()}`);
    if (result.stdout.text.includes("full")) return hole("90 MB were written with limits of 32 MiB");
    return held(result.limit?.message ?? "ended before 90 MB were written");
  },
};

const endlessOutput: Attack = {
  id: "endless-output",
  title: "print without end",
  proves: "of what a command prints only so much is kept, and it is ended",
  async run({ create }) {
    const sandbox = await create();
    const kept = 65_536;
    await shell(sandbox, ":");
    const work = sandbox.session.run("exec yes", { outputBytes: kept, timeoutMilliseconds: 700 });
    const result = await within(8_000, work);
    if (result === null) return hole("a command that prints without end was not ended");
    const length = Buffer.byteLength(result.stdout.text);
    if (length > kept) return hole(`${length} bytes were kept where ${kept} were asked for`);
    return held(`${result.stdout.bytes} bytes were printed, ${length} kept`);
  },
};

const endlessLoop: Attack = {
  id: "endless-loop",
  title: "run without end, deaf to signals",
  proves: "a command ends when its time is over, with everything that it started",
  async run({ create, host }) {
    const sandbox = await create();
    const mark = host.mark();
    await shell(sandbox, ":");
    const work = sandbox.session.run(`trap '' HUP INT TERM XCPU; sleep ${mark} & while :; do sleep 0.05; done`, {
      timeoutMilliseconds: 500,
    });
    const result = await within(6_000, work);
    if (result === null) return hole("a loop went on after its time was over");
    if (await seesProcess(sandbox, mark)) return hole("what it had started went on after its time was over");
    return held(result.limit?.message ?? "ended");
  },
};

const processorTime: Attack = {
  id: "processor-time",
  title: "compute without end",
  proves: "a process ends when it has used its seconds of CPU time",
  async run({ create }) {
    const sandbox = await create({ limits: { cpuSeconds: 1 } });
    const text =
      '$SIG{XCPU} = "IGNORE"; while (1) { my ($user, $system) = times; last if $user + $system > 4 } print "over";';
    if ((await perl(sandbox, text, { timeoutMilliseconds: 60_000 })) === "over")
      return hole("a process used four seconds with a limit of one");
    return held("ended by the kernel");
  },
};

export const resources: readonly Attack[] = [
  forkBomb,
  memoryBomb,
  diskFill,
  sharedMemoryFill,
  endlessOutput,
  endlessLoop,
  processorTime,
];
