#!/usr/bin/env python3
"""Fails where a file includes what it may not, and where files depend on each other in a circle.

Rooms are in the order of data, from files to forces; see docs/contributing.md. A file is X.h and X.c together. It
depends on the files of its folder whose header it includes, and on those that define a function or variable that it
uses, whichever header declares that. Public headers are files of their own: they declare what several sources define.
Corridors, the sub-folders of a room, depend on each other and on the files directly in the room without a circle, too.
A folder of code has at most 40 files.
"""
import pathlib
import re
import sys

ROOMS = ["base", "math", "mesh", "elastic", "asset", "bake", "shape", "body", "collide", "contact", "couple", "world",
         "device", "record", "servo", "spec", "kinds", "scene"]
OFFLINE = {"bake", "shape"}  # used by what bakes, app, tests and bench only
USERS_OF_OFFLINE = {"bake", "shape", "spec", "kinds", "scene"}
TYPES_ONLY = {"contact", "body", "tactus"}  # public headers without functions of a room
# Public headers whose room has no source of their name; spec takes types of scene.h, the type of a row of body_kind.h.
DECLARED = {"base": "base", "mesh": "mesh", "material": "elastic", "hyperelastic": "kinds", "rigid": "kinds", "meshing": "bake",
            "scene": "spec", "body_kind": "spec"}

# The program uses the public headers, as others do, the plumbing of src/, and these private headers: what it shows and reports
# beyond the public API. The list only shrinks.
PLUMBING = {"base", "math"}
APP_PRIVATE = {
    "asset/deformed_field.h", "asset/deformed_pose.h", "asset/distance_field.h", "asset/load_field.h",
    "asset/pointshell.h", "bake/isosurface.h", "bake/points/pointshell_bake.h", "contact/contact_problem.h",
    "device/device.h", "device/driver_file.h", "device/pointer.h", "elastic/surface_stress.h", "kinds/body_kind.h",
    "mesh/contents/mesh_builder.h", "mesh/formats/mesh_file.h", "mesh/query/thickness.h", "mesh/trimesh.h", "record/port_work.h",
    "record/recorded_assets.h", "record/recorded_world.h", "record/recording.h", "record/replay_comparison.h",
    "scene/asset_description.h", "scene/bake_outlook.h", "scene/scene.h", "scene/scene_description.h",
    "scene/scene_device.h", "scene/scene_outline.h", "servo/guard.h", "servo/servo.h", "shape/shape.h", "spec/tissue.h", "world/pair_look.h",
    "world/world.h", "world/world_build.h", "world/world_interpenetration.h", "world/world_view.h"}
APP_EXCEPTIONS = {
    ("app/cli/commands/bench.c", "bench/benchmark.h"),  # `tactus bench` is built from bench/
}
# Drivers are built with a few files of the plumbing, so that they run in any program.
DRIVER_EXCEPTIONS = {
    ("drivers/network.c", "device/driver_info.h"),  # what a client says of itself is checked as what a driver says
}
# Tests of whole chains and of what wraps them use any room.
FREE_TESTS = {"app", "drivers", "faults", "fuzz", "physics", "realtime", "repeat", "viewer"}
# Tests of what bodies are made of, and of what they are in, use bodies of all kinds; those of kinds use scenes.
WITHOUT_BODIES = {"base", "math", "mesh", "elastic"}
TEST_EXCEPTIONS = set()  # (test, header): with the reason
# Folders beside the rooms that have corridors, too.
CORRIDORS = ["app/cli", "app/viewer", "bench"]
# Files of code in a folder: more are sub-folders, named after what is in them.
MOST_FILES = 40
CODE = {".c", ".h", ".S", ".js", ".mjs", ".py", ".sh"}
# Folders that have a circle today. The list only shrinks: one that has none any more must go.
PENDING_CIRCLES = set()

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')


def code_of(text):
    """The text without comments and literals, lines kept."""
    token = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
    return token.sub(lambda m: "\n" * m.group().count("\n") or " ", text)


