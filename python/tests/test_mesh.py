"""Meshes, the gallery, fields and points."""

import gc
import os
import tempfile
import unittest

import numpy as np

import ball
import tactus

TETRAHEDRON = ([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


class Meshes(unittest.TestCase):
    def test_normals_and_area_of_a_ball(self):
        surface = tactus.shape("sphere", 0.012)  # its vertices lie on a sphere of 50 mm
        normals = surface.normals
        np.testing.assert_allclose(normals, surface.vertices / 0.05, atol=0.02)
        np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, rtol=1e-12)
        self.assertAlmostEqual(surface.area / (4 * np.pi * 0.05 ** 2), 1.0, delta=0.03)

    def test_arrays_round_trip(self):
        mesh = tactus.Surface(*TETRAHEDRON, groups={"floor": [0]})
        np.testing.assert_array_equal(mesh.vertices, TETRAHEDRON[0])
        np.testing.assert_array_equal(mesh.triangles, TETRAHEDRON[1])
        np.testing.assert_array_equal(mesh.groups["floor"], [0])
        self.assertAlmostEqual(mesh.volume, 1 / 6)
        self.assertEqual(mesh.report().components, 1)
        np.testing.assert_array_equal(mesh.box.upper, [1, 1, 1])
        self.assertAlmostEqual(mesh.mass_properties(6.0).mass, 1.0)
        self.assertAlmostEqual(mesh.moved(scale=2).volume, 8 / 6)

    def test_returned_arrays_are_read_only_views(self):
        mesh = ball.surface()
        self.assertTrue(np.shares_memory(mesh.vertices, mesh.vertices))
        self.assertEqual(mesh.vertices.ctypes.data, mesh.vertices.ctypes.data)
        with self.assertRaises(ValueError):
            mesh.vertices[0, 0] = 1.0
        with self.assertRaises(ValueError):
            mesh.triangles.flags.writeable = True

    def test_wrong_arrays_are_refused(self):
        points, corners = TETRAHEDRON
        for wrong, kind in (((np.zeros((4, 2)), corners), ValueError), ((np.zeros(12), corners), ValueError),
                            ((points, [[0, 1]]), ValueError), ((points, [[0.5, 1, 2]]), ValueError),
                            ((points, [[0, 1, -1]]), ValueError), ((points, [[0, 1, 2**40]]), ValueError),
                            ((points, [[0, 1, 4]]), tactus.Error), (([[np.nan, 0, 0]] * 3, [[0, 1, 2]]), tactus.Error),
                            (("abc", corners), ValueError)):
            with self.assertRaises(kind):
                tactus.Surface(*wrong)
        with self.assertRaises(tactus.Error):
            tactus.Surface(points, corners, groups={"g": [9]})
        with self.assertRaises(tactus.Error):
            tactus.Volume(points, tets=[[0, 1, 2, 7]])

    def test_complex_numbers_are_refused(self):
        points, corners = TETRAHEDRON
        cube = np.zeros((3, 3, 3))
        for call in (lambda z: tactus.Surface(np.asarray(points) + z, corners),
                     lambda z: ball.surface().moved(translation=[z, 0, 0]),
                     lambda z: tactus.DistanceField.from_grid(cube + z, (0, 0, 0), 1e-3),
                     lambda z: tactus.DistanceField.from_grid(cube, (z, 0, 0), 1e-3),
                     lambda z: tactus.anisotropic_material([z] * 21, 1000.0),
                     lambda z: tactus.Trajectory([0.0, 1.0 + z], np.zeros((2, 3))),
                     lambda z: tactus.Trajectory([0.0, 1.0], np.zeros((2, 3)) + z),
                     lambda z: setattr(tactus.abi.Grid(), "origin", [z, 0, 0])):
            with self.assertRaisesRegex(ValueError, "must be real numbers, not complex128"):
                call(1j)

    def test_texts_with_nul_are_refused(self):
        points, corners = TETRAHEDRON
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mesh.obj")
            tactus.Surface(points, corners).write(path)
            for call in (lambda: tactus.read_mesh(path + "\0.stl"), lambda: tactus.Surface(points, corners).write(path + "\0.stl"),
                         lambda: tactus.Surface(points, corners, groups={"a\0b": [0]}), lambda: tactus.shape("sphere\0"),
                         lambda: tactus.Scene.parse("tactus: 1\n\0name: a"), lambda: setattr(tactus.abi.DeviceInfo(), "name", "a\0b")):
                with self.assertRaisesRegex(ValueError, "contains a NUL character"):
                    call()

    def test_any_layout_of_memory_is_taken(self):
        points, corners = (np.asarray(a) for a in TETRAHEDRON)
        wide = np.zeros((4, 6))
        wide[:, ::2] = points
        mesh = tactus.Surface(wide[:, ::2], np.asfortranarray(corners, np.int64))
        np.testing.assert_array_equal(mesh.vertices, points)
        np.testing.assert_array_equal(tactus.Surface(points.astype(np.float32), corners.astype(np.uint8)).triangles, corners)

    def test_arrays_outlive_their_mesh(self):
        mesh = tactus.shape("torus", 0.01)
        vertices, expected = mesh.vertices, mesh.vertices.copy()
        mesh.close()
        del mesh
        gc.collect()
        churn = [tactus.shape("torus", 0.01) for _ in range(3)]
        np.testing.assert_array_equal(vertices, expected)
        del churn

    def test_use_of_a_closed_mesh_raises(self):
        with tactus.Surface(*TETRAHEDRON) as mesh:
            pass
        mesh.close()
        for use in (lambda: mesh.vertices, lambda: mesh.volume, lambda: mesh.report(), lambda: mesh.write("x.obj"),
                    lambda: mesh.__enter__(), lambda: mesh.tets(0.1)):
            with self.assertRaisesRegex(tactus.Error, "this Surface was closed"):
                use()
        self.assertEqual(repr(mesh), "Surface(closed)")

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ball.obj")
            ball.surface().write(path)
            np.testing.assert_array_equal(tactus.Surface.read(path).vertices, ball.surface().vertices)
            volume = ball.surface().tets(0.02)
            volume.write(os.path.join(folder, "ball.vtu"))
            again = tactus.read_mesh(os.path.join(folder, "ball.vtu")).volume
            np.testing.assert_array_equal(again.tets, volume.tets)
            with self.assertRaisesRegex(ValueError, "no volume"):
                tactus.Volume.read(path)
            with self.assertRaises(tactus.Error) as raised:
                tactus.read_mesh(os.path.join(folder, "none.obj"))
            self.assertEqual(raised.exception.status, tactus.Status.ERR_FILE)
            self.assertIn("none.obj", str(raised.exception))
            with self.assertRaisesRegex(ValueError, "unknown format nonsense; the formats are obj"):
                ball.surface().write(path, format="nonsense")
        self.assertIn("stl-ascii", tactus.mesh_formats())

    def test_repair_remesh_simplify(self):
        points, corners = np.asarray(TETRAHEDRON[0]), np.asarray(TETRAHEDRON[1])
        soup = tactus.Surface(points[corners].reshape(-1, 3), np.arange(12).reshape(-1, 3))
        repaired, report = soup.repair()
        self.assertEqual((report.welded_vertices, len(repaired.vertices)), (8, 4))
        with self.assertRaisesRegex(tactus.Error, "boundary|closed"):
            soup.require_closed()
        self.assertEqual(len(ball.surface().simplify(200).triangles), 200)
        even = ball.surface().remesh(0.02)
        self.assertTrue(even.report().closed)

    def test_filling(self):
        volume = ball.surface().tets(0.02)
        self.assertAlmostEqual(volume.volume / ball.surface().volume, 1.0, delta=0.1)
        boundary, vertex_of = volume.surface_with_vertices()
        np.testing.assert_array_equal(boundary.vertices, volume.vertices[vertex_of])
        bricks = ball.surface().bricks(8)
        self.assertEqual(bricks.report().bricks, len(bricks.bricks))
        self.assertGreater(len(tactus.shape_bricks("beam").bricks), 10)

    def test_gallery(self):
        names = [shape.name for shape in tactus.shapes()]
        self.assertIn("kidney", names)
        with self.assertRaises(tactus.Error):
            tactus.shape("no-such-shape")


class Fields(unittest.TestCase):
    def test_values(self):
        field = tactus.DistanceField.sphere((0, 0, 0), 0.5)
        np.testing.assert_allclose(field.values([[0, 0, 0], [1, 0, 0]]), [-0.5, 0.5])
        value, gradient = field.gradient((2, 0, 0))
        np.testing.assert_allclose(gradient, [1, 0, 0])
        self.assertEqual(value, 1.5)
        self.assertIsNone(field.grid)
        with self.assertRaises(ValueError):
            field.values([1, 2, 3])
        out = np.empty(2)
        self.assertIs(field.values([[0, 0, 0], [1, 0, 0]], out=out), out)
        for wrong in (np.empty(3), np.empty(2, np.float32), np.empty(4)[::2], [0, 0]):
            with self.assertRaises(ValueError):
                field.values([[0, 0, 0], [1, 0, 0]], out=wrong)

    def test_grid(self):
        baked = tactus.DistanceField.bake(ball.surface(), 24)
        samples, origin, spacing = baked.grid
        k, j, i = np.unravel_index(samples.argmin(), samples.shape)
        np.testing.assert_allclose(origin + spacing * np.array((i, j, k)), 0, atol=0.011)
        again = tactus.DistanceField.from_grid(samples, origin, spacing)
        baked.close()
        np.testing.assert_array_equal(again.grid[0], samples)
        with self.assertRaises(tactus.Error):
            tactus.DistanceField.from_grid(np.full((3, 3, 3), np.nan), origin, spacing)
        with self.assertRaises(ValueError):
            tactus.DistanceField.from_grid(np.zeros((3, 3)), origin, spacing)
        self.assertTrue(all(check.worst <= check.allowed for check in tactus.DistanceField.bake(ball.surface(), 16).checks))

    def test_union(self):
        a, b = tactus.DistanceField.sphere((0, 0, 0), 0.5), tactus.DistanceField.bake(ball.surface(), 16)
        samples = b.grid[0]
        expected = samples.copy()
        whole = tactus.DistanceField.union(a, b)
        self.assertTrue(a.closed and b.closed)
        np.testing.assert_allclose(whole.values([[2, 0, 0]]), [1.5])
        whole.close()
        np.testing.assert_array_equal(samples, expected)
        with self.assertRaises(tactus.Error):
            tactus.DistanceField.union()
        c = tactus.DistanceField.sphere((0, 0, 0), 0.5)
        with self.assertRaises(ValueError):
            tactus.DistanceField.union(c, c)
        self.assertFalse(c.closed)

    def test_points(self):
        field = tactus.DistanceField.bake(ball.surface(), 24)
        shell = tactus.Pointshell.bake(field, ball.surface(), points=500)
        self.assertEqual(shell.points().shape, (500, 3))
        self.assertLess(np.abs(field.values(shell.points())).max(), 1e-4)
