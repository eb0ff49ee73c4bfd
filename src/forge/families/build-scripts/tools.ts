import type { Names } from "./project.ts";

/** The project's tools, which are sound: what is wrong lies in the Makefile. */
export function toolFiles({ parts }: Names): Record<string, string> {
  return {
    "tools/render.sh": `#!/bin/sh
# render.sh PAGE VARS: prints a page with its parts put in and its {{names}} replaced.
set -eu
page=$1
. "./$2"
put() {
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        "%include "*)
            part=${parts}/\${line#%include }.inc
            [ -f "$part" ] || { echo "render.sh: there is no $part" >&2; exit 1; }
            put < "$part"
            continue
            ;;
        esac
        text=
        while case $line in *"{{"*"}}"*) true ;; *) false ;; esac; do
            rest=\${line#*"{{"}
            eval "value=\\\${V_\${rest%%"}}"*}?has no value}"
            text=$text\${line%%"{{"*}$value
            line=\${rest#*"}}"}
        done
        printf '%s\\n' "$text$line"
    done
}
put < "$page"
`,
    "tools/mkvars.sh": `#!/bin/sh
# mkvars.sh SETTINGS VERSION: prints the values that pages may use, as shell variables.
set -eu
while IFS= read -r line; do
    case $line in
    "#"* | "") ;;
    *" = "*) printf "V_%s='%s'\\n" "\${line%% = *}" "\${line#* = }" ;;
    *) echo "mkvars.sh: $line?" >&2; exit 1 ;;
    esac
done < "$1"
read -r version < "$2"
printf "V_version='%s'\\n" "$version"
`,
    "tools/index.sh": `#!/bin/sh
# index.sh FILE...: prints a line for each built page.
set -eu
for file in "$@"; do
    read -r first < "$file"
    case $first in
    "# "*) ;;
    *) echo "index.sh: $file has no title" >&2; exit 1 ;;
    esac
    lines=0
    while IFS= read -r line; do lines=$((lines + 1)); done < "$file"
    name=\${file##*/}
    echo "\${name%.txt}: \${first#"# "} ($lines lines)"
done
`,
    "tools/includes.sh": `#!/bin/sh
# includes.sh PAGE: prints the files that a page takes in, directly or through others.
set -eu
list() {
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        "%include "*)
            echo "${parts}/\${line#%include }.inc"
            [ ! -f "${parts}/\${line#%include }.inc" ] || list < "${parts}/\${line#%include }.inc"
            ;;
        esac
    done
}
list < "$1"
`,
  };
}
