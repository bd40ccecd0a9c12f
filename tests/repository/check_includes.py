#!/usr/bin/env python3
"""Fails where a file includes a room that comes after its own, or a header of a room that it may not use.

Rooms are in the order of data, from files to forces; see docs/contributing.md.
"""
import pathlib
import re
import sys

ROOMS = ["base", "math", "mesh", "elastic", "asset", "bake", "shape", "body", "collide", "contact", "couple", "world",
         "device", "record", "servo", "scene"]
OFFLINE = {"bake", "shape"}  # used by scene, app, tests and bench only
USERS_OF_OFFLINE = {"bake", "shape", "scene"}
TYPES_ONLY = {"api", "vec3", "index_set", "grid", "contact", "tactus"}  # public headers without functions of a room

root = pathlib.Path(sys.argv[1])
include = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')


def room_of_public(name):
    """The room that implements <tactus/name.h>, found by its source."""
    rooms = [r for r in ROOMS if (root / "src" / r / f"{name}.c").exists()]
    declared = {"mesh_report": "mesh"}
    return declared.get(name) or (rooms[0] if len(rooms) == 1 else None)


def check(path, room, problems):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = include.match(line)
        if not match:
            continue
        target = match.group(2)
        if target.startswith("tactus/"):
            name = pathlib.Path(target).stem
            if name in TYPES_ONLY:
                continue
            other = room_of_public(name)
            if other is None:
                problems.append(f"{path}:{number}: no room implements <{target}>")
                continue
        elif "/" in target and match.group(1) == '"':
            other = target.split("/")[0]
            if not (root / "src" / target).exists():
                problems.append(f"{path}:{number}: there is no src/{target}")
                continue
        elif match.group(1) == '"':
            problems.append(f'{path}:{number}: write "{room}/{target}", with the room')
            continue
        else:
            continue
        if ROOMS.index(other) > ROOMS.index(room):
            problems.append(f"{path}:{number}: room {room} may not include {target}, of the later room {other}")
        elif other in OFFLINE and room not in USERS_OF_OFFLINE:
            problems.append(f"{path}:{number}: room {room} may not include {target}: {other} is offline only")


def check_viewer(path, problems):
    """app/viewer uses any room, and itself; the commands of app/cli use app/viewer, not the other way round."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = include.match(line)
        if not match or match.group(1) == "<":
            continue
        target = match.group(2)
        if not target.startswith("app/viewer/") and target.split("/")[0] not in ROOMS:
            problems.append(f"{path}:{number}: app/viewer may include rooms and app/viewer, not {target}")
        elif not (root / target).exists() and not (root / "src" / target).exists():
            problems.append(f"{path}:{number}: there is no {target}")


problems = []
checked = 0
for folder in sorted((root / "src").iterdir()):
    if folder.name not in ROOMS:
        problems.append(f"src/{folder.name} is not a room of the design")
        continue
    for path in sorted(folder.glob("*.[ch]")):
        check(path, folder.name, problems)
        checked += 1
for path in sorted((root / "app" / "viewer").glob("*.[ch]")):
    check_viewer(path, problems)
    checked += 1
print("\n".join(problems) or f"{checked} files include only what their rooms may use")
sys.exit(1 if problems or checked == 0 else 0)
