#!/usr/bin/env bash
# Every BLAS that Debian's alternatives can choose, one after the other, behind the programs that were built with any: they
# start, say which one it is, and give the same bits from eight threads as from one. Nothing is installed: packages are unpacked
# beside the build. One that cannot be had (no network) is left out, and the output says so; the one in use is never.
# Usage: check_blas.sh BUILD
set -euo pipefail
build=$1
triplet=$(uname -m)-linux-gnu
folder=$build/blas
mkdir -p "$folder"
failed=0 tested=0 missing=()

# try NAME WORDS FOLDERS: with libraries from FOLDERS, tactus --version must say WORDS.
try() {
  local version
  version=$(LD_LIBRARY_PATH=$3 "$build/tactus" --version | tail -n 1) || version="did not start"
  echo "$1: $version"
  case $version in
    *"$2"*) ;;
    *) echo "$1: expected to read $2"; failed=1 ;;
  esac
  for test in test_blas test_math_threads; do
    if ! LD_LIBRARY_PATH=$3 "$build/tests/tests_math" "$test" >"$folder/log" 2>&1; then
      cat "$folder/log"
      failed=1
    fi
  done
  tested=$((tested + 1))
}

unpack() { # PACKAGE: into its folder, once
  [ -d "$folder/$1" ] && return
  (cd "$folder" && rm -f "$1"_*.deb && apt-get download -qq "$1" >/dev/null 2>&1 &&
    dpkg-deb -x "$1"_*.deb "$1.new" && mv "$1.new" "$1" && rm -f "$1"_*.deb)
}

reference=$folder/liblapack3/usr/lib/$triplet/lapack
unpack liblapack3 || true
while read -r package name words; do
  if ! unpack "$package" || { [ "${name#openblas}" = "$name" ] && [ ! -d "$reference" ]; }; then
    missing+=("$package")
    continue
  fi
  here=$folder/$package/usr/lib/$triplet/$name
  case $name in
    openblas-*) try "$package" "$words" "$here" ;; # with its own LAPACK
    *) try "$package" "$words" "$here:$reference" ;;
  esac
done <<'LIST'
libopenblas0-serial openblas-serial without threads, core
libopenblas0-pthread openblas-pthread with pthreads, core
libopenblas0-openmp openblas-openmp with OpenMP, core
libblis4-serial blis-serial BLIS, serial
libblis4-pthread blis-pthread BLIS, pthread
libblis4-openmp blis-openmp BLIS, openmp
libblas3 blas reference BLAS
LIST
try "the alternative in use" BLAS ""
[ ${#missing[@]} -eq 0 ] || echo "not tested, since apt could not bring them: ${missing[*]}"
echo "$tested BLAS libraries tested"
exit "$failed"
