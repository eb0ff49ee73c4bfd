// File patterns that are matched in time linear in the path, whatever a stranger writes: a set of states steps through
// the text once, where a regular expression would try every way in which several stars can share it.

type Test = (character: string) => boolean;
export type GlobPart =
  | { readonly one: Test }
  /** Any number of such characters. */
  | { readonly many: Test }
  | { readonly optional: readonly GlobPart[] }
  | { readonly repeated: readonly GlobPart[] };
export type Glob = { test(text: string): boolean };

export const literal = (text: string): GlobPart[] =>
  Array.from(text, (expected) => ({ one: (character: string) => character === expected }));
export const anyCharacter: Test = () => true;
export const withinName: Test = (character) => character !== "/";

/** The members of `[…]`, ranges among them; one that runs backwards is empty. */
export function characterSet(members: string, isNegated: boolean): Test {
  const points = Array.from(members, (character) => character.codePointAt(0) as number);
  const ranges: [number, number][] = [];
  for (let index = 0; index < points.length; index++) {
    const first = points[index] as number;
    const isRange = points[index + 1] === 0x2d && index + 2 < points.length;
    ranges.push([first, isRange ? (points[index + 2] as number) : first]);
    if (isRange) index += 2;
  }
  return (character) => {
    const point = character.codePointAt(0) as number;
    return ranges.some(([low, high]) => low <= point && point <= high) !== isNegated;
  };
}

type State = { test: Test | null; next: number; also: number[] };
/** Longer than any path: such a pattern matches nothing. */
const longestPattern = 4096;

/** Matches whole texts. */
export function compileGlob(parts: readonly GlobPart[]): Glob {
  const states: State[] = [];
  const add = (): number => states.push({ test: null, next: -1, also: [] }) - 1;
  const at = (index: number): State => states[index] as State;
  const build = (list: readonly GlobPart[], from: number): number => {
    let current = from;
    for (const part of list) {
      const end = add();
      if ("one" in part) Object.assign(at(current), { test: part.one, next: end });
      else if ("many" in part) {
        const loop = add();
        at(current).also.push(loop);
        Object.assign(at(loop), { test: part.many, next: loop });
        at(loop).also.push(end);
      } else {
        const inner = add();
        at(current).also.push(inner, end);
        const innerEnd = build("optional" in part ? part.optional : part.repeated, inner);
        at(innerEnd).also.push("optional" in part ? end : current);
      }
      current = end;
    }
    return current;
  };
  const start = add();
  const final = build(parts, start);
  if (states.length > 4 * longestPattern) return { test: () => false };

  const seen = new Int32Array(states.length).fill(-1);
  const reach = (from: number, step: number, into: number[]): void => {
    const waiting = [from];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (seen[index] === step) continue;
      seen[index] = step;
      into.push(index);
      waiting.push(...at(index).also);
    }
  };
  return {
    test(text) {
      seen.fill(-1);
      let step = 0;
      let current: number[] = [];
      reach(start, step, current);
      for (const character of text) {
        step++;
        const after: number[] = [];
        for (const index of current) {
          const { test, next } = at(index);
          if (test?.(character)) reach(next, step, after);
        }
        if (after.length === 0) return false;
        current = after;
      }
      return current.includes(final);
    },
  };
}
