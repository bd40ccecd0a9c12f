#!/usr/bin/env bash
# check_format.sh CLANG_FORMAT ROOT: fails where a C file is not as .clang-format has it. It looks at the files that are there,
# in git or not, and none in one of the folders is a failure as well: what looks at nothing must not pass. src/scene/layout.c is left
# out: it is generated (test_python_abi compares it with what the generator writes), and its one long table takes half of the time.
set -euo pipefail
clang_format=$1 root=$2
cd "$root"
command -v "$clang_format" >/dev/null || { echo "no clang-format: scripts/setup tests, then configure again"; exit 1; }
if printf 'int  a ;\n' | "$clang_format" --assume-filename=src/a.c --dry-run -Werror 2>/dev/null; then
  echo "$clang_format finds nothing wrong with 'int  a ;'"
  exit 1
fi
files=()
for folder in app bench drivers examples include src tests; do
  mapfile -t -O "${#files[@]}" files < <(find "$folder" -name '*.[ch]' ! -path src/scene/layout.c)
  [[ ${files[-1]-} == "$folder"/* ]] || { echo "no C files in $root/$folder"; exit 1; }
done
printf '%s\0' "${files[@]}" | xargs -0 -n 200 -P 2 "$clang_format" --dry-run -Werror
echo "${#files[@]} files are as .clang-format has them"
