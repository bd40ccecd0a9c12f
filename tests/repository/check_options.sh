#!/usr/bin/env bash
# check_options.sh SOURCE: configures builds with each option turned off, looks at what they would link, and compiles the files that differ.
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "check_options: $*" >&2; exit 1; }
configure() { # NAME OPTION...
  local name=$1
  shift
  cmake -S "$source" -B "$work/$name" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DTACTUS_WERROR=ON "$@" >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; exit 1; }
}
compile() { # NAME OBJECT...
  local name=$1
  shift
  cmake --build "$work/$name" --target "$@" >"$work/$name.log" 2>&1 || { cat "$work/$name.log"; exit 1; }
}
# What the rule that makes `target` says: its libraries.
rule() { awk -v target="$2" '$1 == "build" { inside = ($2 == target || $2 == target ":") } inside' "$work/$1/build.ninja"; }

configure least -DCMAKE_BUILD_TYPE=Release -DTACTUS_HARDENED=OFF -DTACTUS_TESTS=OFF -DTACTUS_VIEWER_PAGE=OFF -DTACTUS_HDF5=OFF -DTACTUS_SPNAV=OFF
[ -n "$(rule least tactus)" ] || fail "build.ninja has no rule for tactus: this looks at the wrong thing"
if rule least tactus | grep -E 'hdf5|spnav'; then fail "what was turned off is linked"; fi
if grep -q 'build tests/tests_' "$work/least/build.ninja"; then fail "there are tests"; fi
if grep -q 'web/build.mjs' "$work/least/build.ninja"; then fail "the page is made"; fi
grep -q 'TACTUS_VIEWER_PAGE=ON' "$work/least/page/missing" || fail "the program would not say why it has no page"
if grep -E 'D_FORTIFY|stack-protector|relro' "$work/least/build.ninja"; then fail "it is hardened"; fi
compile least CMakeFiles/tactus_program.dir/app/cli/commands/fclib_file.c.o CMakeFiles/tac_viewer.dir/app/viewer/stage/spacemouse.c.o \
  CMakeFiles/tac_viewer.dir/app/viewer/server/page_data.S.o

# A Node.js that is too old for the page.
printf '#!/bin/sh\necho v12.22.9\n' >"$work/node"
chmod +x "$work/node"
configure old_node -DTACTUS_TESTS=OFF -DTACTUS_NODE="$work/node" -DTACTUS_NPM=/bin/true
if grep -q 'web/build.mjs' "$work/old_node/build.ninja"; then fail "the page is made by an old Node.js"; fi
grep -q 'Node.js 12.22.9 is too old' "$work/old_node/page/missing" || fail "the program would not say that Node.js is too old"

# With them, where they are: the same looks see them.
configure usual -DCMAKE_BUILD_TYPE=Release -DTACTUS_TESTS=ON
if pkg-config --exists hdf5-serial; then rule usual tactus | grep hdf5 >/dev/null || fail "HDF5 is not linked"; fi
if pkg-config --exists spnav; then rule usual tactus | grep spnav >/dev/null || fail "libspnav is not linked"; fi
grep -q 'D_FORTIFY' "$work/usual/build.ninja" || fail "it is not hardened"
grep -q 'build tests/tests_base' "$work/usual/build.ninja" || fail "there are no tests"
