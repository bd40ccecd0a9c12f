#!/usr/bin/env bash
# check_package.sh SOURCE BUILD: makes Debian packages of a build, unpacks them in a folder, without installing anything, and uses them
# there: what is in them, what they need, that nothing in them remembers where it was built, and that the program, found where it is,
# finds its scenes.
set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
viewer=
trap 'if [ -n "$viewer" ]; then kill "$viewer" 2>/dev/null || true; fi; rm -rf "$work"' EXIT
fail() { echo "check_package: $*" >&2; exit 1; }

cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
root=$work/root
for package in tactus libtactus-dev python3-tactus; do
  file=$(echo "$work/packages/${package}_"*.deb)
  [ -f "$file" ] || fail "there is no package $package"
  dpkg-deb -x "$file" "$root"
  dpkg-deb -f "$file" >"$work/$package"
  for field in Maintainer Section Description Depends Architecture Version; do
    grep -q "^$field: ." "$work/$package" || fail "$package has no $field"
  done
  [ -f "$root/usr/share/doc/$package/copyright" ] || fail "$package has no copyright"
  gzip -t "$root/usr/share/doc/$package/changelog.Debian.gz" || fail "$package has no changes"
done
for path in bin/tactus share/tactus/scenes/kidney.yaml share/man/man1/tactus.1.gz share/man/man1/tactus-run.1.gz include/tactus/tactus.h \
  share/doc/tactus/docs/embedding.md share/doc/tactus/docs/pictures/viewer.png share/doc/tactus/examples/touch.c \
  share/doc/tactus/scenes/pictures/dragon.png share/doc/tactus/LICENSE share/bash-completion/completions/tactus; do
  [ -s "$root/usr/$path" ] || fail "usr/$path is missing"
done
if find "$root" \( -name "*.o" -o -name node_modules -o -perm /022 \) ! -type l | grep .; then fail "the files above should not be there, or not be for all to write"; fi
dpkg-deb -c "$work/packages/libtactus-dev_"*.deb | grep 'libtactus.so ' >/dev/null || fail "libtactus-dev has no libtactus.so to link with"

# What is loaded at run time comes from packages that are named, or from this one.
depends=$(sed -n 's/^Depends: //p' "$work/tactus" | tr ',' '\n' | sed 's/([^)]*)//; s/|.*//; s/ //g')
library=$(find "$root" -name 'libtactus.so.*.*')
needed=$(for file in "$root/usr/bin/tactus" "$library"; do readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; done | sort -u)
[ -n "$needed" ] || fail "nothing is needed: this looks at the wrong thing"
for name in $needed; do
  case $name in ld-linux*) continue ;; esac # libc6's
  # Alternatives (libblas.so.3) are provided by several; dpkg-shlibdeps names the one that owns the generic name.
  path=$(ldconfig -p | awk -v name="$name" '$1 == name && !found++ { print $NF }')
  owner=$(dpkg -S "$path" "$(readlink -f "$path")" "/usr$path" 2>/dev/null | sed 's/:.*//' | sort -u || true)
  found=
  for package in $owner; do if grep -qx "$package" <<<"$depends"; then found=yes; fi; done
  case $name in libblas.so.* | liblapack.so.*) grep -q "^lib\(blas\|lapack\)3$" <<<"$depends" && found=yes ;; esac
  [ -n "$found" ] || fail "$name is of ${owner:-no package}, which Depends does not name: $depends"
done

# Nothing remembers where it was built.
for file in "$root/usr/bin/tactus" "$library"; do
  if readelf -d "$file" | grep -E 'RPATH|RUNPATH'; then fail "$file has a run path"; fi
  if readelf -S "$file" | grep '\.debug_info' >/dev/null; then fail "$file is not stripped"; fi
done
if grep -rIl -F -e "$source" -e "$build" "$root"; then fail "the text files above name the folder of the build"; fi
if grep -rl -F -a -e "$source/" -e "$build/" "$root/usr/bin" "$root/usr/lib"; then fail "the binaries above name the folder of the build"; fi

# The program, where it is. Its scenes are beside it.
mkdir "$work/empty"
cd "$work/empty"
export XDG_CACHE_HOME=$work/cache OPENBLAS_NUM_THREADS=1
"$root/usr/bin/tactus" --version | grep '^tactus [0-9]' >/dev/null
"$root/usr/bin/tactus" run "$root/usr/share/tactus/scenes/plank.yaml" --fast --duration 0.1 --no-report --quiet -o out
"$root/usr/bin/tactus" replay out/run.tacrec --quiet
"$root/usr/bin/tactus" view --no-open --port 0 --quiet >"$work/view" 2>&1 &
viewer=$!
for _ in $(seq 600); do
  if grep -q '^viewer: http' "$work/view" || ! kill -0 "$viewer" 2>/dev/null; then break; fi
  sleep 0.1
done
grep -q '^viewer: http' "$work/view" || { cat "$work/view"; fail "tactus view does not find its scenes"; }
kill "$viewer"
wait "$viewer" || true
viewer=

# Others build with it: by pkg-config, told where the root is.
multiarch=$(dirname "$library")
flags=$(PKG_CONFIG_LIBDIR=$(dirname "$(find "$root" -name tactus.pc)") pkg-config --cflags --libs tactus)
cc -std=c17 -Wall -Wextra -Werror "$root/usr/share/doc/tactus/examples/touch.c" -o touch $flags
LD_LIBRARY_PATH=$multiarch ./touch | grep "jumped 0.12 m" >/dev/null

# Python has it, too, where it has numpy; the library is found from where the package lies.
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  PYTHONPATH=$root/usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$library" <<'END'
import os, sys
import tactus
loaded = {line.split()[-1] for line in open("/proc/self/maps") if "libtactus" in line}
assert loaded and all(os.path.samefile(path, sys.argv[1]) for path in loaded), loaded
END
fi

# Man pages are as man wants them.
if command -v man >/dev/null; then
  for page in "$root"/usr/share/man/man1/*.1.gz; do
    LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -l "$page" >"$work/page" 2>"$work/warnings"
    [ ! -s "$work/warnings" ] || { cat "$work/warnings"; fail "$page"; }
    for section in NAME SYNOPSIS DESCRIPTION 'SEE ALSO'; do
      grep -q "^$section" "$work/page" || fail "$page shows no $section"
    done
  done
fi
