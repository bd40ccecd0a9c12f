#!/usr/bin/env python3
"""Fails where the public API is too large, has a function that nobody uses, or a header without a working example.

At most 20 headers and 250 functions. Each function is used by an example (also one in a header), the program, a driver, a test of the
installed library or the Python package: what has no user outside of src/ is private. Each header, <tactus/tactus.h> aside, opens with what it is for and
an example, the indented lines after a line "Example:", which must compile as C and as C++ without a warning:

    check_api.py ROOT C_COMPILER CXX_COMPILER
"""
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_HEADERS, MOST_FUNCTIONS = 20, 250
USERS = ["examples", "app", "drivers", "python", "tests/repository"]
GENERATED = {"abi.py", "generate.py", "check_api.py"}
# What an example may use without making it first.
AROUND = """#include <tactus/{name}.h>
typedef struct tacScene tacScene;
typedef struct tacWorld tacWorld;
typedef struct tacTriMesh tacTriMesh;
typedef struct tacVolMesh tacVolMesh;
static tacStatus example(tacScene *scene, tacWorld *world, const tacTriMesh *surface, const tacVolMesh *volume, tacError *error) {{
  (void)scene, (void)world, (void)surface, (void)volume, (void)error;
{code}
  return TAC_OK;
}}
tacStatus (*used)(tacScene *, tacWorld *, const tacTriMesh *, const tacVolMesh *, tacError *) = example;
"""


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)


def functions_of(header):
    """Names behind TAC_API; what a plugin defines for the library is not one of the library's."""
    return re.findall(r"\bTAC_API\b[^;]*?\b(tac_\w+)\s*\(", without_comments(header))


def example_of(header):
    """The lines of code after "Example:" in the header's first comment; None: it has none."""
    comment = re.match(r"/\*.*?\*/", header, re.S)
    lines = [re.sub(r"^ \* ?", "", line) for line in comment.group()[2:-2].split("\n")] if comment else []
    starts = [i for i, line in enumerate(lines) if line.strip() == "Example:"]
    if not starts:
        return None
    code = []
    for line in lines[starts[0] + 1:]:
        if line.strip() and not line.startswith("    "):
            break
        code.append(line)
    return "\n".join(code) if any(line.strip() for line in code) else None


def used_names(texts):
    names = set()
    for text in texts:
        names.update(re.findall(r"\btac_\w+", text))
    return names


def unused(functions, texts):
    return sorted(set(functions) - used_names(texts))


def compile_example(name, code, include, compilers):
    """The compilers' complaints."""
    complaints = []
    with tempfile.TemporaryDirectory() as folder:
        for compiler, suffix, standard in zip(compilers, (".c", ".cpp"), ("c17", "c++17")):
            path = pathlib.Path(folder, name + suffix)
            path.write_text(AROUND.format(name=name, code=code))
            run = subprocess.run([compiler, f"-std={standard}", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", include, path],
                                 capture_output=True, text=True)
            if run.returncode != 0:
                complaints.append(f"include/tactus/{name}.h: its example does not compile:\n{run.stderr}")
    return complaints


def self_test():
    header = "/* Lamps.\n *\n * Example:\n *\n *     tac_lamp_on();\n *\n * Units: W. */\nTAC_API void tac_lamp_on(void); /* TAC_API int tac_x(void); */\n"
    assert functions_of(header + "TAC_API const char *const *tac_lamp_names(\n  int most);") == ["tac_lamp_on", "tac_lamp_names"]
    assert example_of(header).strip() == "tac_lamp_on();"
    assert example_of("/* Lamps. */\n") is None and example_of("/* Lamps.\n * Example:\n * none */\n") is None
    assert unused(["tac_lamp_on", "tac_lamp_off"], ["x = tac_lamp_on;", "tac_lamp_offer"]) == ["tac_lamp_off"]


def check(root, compilers):
    headers = {path.stem: path.read_text() for path in sorted((root / "include" / "tactus").glob("*.h"))}
    functions = {name: stem for stem, text in headers.items() for name in functions_of(text)}
    problems = []
    if len(headers) > MOST_HEADERS:
        problems.append(f"{len(headers)} public headers; at most {MOST_HEADERS}")
    if len(functions) > MOST_FUNCTIONS:
        problems.append(f"{len(functions)} public functions; at most {MOST_FUNCTIONS}")
    texts = [path.read_text() for user in USERS for path in sorted((root / user).rglob("*"))
             if path.suffix in (".c", ".h", ".py", ".sh") and path.name not in GENERATED and "node_modules" not in path.parts]
    texts += [example_of(text) or "" for text in headers.values()]
    problems += [f"include/tactus/{functions[name]}.h: {name} has no user outside of src/: make it private"
                 for name in unused(functions, [without_comments(text) for text in texts])]
    for stem, text in headers.items():
        if stem == "tactus":
            continue
        code = example_of(text)
        if code is None:
            problems.append(f"include/tactus/{stem}.h: the first comment has no example")
        else:
            problems += compile_example(stem, code, root / "include", compilers)
    print("\n".join(problems) or f"{len(headers)} public headers, {len(functions)} functions")
    return not problems


if __name__ == "__main__":
    self_test()
    sys.exit(0 if check(pathlib.Path(sys.argv[1]), sys.argv[2:4]) else 1)
