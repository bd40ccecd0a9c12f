# A man page from the help of a command: usage lines, paragraphs, headings that end in a colon, options in two columns, examples as they
# are. Variables: name, version, day, summary, also (other pages).
function escaped(text) {
  gsub(/\\/, "\\e", text)
  gsub(/-/, "\\-", text)
  gsub(/`/, "\\(ga", text)
  gsub(/'/, "\\(aq", text)
  if (text ~ /^\./) text = "\\\\\\&" text
  return text
}
function part(next_part) {
  if (filled) print ".fi\n.RE"
  filled = 0
  section = next_part
}
function as_is() {
  if (!filled) print ".RS 2\n.nf"
  filled = 1
}
BEGIN {
  title = toupper(name)
  printf ".TH %s 1 %s \"Tactus %s\" \"User Commands\"\n", escaped(title), day, version
  printf ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n.nf\n", escaped(name), escaped(summary)
  section = "usage"
}
section == "usage" && /^usage: |^       / { sub(/^usage: |^       /, ""); print ".B \"" escaped($0) "\""; next }
section == "usage" { print ".fi\n.SH DESCRIPTION"; section = "text"; next }
/^[a-z][^.]*:$/ {
  heading = substr($0, 1, length($0) - 1)
  part(heading ~ /^examples/ ? "examples" : "list")
  print ".SH " toupper(escaped(heading))
  next
}
/^$/ { if (section != "examples" && !filled) { part("text"); pending = 1 } next }
section == "examples" { as_is(); sub(/^  /, ""); print escaped($0); next }
section == "list" && /^  [^ ]/ {
  sub(/^  /, "")
  at = match($0, /[^ ]  +[^ ]/)
  print ".TP\n.B \"" escaped(at ? substr($0, 1, at) : $0) "\""
  if (at) { rest = substr($0, at + 1); sub(/^ +/, "", rest); print escaped(rest) }
  next
}
section == "list" { sub(/^ +/, ""); print escaped($0); next }
{ if (pending) print ".PP"; pending = 0; print escaped($0) }
END {
  part("end")
  print ".SH SEE ALSO"
  gsub(/-/, "\\-", also)
  gsub(/\(1\)/, " (1)", also)
  count = split(also, pages, ", ")
  for (i = 1; i <= count; ++i) printf ".BR %s%s\n", pages[i], i < count ? " ," : ""
  print ".PP\nThe documentation is in share/doc/tactus, beside this page's share/man."
}
