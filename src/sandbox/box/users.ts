// USER as images write it, resolved from the image's own passwd and group files.
import { SandboxError } from "../../contract/index.ts";

export type User = {
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
  readonly home: string;
};

/** `read` gives the text of a file of the image, null when it has none. Errors: SandboxError `unknown_user`. */
export function resolveUser(user: string, read: (path: string) => string | null): User {
  if (user === "" || user === "0" || user === "root" || user === "0:0") {
    return { uid: 0, gid: 0, groups: [], home: homeOf(0, read) ?? "/root" };
  }
  const [name = "", groupName] = user.split(":");
  const accounts = records(read("/etc/passwd"), 7);
  const account = accounts.find((fields) => fields[0] === name) ?? accounts.find((fields) => fields[2] === name);
  if (account === undefined && !/^\d+$/.test(name)) throw unknown("user", name, "/etc/passwd");
  const uid = account === undefined ? Number(name) : Number(account[2]);
  const groupRecords = records(read("/etc/group"), 4);
  const gid =
    groupName === undefined ? (account === undefined ? 0 : Number(account[3])) : groupNumber(groupName, groupRecords);
  const member = account?.[0];
  const groups =
    groupName !== undefined || member === undefined
      ? []
      : groupRecords.filter((fields) => fields[3]!.split(",").includes(member)).map((fields) => Number(fields[2]));
  return { uid, gid, groups: [...new Set(groups)].filter((id) => id !== gid), home: account?.[5] || "/" };
}

function groupNumber(name: string, groups: readonly string[][]): number {
  const found = groups.find((fields) => fields[0] === name);
  if (found !== undefined) return Number(found[2]);
  if (/^\d+$/.test(name)) return Number(name);
  throw unknown("group", name, "/etc/group");
}

const homeOf = (uid: number, read: (path: string) => string | null): string | null =>
  records(read("/etc/passwd"), 7).find((fields) => fields[2] === String(uid))?.[5] || null;

const records = (text: string | null, width: number): string[][] =>
  (text ?? "")
    .split("\n")
    .map((line) => line.split(":"))
    .filter((fields) => fields.length >= width);

const unknown = (what: string, name: string, file: string): SandboxError =>
  new SandboxError({
    code: "unknown_user",
    message: `the image has no ${what} named ${name}`,
    where: { file },
    remedy: `use a name from the image's ${file}, or a number`,
  });
