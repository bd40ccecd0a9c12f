#!/usr/bin/env bash
# check_compilers.sh SOURCE [COMPILER...]: compiles everything, program, library, drivers, examples and tests, with warnings as errors in a
# new root of Debian 13, with its compilers: gcc-13, gcc-14 and clang-19, or those named. Needs root, mmdebstrap and the mirror that this
# machine's apt has.
set -euo pipefail
source=$1
shift
if [ $# -eq 0 ]; then set -- gcc-13 gcc-14 clang-19; fi
compilers=("$@")
[ "$(id -u)" -eq 0 ] && command -v mmdebstrap >/dev/null || { echo "needs root and mmdebstrap"; exit 77; }
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | sed -n 1p)
[ -n "$mirror" ] || { echo "apt has no mirror of Debian, or its lists are missing: apt-get update"; exit 77; }
packages=$("$source/scripts/setup" libraries | paste -sd,)
for compiler in "${compilers[@]}"; do packages+=,$compiler,${compiler/gcc/g++}; done
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
tar -C "$source" --exclude=./build --exclude=./out --exclude=./.git --exclude=./web/node_modules -cf "$work/source.tar" .
cat >"$work/compile" <<'COMPILE'
set -eu
mkdir /root/source
tar -C /root/source -xf /root/source.tar
for compiler in "$@"; do
  echo "== $compiler"
  case $compiler in gcc*) cxx=g++${compiler#gcc} ;; *) cxx=clang++${compiler#clang} ;; esac
  CC=$compiler CXX=$cxx cmake -S /root/source -B "/root/$compiler" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS_RELEASE=-O3 -DTACTUS_WERROR=ON -DTACTUS_VIEWER_PAGE=OFF
  cmake --build "/root/$compiler"
  "/root/$compiler/tactus" --version
done
COMPILE
mmdebstrap --variant=apt --mode=root --include="cmake,ninja-build,pkg-config,$packages" \
  --customize-hook="cp $work/source.tar $work/compile \"\$1/root\"" \
  --customize-hook="chroot \"\$1\" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh /root/compile ${compilers[*]}" \
  trixie /dev/null "$mirror"
