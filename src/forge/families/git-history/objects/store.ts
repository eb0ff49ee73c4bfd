import { concat, utf8 } from "../../encoding/index.ts";
import { type GitObject, gitObject, type Kind } from "./object.ts";

export type Tree = ReadonlyMap<string, string>;
export type Signature = {
  readonly name: string;
  readonly email: string;
  readonly seconds: number;
  readonly zone: string;
};

const signatureText = ({ name, email, seconds, zone }: Signature) => `${name} <${email}> ${seconds} ${zone}`;

/** Objects by their ids, in the order in which they were written. */
export class ObjectStore {
  readonly objects = new Map<string, GitObject>();
  readonly #blobs = new Map<string, string>();

  #add(kind: Kind, content: Uint8Array | string): string {
    const object = gitObject(kind, content);
    this.objects.set(object.id, object);
    return object.id;
  }

  blob(text: string): string {
    const known = this.#blobs.get(text);
    if (known !== undefined) return known;
    const id = this.#add("blob", text);
    this.#blobs.set(text, id);
    return id;
  }

  /** Writes a tree from paths and texts, folders as trees of their own. */
  tree(files: Tree): string {
    const folders = new Map<string, Map<string, string>>();
    const entries: { name: string; mode: string; id: string }[] = [];
    for (const [path, text] of files) {
      const slash = path.indexOf("/");
      if (slash < 0) entries.push({ name: path, mode: "100644", id: this.blob(text) });
      else {
        const name = path.slice(0, slash);
        folders.set(name, (folders.get(name) ?? new Map<string, string>()).set(path.slice(slash + 1), text));
      }
    }
    for (const [name, inside] of folders) entries.push({ name, mode: "40000", id: this.tree(inside) });
    const key = ({ name, mode }: { name: string; mode: string }) => (mode === "40000" ? `${name}/` : name);
    entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
    return this.#add(
      "tree",
      concat(entries.flatMap(({ name, mode, id }) => [utf8(`${mode} ${name}\0`), Buffer.from(id, "hex")])),
    );
  }

  commit(files: Tree, parents: readonly string[], author: Signature, committer: Signature, message: string): string {
    const lines = [
      `tree ${this.tree(files)}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${signatureText(author)}`,
      `committer ${signatureText(committer)}`,
    ];
    return this.#add("commit", `${lines.join("\n")}\n\n${message}\n`);
  }

  tag(name: string, commit: string, tagger: Signature, message: string): string {
    return this.#add(
      "tag",
      `object ${commit}\ntype commit\ntag ${name}\ntagger ${signatureText(tagger)}\n\n${message}\n`,
    );
  }
}
