import type { Random } from "../../../statistics/index.ts";
import { drawPeople } from "../words/index.ts";

export type Identity = { readonly name: string; readonly email: string };
export type Contributor = Identity & { readonly aliases: readonly Identity[] };

/** Contributors; with aliases, two of them also commit under other names or addresses. */
export function drawContributors(random: Random, domain: string, withAliases: boolean): Contributor[] {
  const seen = new Set<string>();
  const people = drawPeople(random, 8).filter(({ name }) => !seen.has(name) && seen.add(name));
  return people.slice(0, 5).map(({ login, name }, index) => {
    const email = `${login}@${domain}`;
    if (!withAliases || index > 2) return { name, email, aliases: [] };
    const short = (name.split(" ")[0] as string).toLowerCase();
    const aliases = [
      { name, email: `${login}@laptop.local` },
      { name: short, email: `${short}@${domain}` },
      { name: "root", email: "root@build.local" },
    ];
    return { name, email, aliases: index === 2 ? aliases.slice(2) : [aliases[index] as Identity] };
  });
}

/** `.mailmap`: every alias in one of the forms that Git knows. */
export function mailmapText(people: readonly Contributor[]): string {
  const lines = people.flatMap(({ name, email, aliases }) =>
    aliases.map((alias) =>
      alias.name === "root" ? `${name} <${email}> root <${alias.email}>` : `${name} <${email}> <${alias.email}>`,
    ),
  );
  return `# one person, several addresses\n${lines.join("\n")}\n`;
}
