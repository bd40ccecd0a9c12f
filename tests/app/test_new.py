#!/usr/bin/env python3
"""tactus new: a scene for a mesh that somebody brings, however ugly. Usage: test_new.py PROGRAM"""

import math
import os
import re
import shutil
import struct
import sys
import unittest

sys.dont_write_bytecode = True
import scene_case  # noqa: E402
from scene_case import LIGHT  # noqa: E402

ALL = "TACTUS_TEST_ALL" in os.environ  # the label `long`
FEW = ["--vertices", "150"]  # bakes in a second


def ellipsoid(a, b, c, rings=24, around=36, centre=(0, 0, 0)):
    """Vertices and triangles that face outward."""
    points = [(centre[0], centre[1], centre[2] + c)]
    for i in range(1, rings):
        t = math.pi * i / rings
        points += [(centre[0] + a * math.sin(t) * math.cos(2 * math.pi * k / around),
                    centre[1] + b * math.sin(t) * math.sin(2 * math.pi * k / around),
                    centre[2] + c * math.cos(t)) for k in range(around)]
    points.append((centre[0], centre[1], centre[2] - c))
    at = lambda i, k: 1 + (i - 1) * around + k % around
    triangles = [(0, at(1, k), at(1, k + 1)) for k in range(around)]
    for i in range(1, rings - 1):
        for k in range(around):
            triangles += [(at(i, k), at(i + 1, k), at(i + 1, k + 1)), (at(i, k), at(i + 1, k + 1), at(i, k + 1))]
    last = len(points) - 1
    triangles += [(last, at(rings - 1, k + 1), at(rings - 1, k)) for k in range(around)]
    return points, triangles


def box(a, b, c, n):
    """Its faces divided into n x n squares each; corners are repeated along edges."""
    points, triangles = [], []
    for axis in range(3):
        for side in (0, 1):
            first = len(points)
            for i in range(n + 1):
                for k in range(n + 1):
                    p = [0.0, 0.0, 0.0]
                    p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3] = side, i / n, k / n
                    points.append((p[0] * a, p[1] * b, p[2] * c))
            for i in range(n):
                for k in range(n):
                    q = [first + i * (n + 1) + k, first + (i + 1) * (n + 1) + k,
                         first + (i + 1) * (n + 1) + k + 1, first + i * (n + 1) + k + 1]
                    q = q if side else q[::-1]
                    triangles += [(q[0], q[1], q[2]), (q[0], q[2], q[3])]
    return points, triangles


def stl(mesh):
    """As scanners write it: each triangle with corners of its own, no normals."""
    points, triangles = mesh
    data = b"a scan".ljust(80) + struct.pack("<I", len(triangles))
    for triangle in triangles:
        data += struct.pack("<12fH", 0, 0, 0, *[x for corner in triangle for x in points[corner]], 0)
    return data


def obj(mesh):
    points, triangles = mesh
    return "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points) + "".join(
        f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)


def joined(one, other):
    count = len(one[0])
    return one[0] + other[0], one[1] + [tuple(i + count for i in t) for t in other[1]]


def even():
    """An icosahedron, divided twice, as an ellipsoid in millimetres."""
    g = (1 + 5 ** 0.5) / 2
    points = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g), (0, -1, -g), (0, 1, -g),
              (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    triangles = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2),
                 (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11),
                 (6, 2, 10), (8, 6, 7), (9, 8, 1)]
    for _ in range(2):
        middles, finer = {}, []

        def middle(i, k):
            key = (min(i, k), max(i, k))
            if key not in middles:
                points.append(tuple((p + q) / 2 for p, q in zip(points[i], points[k])))
                middles[key] = len(points) - 1
            return middles[key]

        for a, b, c in triangles:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        triangles = finer
    scaled = []
    for x, y, z in points:
        n = math.sqrt(x * x + y * y + z * z)
        scaled.append((100 + 40 * x / n, 35 * y / n, 30 * z / n))
    return scaled, triangles


