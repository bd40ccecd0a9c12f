#!/usr/bin/env python3
"""The program as a user meets it: help, status codes, messages, whole pipelines. Usage: test_cli.py PROGRAM"""

import json
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import time
import unittest
import zlib

sys.dont_write_bytecode = True
import scene_case  # noqa: E402
from scene_case import LIGHT, Case, run  # noqa: E402

DATA = os.environ.get("TACTUS_TEST_DATA", "")

CORNERS = ("0 0 0", "1 0 0", "1 1 0", "0 1 0", "0 0 1", "1 0 1", "1 1 1", "0 1 1")
FACES = ("0 2 1", "0 3 2", "4 5 6", "4 6 7", "0 1 5", "0 5 4", "1 2 6", "1 6 5", "2 3 7", "2 7 6", "3 0 4", "3 4 7")
CUBE_OFF = "\n".join(["OFF", "8 12 0", *CORNERS, *(f"3 {face}" for face in FACES), ""])
OPEN_CUBE = CUBE_OFF.replace("8 12 0", "8 11 0").replace("3 3 4 7\n", "")


class CubeCase(Case):
    def setUp(self):
        super().setUp()
        self.cube = self.write("cube.off", CUBE_OFF)


class Help(Case):
    def test_every_subcommand_explains_itself(self):
        self.assertIn("mesh", self.ok("--help"))
        for command in ("mesh", "info", "solve", "bench"):
            text = self.ok(command, "--help")
            self.assertIn(f"usage: tactus {command}", text)
            self.assertTrue(all(len(line) <= 120 for line in text.splitlines()))

    def test_help_names_every_option(self):
        text = self.ok("mesh", "--help")
        for option in (
            "-o --shape --size --scale --check --repair --remesh --simplify --tets --bricks --fill --field --expansion --soup --offset --format "
            "--picture --threads --quiet"
        ).split():
            self.assertIn(f"  {option}", text)

    def test_threads_are_set_by_option_or_environment(self):
        for command in ("mesh", "bake", "run", "view", "replay", "bench", "new", "check"):
            self.assertIn("  --threads N", self.ok(command, "--help"))
        for value in ("0", "257", "two"):
            sphere = ("mesh", "--shape", "sphere", "-o", self.path("s.obj"))
            self.refused(2, *sphere, "--threads", value, says=f"--threads takes a whole number from 1 to 256, not '{value}'")
            self.refused(2, *sphere, variables={"TACTUS_THREADS": value},
                         says=f"TACTUS_THREADS is '{value}'; set it to a whole number of threads from 1 to 256")

    def test_version(self):
        self.assertRegex(self.ok("--version"), r"^tactus \d+\.\d+\.\d+\n.*kernels of [248],.*\n.*(BLAS|BLIS).*\n$")

    def test_kernels_can_be_those_of_an_older_processor(self):
        for lanes in ("2", "4", "8"):
            output = self.ok("--version", variables={"TACTUS_LANES": lanes})
            self.assertLessEqual(int(re.search(r"kernels of (\d)", output)[1]), int(lanes))

    def test_no_arguments_are_a_usage_error(self):
        self.refused(2)

    def test_gallery_is_listed(self):
        text = self.ok("mesh", "--shape", "list")
        for name in ("sphere", "kidney", "liver"):
            self.assertRegex(text, rf"(?m)^{name} +[0-9.]+ mm  \S")

    def test_formats_are_listed(self):
        text = self.ok("mesh", "--format", "list")
        self.assertRegex(text, r"(?m)^obj +surfaces$")
        self.assertRegex(text, r"(?m)^veg +volumes$")


