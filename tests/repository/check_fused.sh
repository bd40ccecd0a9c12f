#!/usr/bin/env bash
# check_fused.sh OBJDUMP BUILD FUSED...: fails where a file that is not named has a fused multiply-add, or where none of
# those that are named has one though the machine's baseline knows them (then this looks at the wrong thing).
set -euo pipefail
objdump=$1 build=$2
shift 2
for library in "$build"/libtac_*.a; do
  "$objdump" -d --no-show-raw-insn "$library"
done | awk -v named="$*" '
  BEGIN { split(named, list, " "); for (i in list) { sub(/.*\//, "", list[i]); fused[list[i] ".o"] = 1 } }
  /file format/ { file = $1; gsub(/^.*\(|\)?:$/, "", file); ++files; if (/aarch64/) known = 1 }
  /^[0-9a-f]+ <.*>:$/ { function_name = $2 }
  /\t(v?fn?m(add|sub)[0-9a-z]*|fml[as])([ \t]|$)/ {
    if (file in fused) ++wanted
    else if (!(seen[file function_name]++)) { printf "%s %s has fused products: %s\n", file, function_name, $0; bad = 1 }
  }
  END {
    if (files == 0 || (known && !wanted)) { print "no fused products, or no files (" files ")"; bad = 1 }
    printf "%d files, %d fused products in those that may have them\n", files, wanted
    exit bad
  }'
