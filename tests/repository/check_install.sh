#!/bin/sh
# Installs a build into a folder of its own and builds the examples against it, by pkg-config and by CMake.
# Usage: check_install.sh SOURCE BUILD
set -eu
source=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
for path in bin/tactus include/tactus/tactus.h share/tactus/scenes/kidney.yaml share/man/man1/tactus.1.gz share/man/man1/tactus-run.1.gz \
  share/doc/tactus/README.md share/doc/tactus/LICENSE share/doc/tactus/docs/scene.md share/doc/tactus/docs/pictures/viewer.png \
  share/doc/tactus/examples/touch.c share/doc/tactus/scenes/pictures/dragon.png share/bash-completion/completions/tactus; do
  test -s "$work/prefix/$path" || { echo "$path is not installed" >&2; exit 1; }
done
# Each subcommand has a page, which names every option that it has.
for subcommand in $("$work/prefix/bin/tactus" --help | awk '/^subcommands:/ { inside = 1; next } /^$/ { inside = 0 } inside && /^  [a-z]/ { print $1 }'); do
  page=$work/prefix/share/man/man1/tactus-$subcommand.1.gz
  for option in $("$work/prefix/bin/tactus" "$subcommand" --help | awk '/^  --/ { print $1 }'); do
    zcat "$page" | sed 's/\\-/-/g' | grep -qF -e "$option" || { echo "$page does not have $option" >&2; exit 1; }
  done
done
libdir=$(dirname "$(find "$work/prefix" -name libtactus.so)")
# Nothing of SuiteSparse that is under the GPL is loaded (docs/licence.md); AMD, which is not, shows that ldd sees all.
for binary in "$work/prefix/bin/tactus" "$libdir/libtactus.so"; do
  ldd "$binary" >"$work/loaded.txt"
  if grep -i 'cholmod\|umfpack\|spqr' "$work/loaded.txt"; then
    echo "$binary loads the libraries above" >&2
    exit 1
  fi
  grep -q 'libamd\.' "$work/loaded.txt"
done
export PKG_CONFIG_PATH="$libdir/pkgconfig"
cc -std=c17 -Wall -Wextra -Werror "$source/examples/make_field.c" -o "$work/by_pkg_config" \
  $(pkg-config --cflags --libs tactus)
LD_LIBRARY_PATH="$libdir" "$work/by_pkg_config" "$work/torus.field"
test -s "$work/torus.field"
"$work/prefix/bin/tactus" info "$work/torus.field"
cc -std=c17 -Wall -Wextra -Werror "$source/examples/touch.c" -o "$work/touch" $(pkg-config --cflags --libs tactus)
LD_LIBRARY_PATH="$libdir" "$work/touch" >"$work/touch.txt"
grep -q "44.0 mm" "$work/touch.txt"
grep -q "jumped 0.12 m" "$work/touch.txt"
# Two threads, in time: what they show depends on the machine, that they end and that the hand gets a force does not.
cc -std=c17 -Wall -Wextra -Werror "$source/examples/engine_loop.c" -o "$work/engine_loop" -pthread \
  $(pkg-config --cflags --libs tactus) -lm
XDG_CACHE_HOME="$work/engine_cache" LD_LIBRARY_PATH="$libdir" "$work/engine_loop" >"$work/engine.txt"
grep -q "^60 frames" "$work/engine.txt"
grep -q "the hand got [1-8][.]" "$work/engine.txt"
# A kind of bodies, beside its scene: the installed program runs it.
cc -std=c17 -Wall -Wextra -Werror -shared -fPIC "$source/examples/body_bed.c" -o "$work/body_bed.so" \
  $(pkg-config --cflags --libs tactus) -lm
cp "$source/examples/bed.yaml" "$work"
LD_LIBRARY_PATH="$libdir" "$work/prefix/bin/tactus" run "$work/bed.yaml" --allow-plugins --fast --duration 0.1 --no-report \
  --cache "$work/cache" -o "$work/out" >/dev/null
# The Python package finds the library that was installed with it.
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  env -u TACTUS_LIBRARY PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$work/prefix/lib/python3/dist-packages" /usr/bin/python3 -c \
    'import sys, tactus; assert tactus.library.path.startswith(sys.argv[1]), tactus.library.path; tactus.shape("torus")' \
    "$work/prefix"
fi
# Drivers are found beside the program, wherever it was installed, and by a program that uses the library.
"$work/prefix/bin/tactus" devices >"$work/devices.txt" 2>"$work/loaded.txt"
grep -q "^network: " "$work/devices.txt"
grep -q "loads $work/prefix/.*/tactus/drivers/network.so" "$work/loaded.txt"
cat >"$work/drivers.c" <<EOF
#include <stdio.h>
#include <tactus/device.h>
int main(void) {
  tacDriverFile files[8];
  for (int i = tac_device_drivers(8, files) - 1; i >= 0; --i) puts(files[i].path);
  return 0;
}
EOF
cc -std=c17 -Wall -Wextra -Werror "$work/drivers.c" -o "$work/list_drivers" $(pkg-config --cflags --libs tactus)
LD_LIBRARY_PATH="$libdir" "$work/list_drivers" | grep -q "^$libdir/tactus/drivers/network.so"
mkdir "$work/consumer"
cat >"$work/consumer/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.22)
project(consumer C)
find_package(tactus REQUIRED)
add_executable(by_cmake $source/examples/make_field.c)
target_link_libraries(by_cmake PRIVATE tactus::tactus)
EOF
cmake -S "$work/consumer" -B "$work/consumer/build" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/consumer/build" >/dev/null
"$work/consumer/build/by_cmake" "$work/again.field"
cmp "$work/torus.field" "$work/again.field"
# No symbol but ours leaves the library.
if nm -D --defined-only "$libdir/libtactus.so" | awk '{print $3}' | grep -v '^tac_'; then
  echo "the symbols above are exported and should not be" >&2
  exit 1
fi
