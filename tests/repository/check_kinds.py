#!/usr/bin/env python3
"""Fails where code names a kind of bodies outside of what is the kind's own.

A kind is a folder, src/kinds/<name>/, with its public header and one row in the one list. Whoever asks for a kind asks its row
(include/tactus/body_kind.h, src/spec/scene_kind.h); a new kind must not touch the files of others. See docs/contributing.md.
Tests, documentation, benchmarks, examples and what python/generate.py writes may name kinds.
"""
import pathlib
import re
import sys

# The folder of each; a kind that is made of another names that one, too.
FOLDERS = {"green": "green", "corotational": "green", "reduced": "reduced", "vademecum": "vademecum", "rigid": "rigid",
           "hyperelastic": "hyperelastic"}
MADE_OF = {"vademecum": {"reduced"}}  # the same coordinates, and a force of its own
LIST = "src/kinds/kinds.c"
GENERATED = {"src/scene/layout.c", "python/tactus/abi.py"}
LOOKED_AT = ["src", "app", "include", "web"]

# These words are names of kinds and of nothing else: no code has them, texts and names of files included.
ALONE = ["corotational", "hyperelastic", "vademecum"]
# The others are words of mechanics as well (a rigid motion, a reduced system, Green's functions): what names the kind is an
# identifier that begins with it, a constant with it, and the word itself as a text, a file or an include.
SHARED = ["green", "reduced", "rigid"]
# The law of corotational elasticity, which scenes call by that name; bodies that are shown as they move, without deforming; rigid
# motions, in the code and as an array of a file.
OTHER_MEANING = re.compile(r'\b(?:tac_)?hyper_corotational\w*|\.name = "corotational"|\bTAC_SHOWN_RIGID\b|\btac_rigid_motion\w*'
                           r'|tac_chunk_transfer_(?:put|take)\(\w+, "rigid"')


def patterns(kind):
    if kind in ALONE:
        return re.compile(kind, re.I)
    upper, title = kind.upper(), kind.title()
    return re.compile(rf'\btac{title}\w*|\btac_(?:world_add_|world_body_|scene_)?{kind}_?\w*|\bTAC_{upper}_\w+|\bTAC_\w+_{upper}\b'
                      rf'|"{kind}"|[<"/]{kind}(?:_\w+)?\.h[">]|"kinds/{kind}/')


def without_comments(text):
    token = re.compile(r'/\*.*?\*/|(?<![:"\'])//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
    return token.sub(lambda m: m.group() if m.group()[0] == '"' else "\n" * m.group().count("\n") or " ", text)


def own(path, kind):
    """Whether a file may name the kind."""
    parts = path.split("/")
    if path == LIST or path in GENERATED or path == "include/tactus/tactus.h":
        return True
    if path.startswith("include/tactus/"):
        return any(parts[-1] == f"{name}.h" for name in {kind, FOLDERS[kind]} | {k for k, of in MADE_OF.items() if kind in of})
    return parts[:2] == ["src", "kinds"] and len(parts) > 3 and \
        (parts[2] == FOLDERS[kind] or kind in MADE_OF.get(parts[2], ()))


def problems_of(sources):
    problems = []
    for path, text in sources.items():
        code = OTHER_MEANING.sub(lambda m: " " * len(m.group()), without_comments(text))
        for kind in FOLDERS:
            if not own(path, kind):
                problems += [f"{path}:{code.count(chr(10), 0, m.start()) + 1}: names the kind {kind} ({m.group()}): ask its row"
                             for m in patterns(kind).finditer(code)]
                if kind in ALONE and re.search(rf"{kind}[^/]*$", path) and not OTHER_MEANING.search(path.rsplit("/", 1)[-1]):
                    problems.append(f"{path}: is called by the kind {kind}: it belongs into src/kinds/{FOLDERS[kind]}")
    return problems


SELF_TEST = {
    "src/world/a.c": "tacGreenBody *b; /* tacRigidBodyDef */\nx = tac_reduced_size(y); rigid_stiffness = reduced;\n",
    "src/world/b.c": 'if (strcmp(kind,\n           "rigid") == 0)\n  say("green\'s functions");\n',
    "src/scene/c.c": '#include <tactus/green.h>\n#include "kinds/reduced/reduced.h"\n',
    "src/spec/d.c": 'say("take a vademecum");\n// a hyperelastic body\n',
    "app/viewer/hyperelastic_view.c": "\n",
    "src/kinds/kinds.c": "&tac_green_row, &tac_vademecum_row\n",
    "src/kinds/green/g.c": "tacGreen g; TAC_SHOWN_RIGID\n",
    "src/kinds/vademecum/v.c": "tacReduced r; tacVademecum v; tacGreen g;\n",
    "include/tactus/vademecum.h": "tacReduced *shape;\n",
    "include/tactus/world.h": "tac_world_add_green(1);\n",
    "src/elastic/laws/hyper_laws.c": "&tac_hyper_corotational_law, tac_rigid_motions(3)\n",
}
EXPECTED = ["src/world/a.c:1: names the kind green", "src/world/a.c:2: names the kind reduced", "src/world/b.c:2: names the kind rigid",
            "src/scene/c.c:1: names the kind green", "src/scene/c.c:2: names the kind reduced",
            "src/spec/d.c:1: names the kind vademecum", "app/viewer/hyperelastic_view.c: is called by the kind",
            "src/kinds/vademecum/v.c:1: names the kind green", "include/tactus/world.h:1: names the kind green"]


def self_test():
    found = problems_of(SELF_TEST)
    right = all(any(a.startswith(b) for a in found) for b in EXPECTED) and all(any(a.startswith(b) for b in EXPECTED) for a in found)
    if not right:
        print("the self-test expects", *EXPECTED, "and finds", *found, sep="\n  ")
    return right


def check(root):
    sources = {path.relative_to(root).as_posix(): path.read_text()
               for folder in LOOKED_AT for path in sorted((root / folder).rglob("*"))
               if path.suffix in (".c", ".h", ".js") and "node_modules" not in path.parts}
    empty = set(LOOKED_AT) - {path.split("/")[0] for path in sources}
    problems = [f"{folder}: there are no files to look at" for folder in sorted(empty)] + problems_of(sources)
    print("\n".join(problems) or f"{len(sources)} files name no kind of bodies but their own")
    return not problems


if __name__ == "__main__":
    # The test of the check is part of it: what finds nothing any more must not pass.
    sys.exit(0 if self_test() and (sys.argv[1:] == ["--self-test"] or check(pathlib.Path(sys.argv[1]))) else 1)
