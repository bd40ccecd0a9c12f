#!/usr/bin/env bash
# Compares the ABI of the library with the stored one, tests/abi/libtactus.abi.xz, and fails where it differs.
#
#   check_abi.sh SOURCE LIBRARY CC            compares
#   check_abi.sh --renew SOURCE LIBRARY CC    stores the present ABI; commit it together with the change
#
# It also fails where LIBRARY exports another symbol than the functions that the headers declare with TAC_API, or lacks one.
#
# The types come from the headers: a file with an empty body for every function is compiled with full debug information, as the
# release build has line numbers alone. Names of members and of enumerators count, comments, parameter names and the
# architecture do not. Preprocessor constants are not compared. Needs abidw and abidiff (Debian: abigail-tools) and python3.
set -euo pipefail
renew=
if [ "${1:-}" = --renew ]; then
  renew=1
  shift
fi
[ $# -eq 3 ] || { echo "usage: check_abi.sh [--renew] SOURCE LIBRARY CC" >&2; exit 2; }
source=$(cd "$1" && pwd) library=$2 cc=$3
stored=$source/tests/abi/libtactus.abi.xz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The functions of the headers, and their empty bodies. What the headers declare for plugins to define (tactus_body_kinds) has its
# types compared, and is not exported.
python3 -B - "$source" "$work" <<'PYTHON'
import pathlib
import re
import sys

source, work = map(pathlib.Path, sys.argv[1:])
sys.path.insert(0, str(source / "tests" / "repository"))
from check_api import functions_of, without_comments

headers = [without_comments(path.read_text()) for path in sorted((source / "include" / "tactus").glob("*.h"))]
names = sorted(name for header in headers for name in functions_of(header))
declarations = [text for header in headers for text in re.findall(r"\bTAC_API\b([^;{}]*\))\s*;", header)]
assert len(declarations) >= len(names) > 100, "the headers are not read as they are written"
(work / "declared.txt").write_text("".join(f"{name}\n" for name in names))
(work / "bodies.c").write_text("#include <tactus/tactus.h>\n" + "".join(f"TAC_API{text} {{ __builtin_trap(); }}\n" for text in declarations))
PYTHON

nm -D --defined-only "$library" | awk '{ print $NF }' | LC_ALL=C sort -u >"$work/exported.txt"
LC_ALL=C sort -u -o "$work/declared.txt" "$work/declared.txt"
if ! diff "$work/declared.txt" "$work/exported.txt" >"$work/symbols.txt"; then
  sed -n 's/^> \(.*\)/\1 is exported by the library, but no header declares it with TAC_API: give it no TAC_API, or declare it/p
    s/^< \(.*\)/\1 is declared in a header, but the library does not export it: define it, or remove the declaration/p' \
    "$work/symbols.txt" >&2
  exit 1
fi

if ! command -v abidw >/dev/null || ! command -v abidiff >/dev/null; then
  echo "the exported symbols are as declared; types were not compared: abidw and abidiff are missing (scripts/setup tests)"
  exit 77
fi
"$cc" -std=c17 -g -O0 -fPIC -shared -nostdlib -fvisibility=hidden -fno-eliminate-unused-debug-types -I "$source/include" \
  -Wl,-soname,"$(basename "$(readlink -f "$library")" | sed 's/\(\.so\.[0-9]*\).*/\1/')" "$work/bodies.c" -o "$work/bodies.so"
abidw --load-all-types --headers-dir "$source/include/tactus" --drop-private-types --no-show-locs --no-comp-dir-path --no-corpus-path \
  "$work/bodies.so" --out-file "$work/new.abi"
if [ -n "$renew" ]; then
  mkdir -p "$(dirname "$stored")"
  xz -9 -c "$work/new.abi" >"$stored"
  echo "stored the ABI in ${stored#"$source"/}, $(stat -c %s "$stored") bytes"
  exit 0
fi
if [ ! -s "$stored" ]; then
  echo "$stored is missing; make it by: $0 --renew $*" >&2
  exit 1
fi
xz -dc "$stored" >"$work/old.abi"

# 4: something differs; 8 as well: certainly incompatible; 1 and 2: abidiff itself failed.
compare() {
  local status=0
  abidiff --no-architecture --non-reachable-types "$@" "$work/old.abi" "$work/new.abi" >"$work/report.txt" || status=$?
  [ $((status & 3)) -eq 0 ] || { cat "$work/report.txt" >&2; exit 1; }
  return "$status"
}
# Whether the report counts something of these words: "3 Removed".
counts() {
  grep -qE "summary:.*[^0-9][1-9][0-9]* ($1)" "$work/report.txt"
}
if compare --harmless; then
  echo "the ABI is the stored one: $(wc -l <"$work/declared.txt") functions"
  exit 0
fi
compatible=1
compare || { ! counts 'Removed|Changed|removed|changed' || compatible=; }
harmless=(${compatible:+--harmless})
compare "${harmless[@]}" --leaf-changes-only || true # each changed type once
grep -q '^ *\[[ACD]\]' "$work/report.txt" || compare "${harmless[@]}" || true
version=$(sed -nE 's/^project\(.*VERSION ([0-9.]+).*/\1/p' "$source/CMakeLists.txt")
IFS=. read -r major minor _ <<<"$version"
next_minor=$major.$((minor + 1)).0
next_major=$((major + 1)).0.0
{
  cat "$work/report.txt"
  if [ -z "$compatible" ]; then
    echo "The ABI changed, and the change is breaking: programs that were compiled before may fail."
    if [ "$major" -eq 0 ]; then
      echo "Below 1.0.0 this needs a new minor version: if $version is released, the next is $next_minor (VERSIONING.md)."
    else
      echo "This needs a new major version and another SOVERSION: if $version is released, the next is $next_major (VERSIONING.md)."
    fi
  else
    echo "The ABI changed, and the change is additive: programs that were compiled before still run."
    if counts 'changed|Changed'; then
      echo "A renamed member or an added const may still break sources: then treat the change as breaking."
    fi
    echo "This needs a new minor version: if $version is released, the next is $next_minor (VERSIONING.md)."
  fi
  echo "If the change is meant: set the version, describe the change in CHANGELOG.md, store the new ABI and commit it:"
  echo "  $0 --renew $*"
} >&2
exit 1
