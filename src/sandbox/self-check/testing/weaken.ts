// Ways to weaken a backend through the contract: what it is asked for, and what it answers.
import { cpSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import {
  type Sandbox,
  type SandboxBackend,
  type SandboxHandle,
  type SandboxSpec,
  shellQuote,
} from "../../../contract/index.ts";

type Change = {
  readonly spec?: (spec: SandboxSpec) => SandboxSpec;
  readonly handle?: (handle: SandboxHandle) => Partial<SandboxHandle>;
  readonly session?: (session: Sandbox) => Partial<Sandbox>;
};

const weaken = (backend: SandboxBackend, { spec, handle, session }: Change): SandboxBackend => ({
  ...backend,
  async create(given) {
    const made = await backend.create(spec?.(given) ?? given);
    return delegate(made, { ...handle?.(made), session: delegate(made.session, session?.(made.session) ?? {}) });
  },
});

/** Methods of a class keep their receiver. */
const delegate = <T extends object>(target: T, changes: Partial<T>): T =>
  new Proxy(target, {
    get(_, name) {
      const value = (name in changes ? changes : target)[name as keyof T];
      return typeof value === "function" && !(name in changes) ? value.bind(target) : value;
    },
  });

const withoutLimits =
  (...names: ("memoryBytes" | "processes" | "diskBytes" | "cpuSeconds")[]) =>
  (backend: SandboxBackend): SandboxBackend =>
    weaken(backend, {
      spec: (spec) => ({
        ...spec,
        limits: Object.fromEntries(
          Object.entries(spec.limits ?? {}).filter(([name]) => !names.includes(name as never)),
        ),
      }),
    });

/** A path of the sandbox, as whoever takes the machine's files for the sandbox's would find it. */
const resolved = async (session: Sandbox, path: string): Promise<string> =>
  (await session.run(["readlink", "-m", path])).stdout.text.trim();

export const weakenings = {
  withoutMemoryLimit: withoutLimits("memoryBytes"),
  withoutProcessLimit: withoutLimits("processes"),
  withoutDiskLimit: withoutLimits("diskBytes"),
  withoutAnyLimit: withoutLimits("diskBytes", "memoryBytes", "processes", "cpuSeconds"),
  keepsEnvironment: (backend: SandboxBackend) =>
    weaken(backend, { spec: (spec) => ({ ...spec, environment: process.env as Record<string, string> }) }),
  alwaysOnline: (backend: SandboxBackend) =>
    weaken(backend, { spec: (spec) => ({ ...spec, network: { mode: "full" } }) }),
  keepsOutput: (backend: SandboxBackend) =>
    weaken(backend, {
      session: (session) => ({
        run: (command, options) =>
          session.run(command, { ...options, ...(options?.outputBytes && { outputBytes: 4_000_000 }) }),
      }),
    }),
  withoutTimeLimit: (backend: SandboxBackend) =>
    weaken(backend, {
      session: (session) => ({
        run: (command, options) => session.run(command, { ...options, timeoutMilliseconds: 60_000 }),
      }),
    }),
  leavesProcesses: (backend: SandboxBackend) => weaken(backend, { handle: () => ({ killAll: async () => undefined }) }),
  leavesDescriptor: (backend: SandboxBackend) =>
    weaken(backend, {
      session: (session) => ({
        run: (command, options) =>
          session.run(typeof command === "string" ? `exec 7</etc/passwd; ${command}` : command, options),
      }),
    }),
  hasTerminal: (backend: SandboxBackend) =>
    weaken(backend, {
      session: (session) => ({
        run: (command, options) => {
          const words = typeof command === "string" ? ["sh", "-c", command] : command;
          return session.run(["script", "-qec", words.map(shellQuote).join(" "), "/dev/null"], options);
        },
      }),
    }),
  followsLinks: (backend: SandboxBackend) =>
    weaken(backend, {
      session: (session) => ({
        readFile: async (path) => readFile(await resolved(session, path)),
        writeFile: async (path, content) => writeFile(await resolved(session, path), content),
      }),
      handle: ({ session }) => ({
        copyOut: async (path, destination) => {
          const links = (await session.run(["find", path, "-type", "l"])).stdout.text.split("\n").filter(Boolean);
          for (const link of [path, ...links])
            cpSync(await resolved(session, link), destination, { recursive: true, dereference: true });
          return true;
        },
      }),
    }),
} satisfies Record<string, (backend: SandboxBackend) => SandboxBackend>;
