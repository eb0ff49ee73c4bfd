/** Whether a path is the folder or lies inside it; both absolute and normal. */
export function within(path: string, folder: string): boolean {
  return folder === "/" || path === folder || path.startsWith(`${folder}/`);
}