def split_depth(code):
    """What stands inside of braces or is a macro's replacement, and the rest, with {} where something was left out."""
    inside, outside, depth = [], [], 0
    for line in code.replace("\\\n", " ").split("\n"):
        macro = re.match(r"\s*#\s*define\s+\w+(?:\([^)]*\))?(.*)", line)
        if macro:
            inside.append(macro.group(1))
        if line.lstrip().startswith("#"):
            continue
        for part in re.split(r"([{}])", line):
            if part == "{":
                depth += 1
                if depth == 1:
                    outside.append("{}")
            elif part == "}":
                depth -= 1
            else:
                (inside if depth > 0 else outside).append(part)
        (inside if depth > 0 else outside).append("\n")
    return " ".join(inside), " ".join(outside)


def definitions(outside):
    """External functions with a body and variables with a value, of text outside of braces."""
    names = set()
    for statement in re.split(r";|\{\}(?!\s*;)", re.sub(r"\{\}(?!\s*;)", "{};", outside)):
        statement = statement.strip()
        if not statement or re.match(r"(static|typedef|extern)\b", statement):
            continue
        if statement.endswith("{}") or "=" in statement:
            name = re.search(r"\b(tac_\w+)\s*(?:\(|\[|=)", statement)
            if name:
                names.add(name.group(1))
    return names


