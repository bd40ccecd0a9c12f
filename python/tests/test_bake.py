"""Bakes: their results as arrays, their progress, and how they are stopped."""

import os
import signal
import tempfile
import threading
import unittest

import numpy as np

import ball
import tactus


def bake(progress=None, fixed=None):
    held = ball.surface().vertices[:, 2] < -0.03 if fixed is None else fixed
    return tactus.Green.bake(ball.surface(), tactus.material(**ball.RUBBER), held, error_estimate_loads=0, progress=progress)


class Bakes(unittest.TestCase):
    def test_progress_is_reported(self):
        reports = []
        bake(lambda what, done: reports.append((what, done)))
        self.assertGreater(len(reports), 2)
        self.assertTrue(all(isinstance(what, str) and 0.0 <= done <= 1.0 for what, done in reports))

    def test_false_cancels(self):
        with self.assertRaises(tactus.Error) as raised:
            bake(lambda what, done: False)
        self.assertEqual(raised.exception.status, tactus.Status.ERR_CANCELLED)

    def test_an_exception_cancels_and_is_raised(self):
        calls = []

        def fails(what, done):
            calls.append(what)
            raise LookupError("enough")

        with self.assertRaisesRegex(LookupError, "enough"):
            bake(fails)
        self.assertEqual(len(calls), 1)

    def test_interrupt_cancels(self):
        def interrupt(what, done):
            os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            bake(interrupt)

    def test_a_mesh_closed_during_a_bake_lives_until_its_end(self):
        mesh = tactus.Surface(ball.surface().vertices, ball.surface().triangles)
        made = tactus.Green.bake(mesh, tactus.material(**ball.RUBBER), ball.surface().vertices[:, 2] < -0.03, error_estimate_loads=0,
                                 progress=lambda what, done: mesh.close())
        vertex = made.column_vertices[0]
        np.testing.assert_array_equal(made.column(vertex), bake().column(vertex))
        volume = ball.surface().tets(0.025)
        expected = volume.vertices.copy()
        reduced = tactus.Reduced.bake(volume, tactus.material(**ball.RUBBER), volume.vertices[:, 2] < -0.03, size=4, modes=2,
                                      error_estimate_loads=0, progress=lambda what, done: volume.close())
        np.testing.assert_array_equal(reduced.volume.vertices, expected)

    def test_other_threads_run_during_a_bake(self):
        count = [0]
        ended = threading.Event()

        def work():
            while not ended.is_set():
                count[0] += 1

        thread = threading.Thread(target=work)
        thread.start()
        bake()
        ended.set()
        thread.join()
        self.assertGreater(count[0], 0)

    def test_fixed_by_numbers_and_by_bools(self):
        held = ball.surface().vertices[:, 2] < -0.03
        one, other = bake(), bake(fixed=np.flatnonzero(held))
        np.testing.assert_array_equal(one.fixed, held)
        vertex = one.column_vertices[0]
        np.testing.assert_array_equal(one.column(vertex), other.column(vertex))
        np.testing.assert_array_equal(one.block(vertex, vertex), one.column(vertex)[:, 3 * vertex:3 * vertex + 3].T)
        for wrong in ([10**6], held[:-1], [0.5], [-1]):
            with self.assertRaises(ValueError):
                bake(fixed=wrong)
        self.assertIsNone(one.column(-1))
        self.assertIsNone(one.block(10**6, 0))

    def test_columns_outlive_their_owner(self):
        green = bake()
        vertex = green.column_vertices[0]
        column, expected = green.column(vertex), green.column(vertex).copy()
        green.close()
        again = bake()
        np.testing.assert_array_equal(column, expected)
        self.assertFalse(column.flags.writeable)
        again.close()

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ball.green")
            ball.green().write(path)
            again = tactus.Green.read(path)
            vertex = again.column_vertices[0]
            np.testing.assert_array_equal(again.column(vertex), ball.green().column(vertex))
            with open(path, "r+b") as file:
                file.truncate(1000)
            with self.assertRaises(tactus.Error):
                tactus.Green.read(path)

    def test_materials(self):
        with self.assertRaisesRegex(tactus.Error, "poisson|Poisson"):
            tactus.material(1e3, 0.7, 1000)
        with self.assertRaises(ValueError):
            tactus.anisotropic_material([1, 2, 3], 1000)
        isotropic = tactus.material(1e3, 0.3, 1000)
        rows, columns = np.triu_indices(6)
        other = tactus.anisotropic_material(isotropic.stiffness[rows, columns], 1000)
        np.testing.assert_array_equal(other.stiffness, isotropic.stiffness)

    def test_reduced(self):
        volume = ball.surface().tets(0.02)
        made = tactus.Reduced.bake(volume, tactus.material(**ball.RUBBER), volume.vertices[:, 2] < -0.03, size=6, modes=3,
                                   error_estimate_loads=0)
        self.assertEqual(made.displacements.shape, (len(made.surface.vertices), 3, 6))
        self.assertEqual(made.basis.shape, (len(made.volume.vertices), 3, 6))
        self.assertEqual(made.info.source, "modes")
        self.assertAlmostEqual(made.mass / (1000 * volume.volume), 1.0)
        self.assertTrue(np.all(made.displacements[made.fixed] == 0))
        with self.assertRaises(ValueError):
            tactus.Reduced.bake(volume, tactus.material(**ball.RUBBER), material_of=[0])
        world = tactus.World()
        world.add_reduced("ball", made)
        world.add_point_tool("finger")
        world.seal()
        made.close()
        forces = world.follow(ball.press(0.044))
        self.assertGreater(forces[-1, 0, 2], 0.1)
        self.assertEqual(world.state().size, 7)