class WrongUsage(Case):
    def test_unknown_words_get_the_nearest_valid_one(self):
        self.refused(2, "mehs", says="did you mean mesh?")
        self.refused(2, "--versoin", says="did you mean --version?")
        line = self.refused(2, "mesh", "--tet", "1", says="unknown option --tet; did you mean --tets?")
        self.assertTrue(line.startswith("tactus mesh: "))
        self.refused(2, "mesh", "--shape", "kidny", "--check", says="did you mean kidney?")
        self.refused(2, "mesh", "x.obj", "-o", "y.stl", "--format", "stl-asci", says="did you mean stl-ascii?")
        self.refused(2, "bench", "mehs", says="did you mean mesh?")

    def test_values_are_checked(self):
        self.refused(2, "mesh", "x.obj", "--tets", "small", says=["--tets", "'small'", "auto"])
        self.refused(2, "mesh", "x.obj", "--tets", "-1", says="'-1'")
        self.refused(2, "mesh", "x.obj", "--tets=nan", says="'nan'")
        self.refused(2, "mesh", "x.obj", "--field", "2.5", says="whole number")
        self.refused(2, "mesh", "x.obj", "--field", "0", says="from 1")
        self.refused(2, "mesh", "x.obj", "--fill", "half", says="centre|cover|shell")
        self.refused(2, "mesh", "x.obj", "-o", says="-o needs a value")
        self.refused(2, "mesh", "x.obj", "--check=1", says="takes no value")

    def test_combinations_are_checked(self):
        self.refused(2, "mesh", says="no mesh given")
        self.refused(2, "mesh", "x.obj", says="-o OUT")
        self.refused(2, "mesh", "x.obj", "y.obj", "--check", says="one mesh")
        self.refused(2, "mesh", "x.obj", "--shape", "sphere", "--check", says="not both")
        self.refused(2, "mesh", "x.obj", "--tets", "1", "--field", "8", "--check", says="choose one")
        self.refused(2, "mesh", "x.obj", "--field", "8", "-o", "y.obj", says=".field")
        self.refused(2, "mesh", "x.obj", "-o", "y.field", says="--field")
        self.refused(2, "mesh", "x.obj", "-o", "y.xyz", says="y.xyz")
        self.refused(2, "mesh", "x.obj", "--bricks", "4", "-o", "y.node", says="only tetrahedra")
        for option in (["--fill", "shell"], ["--soup"], ["--offset", "1"], ["--size", "1"], ["--expansion", "2"]):
            self.refused(2, "mesh", "x.obj", "--check", *option, says=f"{option[0]} needs")
        self.refused(2, "info", says="no file given")

    def test_dashes_end_the_options(self):
        self.refused(1, "mesh", "--check", "--", "--missing.obj", says="--missing.obj")


