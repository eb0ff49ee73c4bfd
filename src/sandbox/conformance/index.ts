// One behaviour suite for every sandbox backend.
import { describe } from "vitest";
import { commands } from "./commands.ts";
import { files } from "./files.ts";
import { isolation } from "./isolation.ts";
import { lifecycle } from "./lifecycle.ts";
import { limits } from "./limits.ts";
import { network } from "./network.ts";
import { output } from "./output.ts";
import { snapshots } from "./snapshots.ts";
import { type ConformanceOptions, openSubject } from "./subject.ts";
import { users } from "./users.ts";

export type { ConformanceOptions } from "./subject.ts";

/** Declares the suite for one backend; to be called at the top level of a test file. */
export function sandboxConformance(name: string, options: ConformanceOptions): void {
  describe(`sandbox ${name}`, () => {
    const subject = openSubject(options);
    commands(subject);
    output(subject);
    files(subject);
    snapshots(subject);
    users(subject);
    isolation(subject);
    network(subject);
    limits(subject);
    lifecycle(subject);
  });
}
