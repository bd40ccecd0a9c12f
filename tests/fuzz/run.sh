#!/bin/sh
# Runs one fuzz target: first on the inputs that once failed, then for a while from the seeds.
# Usage: run.sh PROGRAM FORMAT FOLDER WORK SECONDS; FOLDER holds corpus/FORMAT and regressions/FORMAT.
set -eu
program=$1
format=$2
folder=$3
work=$4/fuzz-$format
seconds=$5
if [ -d "$folder/regressions/$format" ]; then
  "$program" -rss_limit_mb=1024 "$folder/regressions/$format"/*
fi
rm -rf "$work"
mkdir -p "$work"
# New inputs go to the work folder, the seeds stay as they are; a failing input is kept there as well.
seeds=
[ -d "$folder/corpus/$format" ] && seeds=$folder/corpus/$format
"$program" -max_total_time="$seconds" -rss_limit_mb=1024 -max_len=8192 -timeout=10 -artifact_prefix="$work/" \
  -print_final_stats=1 "$work" $seeds
