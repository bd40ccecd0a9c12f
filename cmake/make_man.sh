#!/bin/sh
# make_man.sh FOLDER VERSION COMMAND...: man pages of the program that COMMAND runs and of its subcommands, and bash completion, from what
# its own --help says: FOLDER/man1/tactus.1.gz, FOLDER/man1/tactus-*.1.gz, FOLDER/completions/tactus.
set -eu
folder=$1 version=$2
shift 2
page=$(dirname "$0")/man_page.awk
day=$(date -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"} +%Y-%m-%d)
rm -rf "$folder/man1" "$folder/completions"
mkdir -p "$folder/man1" "$folder/completions"
"$@" --help >"$folder/help"
subcommands=$(awk '/^subcommands:/ { inside = 1; next } /^$/ { inside = 0 } inside && /^  [a-z]/ { print $1 }' "$folder/help")
test -n "$subcommands"
also=
for subcommand in $subcommands; do also="$also${also:+, }tactus-$subcommand(1)"; done
awk -v name=tactus -v version="$version" -v day="$day" -v also="$also" -v summary="haptic rendering of deformable objects" \
  -f "$page" "$folder/help" >"$folder/man1/tactus.1"

{
  printf '%s\n' '# bash completion of tactus' '_tactus() {' '  local word=${COMP_WORDS[COMP_CWORD]} words=' \
    '  case $COMP_CWORD,${COMP_WORDS[1]} in'
  printf '    1,*) words="%s --help --version" ;;\n' "$(echo $subcommands)"
} >"$folder/completions/tactus"
for subcommand in $subcommands; do
  "$@" "$subcommand" --help >"$folder/help_of_one"
  summary=$(awk -v name="$subcommand" '
    /^  [a-z]/ { inside = ($1 == name); if (inside) { at = match($0, /[^ ]  +[^ ]/); text = substr($0, at + 1); sub(/^ +/, "", text) }; next }
    /^    / && inside { sub(/^ +/, ""); text = text " " $0; next }
    { inside = 0 }
    END { print text }' "$folder/help")
  awk -v name="tactus-$subcommand" -v version="$version" -v day="$day" -v also="tactus(1)" -v summary="$summary" \
    -f "$page" "$folder/help_of_one" >"$folder/man1/tactus-$subcommand.1"
  printf '    *,%s) words="%s" ;;\n' "$subcommand" \
    "$(awk '/^  -/ { print $1 }' "$folder/help_of_one" | tr '\n' ' ' | sed 's/ $//')" >>"$folder/completions/tactus"
done
printf '%s\n' '  esac' '  if [[ $COMP_CWORD -eq 1 || $word == -* ]]; then' '    COMPREPLY=($(compgen -W "$words" -- "$word"))' \
  '  else' '    COMPREPLY=($(compgen -f -- "$word"))' '  fi' '}' 'complete -o filenames -F _tactus tactus' \
  >>"$folder/completions/tactus"
gzip -9n "$folder"/man1/*.1
rm "$folder/help" "$folder/help_of_one"
