/** Longer paths than this are not carried out of a sandbox: the kernel takes 4096 bytes, and the host's begin elsewhere. */
export const longestPath = 3000;

/**
 * Whether a `..` comes after a name in a link's target. Where that leads can't be told from the text: the name may be a
 * link itself, so that `a/a/../../x` leaves a folder in which `a` leads to `.`.
 */
export function turnsBack(target: string): boolean {
  const parts = target.split("/").filter((part) => part !== "" && part !== ".");
  const first = parts.findIndex((part) => part !== "..");
  return first >= 0 && parts.includes("..", first);
}
