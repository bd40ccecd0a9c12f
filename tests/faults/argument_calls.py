#!/usr/bin/env python3
"""Writes a C file that calls every public function with NULL, with zeroed definitions and with objects in each state of their life.

Each call is a case of test_arguments (tests/faults/arguments.h), which runs it in a process that may crash:

- Each pointer argument is NULL in turn, and the others are valid. A function that returns tacStatus must refuse it with TAC_ERR_ARGUMENT and
  the text "FUNCTION: `PARAMETER` is NULL", and set the objects that it would make to NULL. Another function must return its neutral value.
- The pointers in ALLOWED, `error`, `progress` and `user` may be NULL. The comment of their function must say so.
- Every function is called with zeroed structs and empty texts, once for each state of the objects that it uses (OBJECTS). It may fail, with a text.
- What destroys or closes an object accepts NULL twice.

    argument_calls.py ROOT OUTPUT.c
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests" / "repository")]
import check_api  # noqa: E402
import generate  # noqa: E402

ALWAYS = {"error", "progress", "user"}
ALLOWED = {
    "tac_log_set": {"receiver"}, "tac_plugin_set": {"allow"}, "tac_device_load": {"options"}, "tac_device_drivers": {"files"},
    "tac_trajectory_at": {"velocity"}, "tac_device_pointer_open": {"own"}, "tac_distance_field_bake_soup": {"surface"},
    "tac_guard_def_default": {"info"}, "tac_guard_read": {"read"}, "tac_volmesh_surface": {"vertex_of", "element_of"},
    "tac_pointshell_with_basis": {"normal_changes"}, "tac_pointshell_bake": {"mesh"}, "tac_pointshell_deformed_point": {"q"},
    "tac_recorder_close": {"recorder", "lost"}, "tac_scene_bake": {"cache", "assets"}, "tac_servo_create": {"workspaces", "recorder"},
    "tac_world_tool_body": {"grasp"}, "tac_world_left_out": {"most"}, "tac_world_body_motion": {"pose", "velocity", "spin"},
    **{f"tac_world_add_{kind}": {"id"} for kind in ("green", "reduced", "hyperelastic", "rigid")},
    **{f"tac_world_add_{kind}_tool": {"tool"} for kind in ("point", "body", "pad")}, "tac_world_add_pair": {"pair"},
}
# States of the objects that functions use, as expressions of arguments.h. The first is the usual one.
OBJECTS = {
    "tacWorld": {"sealed": "valid.world", "unsealed": "valid.unsealed"},
    "tacScene": {"baked": "valid.scene", "not baked": "valid.parsed"},
    "tacServo": {"not started": "valid.servo", "stopped": "stopped_servo()"},
    "tacGuard": {"new": "valid.guard", "stopped": "stopped_guard()"},
    **{f"tac{name}": {"valid": value} for name, value in (
        ("Recorder", "new_recorder()"), ("Recording", "valid.recording"), ("Trajectory", "valid.trajectory"), ("TriMesh", "valid.surface"), ("VolMesh", "valid.volume"),
        ("DistanceField", "valid.field"), ("Pointshell", "valid.shell"), ("Green", "valid.green"), ("Reduced", "valid.reduced"))},
}
# What functions without a status return for NULL, as conditions on the result `r`; all others return 0, NULL or false.
NEUTRAL = {
    "tacPose": "r.orientation[0] == 1.0", "tacBox": "r.lower.x > r.upper.x", "tacServoReport": "r.fault_device == -1",
    "tacServoDef": "r.rate > 0.0", "tacParameter": "r.label[0] == 0", "tacGuardDef": "r.period > 0.0", "tacVec3": "r.x == 0.0",
    "tacBodyId": "r.generation == 0", "tacGuardReport": "r.ticks == 0", "tac_guard_read": "r == TAC_FAULT_DEVICE_LOST",
    "tac_world_find_parameter": "r == -1", "tac_world_body_error_estimate": "r == -1.0",
    **{name: "r[0] == 0" for name in ("tac_scene_about", "tac_scene_assets", "tac_servo_remark")},
}
CALLBACKS = {"tacSceneLineFn": "take_line", "tacFindingFn": "take_finding"}
COUNTS = re.compile(r"count$|^most$|^capacity$")


class Parameter:
    def __init__(self, text):
        self.type, self.name, self.array = re.match(r"(.*?[ *])(\w+)((?:\[\w+\])*)$", text).groups()
        self.type = self.type.strip()
        self.base = re.sub(r"\b(const|struct)\b|\*", "", self.type).strip()
        self.depth = self.type.count("*") + self.array.count("[")
        self.made = self.type.count("*") == 2 and "*const" not in self.type
        self.pointer = self.depth > 0 or self.base in CALLBACKS or self.base in ("tacLogFn", "tacPluginFn")

    def value(self, states, structs):
        """An argument that is valid, or zeroed."""
        if self.name in ALWAYS:
            return "&error" if self.name == "error" else "NULL"
        if self.made:
            return f"&{self.name}"
        if self.base in CALLBACKS:
            return CALLBACKS[self.base]
        if self.depth == 1 and self.base in OBJECTS:
            return OBJECTS[self.base][states.get(self.base, next(iter(OBJECTS[self.base])))]
        if self.type == "const char *":
            return '""'
        if self.pointer and self.depth > 0:
            if self.depth > 1:
                return "zeroed(4096)"
            size = "1" if self.base in ("void", "char") else f"sizeof({self.base})"
            return f"zeroed({'1' if 'const' in self.type and self.base in structs else '4096'} * {size})"
        if self.pointer:
            return "NULL"
        if self.base == "tacBodyId":
            return "tac_world_body(valid.world, 0)"
        if self.base == "size_t":
            return "256"
        if self.base in structs:
            return f"({self.base}){{0}}"
        return "1" if COUNTS.search(self.name) else "0"


class Writer:
    def __init__(self, structs):
        self.structs, self.bodies, self.rows = structs, [], []

    def case(self, title, result, name, parameters, states, null=None):
        """A call, with one parameter NULL."""
        lines = ["tacError error = {0};"] if result == "tacStatus" and null != "error" else []
        lines += [f"{p.type[:-1].strip()} {p.name} = poison;" for p in parameters if p.made and p.name != null]
        call = f"{name}({', '.join('NULL' if p.name == null else p.value(states, self.structs) for p in parameters)})"
        refuses = null is not None and null not in ALWAYS | ALLOWED.get(name, set())
        if result == "void":
            lines.append(f"{call};")
        elif result != "tacStatus":
            lines.append(f"{result} r = {call};")
            lines.append(f"require({NEUTRAL.get(name, NEUTRAL.get(result, 'r == 0'))});" if refuses else "(void)r;")
        else:
            lines.append(f"tacStatus status = {call};")
            text = f'"{name}: `{null}` is NULL"' if refuses else "NULL"
            lines.append(f"check_status(status, {'NULL' if null == 'error' else '&error'}, {text});")
            lines += [f"require(status == TAC_OK || {p.name} == NULL);" for p in parameters if p.made and p.name != null]
        self.add(title, lines)

    def add(self, title, lines):
        self.bodies.append(f"static void case_{len(self.rows)}(void) {{\n" + "".join(f"  {line}\n" for line in lines) + "}\n")
        self.rows.append(f'  {{"{title}", case_{len(self.rows)}}},\n')


def write(writer, result, name, parameters, comment):
    unsaid = ALLOWED.get(name, set()) - {p.name for p in parameters if p.pointer}
    assert not unsaid, f"{name} has no parameter {unsaid}"
    assert not ALLOWED.get(name) or "NULL" in comment, f"{name}: its comment does not say which arguments may be NULL"
    if re.search(r"_(destroy|close)$", name):
        nothing = f"{name}({', '.join(['NULL'] * len(parameters))});"
        writer.add(f"{name} with NULL, twice", [nothing, nothing])
    for p in parameters:
        if p.pointer and not (len(parameters) == 1 and re.search(r"_(destroy|close)$", name)):
            writer.case(f"{name} with `{p.name}` NULL", result, name, parameters, {}, p.name)
    used = [p.base for p in parameters if p.depth == 1 and p.base in OBJECTS]
    if re.search(r"_destroy$", name):
        return
    for state in OBJECTS[used[0]] if used else [""]:
        writer.case(f"{name} with zeroed arguments{f', {used[0]} {state}' if used else ''}", result, name, parameters,
                    {used[0]: state} if used else {})


def main():
    headers = generate.Headers(ROOT / "include" / "tactus")
    writer = Writer(headers.structs)
    count = 0
    for path in sorted((ROOT / "include" / "tactus").glob("*.h")):
        for result, name, texts in check_api.prototypes_of(path.read_text()):
            write(writer, result, name, [Parameter(text) for text in texts if text], headers.functions[name][1])
            count += 1
    assert count == len(headers.functions), f"{count} prototypes of {len(headers.functions)} functions"
    pathlib.Path(sys.argv[2]).write_text('#include "faults/arguments.h"\n\n' + "\n".join(writer.bodies) + "\nstatic const Case cases[] = {\n" +
                                         "".join(writer.rows) + "};\n\nint main(void) {\n  return run(sizeof cases / sizeof cases[0], cases);\n}\n")


if __name__ == "__main__":
    main()
