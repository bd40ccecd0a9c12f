#!/usr/bin/env bash
# check_package_root.sh SOURCE BUILD: installs the Debian packages of a build in a new root of Debian 12 with nothing else in it, and uses
# them there: the program, a small scene, and a program that is compiled against the library by pkg-config and by CMake. Needs root,
# mmdebstrap and the mirror that this machine's apt has.
set -euo pipefail
source=$1 build=$2
[ "$(id -u)" -eq 0 ] && command -v mmdebstrap >/dev/null || { echo "needs root and mmdebstrap"; exit 77; }
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf --one-file-system "$work"' EXIT
cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
for sources in /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list; do
  if [ -f "$sources" ]; then break; fi
done

# What a user does, one line each, in the root.
cat >"$work/use" <<'USE'
set -eux
cd /root
tactus --version
man_pages=$(ls /usr/share/man/man1/tactus*.1*)
test -n "$man_pages"
tactus run /usr/share/tactus/scenes/press.yaml --fast --duration 0.1 --no-report --quiet -o out
tactus replay out/run.tacrec --quiet
cc -std=c17 -Wall -Wextra -Werror /usr/share/doc/tactus/examples/touch.c -o touch $(pkg-config --cflags --libs tactus)
./touch | grep "jumped 0.12 m"
mkdir consumer
cat >consumer/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.22)
project(consumer C)
find_package(tactus REQUIRED)
add_executable(touch /usr/share/doc/tactus/examples/touch.c)
target_link_libraries(touch PRIVATE tactus::tactus)
END
cmake -S consumer -B consumer/build
cmake --build consumer/build
consumer/build/touch | grep "jumped 0.12 m"
python3 -c 'import tactus'
dpkg --remove libtactus-dev python3-tactus tactus
test ! -e /usr/bin/tactus
test ! -e /usr/include/tactus
USE
# dpkg's exclusions of minimal images must not leave documentation out: examples are in it.
mmdebstrap --variant=apt --mode=root --include=gcc,libc6-dev,make,cmake,pkg-config \
  --customize-hook="mkdir -p \"\$1/packages\" && cp $work/packages/*.deb \"\$1/packages\"" \
  --customize-hook='chroot "$1" sh -c "apt-get install -y -qq --no-install-recommends /packages/*.deb"' \
  --customize-hook="cp $work/use \"\$1/root/use\"" \
  --customize-hook='chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh /root/use' \
  bookworm /dev/null "$sources"
