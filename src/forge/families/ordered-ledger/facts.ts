import type { Posting, World } from "./world.ts";

/** Derivations in which a bug can be planted. */
export const derivations = ["closed-periods", "second-corrections", "repeated-rows", "mergers"] as const;

export type Report = {
  readonly period: string;
  readonly postings: number;
  readonly debits: number;
  readonly credits: number;
};
export type Change = { readonly id: string; readonly before: number; readonly after: number };

/** What the books say at the end of each period. */
export type Books = {
  readonly ledger: readonly Posting[];
  readonly balances: Readonly<Record<string, number>>;
  readonly report: Report;
  /** Corrections of this period, by id. */
  readonly changes: readonly Change[];
};

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

/** The books period by period, from the world as it was drawn; `bug` names a derivation to get wrong. */
export function deriveBooks(world: World, bug: string | null): Books[] {
  const ledger = new Map<string, Posting>();
  const successor = new Map<string, string>();
  const belongs = (account: string) => successor.get(account) ?? account;
  const balance = (account: string) =>
    [...ledger.values()].reduce((total, posting) => total + (posting.account === account ? posting.cents : 0), 0);

  return world.periods.map((period, index) => {
    const firstDay = `${period.month}-01`;
    if (period.merger !== null) {
      const { from, into } = period.merger;
      const moved = bug === "mergers" ? 0 : balance(from);
      ledger.set(`M-${from}`, { id: `M-${from}`, date: firstDay, account: from, cents: -moved });
      ledger.set(`M-${into}`, { id: `M-${into}`, date: firstDay, account: into, cents: moved });
      successor.set(from, into);
    }
    for (const [at, posting] of period.postings.entries()) {
      const times = bug === "repeated-rows" ? (period.copies[at] as number) : 1;
      ledger.set(posting.id, { ...posting, account: belongs(posting.account), cents: posting.cents * times });
    }

    const latest = new Map<string, { revision: number; cents: number | null }>();
    for (const correction of period.corrections)
      if (correction.revision > (latest.get(correction.id)?.revision ?? 0)) latest.set(correction.id, correction);
    const changes: Change[] = [];
    for (const [id, { cents }] of latest) {
      const posting = ledger.get(id) as Posting;
      const after = cents ?? 0;
      const related = [...ledger.values()].filter((other) => other.id === id || other.id.startsWith(`${id}/`));
      const before =
        bug === "second-corrections" ? posting.cents : related.reduce((sum, entry) => sum + entry.cents, 0);
      changes.push({ id, before, after });
      if (posting.date >= firstDay || bug === "closed-periods") ledger.set(id, { ...posting, cents: after });
      else {
        const own = `${id}/${period.month.slice(5)}`;
        ledger.set(own, { id: own, date: firstDay, account: belongs(posting.account), cents: after - before });
      }
    }

    const rows = [...ledger.values()].sort(byId);
    const here = rows.filter((posting) => posting.date.startsWith(period.month)).map(({ cents }) => cents);
    const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
    return {
      ledger: rows,
      balances: Object.fromEntries(world.accounts.map(([account]) => [account, balance(account)])),
      report: {
        period: period.month,
        postings: here.length,
        debits: total(here.filter((cents) => cents > 0)),
        credits: total(here.filter((cents) => cents < 0).map((cents) => -cents)),
      },
      changes: index === 0 ? [] : changes.sort(byId),
    };
  });
}
