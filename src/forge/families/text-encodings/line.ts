import type { Random } from "../../../statistics/index.ts";
import type { Encoding } from "./encode.ts";

export type Script = "latin" | "cyrillic" | "greek";
/** Widths in characters; the code takes the first six, the note what is left. */
export type Columns = { readonly name: number; readonly place: number; readonly amount: number };
export const codeWidth = 6;

const names: Record<Script, readonly string[]> = {
  latin:
    "Bärbel Møller|Renée Núñez|Jörg Weiß|Zoë Brontë|Élise Dupré|Íñigo Ordóñez|Søren Ångård|Änne Köhler|Amélie Côté|Ödön Fülöp|André Sørli|Ursel Åkesson|Noël Béart|Inés Peña|Günter Groß".split(
      "|",
    ),
  cyrillic: "Андрей Зайцев|Юлия Королёва|Пётр Соловьёв|Сергей Чайкин|Ольга Йорданова|Алексей Щукин|Фёдор Бойко".split(
    "|",
  ),
  greek: "Νίκος Δημητρίου|Ελένη Παππά|Γιώργος Βασιλού|Άννα Λάσκαρη|Σοφία Μακρή".split("|"),
};
const places: Record<Script, readonly string[]> = {
  latin: "Zürich|Malmö|Besançon|Tromsø|Cádiz|Münster|Orléans|Århus|A Coruña|Köln".split("|"),
  cyrillic: "Могилёв|Бийск|Елец|Королёв|Тихвин".split("|"),
  greek: "Αθήνα|Πάτρα|Κέρκυρα|Βόλος".split("|"),
};
const notes = {
  plain: ["", "", "déjà payé", "geprüft", "señal", "år 2", "bis März"],
  quoted: ["“urgent”", "– geprüft", "Gebühr 12 €", "l’été", "„Eil“ …"],
  cyrillic: ["", "оплачено", "ещё раз"],
  greek: ["", "νέο", "εκκρεμεί"],
};

/** One record; the first line of a file always has letters that can be taken apart. */
export function drawLine(
  random: Random,
  columns: Columns,
  number: number,
  script: Script,
  encoding: Encoding,
  index: number,
): string {
  const note =
    encoding === "windows-1252" && (index === 0 || random.boolean(0.4))
      ? random.pick(notes.quoted)
      : random.pick(script === "latin" ? notes.plain : notes[script]);
  const fields = [
    `A${number}`.padEnd(codeWidth),
    random.pick(names[script]).padEnd(columns.name),
    random.pick(places[script]).padEnd(columns.place),
    String(random.integer(12, 99_999)).padStart(columns.amount),
  ];
  return fields.join("") + (note === "" ? "" : ` ${note}`);
}
