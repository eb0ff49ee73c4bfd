// Where an artefact comes from: digests of its parents, how they are related, and details (models, prompts, licences).
import type { Database } from "better-sqlite3";
import type { Json } from "../contract/index.ts";
import { guarded, storedJson } from "./storage-error.ts";

export type LineageEdge = {
  readonly child: string;
  readonly parent: string;
  readonly relation: string;
  readonly detail: Json;
  readonly time: number;
};
type Row = Omit<LineageEdge, "detail"> & { detail: string };

/** The lineage of everything the project made, as edges from child to parent. */
export class Lineage {
  readonly #database: Database;
  readonly #file: string;

  constructor(database: Database, file: string) {
    this.#database = database;
    this.#file = file;
  }

  /** Records an edge; the same child, parent and relation again changes nothing. */
  add(edge: LineageEdge): void {
    guarded(this.#file, () =>
      this.#database
        .prepare(
          "INSERT INTO lineage (child, parent, relation, detail, time) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        )
        .run(edge.child, edge.parent, edge.relation, JSON.stringify(edge.detail), edge.time),
    );
  }

  parents(child: string): LineageEdge[] {
    return this.#read("SELECT * FROM lineage WHERE child = ? ORDER BY parent, relation", child);
  }

  children(parent: string): LineageEdge[] {
    return this.#read("SELECT * FROM lineage WHERE parent = ? ORDER BY child, relation", parent);
  }

  /** Every edge above the child, nearest first; a cycle ends there. */
  ancestors(child: string): LineageEdge[] {
    const seen = new Set([child]);
    const edges: LineageEdge[] = [];
    for (const queue = [child]; queue.length > 0; ) {
      for (const edge of this.parents(queue.shift() as string)) {
        edges.push(edge);
        if (seen.has(edge.parent)) continue;
        seen.add(edge.parent);
        queue.push(edge.parent);
      }
    }
    return edges;
  }

  #read(sql: string, digest: string): LineageEdge[] {
    return guarded(this.#file, () => this.#database.prepare<[string], Row>(sql).all(digest)).map((row) => ({
      ...row,
      detail: storedJson(row.detail, this.#file),
    }));
  }
}
