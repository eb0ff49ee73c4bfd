import type { MakeFeature } from "../feature.ts";
import { rendered } from "../project.ts";
import { built, first, make, page, read, readPage, write } from "./common.ts";

/** A page that is added has to be built without anybody touching the Makefile. */
export const newPages: MakeFeature = (setting) => {
  const { names, held } = setting;
  const text = `# later {{version}}\n%include frame\n`;
  const name = "zither";
  const grown = { ...held, texts: new Map([...held.texts, [name, text]]) };
  return {
    id: "sources",
    level: 1,
    shape: "new-source-picked-up",
    rule: `Every file \`${names.pages}/*.${names.extension}\` that isn't a draft is built, new ones without a change of the Makefile.`,
    complaint: "pages that were added lately are missing from the build",
    wrong: { pages: `PAGES := ${held.pages.map((one) => page(setting, one)).join(" ")}` },
    clashes: ["halves", "pipe"],
    steps: [
      make(),
      readPage(setting, held, first(setting)),
      write(page(setting, name), text),
      make(),
      readPage(setting, grown, name),
    ],
  };
};

/** Drafts stay out. */
export const drafts: MakeFeature = (setting) => {
  const { names, held } = setting;
  const [draft] = held.drafts as [string];
  return {
    id: "drafts",
    level: 2,
    shape: "glob-exclude",
    rule: `Drafts, \`${names.pages}/*.draft.${names.extension}\`, are never built and appear nowhere.`,
    complaint: "drafts get published",
    wrong: {
      pages: setting.random.pick([
        `PAGES := $(sort $(wildcard ${names.pages}/*.${names.extension}))`,
        `PAGES := $(filter-out *.draft.${names.extension},$(sort $(wildcard ${names.pages}/*.${names.extension})))`,
      ]),
    },
    steps: [
      write(page(setting, "another.draft"), "# not yet\n"),
      write(page(setting, draft), "# nor this\n"),
      make(),
      readPage(setting, held, first(setting)),
      read(built("another.draft"), null),
      read(built(draft), null),
    ],
  };
};

/** One page asks for less than a part that all take in. */
export const minimalRebuild: MakeFeature = (setting) => {
  const { names, held } = setting;
  const notice = `${held.parts.get("notice")}Signed.\n`;
  const changed = { ...held, parts: new Map([...held.parts, ["notice", notice]]) };
  const taking = held.pages.filter((name) => rendered(held, name) !== rendered(changed, name));
  const pages = held.pages.map(built);
  const base = `${held.parts.get("base")}Signed too.\n`;
  const both = { ...changed, parts: new Map([...changed.parts, ["base", base]]) };
  return {
    id: "minimal",
    level: 5,
    shape: "minimal-rebuild",
    rule: `When a file in \`${names.parts}/\` changes, the next \`make\` makes exactly those pages again that take it in, directly or through another part, and leaves the others alone. (\`tools/includes.sh PAGE\` prints what a page takes in.)`,
    complaint: `one edit in \`${names.parts}/\` builds every page, or none`,
    wrong: { partsList: setting.random.pick(["", ` $(wildcard ${names.parts}/*.inc)`]) },
    right: {
      partsList: "",
      pageRules: `define takes-in
build/$(1).txt: $(shell sh tools/includes.sh ${names.pages}/$(1).${names.extension})
endef
$(foreach page,$(OUT:build/%.txt=%),$(eval $(call takes-in,$(page))))

`,
    },
    steps: [
      make(),
      readPage(setting, held, first(setting)),
      { do: "note" },
      write(`${names.parts}/notice.inc`, notice),
      make(),
      { do: "rebuilt", paths: pages, wanted: taking.map(built) },
      ...taking.map((name) => readPage(setting, changed, name)),
      write(`${names.parts}/base.inc`, base),
      make(),
      readPage(setting, both, first(setting)),
    ],
  };
};

/** A generated file that comes out the same leaves alone what hangs on it. */
export const moveIfChange: MakeFeature = (setting) => {
  const { held } = setting;
  const pages = held.pages.map(built);
  const same = `# a remark\n${[...held.settings].map(([key, value]) => `${key} = ${value}\n`).join("")}`;
  const changed = { ...held, settings: new Map([...held.settings].map(([key, value]) => [key, `${value} c`])) };
  const other = [...changed.settings].map(([key, value]) => `${key} = ${value}\n`).join("");
  return {
    id: "unchanged",
    level: 5,
    shape: "move-if-change",
    rule: "When `settings.ini` or `VERSION` changes in a way that leaves `gen/vars.sh` the same (a remark, say), no page is made again; when a value changes, all are.",
    complaint: "a remark in `settings.ini` has every page built again",
    wrong: {},
    right: {
      varsRecipe:
        'sh tools/mkvars.sh settings.ini VERSION > $@.new\n\tif [ -f $@ ] && [ "$$(cat $@.new)" = "$$(cat $@)" ]; then rm $@.new; else mv $@.new $@; fi',
    },
    steps: [
      make(),
      readPage(setting, held, first(setting)),
      { do: "note" },
      write("settings.ini", same),
      make(),
      { do: "rebuilt", paths: pages, wanted: [] },
      write("settings.ini", other),
      make(),
      readPage(setting, changed, first(setting)),
    ],
  };
};
