"""Compiles every block of C and C++ of docs/embedding.md. Usage: check_embedding.py SOURCE CC CXX"""
import pathlib
import re
import subprocess
import sys
import tempfile

source, compilers = pathlib.Path(sys.argv[1]), {"c": [sys.argv[2], "-std=c17", "-xc"], "cpp": [sys.argv[3], "-std=c++17", "-xc++"]}
page = source / "docs" / "embedding.md"
text = page.read_text()
blocks = list(re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S))
kinds = [block.group(1) for block in blocks]
failed = kinds.count("c") < 6 or kinds.count("cpp") < 1
if failed:
    print(f"{page}: only {kinds} were found: this looks at the wrong thing")
for block in blocks:
    if block.group(1) not in compilers:
        continue
    line = text.count("\n", 0, block.start()) + 2
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(f'#line {line} "{page}"\n{block.group(2)}')
        file.flush()
        command = compilers[block.group(1)] + ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{source}/include", file.name]
        failed |= subprocess.run(command).returncode != 0
# What the page calls by name is there.
headers = "".join(path.read_text() for path in (source / "include" / "tactus").glob("*.h"))
for name in sorted(set(re.findall(r"\b(?:tac_[a-z0-9_]*[a-z0-9]|TAC_[A-Z0-9_]*[A-Z0-9]|tac[A-Z]\w+)\b", text))):
    if not re.search(rf"\b{name}", headers):
        print(f"{page}: {name} is in no public header")
        failed = True
sys.exit(failed)
