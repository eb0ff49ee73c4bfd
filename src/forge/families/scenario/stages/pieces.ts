// Files in pieces, put together in an order that only relations between the pieces give.
import type { Random } from "../../../../statistics/index.ts";
import { type Input, type Stage, writeMade } from "../stage.ts";
import { altered } from "../text.ts";

type Piece = { id: string; file: string; bytes: Uint8Array; after: string[]; replaces: string | null };

/** Cuts `content` at random places into at most `count` pieces. */
function cut(content: Uint8Array, count: number, random: Random): Uint8Array[] {
  const places = new Set(Array.from({ length: count - 1 }, () => random.integer(1, Math.max(1, content.length - 1))));
  const ends = [...places].filter((place) => place < content.length).sort((a, b) => a - b);
  return [...ends, content.length].map((end, index) => content.slice(ends[index - 1] ?? 0, end));
}

/**
 * Relations under which "take the smallest number of those that nothing holds back" gives the pieces in their order:
 * whatever would come too early waits for the piece that it would overtake.
 */
function relate(pieces: Piece[], random: Random): void {
  for (const [place, piece] of pieces.entries()) {
    const done = new Set(pieces.slice(0, place).map(({ id }) => id));
    for (const later of pieces.slice(place + 1))
      if (later.id < piece.id && later.after.every((id) => done.has(id))) later.after.push(piece.id);
    const earlier = pieces[place - 2];
    if (earlier && !piece.after.includes(earlier.id) && random.boolean(0.3)) piece.after.push(earlier.id);
  }
}

const assemble = (folder: string, order: string) => `
import json
pieces = [json.loads(line) for line in open("${folder}/index.jsonl")]
instead = {piece["replaces"]: piece["piece"] for piece in pieces if "replaces" in piece}
pieces = [piece for piece in pieces if piece["piece"] not in instead]
made = {}
for path in sorted({piece["file"] for piece in pieces}):
    waiting = {p["piece"]: {instead.get(a, a) for a in p["after"]} for p in pieces if p["file"] == path}
    done = []
    while waiting:
        ${order}
        done.append(name)
        del waiting[name]
    made[path] = b"".join(open("${folder}/" + name + ".bin", "rb").read() for name in done)
${writeMade}`;

function piecesOf({ path, content }: Input, ids: string[], most: number, random: Random): Piece[] {
  const wanted = Math.min(most, Math.max(1, Math.floor(content.length / 4)));
  return cut(content, wanted, random).map((bytes) => ({
    id: ids.pop() as string,
    file: path,
    bytes,
    after: [],
    replaces: null,
  }));
}

export const pieces: Stage = {
  id: "pieces",
  family: "dependency-ordering",
  suits: (inputs) => inputs.some(({ content }) => content.length >= 64),
  deliver({ random, inputs, folder, difficulty, bug }) {
    const numbers = Array.from({ length: 900 }, (_, index) => `p${index + 100}`);
    const ids = random.shuffle(numbers);
    const most = Math.max(2, Math.min(2 + difficulty, Math.floor(60 / inputs.length)));
    const groups = inputs.map((input) => piecesOf(input, ids, most, random));
    const long = groups.filter((group) => group.length > 1);
    const chosen = random.pick(long);
    const [first, second] = chosen as [Piece, Piece];
    // In this file at least the numbers alone give a wrong order.
    if (first.id < second.id) [first.id, second.id] = [second.id, first.id];
    for (const group of groups) relate(group, random);
    const all = groups.flat();
    if (difficulty >= 3) {
      const old = random.pick(long)[0] as Piece;
      const replaced = ids.pop() as string;
      all.push({ ...old, id: replaced, bytes: altered(old.bytes, random), after: [...old.after] });
      old.replaces = replaced;
    }
    if (bug) for (const piece of chosen) piece.after = [];
    const lines = random
      .shuffle(all)
      .map(({ id, file, after, replaces }) =>
        JSON.stringify({ piece: id, file, after, ...(replaces ? { replaces } : {}) }),
      );
    return {
      files: [
        ...all.map(({ id, bytes }) => ({ path: `${folder}/${id}.bin`, content: bytes })),
        { path: `${folder}/index.jsonl`, content: `${lines.join("\n")}\n` },
      ],
      words: `They were cut into the pieces under \`/app/${folder}\`. \`/app/${folder}/index.jsonl\` names for each piece the \`file\` (its path below \`/app\`) and the pieces that it comes \`after\`; of the pieces that nothing holds back any more the one with the smallest number is next.${difficulty >= 3 ? " A piece that `replaces` another takes its place, and the replaced one is not used." : ""}`,
      program: assemble(folder, "name = min(n for n, after in waiting.items() if after <= set(done))"),
      mistaken: assemble(folder, "name = min(waiting)"),
    };
  },
};
