#!/usr/bin/env python3
"""Fails where code asks for the kind of a body, other than the kind's own files.

Bodies are used through their table of functions and through what scenes, worlds and assets say of them; a new kind must
not touch the files of others. See docs/contributing.md.
"""
import pathlib
import re
import sys

KINDS = ["green", "reduced", "rigid", "corotational", "hyperelastic", "vademecum"]
WORDS = "|".join(KINDS)
CONSTANTS = re.compile(r"\bTAC_(?:BODY|SCENE)_(?:%s)\b" % WORDS.upper())
NAMES = re.compile(r'\bstr(?:case)?n?cmp\s*\([^;]*?"(?:%s)"' % WORDS)

FOLDERS = ["src", "app", "bench"]
# The kinds' own: their room, and files named after one of them.
OWN = re.compile(r"src/body/|(?:.*/)?(?:%s)(?:_\w+)?\.[ch]$" % WORDS)
# Where the words mean something else.
OTHER_MEANING = {
    "app/cli/commands/info.c",  # kinds of asset files
}
def without_comments(text):
    token = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
    return token.sub(lambda m: m.group() if m.group()[0] == '"' else "\n" * m.group().count("\n") or " ", text)


def find(text):
    """(line, what is found), in order."""
    code = without_comments(text)
    found = [(m.start(), m.group()) for pattern in (CONSTANTS, NAMES) for m in pattern.finditer(code)]
    return [(code.count("\n", 0, at) + 1, what) for at, what in sorted(found)]


def problems_of(sources, other_meaning):
    problems = []
    for path, text in sources.items():
        if OWN.match(path) or path in other_meaning:
            continue
        problems += [f"{path}:{line}: asks for the kind of a body ({' '.join(what.split())}): ask its functions"
                     for line, what in find(text)]
    gone = set(other_meaning) - set(sources)
    return problems + [f"{path}: is in a list of this check, but there is no such file" for path in sorted(gone)]


SELF_TEST = {
    "src/world/a.c": "if (b->kind == TAC_BODY_GREEN) return;\n/* TAC_BODY_RIGID */\nx = TAC_SCENE_REDUCED_PROBLEM_H;\n",
    "src/world/b.c": 'if (strcmp(kind,\n           "rigid") == 0)\n  say("green");\n',
    "src/scene/c.c": "[TAC_SCENE_REDUCED] = 1\n",
    "src/scene/clean.c": "// TAC_BODY_GREEN\n",
    "src/scene/rigid_shape.c": "TAC_BODY_RIGID\n",
    "src/scene/frigid.c": "TAC_BODY_RIGID\n",
    "src/body/any.c": "TAC_BODY_GREEN\n",
    "app/viewer/frame/rigid.c": "TAC_BODY_RIGID\n",
    "app/cli/asset.c": 'strcmp(a, "green")\n',
}
EXPECTED = ["src/world/a.c:1:", "src/world/b.c:1:", "src/scene/c.c:1:", "src/scene/frigid.c:1:", "src/gone.c: is in a list"]


def self_test():
    found = problems_of(SELF_TEST, {"app/cli/asset.c", "src/gone.c"})
    right = len(found) == len(EXPECTED) and all(a.startswith(b) for a, b in zip(found, EXPECTED))
    if not right:
        print("the self-test expects", *EXPECTED, "and finds", *found, sep="\n  ")
    return right


def check(root):
    sources = {path.relative_to(root).as_posix(): path.read_text()
               for folder in FOLDERS for path in sorted((root / folder).rglob("*.[ch]"))}
    empty = set(FOLDERS) - {path.split("/")[0] for path in sources}
    problems = [f"{folder}: there are no files to look at" for folder in sorted(empty)]
    problems += problems_of(sources, OTHER_MEANING)
    print("\n".join(problems) or f"{len(sources)} files ask for no kind of body")
    return not problems


if __name__ == "__main__":
    # The test of the check is part of it: what finds nothing any more must not pass.
    sys.exit(0 if self_test() and (sys.argv[1:] == ["--self-test"] or check(pathlib.Path(sys.argv[1]))) else 1)