class Repository:
    """`sources`: text by path from the root, with '/'."""

    def __init__(self, sources, pending):
        self.sources = sources
        self.pending = pending
        self.problems = []
        self.includes = {path: [(number, *INCLUDE.match(line).groups()) for number, line in
                                enumerate(text.splitlines(), 1) if INCLUDE.match(line)]
                         for path, text in sources.items()}

    def report(self, path, number, text):
        self.problems.append(f"{path}:{number}: {text}")

    def room_of_public(self, name):
        """The room that implements <tactus/name.h>, found by its source."""
        rooms = [r for r in ROOMS if any(re.fullmatch(rf"src/{r}/(\w+/)?{name}\.c", path) for path in self.sources)]
        return DECLARED.get(name) or (rooms[0] if len(rooms) == 1 else None)

    def target_of(self, path, number, quote, target):
        """(file from the root, its room or top folder) of an include; None: a system's header, or reported."""
        if quote == "<":
            if not target.startswith("tactus/"):
                return None
            if f"include/{target}" not in self.sources:
                self.report(path, number, f"there is no include/{target}")
                return None
            name = pathlib.PurePosixPath(target).stem
            room = None if name in TYPES_ONLY else self.room_of_public(name)
            if room is None and name not in TYPES_ONLY:
                self.report(path, number, f"no room implements <{target}>")
            return f"include/{target}", room
        top = target.split("/")[0]
        if "/" not in target:
            beside = f"{path.rsplit('/', 1)[0]}/{target}"
            if path.startswith("tests/") and (beside in self.sources or f"tests/{target}" in self.sources):
                return (beside if beside in self.sources else f"tests/{target}"), "tests"
            self.report(path, number, f'write the folder, too: "{target}"')
            return None
        places = [f"src/{target}" if top in ROOMS else target] + [f"tests/{target}"] * path.startswith("tests/")
        for real in places:
            if real in self.sources:
                return real, top
        self.report(path, number, f"there is no {places[0]}")
        return None

    def check_room(self, path, number, target, other, room):
        """Whether a file of a room, or a test of it, may include a header of another room."""
        if ROOMS.index(other) > ROOMS.index(room):
            top = path.split("/")[0]
            self.report(path, number, f"{top}/{room} may not include {target}, of the later room {other}")
            return False
        return True

    def check_include(self, path, number, quote, target):
        found = self.target_of(path, number, quote, target)
        if found is None:
            return
        real, other = found
        parts = path.split("/")
        if parts[0] in ("src", "include"):
            if other is None or parts[0] == "include":
                if parts[0] == "include" and not real.startswith("include/"):
                    self.report(path, number, f"a public header may not include {target}: users do not have it")
            elif other not in ROOMS:
                self.report(path, number, f"src/ may not include {target}")
            elif self.check_room(path, number, target, other, parts[1]) and other in OFFLINE and \
                    parts[1] not in USERS_OF_OFFLINE:
                self.report(path, number, f"room {parts[1]} may not include {target}: {other} is offline only")
        elif parts[0] == "app":
            own = real.startswith(f"app/{parts[1]}/") or (parts[1] == "cli" and real.startswith("app/viewer/"))
            public = real.startswith("include/") or (real.startswith("src/") and other in PLUMBING)
            if not own and not public and target not in APP_PRIVATE and (path, target) not in APP_EXCEPTIONS:
                self.report(path, number, f"app/{parts[1]} may not include {target}: it uses public headers, APP_PRIVATE, itself"
                            f"{', app/viewer' if parts[1] == 'cli' else ''} and of src/ {', '.join(sorted(PLUMBING))}")
        elif parts[0] == "drivers":
            own = real.startswith(("drivers/", "include/")) or (real.startswith("src/") and other in PLUMBING)
            if not own and (path, target) not in DRIVER_EXCEPTIONS:
                self.report(path, number, f"drivers may not include {target}: they use public headers, themselves and of src/ "
                            f"{', '.join(sorted(PLUMBING))}")
        elif parts[0] == "tests" and len(parts) > 2 and other in ROOMS and parts[1] not in FREE_TESTS:
            if parts[1] not in ROOMS:
                self.report(path, number, f"tests/{parts[1]} is neither of a room nor free")
            elif parts[1] in ("spec", "kinds") or (other in ("spec", "kinds") and parts[1] not in WITHOUT_BODIES):
                pass
            elif (path, target) not in TEST_EXCEPTIONS:
                self.check_room(path, number, target, other, parts[1])

    def check_includes(self):
        for path, includes in self.includes.items():
            for number, quote, target in includes:
                self.check_include(path, number, quote, target)

    def graph(self, folder):
        """The files of a folder (all below it): {stem: {stem it depends on: why}}."""
        own = {path for path in self.sources if path.startswith(folder + "/")}
        stem = {path: path.rsplit(".", 1)[0] for path in own}
        split = {path: split_depth(code_of(self.sources[path])) for path in own}
        defined = {}
        for path in sorted(own):
            if path.endswith(".c"):
                for name in definitions(split[path][1]):
                    defined.setdefault(name, stem[path])
        edges = {name: {} for name in sorted(set(stem.values()))}
        for path in sorted(own):
            for _, quote, target in self.includes[path]:
                for real in (f"include/{target}",) if quote == "<" else (f"src/{target}", target, f"tests/{target}",
                                                                         f"{path.rsplit('/', 1)[0]}/{target}"):
                    if real in own and stem[real] != stem[path]:
                        edges[stem[path]].setdefault(stem[real], f"includes {target}")
            for name in sorted(set(re.findall(r"\btac_\w+", split[path][0]))):
                if name in defined and defined[name] != stem[path]:
                    edges[stem[path]].setdefault(defined[name], f"uses {name}")
        return edges

    def check_circles(self, folder):
        edges = self.graph(folder)
        found = False
        for component in components(edges):
            found = True
            chain = shortest_circle(edges, component)
            if folder in self.pending:
                continue
            text = chain[0].removeprefix(folder + "/")
            for a, b in zip(chain, chain[1:]):
                text += f" -> {b.removeprefix(folder + '/')} ({edges[a][b]})"
            more = len(component) - len(chain) + 1
            self.problems.append(f"{folder}: a circle: {text}" + (f", and {more} more files" if more > 0 else ""))
        if folder in self.pending and not found:
            self.problems.append(f"{folder} has no circle any more: take it from PENDING_CIRCLES")

    def check_corridors(self, room):
        """Corridors (sub-folders) of a room and the files directly in it: no circle, a corridor being one node."""
        depth = room.count("/") + 2

        def node(stem):
            parts = stem.split("/")
            return "/".join(parts[:depth]) if len(parts) > depth else stem

        edges = {}
        for stem, targets in self.graph(room).items():
            edges.setdefault(node(stem), {}).update({node(t): f"{stem.rsplit('/', 1)[1]} {why}" for t, why in targets.items()
                                                     if node(t) != node(stem)})
        for component in components(edges):
            if not any(name.count("/") == depth - 1 and any(stem.startswith(name + "/") for stem in self.sources) for name in component):
                continue  # a circle of files, which check_circles shows
            chain = shortest_circle(edges, component)
            text = chain[0].removeprefix(room + "/")
            for a, b in zip(chain, chain[1:]):
                text += f" -> {b.removeprefix(room + '/')} ({edges[a][b]})"
            self.problems.append(f"{room}: a circle of corridors: {text}")


