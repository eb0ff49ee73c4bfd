import type { Names } from "./project.ts";

/** Pieces of the Makefile that a fault may spoil. */
export type Slot =
  | "pages"
  | "partsList"
  | "pageRules"
  | "tool"
  | "separator"
  | "phony"
  | "deleting"
  | "varsNeeds"
  | "varsRecipe"
  | "indexNeeds"
  | "indexRecipe"
  | "sizes"
  | "manifestGoal"
  | "manifestRule"
  | "tar"
  | "install"
  | "clean";
export type Slots = Readonly<Record<Slot, string>>;

/** What is right in each slot; a fault that needs another way says so itself. */
export const rightSlots = ({ pages, extension, parts }: Names): Slots => ({
  pages: `PAGES := $(filter-out %.draft.${extension},$(sort $(wildcard ${pages}/*.${extension})))`,
  partsList: ` $(wildcard ${parts}/*.inc)`,
  pageRules: "",
  tool: " tools/render.sh",
  separator: " |",
  phony: ".PHONY: all dist install clean\n",
  deleting: ".DELETE_ON_ERROR:\n",
  varsNeeds: "settings.ini VERSION tools/mkvars.sh",
  varsRecipe: "sh tools/mkvars.sh settings.ini VERSION > $@",
  indexNeeds: "$(OUT) tools/index.sh",
  indexRecipe: "sh tools/index.sh $(OUT) > $@",
  sizes: 'for f in $(OUT); do echo "$$(wc -c < $$f) $${f##*/}"; done > $@',
  manifestGoal: "",
  manifestRule: "",
  tar: "tar --format=ustar --mtime=@$(EPOCH) --owner=0 --group=0 --numeric-owner --mode=0644 -C build -cf $@ $(sort $(notdir $(OUT)) index.txt)",
  install:
    "install -d $(DESTDIR)$(PREFIX)/share/$(NAME)\n\tinstall -m 644 $(OUT) build/index.txt $(DESTDIR)$(PREFIX)/share/$(NAME)",
  clean: "rm -rf build gen dist",
});

export function makefileText({ project, pages, extension }: Names, slots: Slots): string {
  return `# Builds the ${project}; see BUILDING.md.
NAME := ${project}
VERSION := $(file < VERSION)
EPOCH := $(file < EPOCH)
PREFIX ?= /usr/local

${slots.pages}
OUT := $(PAGES:${pages}/%.${extension}=build/%.txt)

${slots.deleting}${slots.phony}
all: $(OUT) build/index.txt build/sizes.txt${slots.manifestGoal}

build/%.txt: ${pages}/%.${extension} gen/vars.sh${slots.tool}${slots.partsList}${slots.separator} build
	sh tools/render.sh $< gen/vars.sh > $@

${slots.pageRules}gen/vars.sh: ${slots.varsNeeds}
	mkdir -p gen
	${slots.varsRecipe}

build/index.txt: ${slots.indexNeeds}
	${slots.indexRecipe}

build/sizes.txt: $(OUT)
	${slots.sizes}

${slots.manifestRule}build:
	mkdir -p build

dist: dist/$(NAME)-$(VERSION).tar

dist/$(NAME)-$(VERSION).tar: $(OUT) build/index.txt
	mkdir -p dist
	${slots.tar}

install: all
	${slots.install}

clean:
	${slots.clean}
`;
}
