#!/usr/bin/env python3
"""Fails where the public API is too large or uneven, has a function that nobody uses, or a header without a working example.

At most 21 headers and 250 functions. Each function is used by an example (also one in a header), the program, a driver, a test of the
installed library or the Python package: what has no user outside of src/ is private. Each header, <tactus/tactus.h> aside, opens with what it is for and
an example, the indented lines after a line "Example:", which must compile as C and as C++ without a warning:

All functions have the same shape:

- A function that returns tacStatus takes a `tacError *` as its last parameter, and no other function takes one.
- Inputs come before outputs. An input is a number, a `const` pointer, a callback, or something that the function uses or takes over (KEPT).
- What a function creates (`tacX **x`) has a function that destroys or closes it.
- A definition that a function takes (`const tacXDef *`) has a function that returns its defaults, or a preset.
- Documents name only functions that exist.

    check_api.py ROOT C_COMPILER CXX_COMPILER
"""
import pathlib
import re
import subprocess
import sys
import tempfile

MOST_HEADERS, MOST_FUNCTIONS = 21, 250
USERS = ["examples", "app", "drivers", "python", "tests/repository"]
GENERATED = {"abi.py", "generate.py", "check_api.py"}
# Documents for users of the API name public functions, and those of a plugin. Other documents may also name private ones.
PAGES = ["README.md", "docs/api.md", "docs/embedding.md"]
PLUGIN = {"tac_device_driver", "tac_device_extras", "tac_body_kind"}
# Parameters that are not const and no outputs: the function uses the object, reads its shared state or takes it over.
KEPT = {"tacWorld", "tacServo", "tacGuard", "tacScene", "tacRecorder", "tacRecording", "tacTrajectory", "tacDevice", "tacTriMesh", "tacVolMesh",
        "tacStressSum", "void"}
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


def prototypes_of(header):
    """(return type, name, [parameter]) of each function behind TAC_API."""
    found = []
    for match in re.finditer(r"\bTAC_API\b([^;]*?)\b(tac_\w+)\s*\(([^;]*)\)\s*;", without_comments(header)):
        parameters = [" ".join(p.split()) for p in match.group(3).split(",")]
        found.append((" ".join(match.group(1).split()), match.group(2), [] if parameters == ["void"] else parameters))
    return found


def is_output(parameter):
    """Whether a parameter is a pointer or array that the function only writes."""
    pointer = re.match(r"(?:struct )?(\w+) \*(\w+)$|(\w+) \w+\[", parameter)
    if re.match(r"\w+ \*\*\w+$", parameter):
        return True
    return pointer is not None and (pointer.group(1) or pointer.group(3)) not in KEPT


def shape_of(prototypes):
    """Complaints about functions that differ in shape from the others."""
    wrong = []
    ends = {p.split(" *")[0] for _, name, ps in prototypes for p in ps[:1] if re.search(r"_(destroy|close)$", name)}
    makes = {r for r, _, _ in prototypes} | {p.split(" *")[0] for _, name, ps in prototypes for p in ps if name.endswith("_preset")}
    for result, name, parameters in prototypes:
        has_error = any(p.startswith("tacError *") for p in parameters)
        if has_error != (result == "tacStatus"):
            wrong.append(f"{name}: a function takes a tacError if, and only if, it returns tacStatus")
        elif has_error and parameters[-1] != "tacError *error":
            wrong.append(f"{name}: the last parameter must be tacError *error")
        rest = [p for p in parameters if not p.startswith("tacError *")]
        first = next((i for i, p in enumerate(rest) if is_output(p)), len(rest))
        wrong += [f"{name}: the input `{p}` follows the output `{rest[first]}`" for p in rest[first:]
                  if not is_output(p) and not p.startswith("size_t")]
        wrong += [f"{name}: nothing destroys or closes a {p.split(' **')[0]}" for p in rest
                  if re.match(r"tac\w+ \*\*\w+$", p) and p.split(" **")[0] not in ends]
        wrong += [f"{name}: no function returns the defaults of {p.split()[1]}" for p in rest
                  if re.match(r"const tac\w+Def \*\w+$", p) and p.split()[1] not in makes]
    return wrong


def names_in(page):
    """Functions that a document names; `tac_world_*` and `tac_thing_verb` are patterns, not names."""
    return {name for name in re.findall(r"\b(tac_\w*[a-z0-9])\b(?!\*|_)", page) if not name.startswith("tac_thing_")}


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
    good = "TAC_API tacLampDef tac_lamp_def_default(void); TAC_API tacStatus tac_lamp_create(const tacLampDef *def, tacLamp **lamp, tacError *error);" \
           "TAC_API void tac_lamp_destroy(tacLamp *lamp);"
    assert shape_of(prototypes_of(good)) == []
    for old, new in (("(void)", "(tacError *error)"), ("*def, tacLamp **lamp", "*lamp, tacLampDef *d, int a"), ("_destroy", "_end"), ("tacLampDef tac", "int tac"),
                     (", tacError *error", "")):
        assert old in good and len(shape_of(prototypes_of(good.replace(old, new)))) == 1, (old, shape_of(prototypes_of(good.replace(old, new))))
    assert names_in("`tac_lamp_on`, tac_lamp_*, tac_lamp_") == {"tac_lamp_on"}
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
    prototypes = [p for text in headers.values() for p in prototypes_of(text)]
    assert len(prototypes) == len(functions), "a prototype was not understood"
    problems += shape_of(prototypes)
    private = used_names(path.read_text() for folder in ("src", "app", "bench", "tests", "drivers") for path in (root / folder).rglob("*.[ch]"))
    for path in sorted([root / "README.md", *(root / "docs").glob("*.md")]):
        known = set(functions) | PLUGIN | (set() if str(path.relative_to(root)) in PAGES else private)
        problems += [f"{path.relative_to(root)}: there is no function {name}" for name in sorted(names_in(path.read_text()) - known)]
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
