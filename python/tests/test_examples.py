"""The examples, with light settings, and the benchmark's arithmetic."""

import importlib
import os
import re
import shutil
import sys
import tempfile
import unittest

import numpy as np

import ball
from tactus import bench

sys.path.insert(0, os.path.join(ball.ROOT, "python", "examples"))


class Examples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cache = tempfile.mkdtemp(prefix="tactus-examples-")  # their balls are the same: one bake
        cls.addClassCleanup(shutil.rmtree, cls.cache)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="tactus-examples-")
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def run_example(self, name, *arguments):
        return importlib.import_module(name).main(list(arguments))

    def test_force_map(self):
        stiffness = self.run_example("force_map", "--organ", "sphere", "--vertices", "152", "--depth", "0.001")
        np.testing.assert_array_equal(np.load("map.npy"), stiffness)
        known = stiffness[np.isfinite(stiffness)]
        self.assertGreater(len(known), 80)
        self.assertTrue(np.all((known > 10) & (known < 1500)))
        with open("map.png", "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_compare_bodies(self):
        without, with_it = self.run_example("compare_bodies", "--size", "0.006")
        middle = len(without) // 2
        self.assertGreater(with_it[middle] / without[middle], 1.5)  # above the nodule,
        self.assertAlmostEqual(with_it[0] / without[0], 1.0, delta=0.1)  # and far from it
        np.testing.assert_allclose(without, without[::-1], rtol=1e-6)

    def test_replay_trace(self):
        with open("trace.txt", "w") as file:
            file.write("t x y z\n0 0 0 0.055\n0.2 0 0 0.046\n0.4 0 0 0.055\n")
        felt, difference = self.run_example("replay_trace", "trace.txt", "--cache", self.cache)
        self.assertGreater(felt.max(), 0.5)
        self.assertEqual(difference, -1)

    def test_sweep(self):
        forces = self.run_example("sweep", "--points", "2", "--processes", "2", "--cache", self.cache)
        self.assertEqual(forces.shape, (2, 2))
        self.assertTrue(np.all(np.diff(forces, axis=0) > 0))  # the stiffer, the more

    def test_the_example_of_the_manual(self):
        with open(os.path.join(ball.ROOT, "docs", "python.md")) as file:
            code = re.search(r"## Ten lines\n\n```python\n(.*?)```", file.read(), re.S).group(1)
        names = {}
        exec(code, names)
        self.assertEqual(names["forces"].shape, (1000, 1, 3))
        self.assertGreater(names["forces"][-1, 0, 2], 1.0)

    def test_bench(self):
        world = ball.world()
        world.follow(ball.press())
        medians = bench.measure(world, 2)
        self.assertIn("world.step()", medians)
        self.assertTrue(all(value > 0 for value in medians.values()))
