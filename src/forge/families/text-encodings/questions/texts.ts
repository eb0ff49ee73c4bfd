import type { Question } from "../../composition/index.ts";
import { textOf } from "../facts.ts";
import { type Setting, sourcesOf } from "./setting.ts";

/** Every file as clean text. */
export function cleanTexts(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const path = `${folder}/${random.pick(["clean", "texts", "utf8"])}`;
  const solve = (text: string) => `
Path("${path}").mkdir(parents=True, exist_ok=True)
for name, file in files.items():
    Path("${path}", name).write_bytes(${text}.encode("utf-8"))`;
  return {
    key: "clean_texts",
    shape: "text-normalisation",
    artefact: path,
    format: "UTF-8 text files",
    statement: "Every file of the archive is there as clean text under its name",
    demand: `Write the clean text of every file, as the document defines it, under the same name into \`${path}\`, and nothing else into that directory.`,
    derivation: "the files decoded, repaired and written anew",
    ordering: "lines as in the file",
    sources: sourcesOf(setting),
    weight: 2,
    expected: Object.fromEntries(facts.world.files.map((file) => [file.name, textOf(facts, file)])),
    solve: solve('file["text"]'),
    mistake: { name: "lines end with CR LF", solve: solve('file["text"].replace("\\n", "\\r\\n")') },
    check: `v.equal(v.tree("${path}"), sorted(wanted), "${path}")
for name in wanted:
    v.equal(v.text("${path}/" + name).split("\\n"), wanted[name].split("\\n"), "${path}/" + name)`,
  };
}

/** One file for a system that reads UTF-16. */
export function exported(setting: Setting): Question {
  const { facts, folder, random } = setting;
  const file = random.pick(facts.world.files);
  const path = `${folder}/${random.pick(["export", "mainframe", "handset"])}.u16`;
  const solve = (codec: string) => `
Path("${path}").write_bytes(files["${file.name}"]["text"].replace("\\n", "\\r\\n").encode("${codec}"))`;
  const bytes = Buffer.from(textOf(facts, file).replaceAll("\n", "\r\n"), "utf16le").swap16();
  return {
    key: "exported",
    shape: "re-encoded-export",
    artefact: path,
    format: "UTF-16BE text",
    statement: `The clean text of ${file.name} is exported in UTF-16BE`,
    demand: `\`${path}\`: the clean text of \`${file.name}\` in UTF-16BE without a mark, each line ended with CR LF.`,
    derivation: "the clean text, encoded anew",
    sources: sourcesOf(setting),
    expected: bytes.toString("hex"),
    solve: solve("utf-16-be"),
    mistake: { name: "the other byte order", solve: solve("utf-16-le") },
    check: `v.equal(v.read_bytes("${path}").hex(), wanted, "${path} in hexadecimal")`,
  };
}
