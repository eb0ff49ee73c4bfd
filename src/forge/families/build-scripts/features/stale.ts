import type { MakeFeature } from "../feature.ts";
import { rendered } from "../project.ts";
import { toolFiles } from "../tools.ts";
import { built, first, make, read, readPage, rebuilt, write } from "./common.ts";

/** A part that is changed has to reach the pages that take it in. */
export const staleParts: MakeFeature = (setting) => {
  const { names, held } = setting;
  const base = `${held.parts.get("base")}One more line.\n`;
  const changed = { ...held, parts: new Map([...held.parts, ["base", base]]) };
  return {
    id: "parts",
    level: 1,
    shape: "stale-dependency",
    rule: `When a file in \`${names.parts}/\` changes, the next \`make\` brings every page that takes it in up to date, also through another part.`,
    complaint: `after an edit in \`${names.parts}/\`, \`make\` says that there is nothing to do`,
    wrong: { partsList: "" },
    steps: [
      make(),
      readPage(setting, held, first(setting)),
      write(`${names.parts}/base.inc`, base),
      make(),
      readPage(setting, changed, first(setting)),
    ],
  };
};

/** A setting that is changed has to reach the pages. */
export const staleSettings: MakeFeature = (setting) => {
  const { held } = setting;
  const changed = { ...held, settings: new Map([...held.settings].map(([key, value]) => [key, `${value} b`])) };
  const text = [...changed.settings].map(([key, value]) => `${key} = ${value}\n`).join("");
  return {
    id: "settings",
    level: 1,
    shape: "stale-generated-file",
    rule: "When `settings.ini` changes, the next `make` brings all pages up to date.",
    complaint: "a new value in `settings.ini` doesn't show up in the pages until somebody deletes `gen`",
    wrong: { varsNeeds: "VERSION tools/mkvars.sh" },
    steps: [
      make(),
      readPage(setting, held, first(setting)),
      write("settings.ini", text),
      make(),
      readPage(setting, changed, first(setting)),
    ],
  };
};

/** The version is an input like any other. */
export const versionStamp: MakeFeature = (setting) => {
  const { held } = setting;
  const version = `${held.version}.${setting.random.integer(1, 40)}`;
  return {
    id: "version",
    level: 2,
    shape: "version-stamp",
    rule: "The version in `VERSION` stands in the pages as `{{version}}`. When it changes, the next `make` puts the new one into all pages.",
    complaint: "after a change of `VERSION` the pages still show the old one",
    wrong: { varsNeeds: "settings.ini tools/mkvars.sh" },
    steps: [
      make(),
      readPage(setting, held, first(setting)),
      write("VERSION", `${version}\n`),
      make(),
      readPage(setting, { ...held, version }, first(setting)),
    ],
  };
};

/** A changed tool makes everything that it made stale. */
export const toolChanged: MakeFeature = (setting) => {
  const { held, names, bug } = setting;
  const tool = `${toolFiles(names)["tools/render.sh"]}echo "(end)"\n`;
  return {
    id: "tool",
    level: 1,
    shape: "tool-as-prerequisite",
    rule: "When `tools/render.sh` changes, the next `make` makes all pages again.",
    complaint: "a repaired `tools/render.sh` has no effect on pages that were built before",
    wrong: { tool: "" },
    steps: [
      make(),
      readPage(setting, held, first(setting)),
      write("tools/render.sh", tool),
      make(),
      ...held.pages.map((name) => read(built(name), `${rendered(held, name, bug)}(end)\n`)),
    ],
  };
};

/** A second run finds nothing to do. */
export const nothingToDo: MakeFeature = (setting) => {
  const { held } = setting;
  const made = [...held.pages.map(built), "build/index.txt", "build/sizes.txt"];
  return {
    id: "twice",
    level: 3,
    shape: "nothing-to-do",
    rule: "When nothing has changed, a second `make` makes nothing again, not a single file.",
    complaint: "every `make` builds pages anew although nothing has changed",
    wrong: { separator: "" },
    clashes: ["parts", "tool", "minimal", "unchanged"],
    steps: [make(), readPage(setting, held, first(setting)), { do: "note" }, make(), rebuilt(made, [])],
  };
};