def components(edges):
    """The strongly connected components of more than one file (Tarjan)."""
    index, low, stack, result = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in edges[v]:
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            component = stack[stack.index(v):]
            del stack[stack.index(v):]
            if len(component) > 1:
                result.append(component)

    for v in edges:
        if v not in index:
            visit(v)
    return result


def shortest_circle(edges, component):
    best = None
    for start in component:
        paths, seen = [[start]], {start}
        while paths and (best is None or len(paths[0]) < len(best)):
            path = paths.pop(0)
            if start in edges[path[-1]]:
                best = path + [start]
                break
            for w in edges[path[-1]]:
                if w in component and w not in seen:
                    seen.add(w)
                    paths.append(path + [w])
    return best


def folders_of(sources):
    """Where circles are looked for: each room, the public headers, and each of app, drivers, bench and tests as a whole."""
    return sorted({"/".join(path.split("/")[:2 if path.startswith("src/") else 1]) for path in sources})


def crowded(paths):
    """Folders with too many files of code."""
    counts = {}
    for path in paths:
        if pathlib.PurePosixPath(path).suffix in CODE and "node_modules" not in path.split("/"):
            folder = path.rpartition("/")[0]
            counts[folder] = counts.get(folder, 0) + 1
    return [f"{folder} has {count} files; at most {MOST_FILES}: make sub-folders, named after what is in them"
            for folder, count in sorted(counts.items()) if count > MOST_FILES]


SELF_TEST = {  # what is expected to be found stands in the line
    "include/tactus/log.h": "",
    "include/tactus/error.h": '#include "base/log.h" // a public header may not\n',
    "src/base/log.h": "void tac_log_write(void);\nvoid tac_log_close(void);\n",
    "src/base/log.c": '#include "base/log.h"\nvoid tac_log_write(void) { tac_log_close(); }\n',
    "src/base/error.c": '#include "base/log.h"\n#include <tactus/log.h>\n'
                        "void tac_log_close(void) {\n  tac_log_write();\n}\n",
    "src/base/array.h": '#include "math/dense.h" // of the later room math\n',
    "src/math/dense.h": '#include "base/none.h" // there is no src/base/none.h\n'
                        '#include "array.h" // write the folder\n',
    "src/math/dense.c": "void tac_dense(void) {\n  tac_other();\n}\n",
    "src/math/other.c": "#define CALL tac_third()\nvoid tac_other(void) { CALL; }\n",
    "src/math/third.c": "/* tac_dense */\nvoid tac_third(void) { const char *text = \"tac_dense()\"; }\n",
    "src/elastic/rod.h": '#include "elastic/beam.h"\n',
    "src/elastic/beam.h": '#include "elastic/rod.h"\n',
    "src/mesh/trees/box.h": "",
    "src/mesh/trees/leaf.h": '#include "mesh/files/stl.h"\n',
    "src/mesh/files/stl.h": "",
    "src/mesh/files/ply.h": '#include "mesh/trees/box.h"\n',
    "src/bake/mould.h": "",
    "src/body/clay.c": '#include "bake/mould.h" // offline only\n',
    "src/scene/scene.h": '#include "bake/mould.h"\n#include "app/viewer/page.h" // src/ may not\n',
    "app/viewer/page.h": '#include "app/cli/main.h" // app/viewer may not\n#include <tactus/log.h>\n',
    "app/viewer/sent.h": '#include "base/log.h"\n#include "body/clay.h" // there is no src/body/clay.h\n',
    "app/cli/main.h": '#include "app/viewer/sent.h"\n#include "elastic/beam.h" // app/cli may not\n#include <stdio.h>\n',
    "app/cli/commands/bench.c": '#include "bench/benchmark.h"\n',
    "drivers/arm.c": '#include "base/log.h"\n#include "drivers/wrist.h"\n#include "scene/scene.h" // drivers may not\n',
    "drivers/wrist.h": "",
    "drivers/network.c": '#include "app/viewer/sent.h" // drivers may not\n',
    "bench/benchmark.h": '#include "scene/scene.h"\n#include "app/cli/main.h"\n',
    "bench/sums/total.h": '#include "bench/times/clock.h"\n',
    "bench/sums/part.h": "",
    "bench/times/clock.h": "",
    "bench/times/span.h": '#include "bench/sums/part.h"\n',
    "tests/test.h": "",
    "tests/base/test_log.c": '#include "base/log.h"\n#include "test.h"\n'
                             '#include "math/dense.h" // of the later room math\n',
    "tests/physics/test_fall.c": '#include "scene/scene.h"\n',
}


