/** A folder name that is safe everywhere and not taken yet; takes it. */
export function freeName(wanted: string, taken: Set<string>): string {
  const plain =
    wanted
      .normalize("NFKD")
      .replace(/[^A-Za-z0-9._-]+/g, "-")
      .replace(/^[-.]+|[-.]+$/g, "")
      .slice(0, 100) || "task";
  let name = plain;
  for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${plain}-${number}`;
  taken.add(name.toLowerCase());
  return name;
}
