#!/usr/bin/env python3
"""Joins the blocks of C of docs/api.md to one program, compiles it and runs it, also as the plugin that it loads.

The page links every public header, and each name of the API on it is declared in one.

    check_api_page.py ROOT LIBRARY C_COMPILER
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

EXPECTED = ["replayed 1000 ticks; first difference: -1", "the device jumped", "the driver got at most"]


def joined(text, page):
    """All blocks, each with the line of the page where it begins."""
    blocks = re.finditer(r"^```c\n(.*?)^```$", text, re.M | re.S)
    return "".join(f'#line {text.count(chr(10), 0, block.start()) + 2} "{page}"\n{block.group(1)}' for block in blocks)


def problems_of(root, text):
    headers = {path.name: path.read_text() for path in sorted((root / "include" / "tactus").glob("*.h"))}
    problems = [f"docs/api.md has no link to include/tactus/{name}" for name in headers if f"(../include/tactus/{name})" not in text]
    declared = set(re.findall(r"\w+", "".join(headers.values())))
    names = set(re.findall(r"\b(?:tac_[a-z0-9_]*[a-z0-9]|TAC_[A-Z0-9_]*[A-Z0-9]|tac[A-Z]\w+)\b", text))
    made_up = {"tac_thing_verb", "tac_thing_def_default", "tacThing", "tacThingDef"}  # stand for all
    outside = {"tac_device_driver"}  # drivers export it; <tactus/device.h> has it in a comment
    return problems + [f"docs/api.md: {name} is in no public header" for name in sorted(names - declared - made_up - outside)]


def run_page(root, library, compiler, text):
    """What is wrong with the program; None: nothing."""
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "page.c")
        source.write_text(joined(text, root / "docs" / "api.md"))
        compile_it = [compiler, "-std=c17", "-Wall", "-Wextra", "-Werror", f"-I{root}/include", source]
        link = [f"-L{library.parent}", "-ltactus", f"-Wl,-rpath,{library.parent}"]
        for command in ([*compile_it, "-o", f"{folder}/page", *link], [*compile_it, "-shared", "-fPIC", "-o", f"{folder}/page.so"]):
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode != 0:
                return f"docs/api.md: its blocks do not compile:\n{run.stderr}"
        environment = {**os.environ, "XDG_CACHE_HOME": f"{folder}/cache"}
        run = subprocess.run([f"{folder}/page", f"{folder}/page.so"], capture_output=True, text=True, cwd=folder, env=environment,
                             timeout=240)
        print(run.stdout + run.stderr)
        if run.returncode != 0:
            return f"docs/api.md: its program ends with status {run.returncode}"
        missing = [line for line in EXPECTED if line not in run.stdout]
        return f"docs/api.md: its program does not print: {missing}" if missing else None


def main(root, library, compiler):
    text = (root / "docs" / "api.md").read_text()
    problems = problems_of(root, text)
    wrong = run_page(root, library, compiler, text)
    problems += [wrong] if wrong else []
    print("\n".join(problems) or "docs/api.md: its program compiles and runs")
    return not problems


if __name__ == "__main__":
    sys.exit(0 if main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]) else 1)