def self_test():
    repository = Repository(SELF_TEST, {"src/body", "src/elastic"})
    repository.check_includes()
    expected = [(f"{path}:{number}:", line.split("// ")[1]) for path, text in SELF_TEST.items()
                for number, line in enumerate(text.split("\n"), 1) if "// " in line]
    for folder in folders_of(SELF_TEST):
        repository.check_circles(folder)
    for folder in ("src/mesh", "bench"):
        repository.check_corridors(folder)
    expected += [("bench: a circle of corridors: ", "times (total includes bench/times/clock.h)")]
    expected += [("src/base: a circle:", "error (uses tac_log_close) -> "), ("src/body has no circle any more", ""),
                 ("src/mesh: a circle of corridors:", "files (leaf includes mesh/files/stl.h)")]
    names = [f"src/mesh/{i}.c" for i in range(41)] + [f"src/body/{i}.h" for i in range(40)] + ["src/body/notes.txt"]
    repository.problems += crowded(names)
    expected += [("src/mesh has 41 files", "at most 40")]
    found = [any(p.startswith(place) and text in p for p in repository.problems) for place, text in expected]
    for (place, text), one in zip(expected, found):
        if not one:
            print(f"the self-test does not find: {place} {text}")
    if len(expected) != len(repository.problems):
        print("the self-test finds:", *repository.problems, sep="\n  ")
    return all(found) and len(expected) == len(repository.problems)


def check(root):
    sources, empty = {}, []
    for folder in ("include", "src", "app", "drivers", "bench", "tests"):
        paths = sorted((root / folder).rglob("*.[ch]"))
        empty += [folder] * (not paths)
        sources.update({path.relative_to(root).as_posix(): path.read_text() for path in paths})
    repository = Repository(sources, PENDING_CIRCLES)
    repository.problems += [f"{folder}: there are no files to look at" for folder in empty]
    repository.problems += crowded(path.relative_to(root).as_posix()
                                   for folder in ("include", "src", "app", "drivers", "bench", "tests", "examples", "web")
                                   for path in (root / folder).rglob("*"))
    for folder in sorted({path.split("/")[1] for path in sources if path.startswith("src/")} - set(ROOMS)):
        repository.problems.append(f"src/{folder} is not a room of the design")
    repository.check_includes()
    for folder in folders_of(sources):
        repository.check_circles(folder)
        if folder.startswith("src/"):
            repository.check_corridors(folder)
    for folder in CORRIDORS:
        repository.check_corridors(folder)
    print("\n".join(repository.problems) or f"{len(sources)} files include what they may, without a circle but for "
          f"{', '.join(sorted(PENDING_CIRCLES)) or 'none'}")
    return not repository.problems


if __name__ == "__main__":
    # The test of the check is part of it: what finds nothing any more must not pass.
    sys.exit(0 if self_test() and (sys.argv[1:] == ["--self-test"] or check(pathlib.Path(sys.argv[1]))) else 1)
