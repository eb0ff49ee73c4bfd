// The box backend: makes sandboxes, removes what dead owners left, and says what this machine can hold.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { chmod, mkdir, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Image, SandboxBackend, SandboxSpec } from "../../contract/index.ts";
import { filterProgram } from "../system-calls/index.ts";
import { type Alteration, unaltered } from "./alteration.ts";
import { Box } from "./box.ts";
import { findControlGroups, reapGroups } from "./control-groups.ts";
import { canLaunchFast } from "./fast-launch.ts";
import { noOpaqueDirectories } from "./file-view.ts";
import { hasEmptyHosts, makeFillLayer, makeHostsLayer } from "./fill-layer.ts";
import { startHolder } from "./holder.ts";
import { launchShell } from "./inherited-descriptors.ts";
import { loopbackCommand } from "./launch-script.ts";
import { isOwnerAlive, ownerLabel } from "./owner-label.ts";
import { ownerShift } from "./owner-shift.ts";
import { openPipes } from "./pipes.ts";
import { probeBox } from "./probe.ts";
import { removeTree } from "./remove-tree.ts";
import { assertLayer } from "./stage.ts";
import { layOutHelper } from "./switch-helper.ts";
import { findTool, requireTool } from "./tools.ts";
import { attribute, launchFailed, type Workshop } from "./workshop.ts";

/** Sandboxes whose removal may be under way; more than that, and whoever makes new ones waits. */
const mostDiscarding = 32;

export type BoxOptions = {
  /** A folder of this backend's own, on a disk that overlayfs can write to (not itself an overlay). */
  readonly stateDirectory: string;
  /** How namespaces are made: in one perl process where that is possible (the default), or by the system's tools. */
  readonly launch?: "fast" | "shell";
};

/**
 * Opens the fast backend: bubblewrap over an overlay per sandbox. With root, 65,536 uids inside; as an ordinary user one
 * uid (`probe` says so). Errors: SandboxError `tool_missing`, `sandbox_unavailable`.
 */
export const createBoxBackend = (options: BoxOptions): Promise<SandboxBackend> => openBox(options, unaltered);

/** The same, weakened by a test. */
export async function openBox(options: BoxOptions, alter: Alteration): Promise<SandboxBackend> {
  for (const tool of ["bwrap", "unshare", "nsenter", "mount"]) requireTool(tool);
  const state = resolve(options.stateDirectory);
  const label = ownerLabel();
  let instance = 0;
  while (existsSync(join(state, `${label}.${instance}`))) instance += 1;
  const home = join(state, `${label}.${instance}`);
  for (const name of ["sandboxes", "snapshots", "hosts"]) await mkdir(join(home, name), { recursive: true });
  for (const name of [home, join(home, "sandboxes")]) await chmod(name, 0o755);
  const shift = ownerShift();
  const fill = join(home, "fill");
  await makeFillLayer(fill);
  const helper = shift === 0 ? null : join(home, "helper");
  if (helper !== null) layOutHelper(helper);
  let holder = shift === 0 ? null : await startHolder();
  const groups = findControlGroups();
  const filter = alter.filtered !== false && canFilter() ? filterProgram() : null;
  if (filter !== null) writeFileSync(join(home, "filter"), filter, { mode: 0o644 });
  const pipes = await openPipes(join(home, "pipes"));
  const boxes = new Map<string, Box>();
  const discarding = new Set<Promise<void>>();
  const layerCache = new Map<string, readonly string[]>();
  const opaque = new Map<string, ReadonlySet<string>>();
  let counter = 0;
  let closed = false;

  const workshop: Workshop = {
    sandboxes: join(home, "sandboxes"),
    shift,
    helper,
    loopback: loopbackCommand({ perl: findTool("perl"), ip: findTool("ip") }),
    shell: launchShell(),
    perl: options.launch !== "shell" && shift !== 0 && canLaunchFast() ? findTool("perl") : null,
    groups,
    filtered: filter !== null,
    alter,
    label: `${label}.${instance}`,
    pipes,
    get holder() {
      return holder;
    },
    layersOf: (image) => layerCache.get(keyOf(image))!,
    opaqueOf: (layer) => opaque.get(layer) ?? noOpaqueDirectories,
    newSnapshotLayer(directories) {
      const layer = join(home, "snapshots", `s${opaque.size}`);
      opaque.set(layer, directories);
      mkdirSync(layer);
      return layer;
    },
    create,
    forget: (box) => void boxes.delete(box.id),
    discard(path, group, after = Promise.resolve()) {
      const removal = after
        .then(() => Promise.all([removeTree(path), group?.remove()]))
        .then(() => undefined)
        .catch(() => undefined)
        .finally(() => discarding.delete(removal));
      discarding.add(removal);
    },
    attribute: (error, box) => attribute(error, box.id),
    launchFailed: (diagnostics, box) => launchFailed(diagnostics, box.id),
  };

  const prepare = async (image: Image): Promise<void> => {
    const key = keyOf(image);
    if (layerCache.has(key)) return;
    const own = [...image.layers].reverse();
    for (const layer of own) assertLayer(layer);
    const layers = [...own, fill];
    if (hasEmptyHosts(own)) {
      const directory = join(home, "hosts", createHash("sha256").update(key).digest("hex").slice(0, 16));
      if (!existsSync(directory)) await makeHostsLayer(directory, own);
      layers.unshift(directory);
    }
    layerCache.set(key, layers);
  };

  let renewal: Promise<void> | null = null;
  const renewHolder = (): Promise<void> => {
    renewal ??= startHolder().then((fresh) => {
      holder = fresh;
      renewal = null;
    });
    return renewal;
  };

  async function create(spec: SandboxSpec): Promise<Box> {
    while (discarding.size > mostDiscarding) await Promise.race(discarding);
    await prepare(spec.image);
    if (holder !== null && !holder.alive()) await renewHolder();
    counter += 1;
    const id = `box-${process.pid}-${instance}-${counter}`;
    try {
      const box = new Box(workshop, id, spec);
      boxes.set(id, box);
      return box;
    } catch (error) {
      workshop.discard(join(workshop.sandboxes, id));
      throw attribute(error, id);
    }
  }

  return {
    name: "box",
    create,
    async reap() {
      const removed: string[] = [];
      mkdirSync(state, { recursive: true });
      for (const name of await readdir(state)) {
        if (!/^\d+-\d+-[0-9a-f]{8}\.\d+$/.test(name) || isOwnerAlive(name.split(".")[0]!)) continue;
        // What can't be removed now stays for the next time: it must not keep anybody from working.
        const gone = await removeTree(join(state, name)).then(
          () => true,
          () => false,
        );
        if (gone) removed.push(join(state, name));
      }
      removed.push(...(await reapGroups(groups, (owner) => !isOwnerAlive(owner))));
      return removed;
    },
    async probe() {
      return probeBox(workshop);
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.all([...boxes.values()].map((box) => box.dispose()));
      await holder?.close();
      await Promise.all(discarding);
      await removeTree(home);
    },
  };
}

/** Whether this kernel takes filters: they are a choice when it is made. */
const canFilter = (): boolean => /^Seccomp:/m.test(readFileSync("/proc/self/status", "utf8"));

const keyOf = (image: Image): string => image.layers.join("\0");
