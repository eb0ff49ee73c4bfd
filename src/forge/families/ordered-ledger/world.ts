import type { Random } from "../../../statistics/index.ts";
import type { Difficulty } from "../family.ts";
import { drawFirms } from "../words/index.ts";

export type Posting = {
  readonly id: string;
  readonly date: string;
  readonly account: string;
  readonly cents: number;
};
/** `cents` is what the posting should have said; null: it should never have been made. */
export type Correction = { readonly id: string; readonly revision: number; readonly cents: number | null };
export type Period = {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly postings: readonly Posting[];
  /** How often the export holds each posting. */
  readonly copies: readonly number[];
  readonly corrections: readonly Correction[];
  /** An account that another takes over with the first day of this period. */
  readonly merger: { readonly from: string; readonly into: string } | null;
};
export type World = {
  readonly difficulty: Difficulty;
  readonly company: string;
  readonly accounts: readonly (readonly [number: string, name: string])[];
  readonly periods: readonly Period[];
  /** From the second period on the bank exports in another format. */
  readonly changesFormat: boolean;
};

const names =
  "Bank;Cash;Receivables;Payables;Sales;Services;Rent;Wages;Travel;Postage;Licences;Interest;Repairs;Insurance".split(
    ";",
  );

/** Draws what was posted in each period and what was found wrong later. */
export function drawWorld(random: Random, difficulty: Difficulty): World {
  const [company] = drawFirms(random, 1) as [string];
  const count = 6 + difficulty;
  const numbers = random.sample(
    Array.from({ length: 80 }, (_, index) => String(1000 + index * 100)),
    count,
  );
  const accounts = numbers.sort().map((number, index) => [number, names[index] as string] as const);
  // The last account stays without postings.
  const used = numbers.slice(0, -1);
  const length = [2, 3, 3, 4, 4][difficulty - 1] as number;
  const year = random.integer(2023, 2026);
  const first = random.integer(1, 12 - length);
  const prefix = random.pick(["P", "B", "JE", "V"]);
  const serials = random.shuffle(Array.from({ length: 900 }, (_, index) => index + 100));
  const periods: Period[] = [];
  for (let index = 0; index < length; index++) {
    const month = `${year}-${String(first + index).padStart(2, "0")}`;
    const postings = Array.from({ length: random.integer(14, 18) + 4 * difficulty }, () => ({
      id: `${prefix}-${String(serials.pop()).padStart(5, "0")}`,
      date: `${month}-${String(random.integer(1, 28)).padStart(2, "0")}`,
      account: random.pick(used),
      cents: random.integer(100, 250_000) * random.pick([1, 1, -1]),
    }));
    const copies = postings.map((_, at) => (difficulty >= 2 && at % 8 === 3 ? random.integer(2, 3) : 1));
    const corrections = index === 0 ? [] : drawCorrections(random, difficulty, postings, periods);
    const [from, into] = random.sample(used, 2) as [string, string];
    const merger = difficulty === 5 && index === 2 ? { from, into } : null;
    periods.push({ month, postings, copies, corrections, merger });
  }
  return { difficulty, company, accounts, periods, changesFormat: difficulty >= 4 };
}

function drawCorrections(
  random: Random,
  difficulty: Difficulty,
  current: readonly Posting[],
  earlier: readonly Period[],
): Correction[] {
  const closed = random.sample(
    earlier.flatMap((period) => period.postings),
    3,
  );
  // One that was corrected before is corrected again: what counts is the difference to what the books say by then.
  const again = difficulty >= 3 ? (earlier.at(-1)?.corrections ?? []).slice(0, 1).map(({ id }) => ({ id })) : [];
  const open = difficulty >= 3 ? random.sample(current, 2) : [];
  const first = (earlier[0] as Period).postings.slice(0, 2);
  const ids = [...new Set([...first, ...closed, ...again, ...open].map(({ id }) => id))];
  const corrections = ids.flatMap((id, index) => {
    const revisions = difficulty >= 3 && index % 2 === 0 ? random.integer(2, 3) : 1;
    return Array.from({ length: revisions }, (_, revision) => ({
      id,
      revision: revision + 1,
      cents: difficulty >= 3 && index % 5 === 3 ? null : random.integer(250_001, 400_000),
    }));
  });
  return random.shuffle(corrections);
}
