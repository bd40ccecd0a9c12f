#!/usr/bin/env bash
# check_lgpl.sh SOURCE WORK [whole]: configures a build with TACTUS_LGPL in the folder WORK, builds what tests the factor, looks at
# what that needs at run time, and runs it. No routine of CHOLMOD's may be called and its library not be loaded. `whole`: also the library
# and the program, which bakes and runs scenes that have factors.
set -euo pipefail
source=$1 work=$2 what=${3:-parts}
programs=(tests_math)
suites=("tests_math test_elimination_tree" "tests_math test_sparse_cholesky" "tests_math test_factor" "tests_math test_supernodes"
  "tests_math test_eigen")
targets=()
flags=-O1
if [ "$what" = whole ]; then
  programs+=(tests_elastic tests_bake tests_physics)
  suites+=("tests_elastic test_live_factor" "tests_elastic test_statics" "tests_elastic test_hyper_statics"
    "tests_bake test_modal_derivatives" "tests_physics test_hyperelastic")
  targets+=(libtactus.so tactus_program)
  flags="-O3 -g1"
fi
cmake -S "$source" -B "$work" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="$flags" -DTACTUS_LGPL=ON \
  -DTACTUS_VIEWER_PAGE=OFF -DTACTUS_WERROR=ON >"$work.log" 2>&1 || { cat "$work.log"; exit 1; }
cmake --build "$work" --target "${programs[@]}" "${targets[@]}" >"$work.log" 2>&1 || { tail -50 "$work.log"; exit 1; }

binaries=("${programs[@]/#/$work/tests/}")
if [ "$what" = whole ]; then binaries+=("$work/tactus" "$work/libtactus.so"); fi
for binary in "${binaries[@]}"; do
  # Whatever the modules are called: supernodal, modify and matrix operations are GPL, the others are not needed either.
  if nm -D --undefined-only "$binary" | grep -i 'cholmod\|umfpack\|spqr'; then
    echo "$binary calls the functions above" >&2
    exit 1
  fi
  if ldd "$binary" | grep -i 'cholmod\|umfpack\|spqr'; then
    echo "$binary loads the libraries above" >&2
    exit 1
  fi
  nm -D --undefined-only "$binary" | grep ' amd_order$' >/dev/null || continue
  ordered=yes
done
test "${ordered:-no}" = yes # else this looks at the wrong thing

for suite in "${suites[@]}"; do
  read -r program name <<<"$suite"
  "$work/tests/$program" "$name"
done
if [ "$what" = whole ]; then
  cache=$(mktemp -d)
  trap 'rm -rf "$cache"' EXIT
  for scene in kidney-fem spoon; do
    "$work/tactus" run "$source/scenes/$scene.yaml" --fast --duration 1 --no-report --cache "$cache" -o "$cache/out" --quiet
    "$work/tactus" replay "$cache/out/run.tacrec" --cache "$cache" --quiet
  done
fi
