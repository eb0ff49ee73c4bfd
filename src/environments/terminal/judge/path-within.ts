/** Whether a path is the folder or lies inside it; both absolute and normal. */
export function within(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}

/** Whether one of the folders above a path is in the set. */
export function isBelowAny(path: string, folders: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
    if (folders.has(path.slice(0, end))) return true;
  return false;
}
