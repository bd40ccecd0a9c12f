"""What the package knows of the library is what the library is; what is not is told in words."""

import ctypes
import os
import pickle
import subprocess
import sys
import unittest

import numpy as np

import ball
import tactus
from tactus import abi
from tactus.library import Library, check_layouts, layouts_of, library
from tactus.struct import Struct, dtype_of


def structs():
    return [(name, s) for name, s in vars(abi).items() if isinstance(s, type) and issubclass(s, Struct) and s is not Struct]


class Other:
    """A library whose layouts are what we say."""

    def __init__(self, change):
        ours = layouts_of(library)
        self.entries = (abi.Layout * len(ours))(*[abi.Layout.from_buffer_copy(entry) for entry in ours])
        change(self.entries)

    def tac_layouts(self, count):
        count._obj.value = len(self.entries)
        return ctypes.addressof(self.entries)


def entry_of(entries, struct, field):
    return next(e for e in entries if e.type == struct and e.field == field)


class Abi(unittest.TestCase):
    def test_generated_files_match_the_headers(self):
        result = subprocess.run([sys.executable, os.path.join(ball.ROOT, "python", "generate.py"), "--check"],
                                stdout=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_struct_layouts_match_the_compiler(self):
        compiled = {(e.type, e.field): (e.size, e.offset) for e in layouts_of(library)}
        seen = set()
        for name, struct in structs():
            self.assertEqual(compiled["tac" + name, ""], (ctypes.sizeof(struct), 0), name)
            numpy_type = dtype_of(struct) if name != "Vec3" else None
            for field in struct.described:
                key = ("tac" + name, field.name.rstrip("_"))
                self.assertEqual(compiled[key], (field.size, field.offset), key)
                if numpy_type is not None:
                    self.assertEqual(numpy_type.fields[field.name][1], field.offset, key)
                    self.assertEqual(numpy_type.fields[field.name][0].itemsize, field.size, key)
                seen.add(key)
        self.assertEqual(seen, {key for key in compiled if key[1]})

    def test_every_function_is_in_the_library(self):
        self.assertGreater(len(abi.FUNCTIONS), 200)
        for name in abi.FUNCTIONS:
            getattr(library, name)
        with self.assertRaises(AttributeError):
            library.tac_no_such_thing

    def test_layout_mismatches_are_reported(self):
        def larger(entries):
            entry_of(entries, "tacToolInput", "").size += 8

        def moved(entries):
            entry_of(entries, "tacToolOutput", "depth").offset += 8

        def renamed(entries):
            entry_of(entries, "tacWorldDef", "budget").field = b"cost"

        def added(entries):
            entry_of(entries, "tacVec3", "").type = b"tacVec4"

        for change, said in ((larger, "tacToolInput has 80 bytes there, and 72 here"), (moved, "tacToolOutput.depth has 8 bytes from"),
                             (renamed, "it has no tacWorldDef.budget"), (added, "tacVec")):
            with self.assertRaisesRegex(ImportError, "x.so is of another version than this package.*" + said):
                check_layouts(Other(change), "x.so")
        check_layouts(Other(lambda entries: None), "x.so")

    def failure(self, path):
        result = subprocess.run([sys.executable, "-c", "import tactus"], stderr=subprocess.PIPE, text=True,
                                env=dict(os.environ, TACTUS_LIBRARY=path, PYTHONPATH=os.path.join(ball.ROOT, "python")))
        self.assertEqual(result.returncode, 1)
        return result.stderr

    def test_a_wrong_library_is_reported(self):
        self.assertIn("/no/such/libtactus.so: no such file; TACTUS_LIBRARY must name libtactus.so",
                      self.failure("/no/such/libtactus.so"))
        self.assertIn("has no tac_layouts: it is of another version than this package", self.failure("libc.so.6"))
        self.assertIn("cannot load this library", self.failure(__file__))

    def test_structs_convert_to_python_values(self):
        report = abi.ServoReport()
        self.assertEqual(report.remark, "")
        self.assertIs(report.fault, abi.Fault.NONE)
        self.assertEqual(report.force_max.shape, (16,))
        state = abi.DeviceState(position=(1, 2, 3), buttons=2)
        np.testing.assert_array_equal(state.position, [1, 2, 3])
        state.position[1] = 5  # a view
        self.assertEqual(state.as_dict()["position"][1], 5)
        self.assertIn("buttons=2", repr(state))
        definition = library.tac_voxelise_def_default()
        definition.rule = "cover"
        self.assertIs(definition.rule, abi.VoxelRule.COVER)
        with self.assertRaises(KeyError):
            definition.rule = "nonsense"

    def test_views_into_a_struct_keep_it(self):
        position = abi.DeviceState(position=(1, 2, 3)).position
        churn = [abi.DeviceState(position=(9, 9, 9)) for _ in range(100)]
        np.testing.assert_array_equal(position, [1, 2, 3])
        del churn

    def test_errors_travel_between_processes(self):
        error = pickle.loads(pickle.dumps(tactus.Error(tactus.Status.ERR_FILE, "x: no such file")))
        self.assertEqual((error.status, str(error)), (tactus.Status.ERR_FILE, "x: no such file"))

    def test_docstrings_contain_the_header_comments(self):
        said = tactus.World.step.__doc__
        for words in ("Makes one step: reads `inputs`", "Outputs are always finite", "tac_world_step"):
            self.assertIn(words, said)
        self.assertIn("grip", abi.ToolInput.__doc__)
        self.assertIn("neither slides nor separates", abi.ToolInput.__doc__)

    def test_everything_is_typed(self):
        self.assertTrue(os.path.exists(os.path.join(os.path.dirname(tactus.__file__), "py.typed")))
        untyped = []
        for name in tactus.__all__:
            thing = getattr(tactus, name)
            members = vars(thing).values() if isinstance(thing, type) else [thing]
            for member in members:
                function = getattr(member, "__func__", getattr(member, "fget", member))
                if callable(function) and str(getattr(function, "__module__", "")).startswith("tactus.") \
                        and hasattr(function, "__code__"):
                    wanted = set(function.__code__.co_varnames[:function.__code__.co_argcount]) - {"self", "cls", "_cls"}
                    if "return" not in function.__annotations__ and function.__name__ != "__init__" \
                            or wanted - set(function.__annotations__):
                        untyped.append(f"{name}.{function.__name__}")
        self.assertEqual(untyped, [])
        self.assertIsInstance(library, Library)