class BadInput(Case):
    def test_missing_file(self):
        self.refused(1, "mesh", self.path("none.obj"), "--check", says=["none.obj", "No such file"])
        self.refused(1, "info", self.path("none.obj"), says=["none.obj", "No such file"])

    def test_directory(self):
        self.refused(1, "mesh", self.folder, "--check", says=["directory"])
        self.refused(1, "info", self.folder, says=["directory"])

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_unreadable(self):
        path = self.write("secret.off", CUBE_OFF)
        os.chmod(path, 0)
        self.refused(1, "mesh", path, "--check", says="denied")

    def test_empty(self):
        for name in ("a.obj", "a.stl", "a.ply", "a.msh", "a.vtk", "a.vtu", "a.veg", "a"):
            self.refused(1, "mesh", self.write(name, ""), "--check", says=name)

    def test_unknown_format(self):
        self.refused(1, "mesh", self.write("a.xyz", "hello, world\n" * 10), "--check", says="a.xyz")
        self.refused(1, "mesh", self.write("b.bin", bytes(range(256)) * 4), "--check", says="b.bin")

    def test_truncated(self):
        out = self.path("out.obj")
        for cut in (20, 60, 100):
            self.refused(1, "mesh", self.write("cut.off", CUBE_OFF[:cut]), "-o", out, says="cut.off")
            self.assertFalse(os.path.exists(out))

    def test_every_format_truncated_in_the_middle(self):
        self.ok("mesh", self.write("cube.off", CUBE_OFF), "--tets", "0.5", "-o", self.path("cube.vtu"))
        for name in ("c.stl", "c.ply", "c.off", "c.msh", "c.vtk", "c.vtu", "c.veg", "c.ele"):
            source = "cube.off" if name in ("c.stl", "c.ply", "c.off") else "cube.vtu"
            self.ok("mesh", self.path(source), "-o", self.path(name))
            content = self.bytes(name)
            self.refused(1, "mesh", self.write(name, content[: len(content) // 2]), "--check", says="c.")

    def test_not_a_number(self):
        self.refused(1, "mesh", self.write("nan.off", CUBE_OFF.replace("1 1 1", "1 nan 1")), "--check", says="nan.off")
        stl = bytes(80) + struct.pack("<I", 1) + struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, float("inf"), 0, 0)
        self.refused(1, "mesh", self.write("inf.stl", stl), "--check", says="inf.stl")

    def test_index_out_of_range(self):
        self.refused(1, "mesh", self.write("i.off", CUBE_OFF.replace("3 3 4 7", "3 3 4 8")), "--check", says="i.off")

    @unittest.skipIf(LIGHT, "sanitizers need the whole address space")
    def test_memory_is_bounded_by_the_file(self):
        """A file of a few bytes that claims two thousand million items is refused within 400 MB of address space."""
        huge = 2_000_000_000
        claims = {
            "h.off": f"OFF\n{huge} {huge} 0\n0 0 0\n",
            "h.stl": bytes(80) + struct.pack("<I", huge) + bytes(50),
            "h.ply": f"ply\nformat ascii 1.0\nelement vertex {huge}\nproperty float x\nproperty float y\n"
            f"property float z\nelement face {huge}\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n",
            "b.ply": f"ply\nformat binary_little_endian 1.0\nelement vertex {huge}\nproperty float x\n"
            f"property float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\n"
            "end_header\nabc",
            "h2.msh": f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{huge}\n1 0 0 0\n",
            "h4.msh": f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 {huge} 1 {huge}\n3 1 0 {huge}\n1\n0 0 0\n",
            "h.vtk": f"# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {huge} float\n0 0 0\n",
            "h.vtu": f'<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="{huge}" '
            f'NumberOfCells="{huge}"></Piece></UnstructuredGrid></VTKFile>',
            "h.veg": f"*VERTICES\n{huge} 3 0 0\n1 0 0 0\n*ELEMENTS\nTET\n{huge} 4 0\n1 1 1 1 1\n",
            "h.node": f"{huge} 3 0 0\n1 0 0 0\n",
        }
        for name, content in claims.items():
            with self.subTest(name):
                path = self.write(name, content)
                self.write("h.ele", f"{huge} 4 0\n1 1 1 1 1\n")
                self.refused(1, "mesh", path, "--check", limits=[(resource.RLIMIT_AS, 400 << 20)], says=name)

    @unittest.skipUnless(os.path.isdir(os.path.join(DATA, "mesh")), "no outside meshes")
    def test_outside_files_read_or_are_refused(self):
        folder = os.path.join(DATA, "mesh")
        for name in sorted(os.listdir(folder)):
            with self.subTest(name):
                path = os.path.join(folder, name)
                if name.startswith("malformed") or name.endswith(".bou"):
                    self.refused(1, "info", path, says=name)
                else:
                    self.assertIn(name, self.ok("info", path))


class BadOutput(CubeCase):
    def test_output_is_a_directory(self):
        os.mkdir(self.path("out.obj"))
        self.refused(1, "mesh", self.cube, "-o", self.path("out.obj"), says="out.obj")

    def test_full_device(self):
        self.refused(1, "mesh", self.cube, "-o", "/dev/full", "--format", "obj", says=["/dev/full", "No space left"])
        with open("/dev/full", "w") as full:
            self.refused(1, "mesh", "--shape", "list", stdout=full, says="No space left")

    def test_no_part_of_a_file_is_left_on_a_full_disk(self):
        limits = [(resource.RLIMIT_FSIZE, 2048)]
        for name in ("s.obj", "s.stl", "s.ply", "s.off"):
            self.refused(1, "mesh", "--shape", "sphere", "-o", self.path(name), limits=limits, says=name)
            self.only_files("cube.off")
        for name in ("v.msh", "v.vtk", "v.vtu", "v.veg", "v.node"):
            self.refused(1, "mesh", self.cube, "--tets", 0.2, "-o", self.path(name), limits=limits, says="v.")
            self.only_files("cube.off")
        self.refused(1, "mesh", self.cube, "--field", 24, "-o", self.path("f.field"), limits=limits, says="f.field")
        self.refused(1, "mesh", self.cube, "--picture", self.path("p.png"), "--width", 240, limits=limits, says="p.png")
        self.only_files("cube.off")

    def test_the_old_file_survives_a_failed_write(self):
        old = self.write("old.obj", "v 0 0 0\n")
        self.refused(1, "mesh", "--shape", "sphere", "-o", old, limits=[(resource.RLIMIT_FSIZE, 512)], says="old.obj")
        self.assertEqual(self.read("old.obj"), "v 0 0 0\n")

    def test_nothing_is_written_where_the_check_fails(self):
        self.refused(1, "mesh", self.write("open.off", OPEN_CUBE), "--check", "-o", self.path("out.obj"), says=["not fit", "3 boundary edges"])
        self.assertFalse(os.path.exists(self.path("out.obj")))

    def test_an_inside_out_cube_is_not_fit_until_it_is_repaired(self):
        cube = self.write("inside.off", re.sub(r"(?m)^3 (\d) (\d) (\d)$", r"3 \1 \3 \2", CUBE_OFF))
        self.refused(1, "mesh", cube, "--check", says=["1 inside-out part", "--repair"])
        self.assertRegex(self.ok("mesh", cube, "--repair", "--check"), r"inside-out parts +none")

    def test_overlapping_cubes_are_remeshed_simplified_and_scaled(self):
        moved = [" ".join(str(float(x) + 0.4) for x in corner.split()) for corner in CORNERS]
        faces = ["3 " + " ".join(str(int(v) + at) for v in face.split()) for at in (0, 8) for face in FACES]
        two = self.write("two.off", "\n".join(["OFF", "16 24 0", *CORNERS, *moved, *faces, ""]))
        self.refused(1, "mesh", two, "--check", says=["self-intersections", "--remesh"])
        one = self.path("one.off")
        report = self.ok("mesh", two, "--scale", 0.001, "--remesh", 0.0002, "--simplify", 300, "--check", "-o", one)
        for line in (r"triangles +300\n", r"components +1\n", r"self-intersections +none"):
            self.assertRegex(report, line)
        volume = float(re.search(r"volume +([\d.]+) mm³", report)[1])
        self.assertAlmostEqual(volume, 2 - 0.6**3, delta=0.1)
        self.refused(2, "mesh", "--shape", "sphere", "--scale", 2, "--check", says="--scale needs")
        self.refused(1, "mesh", one, "--simplify", 4000, "--check", says=["--simplify", "4 to 299"])
        self.refused(1, "mesh", self.write("open.off", OPEN_CUBE), "--remesh", 0.1, "--check", says=["not closed", "--repair"])

    def test_a_surface_does_not_go_into_a_volume_format(self):
        self.refused(1, "mesh", self.cube, "-o", self.path("cube.veg"), says=["only volumes", "--tets"])

    def test_a_closed_pipe_is_no_failure(self):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "w") as gone:
            result = run("mesh", self.cube, "--check", "-o", self.path("out.obj"), stdout=gone)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(os.path.exists(self.path("out.obj")))


class Pipelines(CubeCase):
    def test_shape_to_every_surface_format_and_back(self):
        for name in ("s.obj", "s.stl", "s.ply", "s.off", "s.msh", "s.vtk", "s.vtu"):
            text = self.ok("mesh", "--shape", "sphere", "-o", self.path(name))
            self.assertIn(f"wrote {self.path(name)}", text)
            report = self.ok("mesh", self.path(name), "--check")
            self.assertRegex(report, r"closed +yes")
            self.assertRegex(report, r"fit for simulation +yes")

    def test_tets(self):
        text = self.ok("mesh", self.cube, "--tets", "0.2", "--check", "-o", self.path("cube.vtu"))
        self.assertRegex(text, r"stuffed: [0-9,]+ tetrahedra")
        self.assertRegex(text, r"fit for simulation +yes")
        for name in ("c.msh", "c.vtk", "c.veg", "c.node", "c.vtu"):
            self.ok("mesh", self.path("cube.vtu"), "-o", self.path(name))
            self.assertRegex(self.ok("info", self.path(name)), r"inverted elements +none")

    def test_bricks_fill_the_cube_exactly(self):
        text = self.ok("mesh", self.cube, "--bricks", "10", "--check", "-o", self.path("c.veg"))
        self.assertIn("1,000 bricks", text)
        self.assertRegex(text, r"(?m)^  volume +1 m³$")
        shell = self.ok("mesh", self.cube, "--bricks=10", "--fill=shell", "--check")
        self.assertRegex(shell, r"voxelised: [0-9,]+ bricks")

    def test_a_volume_gives_its_boundary_to_surface_formats(self):
        self.ok("mesh", self.cube, "--bricks", "3", "-o", self.path("c.vtk"))
        text = self.ok("mesh", self.path("c.vtk"), "-o", self.path("c.stl"))
        self.assertIn("using the boundary: 108 triangles", text)
        self.assertRegex(self.ok("mesh", self.path("c.stl"), "--check"), r"(?m)^  volume +1 m³$")

    def test_field_is_read_as_its_surface(self):
        self.ok("mesh", self.cube, "--field", "32", "-o", self.path("c.field"))
        text = self.ok("mesh", self.path("c.field"), "--bricks", "20", "-o", self.path("c.vtu"), "--check")
        self.assertRegex(text, r"fit for simulation +yes")
        volume = float(text.split("volume ")[1].split()[0])  # of the bricks over that of the surface
        self.assertAlmostEqual(volume, 1.0, delta=0.02)

    def test_sizes_that_lose_the_volume_give_a_warning(self):
        result = run("mesh", "--shape", "kidney", "--bricks", "1", "-o", self.path("k.vtu"))
        self.assertIn("warning: kidney: the volume is", result.stderr)
        self.assertEqual(run("mesh", self.cube, "--bricks", "4", "-o", self.path("c.vtu")).stderr, "")

    @unittest.skipIf(LIGHT, "sanitizers need more address space than the limit")
    def test_sizes_beyond_memory_are_refused_before_the_work(self):
        limits = [(resource.RLIMIT_AS, 1 << 30)]
        for option, value in (("--tets", "0.0002"), ("--bricks", "1024"), ("--field", "1024")):
            out = self.path("k.field" if option == "--field" else "k.vtu")
            says = ["kidney: " + option, "would need", "GB of memory"]
            self.refused(1, "mesh", "--shape", "kidney", option, value, "-o", out, says=says, limits=limits)
        self.only_files("cube.off")

    def test_a_missing_folder_is_noticed_before_the_work(self):
        for option, name in (("-o", "none/k.obj"), ("--picture", "none/k.png")):
            result = run("mesh", "--shape", "kidney", option, self.path(name))
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn("cannot write to the folder", result.stderr)

    def test_repair_closes_a_cube(self):
        faces = CUBE_OFF.replace("8 12 0", "8 10 0").replace("3 4 5 6\n3 4 6 7\n", "").replace("3 1 2 6", "3 1 6 2")
        path = self.write("broken.off", faces)
        self.refused(1, "mesh", path, "--field", "8", "-o", self.path("f.field"), says=["--repair", "--soup"])
        text = self.ok("mesh", path, "--repair", "--check", "-o", self.path("mended.obj"))
        self.assertIn("1 hole filled", text)
        self.assertRegex(text, r"(?m)^  volume +1 m³$")

    def test_field_of_the_cube(self):
        text = self.ok("mesh", self.cube, "--field", "32", "-o", self.path("c.field"), "--threads", "1")
        self.assertIn("distance field: 32³ voxels of 46.88 mm", text)
        info = self.ok("info", self.path("c.field"))
        self.assertIn("distance field", info)
        self.assertRegex(info, r"voxels +32 × 32 × 32")
        self.assertRegex(info, r"deepest inside +-500 mm")
        self.assertRegex(info, r"on the box at least +216.9 mm")  # 250 mm less 0.71 voxels
        content = bytearray(self.bytes("c.field"))
        content[len(content) // 2] ^= 1
        self.refused(1, "info", self.write("bad.field", bytes(content)), says="bad.field")
        self.refused(1, "info", self.write("cut.field", bytes(content[:-9])), says="cut.field")

    def test_soup(self):
        """Two crossing plates enclose nothing; as a soup they become solids and fields."""
        soup = self.write("soup.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 -.5\nv .5 .5 .5\nv .5 0 0\nf 1 2 3 4\nf 5 6 7\n")
        self.refused(1, "mesh", soup, "--tets", ".2", "-o", self.path("s.vtu"), says=["--soup"])
        self.ok("mesh", soup, "--soup", "--offset", ".1", "--tets", ".05", "--check", "-o", self.path("s.vtu"))
        self.ok("mesh", soup, "--soup", "--offset", ".1", "--field", "32", "-o", self.path("s.field"))
        self.ok("mesh", soup, "--soup", "--bricks", "20", "--check", "-o", self.path("s.veg"))
        self.ok("mesh", soup, "--soup", "--bricks", "20", "--fill", "shell", "-o", self.path("t.veg"))

    def test_automatic_sizes_keep_the_volume(self):
        for option in ("--tets", "--bricks"):
            text = self.ok("mesh", "--shape", "sphere", option, "auto", "-o", self.path("a.vtu"))
            share = float(text.split("volume ")[1].split()[0])
            self.assertLessEqual(abs(share - 1), 0.02)

    def test_quiet_prints_nothing(self):
        result = run("mesh", "--shape", "sphere", "-o", self.path("s.obj"), "--quiet")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_the_same_command_gives_the_same_bytes(self):
        contents = []
        for threads in (1, 3, 16):
            self.ok("mesh", "--shape", "kidney", "--tets", "0.01", "-o", self.path("k.vtu"), "--threads", threads)
            contents.append(self.bytes("k.vtu"))
        self.assertEqual(len(set(contents)), 1)

    def test_interruption_leaves_nothing(self):
        process = self.start("mesh", self.cube, "--field", "1000", "-o", self.path("c.field"), stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        process.stdout.readline()  # "read cube.off ...": now it is at work
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=600)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("interrupted", errors)
        self.only_files("cube.off")


class Pictures(CubeCase):
    def decode(self, path):
        """Width, height and rows of a PNG of 8-bit RGB, every checksum checked."""
        content = self.bytes(path)
        self.assertEqual(content[:8], b"\x89PNG\r\n\x1a\n")
        at, packed, width, height = 8, b"", 0, 0
        while at < len(content):
            size, kind = struct.unpack(">I4s", content[at : at + 8])
            data = content[at + 8 : at + 8 + size]
            (crc,) = struct.unpack(">I", content[at + 8 + size : at + 12 + size])
            self.assertEqual(crc, zlib.crc32(kind + data))
            if kind == b"IHDR":
                width, height, depth, colour = struct.unpack(">IIBB", data[:10])
                self.assertEqual((depth, colour), (8, 2))
            if kind == b"IDAT":
                packed += data
            at += 12 + size
        plain = zlib.decompress(packed)
        self.assertEqual(len(plain), height * (3 * width + 1))
        rows, above = [], bytes(3 * width)
        for y in range(height):
            filtered = plain[y * (3 * width + 1) : (y + 1) * (3 * width + 1)]
            row = bytearray(filtered[1:])
            for i in range(3 * width):
                left, up = row[i - 3] if i >= 3 else 0, above[i]
                corner = above[i - 3] if i >= 3 else 0
                near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))
                row[i] = (row[i] + (0, left, up, (left + up) // 2, near[2])[filtered[0]]) & 255
            rows.append(bytes(row))
            above = row
        return width, height, rows

    def test_a_sphere_is_round_and_in_the_middle(self):
        picture = self.path("s.png")
        self.ok("mesh", "--shape", "sphere", "--picture", picture, "--width", "240", "--height", "200")
        width, height, rows = self.decode(picture)
        self.assertEqual((width, height), (240, 200))

        def blue(x, y):
            r, _, b = rows[y][3 * x : 3 * x + 3]
            return b - r > 25

        xs = [x for y in range(height) for x in range(width) if blue(x, y)]
        ys = [y for y in range(height) for x in range(width) if blue(x, y)]
        wide, tall = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        self.assertAlmostEqual(wide / tall, 1, delta=0.05)
        self.assertAlmostEqual((max(xs) + min(xs)) / 2, width / 2, delta=3)
        self.assertAlmostEqual(len(xs) / (wide * tall), 3.14159 / 4, delta=0.03)

    def test_a_cut_volume_shows_another_colour(self):
        for cut in ([], ["--cut"]):
            self.ok("mesh", self.cube, "--bricks", "4", "--picture", self.path("c.png"), "--width", "200", *cut)
            _, _, rows = self.decode(self.path("c.png"))
            orange = sum(row[i] - row[i + 2] > 60 for row in rows for i in range(0, len(row), 3))
            self.assertEqual(orange > 1000, bool(cut))

    def test_a_field_is_blue_inside_and_orange_outside(self):
        self.ok("mesh", self.cube, "--field", "16", "--picture", self.path("f.png"), "--width", "200", "--height", "200")
        _, _, rows = self.decode(self.path("f.png"))
        inside, outside = rows[103][3 * 97 : 3 * 97 + 3], rows[97][3 * 6 : 3 * 6 + 3]
        self.assertGreater(inside[2], inside[0])
        self.assertGreater(outside[0], outside[2])

    def test_usage(self):
        self.refused(2, "mesh", "x.obj", "--picture", "x.jpg", says=".png")
        self.refused(2, "mesh", "--shape", "all", says="--picture")
        self.refused(2, "mesh", "x.obj", "--check", "--cut", says="--cut needs --picture")


@unittest.skipUnless(LIGHT, "needs a sanitizer build")
class Leaks(CubeCase):
    def test_success_and_failure_free_everything(self):
        # Each scan takes seconds: few commands that do much.
        self.ok("mesh", self.cube, "--repair", "--tets", "0.3", "--check", "-o", self.path("c.vtu"), "--picture",
                self.path("c.png"), "--cut", "--width", "120", leaks=True)
        self.ok("mesh", self.cube, "--field", "8", "-o", self.path("c.field"), "--picture", self.path("f.png"), leaks=True)
        self.refused(1, "mesh", self.cube, "--tets", "0.3", "-o", self.path("no/c.vtu"), leaks=True, says="c.vtu")
        self.refused(1, "mesh", self.write("cut.off", CUBE_OFF[:60]), "--check", leaks=True, says="cut.off")


# Two contacts, one of which slides: W = [A B; B A] in sparse blocks.
CONTACTS = """3 2 1 6 6 4 2 2 3 6 3 6 3 4 0 2 4 0 1 0 1
0 2 0.5 0 0.5 3 0 0 0 4
1 1 0 0 0 1 0 0 0 0.25
2 1 0 0 0 1 0 0 0 0.25
3 2 0.5 0 0.5 3 0 0 0 4
-1 5 0.25 -2 0.1 0
0.5 0.25
"""


class Solve(Case):
    def test_table_and_json_agree(self):
        path = self.write("two.dat", CONTACTS)
        table = self.ok("solve", path, "--forces")
        self.assertRegex(table, r"(?m)^ *contacts +open +stick +slide .*file\n +2 ")
        self.assertEqual(len(table.splitlines()), 5)
        output = json.loads(self.ok("solve", path, "--forces", "--json"))
        self.assertTrue(output["solved"])
        self.assertEqual(output["open"] + output["stick"] + output["slide"], 2)
        self.assertLess(output["error"], 1e-9)
        self.assertLessEqual(output["residual_m"], output["tolerance_m"])
        self.assertLessEqual(output["residual_N"], output["tolerance_N"])
        for f, u, mu in zip(output["force"], output["motion"], (0.5, 0.25)):  # the laws, by hand
            self.assertGreaterEqual(f[0], 0)
            self.assertGreater(u[0], -1e-9)
            self.assertLess(abs(f[0] * u[0]), 1e-9)
            self.assertLess((f[1] ** 2 + f[2] ** 2) ** 0.5, mu * f[0] + 1e-9)

    def test_formats_convert_to_each_other(self):
        path = self.write("two.dat", CONTACTS)
        for name in ("dense.dat", "blocks.dat"):
            self.ok("solve", path, "--out", self.path(name), *(["--dense"] if name == "dense.dat" else []))
        forces = [json.loads(self.ok("solve", self.path(name), "--forces", "--json"))["force"]
                  for name in ("two.dat", "dense.dat", "blocks.dat")]
        self.assertEqual(forces[0], forces[1])
        self.assertEqual(forces[0], forces[2])
        result = run("solve", path, "--out", self.path("two.hdf5"))
        if "without HDF5" in result.stderr:
            return
        self.assertEqual(result.returncode, 0, result.stderr)
        again = json.loads(self.ok("solve", self.path("two.hdf5"), "--forces", "--json"))
        self.assertEqual(again["force"], forces[0])
        self.assertLess(again["stored_error"], 1e-9)
        self.ok("solve", self.path("two.hdf5"), "--out", self.path("back.dat"))
        self.assertEqual(self.read("back.dat"), self.read("blocks.dat"))
        content = self.bytes("two.hdf5")
        self.refused(1, "solve", self.write("cut.hdf5", content[: len(content) // 2]), says="cut.hdf5: not an HDF5 file")

    def test_unsolved_problems_are_reported(self):
        path = self.write("two.dat", CONTACTS.replace("-1 5", "-1 5000"))
        result = run("solve", path, "--method", "gauss-seidel", "--sweeps", "1")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"not solved within \S+ m and \S+ N")
        wedge = self.write("wedge.dat", "3 1 0 3 3 3 3  0 0 0 0 0 0 0 0 0  -1 0 0  0.5")  # nothing can push it back
        self.assertEqual(run("solve", wedge).returncode, 1)
        self.assertFalse(json.loads(run("solve", wedge, "--json").stdout)["solved"])

    def test_one_bad_file_does_not_stop_the_others(self):
        path = self.write("two.dat", CONTACTS)
        result = run("solve", self.path("none.dat"), path)
        self.assertEqual(result.returncode, 1)
        self.assertIn("none.dat", result.stderr)
        self.assertIn("two.dat", result.stdout)

    def test_bad_input(self):
        self.refused(1, "solve", self.folder, says="directory")
        self.refused(1, "solve", self.write("e.dat", ""), says=["e.dat:1", "dimension"])
        self.refused(1, "solve", self.write("cut.dat", CONTACTS[:100]), says="cut.dat:")
        self.refused(1, "solve", self.write("nan.dat", CONTACTS.replace("2 0.5", "2 nan", 1)), says=["nan.dat:2", "nan"])
        self.refused(1, "solve", self.write("two.dat", CONTACTS), "--out", self.path("no/x.dat"), says="x.dat")

    def test_usage(self):
        self.refused(2, "solve", says="no file given")
        self.refused(2, "solve", "a.dat", "b.dat", "--out", "c.dat", says="one problem")
        self.refused(2, "solve", "a.dat", "--out", "c.txt", says=[".dat", ".hdf5", "c.txt"])
        self.refused(2, "solve", "a.dat", "--dense", says="--dense")
        self.refused(2, "solve", "a.dat", "--sides", "5", says="pyramid")
        self.refused(2, "solve", "a.dat", "--method", "simplex", says="gauss-seidel")
        self.refused(2, "solve", "a.dat", "--tolerance", "0", says="'0'")

    @unittest.skipIf(LIGHT, "bakes")
    def test_bench_of_kinds(self):
        lines = [json.loads(line) for line in self.ok("bench", "kinds", "--quick", "--json").splitlines()]
        cases = {line["case"].split(":")[0] for line in lines}
        self.assertEqual(cases, {"dent", "ball", "bend"})
        values = {(line["case"].split(":")[0], line["metric"]): line["value"] for line in lines}
        for case in cases:
            self.assertGreater(values[case, "tick"], 0.0)
            # What is pressed farther pushes harder.
            self.assertGreater(values[case, "force, large"], 2.0 * values[case, "force, small"])

    def test_bench_takes_files(self):
        self.write("two.dat", CONTACTS)
        text = self.ok("bench", "solve", self.folder, "--quick", "--json")
        lines = [json.loads(line) for line in text.splitlines()]
        self.assertEqual({line["case"] for line in lines}, {"two.dat (2), 1e-04", "two.dat (2), 1e-12"})
        errors = [line["value"] for line in lines if line["metric"] == "error"]
        self.assertLessEqual(errors[0], 1e-4)
        self.assertLessEqual(errors[1], 1e-12)
        self.refused(1, "bench", "solve", self.path("none.dat"), says="none.dat")


class Bench(Case):
    def test_signals_stop_it(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            job = subprocess.Popen([scene_case.PROGRAM, "bench", "figures"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True, env=dict(os.environ, TMPDIR=self.folder))
            while not os.listdir(self.folder):  # for its temporary files: now it is at work
                self.assertIsNone(job.poll())
                time.sleep(0.01)
            time.sleep(0.2)
            job.send_signal(number)
            start = time.monotonic()
            text, errors = job.communicate(timeout=120)
            self.assertLess(time.monotonic() - start, 10.0)
            self.assertEqual((job.returncode, errors), (1, "tactus: interrupted; what is printed is complete\n"))
            self.assertTrue(text == "" or text.endswith("\n"), text)
            self.only_files()

    def test_list(self):
        self.assertRegex(self.ok("bench", "--list"), r"(?m)^mesh +\S")

    def test_json_lines(self):
        names = self.ok("bench", "--list")
        few = [] if "TACTUS_TEST_ALL" in os.environ else ["mesh", "view"] if LIGHT else ["mesh", "view", "solve", "surfaces"]
        text = self.ok("bench", *few, "--quick", "--json")
        lines = [json.loads(line) for line in text.splitlines()]
        self.assertGreater(len(lines), 4)
        for line in lines:
            self.assertLessEqual({"bench", "case", "metric", "value", "unit"}, set(line))
            self.assertLessEqual(
                set(line), {"bench", "case", "metric", "value", "unit", "p50", "p99", "p999", "max", "baseline", "paper"}
            )
            self.assertIn(line["bench"], names)
            self.assertIsInstance(line["value"], (int, float))
        self.assertTrue(any("baseline" in line for line in lines))
        dihedral = [line["value"] for line in lines if line["metric"] == "smallest dihedral"]
        self.assertGreater(dihedral[0], 8)

    def test_table(self):
        self.assertIn("binary STL", self.ok("bench", "mesh", "--quick"))


if __name__ == "__main__":
    scene_case.PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
