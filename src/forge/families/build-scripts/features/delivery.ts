import type { MakeFeature } from "../feature.ts";
import { rendered } from "../project.ts";
import { built, failing, first, make, page, read, readPage, second, write } from "./common.ts";

/** Installation into a staging directory. */
export const stagedInstall: MakeFeature = (setting) => {
  const { names, held, random, bug } = setting;
  const name = names.project;
  return {
    id: "install",
    level: 3,
    shape: "staged-install",
    rule: `\`make install\` puts all pages and \`index.txt\` into \`$(DESTDIR)$(PREFIX)/share/${name}\`; \`DESTDIR\` is empty and \`PREFIX\` is \`/usr/local\` unless the command line or the environment says otherwise.`,
    complaint: "the packagers can't install into a staging directory",
    wrong: {
      install: random.pick([
        "install -d $(PREFIX)/share/$(NAME)\n\tinstall -m 644 $(OUT) build/index.txt $(PREFIX)/share/$(NAME)",
        "install -d $(DESTDIR)/usr/local/share/$(NAME)\n\tinstall -m 644 $(OUT) build/index.txt $(DESTDIR)/usr/local/share/$(NAME)",
      ]),
    },
    steps: [
      make(),
      make("install", "DESTDIR=@/stage", "PREFIX=/opt/books"),
      read(`stage/opt/books/share/${name}/${first(setting)}.txt`, rendered(held, first(setting), bug)),
      read(`stage/opt/books/share/${name}/${second(setting)}.txt`, rendered(held, second(setting), bug)),
    ],
  };
};

/** The same sources give the same archive. */
export const reproducible: MakeFeature = (setting) => {
  const { names, held, random } = setting;
  const path = `dist/${names.project}-${held.version}.tar`;
  const members = [...held.pages.map((name) => `${name}.txt`), "index.txt"].sort();
  return {
    id: "archive",
    level: 3,
    shape: "reproducible-archive",
    rule: `\`make dist\` makes \`dist/${names.project}-VERSION.tar\` (an uncompressed tar) with the pages and \`index.txt\`, as \`NAME.txt\` without any directory, sorted by name. The same sources give the same bytes whenever, wherever and by whomever it is made: the time of every member is that in \`EPOCH\` (seconds), owner and group are 0 without names, modes are 0644.`,
    complaint: "two archives of the same release have different checksums",
    wrong: {
      tar: random.pick([
        "tar -C build -cf $@ .",
        "tar -C build -cf $@ $(notdir $(OUT)) index.txt",
        "tar --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=0644 -C build -cf $@ $(notdir $(OUT)) index.txt",
      ]),
    },
    steps: [
      make(),
      make("dist"),
      readPage(setting, held, first(setting)),
      { do: "members", path, wanted: members.map((name) => [name, held.epoch, 0o644] as const) },
      { do: "same", path, wanted: null },
      write(page(setting, first(setting)), held.texts.get(first(setting)) as string),
      make("dist"),
      { do: "same", path, wanted: true },
    ],
  };
};

/** A recipe that fails leaves nothing that looks finished. */
export const halfWritten: MakeFeature = (setting) => ({
  id: "halves",
  level: 4,
  shape: "failed-recipe",
  rule: "When a page can't be built, `make` fails, leaves no unfinished file under the page's name in `build`, and fails again the next time.",
  complaint: "after a failure the next `make` takes a half-written page for finished",
  wrong: { deleting: "" },
  steps: [
    make(),
    readPage(setting, setting.held, first(setting)),
    write(page(setting, "broken"), "# broken\nso far so good\nand now {{nobody}}\n"),
    failing(),
    read(built("broken"), null),
    failing(),
    read(built("broken"), null),
  ],
});

/** The first command of a pipe fails. */
export const pipeStatus: MakeFeature = (setting) => ({
  id: "pipe",
  level: 4,
  shape: "pipe-status",
  rule: "When the index can't be made (a page without a title, say), `make` fails.",
  complaint: "a page without a title gives a short index, and `make` doesn't say a word",
  wrong: {
    indexRecipe: setting.random.pick([
      "sh tools/index.sh $(OUT) | sort > $@",
      "-sh tools/index.sh $(OUT) > $@",
      "sh tools/index.sh $(OUT) > $@ || true",
    ]),
  },
  steps: [
    make(),
    readPage(setting, setting.held, first(setting)),
    write(page(setting, "untitled"), "no title here\n"),
    failing(),
  ],
});
