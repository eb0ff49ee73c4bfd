import type { Random } from "../../../statistics/index.ts";

const givenNames =
  "amina bruno carla dmitri elena farid greta hugo ines jonas keiko lars maren nadia oskar paula quentin rosa sven tomas ursula viktor wanda xenia yusuf zoe anouk bilal chiara edda finn gwen henrik iris jarek leila mateo nora pavel".split(
    " ",
  );
const familyNames =
  "abel berg castro dorn eriksen faber gruber hansen ivanov jansen keller lindt moreau novak okafor petrov quist rossi sato toth ueda varga weber yilmaz zeller arslan bakker cohen duval engel fischer greco huber iversen klein lopez meyer nagy olsen".split(
    " ",
  );

export type Person = { readonly login: string; readonly name: string };
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Different people; logins in one of several manners. */
export function drawPeople(random: Random, count: number): Person[] {
  const manner = random.pick(["dot", "initial", "number"] as const);
  const seen = new Set<string>();
  const people: Person[] = [];
  while (people.length < count) {
    const given = random.pick(givenNames);
    const family = random.pick(familyNames);
    const login =
      manner === "dot"
        ? `${given}.${family}`
        : manner === "initial"
          ? `${given.charAt(0)}${family}`
          : `${given}${random.integer(10, 99)}`;
    if (seen.has(login)) continue;
    seen.add(login);
    people.push({ login, name: `${capital(given)} ${capital(family)}` });
  }
  return people;
}
