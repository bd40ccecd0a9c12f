"""Versions agree, commands of README.md name files that exist, and its table cells are short. Usage: check_release.py SOURCE"""
import pathlib
import re
import sys

LONGEST_CELL = 110  # characters
source = pathlib.Path(sys.argv[1])
readme = (source / "README.md").read_text()
failed = False


def fail(message):
    global failed
    failed = True
    print(message)


def first(file, pattern):
    """The first match in a file, or None with a message."""
    found = re.search(pattern, (source / file).read_text(), re.M)
    if not found:
        fail(f"{file}: no line matches {pattern}")
    return found and found.group(1)


versions = {
    "CMakeLists.txt": first("CMakeLists.txt", r"^project\(tactus VERSION ([\d.]+)"),
    "CITATION.cff": first("CITATION.cff", r"^version: ([\d.]+)$"),
    "CHANGELOG.md": first("CHANGELOG.md", r"^## \[(\d[\d.]*)\]"),  # the newest release, below Unreleased
}
if len(set(versions.values())) != 1:
    fail(f"versions differ: {versions}")

# Paths of the repository that commands name. What is below build/ and out/ is made by earlier commands.
blocks = re.findall(r"^```sh\n(.*?)^```$", readme, re.M | re.S)
commands = [re.sub(r"\s#.*", "", line).strip() for block in blocks for line in block.splitlines()]
paths = [(command, path) for command in commands for path in re.findall(r"(?<![\w./-])(?:\$PWD/)?(\w[\w.-]*/?[\w./-]*)", command)
         if (source / path.split("/")[0]).is_dir() and path.split("/")[0] not in ("build", "out")]
if len(paths) < 5:
    fail(f"README.md: only {len(paths)} paths were found in its commands: this looks at the wrong thing")
for command, path in paths:
    if not (source / path).exists():
        fail(f"README.md: {command}: there is no {path}")

for number, line in enumerate(readme.splitlines(), 1):
    for cell in line.strip().strip("|").split("|") if line.startswith("|") else []:
        if len(cell.strip()) > LONGEST_CELL:
            fail(f"README.md:{number}: a table cell has {len(cell.strip())} characters (limit {LONGEST_CELL})")
sys.exit(failed)