class New(scene_case.Case):
    def setUp(self):
        super().setUp()
        self.environment["OPENBLAS_NUM_THREADS"] = "1"

    def write(self, name, content):
        super().write(name, content)
        return name

    def run_program(self, *arguments):
        return super().run_program(*arguments, leaks=True)

    def new(self, *arguments, status=0):
        """Without bake and viewer; what it said on both streams."""
        result = self.run_program("new", *arguments, "--no-bake")
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def measured(self, name):
        """Size of the box in mm, and the volume in cm3, of a surface that must be fit."""
        output = self.ok("mesh", name, "--check")
        size = re.search(r"box +([0-9.]+) × ([0-9.]+) × ([0-9.]+) mm", output)
        volume = re.search(r"volume +([0-9.]+) cm³", output)
        return [float(x) for x in size.groups()], float(volume.group(1))

    def pressed(self, name):
        """Bakes and runs the scene's hand; its largest force, N."""
        self.ok("run", name, "--fast", "--duration", "2.5", "--no-report", "--cache", "cache", "-o", "out", "--csv")
        with open(self.path("out/run.csv"), encoding="utf-8") as file:
            heading = file.readline().strip().split(",")
            columns = [heading.index(f"tool0.written.{axis} [N]") for axis in "xyz"]
            return max(math.hypot(*(float(row.split(",")[i]) for i in columns)) for row in file)

    # What is brought

    def test_a_scan_in_millimetres_is_pressed_at_once(self):
        self.write("left_kidney.stl", stl(ellipsoid(60, 40, 30, centre=(10, -250, 900))))
        output = self.new("a", "left_kidney.stl", *FEW)
        self.contains(output, "unit: guessed as mm, so the size is 120 × 80 × 60 mm", "material: kidney (15 kPa), guessed from the name",
                      "fixed at its bottom")
        self.assertNotIn("warning", output)  # what tactus check would tell
        size, volume = self.measured("a-surface.obj")
        for is_, should in zip(size, (120, 80, 60)):
            self.assertAlmostEqual(is_, should, delta=0.06 * should)
        self.assertAlmostEqual(volume, 4 / 3 * math.pi * 6 * 4 * 3, delta=0.06 * 301)
        self.contains(self.read("a.yaml"), "material: kidney", "kind: green")
        force = self.pressed("a.yaml")
        self.assertGreater(force, 0.05)
        self.assertLess(force, 8.5)

    def test_units_are_guessed_reported_and_overridden(self):
        for unit, length in (("mm", 60.0), ("m", 0.06), ("cm", 6.0), ("um", 6e4)):
            self.write("e.obj", obj(ellipsoid(length, 0.8 * length, 0.7 * length, 10, 16)))
            self.assertIn(f"unit: guessed as {unit}, so the size is 120 ×", self.new("e", "e.obj", "--force"))
        self.write("e.obj", obj(ellipsoid(60.0, 50.0, 45.0, 10, 16)))
        self.assertIn("unit: cm, so the size is 1.2 × 1 × 0.9 m", self.new("f", "e.obj", "--unit", "cm"))
        self.write("odd.obj", obj(ellipsoid(0.5, 0.4, 0.4, 10, 16)))
        output = self.new("odd", "odd.obj")
        self.assertIn("is not the size of an organ in mm, cm or m; scaled to 150 ×", output)
        output = self.new("odd", "odd.obj", "--size", "0.08", "--force")
        self.assertIn("size: 80 × 64 × 64 mm, from --size", output)

    def test_a_valid_mesh_is_unchanged(self):
        self.write("e.obj", obj(even()))
        before = self.read("e.obj")
        os.mkdir(self.path("it's"))
        shutil.copy(self.path("e.obj"), self.path("it's/e.obj"))
        self.new("quoted", "it's/e.obj")
        self.assertEqual(self.run_program("info", "quoted.yaml").returncode, 0)
        output = self.new("scene", "e.obj")
        self.assertNotIn("made", output)
        self.assertFalse(os.path.exists(self.path("scene-surface.obj")))
        self.assertEqual(self.read("e.obj"), before)
        self.contains(self.read("scene.yaml"), "surface: {file: 'e.obj', scale: 0.001}", "position: [-100 mm, 0, 0]")
        self.assertGreater(self.pressed("scene.yaml"), 0.05)

    def test_open_inverted_and_torn_meshes_are_repaired(self):
        points, triangles = ellipsoid(50, 40, 30)
        full = 4 / 3 * math.pi * 5 * 4 * 3
        ugly = {
            "open": (points, triangles[30:]),
            "inverted": (points, [t[::-1] for t in triangles]),
            "mixed": (points, [t[::-1] if i % 3 == 0 else t for i, t in enumerate(triangles)]),
            "repeated": (points, triangles + triangles[:50] + [(0, 0, 1)]),
        }
        for name, mesh in ugly.items():
            with self.subTest(name):
                self.write(name + ".obj", obj(mesh))
                output = self.new("mended-" + name, name + ".obj", *FEW)
                self.assertIn("repaired: ", output)
                self.assertAlmostEqual(self.measured(f"mended-{name}-surface.obj")[1], full, delta=0.08 * full)

    @unittest.skipIf(LIGHT, "takes minutes in a sanitizer build")
    def test_parts_that_overlap_are_joined_and_loose_ones_left_out(self):
        organ = ellipsoid(50, 40, 30)
        self.write("joined.stl", stl(joined(organ, ellipsoid(20, 15, 15, centre=(48, 0, 0)))))
        output = self.new("joined", "joined.stl", *FEW)
        self.assertNotIn("parts", output)
        self.assertGreater(self.measured("joined-surface.obj")[0][0], 112)
        self.write("speck.stl", stl(joined(organ, ellipsoid(8, 8, 8, 12, 16, centre=(90, 0, 0)))))
        output = self.new("speck", "speck.stl", *FEW)
        self.assertIn("the mesh has 2 parts; kept the largest", output)
        self.assertLess(self.measured("speck-surface.obj")[0][0], 104)

    @unittest.skipUnless(ALL, "takes long")
    def test_too_fine_a_mesh_is_made_coarser(self):
        self.write("fine.stl", stl(ellipsoid(60, 50, 40, 60 if LIGHT else 120, 80 if LIGHT else 160)))
        output = self.new("fine", "fine.stl")
        made = int(re.search(r"remeshed: ([0-9,]+) vertices instead", output).group(1).replace(",", ""))
        self.assertGreater(made, 300)
        self.assertLess(made, 1500)

    @unittest.skipUnless(ALL, "takes long")
    def test_a_torn_sheet_is_wrapped(self):
        points = [(x * 10.0, y * 10.0, 5 * math.sin(x)) for x in range(12) for y in range(10)]
        triangles = [t for x in range(11) for y in range(9) for i in [x * 10 + y]
                     for t in ((i, i + 10, i + 11), (i, i + 11, i + 1)) if (x, y) != (5, 5)]
        # three triangles along one edge: no filling of holes makes a solid of it
        points += [(50.0, 40.0, 60.0), (60.0, 40.0, 60.0)]
        triangles += [(54, 64, 120), (54, 64, 121)]
        self.write("sheet.obj", obj((points, triangles)))
        output = self.new("sheet", "sheet.obj", "--kind", "reduced")
        self.measured("sheet-surface.obj")
        self.assertRegex(output, "replaced by a surface|hole")

    @unittest.skipUnless(ALL, "takes long")
    def test_thin_and_hard_ones_are_of_other_kinds(self):
        self.write("plate.stl", stl(box(120.0, 90.0, 4.0, 20)))
        output = self.new("plate", "plate.stl", "--tissue", "fat", "--fixed", "left")
        self.assertIn("kind: reduced, because a tenth of the organ is thinner than", output)
        self.assertIn("below: {axis: x", self.read("plate.yaml"))
        self.assertNotIn("warning", output)
        x, y, z = re.search(r"near: \[([^]]*)\]", self.read("plate.yaml")).group(1).split(", ")
        self.assertTrue(float(x.split()[0]) > 20 and float(z.split()[0]) > 10, (x, y, z))  # its broad face, at the free end
        self.write("e.stl", stl(ellipsoid(50, 20, 20)))
        output = self.new("bone", "e.stl", *FEW)
        self.assertIn("kind: rigid, because bone is harder", output)
        self.assertGreater(self.pressed("bone.yaml"), 0.2)

    @unittest.skipIf(LIGHT, "takes minutes in a sanitizer build")
    def test_every_kind_is_baked_and_pressed(self):
        self.write("e.stl", stl(even()))
        for kind in ("reduced", "hyperelastic"):
            with self.subTest(kind):
                self.new(kind, "e.stl", "--tissue", "muscle", "--kind", kind)
                self.assertGreater(self.pressed(kind + ".yaml"), 0.01)

    @unittest.skipIf(LIGHT, "takes minutes in a sanitizer build")
    def test_every_side_holds_and_the_other_is_pressed(self):
        self.write("e.stl", stl(even()))
        for side, region, near in (("bottom", "below: {axis: z", 2), ("top", "above: {axis: z", 2),
                                   ("left", "below: {axis: x", 0), ("right", "above: {axis: x", 0),
                                   ("front", "below: {axis: y", 1), ("back", "above: {axis: y", 1)):
            self.new("s", "e.stl", "--fixed", side, "--force")
            text = self.read("s.yaml")
            self.assertIn(region, text)
            point = re.search(r"near: \[([^]]*)\]", text).group(1).split(", ")
            self.assertEqual(point[near].startswith("-"), region.startswith("above"), text)

    @unittest.skipIf(LIGHT, "takes minutes in a sanitizer build")
    def test_large_and_small_organs_fit_the_device(self):
        self.write("e.stl", stl(even()))
        self.assertNotIn("scale:", self.new("a", "e.stl"))
        output = self.new("b", "e.stl", "--size", "0.6")
        self.assertGreater(float(re.search(r"\n    scale: ([0-9.]+)", self.read("b.yaml")).group(1)), 1.0)
        self.assertIn("scale: the finger moves", output)
        self.new("c", "e.stl", "--size", "0.01")
        self.assertLess(float(re.search(r"\n    scale: ([0-9.]+)", self.read("c.yaml")).group(1)), 0.5)

    @unittest.skipIf(LIGHT, "takes minutes in a sanitizer build")
    def test_a_head_on_a_thin_neck_is_felt(self):
        """It bends far more easily than it dents, so the finger often pulls at its point while it is inside."""
        parts = [ellipsoid(*half, 12, 18, centre=centre) for half, centre in (
            ((30, 20, 12), (0, 0, 0)), ((5, 5, 8), (30, 0, 8)), ((14, 12, 10), (38, 0, 18)))]
        points, triangles = [], []
        for part in parts:
            triangles += [[len(points) + v for v in triangle] for triangle in part[1]]
            points += part[0]
        self.write("animal.stl", stl((points, triangles)))
        self.new("a", "animal.stl")
        run = self.ok("run", "a.yaml", "--fast", "--duration", "6", "--no-report", "--cache", "cache", "-o", "out")
        self.assertNotIn("true interpenetration", run)
        self.assertGreater(float(re.search(r"in contact +([0-9.]+) %", run).group(1)), 40.0)

    # The command

    def test_new_bakes_and_prints_next_steps(self):
        os.mkdir(self.path("there"))
        self.write("e.stl", stl(even()))
        output = self.ok("new", "there/spleen.yaml", "e.stl", "--no-open", "--cache", "cache")
        self.contains(output, "spleen: ", "next: tactus view there/spleen.yaml")
        self.assertTrue(os.listdir(self.path("cache")))
        self.assertEqual(sorted(os.listdir(self.path("there"))), ["spleen.yaml"])

    def test_shapes_of_the_gallery(self):
        shape, tissue = ("kidney", "kidney") if ALL else ("sphere", "liver")  # the first of 2 mm: it takes 5 s
        self.assertIn(f"material: {tissue} ", self.new("x", "--shape", shape))
        self.assertIn(f"surface: {{shape: {shape}, vertices: ", self.read("x.yaml"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["x.yaml"])

    def test_nothing_is_overwritten(self):
        fewer = ["--vertices", "60"]
        self.write("e.stl", stl(ellipsoid(60, 45, 35, 16, 24)[:1] + (ellipsoid(60, 45, 35, 16, 24)[1][3:],)))
        self.write("a.yaml", "mine")
        self.assertIn("a.yaml exists already; use --force", self.new("a", "e.stl", *fewer, status=1))
        self.assertEqual(self.read("a.yaml"), "mine")
        os.remove(self.path("a.yaml"))
        self.write("a-surface.obj", "mine")
        self.assertIn("a-surface.obj exists already; use --force", self.new("a", "e.stl", *fewer, status=1))
        self.assertEqual(self.read("a-surface.obj"), "mine")
        self.assertFalse(os.path.exists(self.path("a.yaml")))
        self.new("a", "e.stl", "--force", *fewer)
        self.assertNotEqual(self.read("a-surface.obj"), "mine")
        shutil.copy(self.path("e.stl"), self.path("b-surface.obj"))  # what is brought is never written over
        self.assertIn("b-surface.obj is the mesh itself", self.new("b", "b-surface.obj", "--force", *fewer, status=1))

    def test_usage_errors_state_the_remedy(self):
        self.write("e.stl", stl(ellipsoid(60, 45, 35, 8, 12)))
        for arguments, words in (
            ([], "no name given"),
            (["a"], "no mesh given"),
            (["a", "e.stl", "--shape", "kidney"], "either a mesh or --shape"),
            (["a", "e.stl", "b.stl"], "one mesh at a time"),
            (["a", "e.stl", "--tissue", "livr"], "did you mean liver?"),
            (["a", "--shape", "kidny"], "did you mean kidney?"),
            (["a", "e.stl", "--unit", "furlong"], "use mm, cm, m, um or inch"),
            (["a", "e.stl", "--unit", "mm", "--size", "1"], "one of them"),
            (["a b", "e.stl"], "not a valid name"),
            (["a", "e.stl", "--device", "premum"], "premium-3"),
        ):
            with self.subTest(words):
                output = self.new(*arguments, status=2)
                self.assertIn(words, output)
                self.assertEqual(len(output.strip().splitlines()), 1)
        for name, content in (("nothing.stl", ""), ("text.obj", "hello"), ("point.obj", "v 0 0 0\nf 1 1 1\n")):
            output = self.new("a", self.write(name, content), status=1)
            self.assertTrue(output.startswith("tactus: ") or "\ntactus: " in output, output)
        self.assertIn("tactus: ", self.new("a", "gone.stl", status=1))
        self.assertFalse(os.path.exists(self.path("a.yaml")))

    def test_lists_of_tissues(self):
        for words in (("new", "--tissue", "list"), ("info", "--materials")):
            self.contains(self.ok(*words), "liver          5.5 kPa", "Journal of Hepatology")


if __name__ == "__main__":
    scene_case.PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
