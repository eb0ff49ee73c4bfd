import { createHash } from "node:crypto";
import type { MakeFeature } from "../feature.ts";
import { indexText, rendered, sizesText } from "../project.ts";
import { built, first, make, read, readPage, write } from "./common.ts";

/** `clean` leaves the sources and nothing else. */
export const clean: MakeFeature = (setting) => ({
  id: "clean",
  level: 1,
  shape: "clean-complete",
  rule: "`make clean` removes everything that was made (`build`, `gen`, `dist`) and nothing else.",
  complaint: "`make clean` leaves things behind",
  wrong: { clean: setting.random.pick(["rm -f build/*.txt", "rm -rf build", "rm -rf build dist"]) },
  steps: [
    make(),
    readPage(setting, setting.held, first(setting)),
    make("dist"),
    make("clean"),
    { do: "made", wanted: [] },
  ],
});

/** Names of targets aren't names of files. */
export const phony: MakeFeature = (setting) => ({
  id: "phony",
  level: 2,
  shape: "phony-targets",
  rule: "`all`, `dist`, `install` and `clean` work even if there are files of these names.",
  complaint: "in a checkout where somebody had a file `clean`, `make clean` did nothing",
  clashes: ["install"],
  wrong: { phony: setting.random.pick(["", ".PHONY: dist\n"]) },
  steps: [
    make(),
    readPage(setting, setting.held, first(setting)),
    write("clean", "notes\n"),
    make("clean"),
    read(built(first(setting)), null),
    write("install", "notes\n"),
    make("install", "DESTDIR=@/stage", "PREFIX=/opt"),
    read(
      `stage/opt/share/${setting.names.project}/${first(setting)}.txt`,
      rendered(setting.held, first(setting), setting.bug),
    ),
  ],
});

/** Any target can be asked for alone. */
export const indexAlone: MakeFeature = (setting) => ({
  id: "index",
  level: 2,
  shape: "order-of-targets",
  rule: "`make build/index.txt` alone, in a fresh checkout, makes whatever it needs first. The index has a line for each page, in the order of their names.",
  complaint: "`make build/index.txt` breaks in a fresh checkout, and `make -j` breaks now and then",
  wrong: { indexNeeds: "tools/index.sh | build" },
  clashes: ["pipe"],
  steps: [
    make("build/index.txt"),
    read("build/index.txt", indexText(setting.held)),
    readPage(setting, setting.held, first(setting)),
  ],
});

/** A shell loop in a recipe. */
export const sizes: MakeFeature = (setting) => ({
  id: "sizes",
  level: 3,
  shape: "shell-expansion",
  rule: "`build/sizes.txt` has a line `BYTES NAME.txt` for each page, in the order of their names.",
  complaint: "`build/sizes.txt` is nonsense",
  wrong: {
    sizes: setting.random.pick([
      'for f in $(OUT); do echo "$(wc -c < $f) $${f##*/}"; done > $@',
      'for f in $(OUT); do echo "$$(wc -c < $$f) $f"; done > $@',
      'for f in $(OUT); do echo "$$(wc -c < $$f) $${f##*/}" > $@; done',
    ]),
  },
  steps: [make(), read("build/sizes.txt", sizesText(setting.held)), readPage(setting, setting.held, first(setting))],
});

/** A file that the build doesn't make yet. */
export const manifest: MakeFeature = (setting) => {
  const { held, bug } = setting;
  const lines = held.pages.map((name) => {
    const digest = createHash("sha256")
      .update(rendered(held, name, bug))
      .digest("hex");
    return `${digest}  ${name}.txt\n`;
  });
  return {
    id: "manifest",
    level: 4,
    shape: "missing-rule",
    rule: "`make` also makes `build/MANIFEST`, which `sha256sum -c` in `build` can check: a line `<sha256>  NAME.txt` (two blanks) for each page and nothing else, in the order of their names. `make build/MANIFEST` alone works as well.",
    complaint: "nobody has written the rule for `build/MANIFEST` yet",
    wrong: {},
    right: {
      manifestGoal: " build/MANIFEST",
      manifestRule: "build/MANIFEST: $(OUT)\n\tcd build && sha256sum $(notdir $(OUT)) > MANIFEST\n\n",
    },
    steps: [
      make(),
      read("build/MANIFEST", lines.join("")),
      make("clean"),
      make("build/MANIFEST"),
      read("build/MANIFEST", lines.join("")),
    ],
  };
};
