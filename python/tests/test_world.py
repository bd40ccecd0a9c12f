"""Worlds in code: steps, arrays, parameters, and whatever must not crash."""

import gc
import os
import subprocess
import sys
import threading
import unittest

import numpy as np

import ball
import tactus


class Worlds(unittest.TestCase):
    def test_press(self):
        world = ball.world()
        forces = world.follow(ball.press())
        self.assertEqual(forces.shape, (200, 1, 3))
        self.assertEqual(forces[0, 0, 2], 0.0)
        self.assertGreater(forces[-1, 0, 2], 1.0)
        self.assertEqual(world.report.contact_count, 1)
        contact = world.outputs["contact"][0]
        self.assertEqual(contact["state"], tactus.abi.ContactState.STICKS)
        moved = world.body("ball").displacements()
        self.assertLess(moved[:, 2].min(), -0.001)
        self.assertTrue(np.all(moved[world.body("ball").fixed] == 0))

    def test_ways_to_give_inputs_are_the_same(self):
        path = ball.press()
        expected = ball.world().follow(path)
        world = ball.world()
        entries = np.zeros(1, tactus.INPUT)
        for tick, place in enumerate(path):
            entries["position"] = place
            np.testing.assert_array_equal(world.step(entries)["force"], expected[tick])
        world = ball.world()
        np.testing.assert_array_equal([world.step(place)["force"].copy() for place in path], expected)
        world = ball.world()
        for tick, place in enumerate(path):  # a new array each time
            new = np.zeros(1, tactus.INPUT)
            new["position"] = place
            np.testing.assert_array_equal(world.step(new)["force"], expected[tick])

    def test_inputs_that_are_not_contiguous_are_copied(self):
        world = ball.world(tools=2)
        path = np.concatenate([ball.press(), ball.press(0.047) + (0.03, 0, -0.01)], axis=1)
        expected = world.follow(path)
        self.assertGreater(expected[-1, 1, 2], 0.1)
        spread = np.zeros(4, tactus.INPUT)[::2]
        packed = np.zeros(2, [("odd", np.uint8), ("inputs", tactus.INPUT)])["inputs"]  # not aligned
        for entries in (spread, packed):
            world.reset()
            for tick, place in enumerate(path):
                entries["position"] = place
                np.testing.assert_array_equal(world.step(entries)["force"], expected[tick])

    def test_outputs_are_one_array_that_steps_write(self):
        world = ball.world()
        force = world.outputs["force"]
        self.assertIs(world.step(), world.outputs)
        world.follow(ball.press())
        self.assertGreater(force[0, 2], 1.0)
        with self.assertRaises(ValueError):
            world.outputs["depth"] = 1.0

    def test_wrong_inputs_are_refused(self):
        world = ball.world(tools=2)
        for wrong in (np.zeros(3), np.zeros((1, 3)), np.zeros((2, 4)), np.zeros(1, tactus.INPUT),
                      np.zeros((2, 2), tactus.INPUT), np.zeros(2, tactus.OUTPUT), "abc", np.zeros((2, 3), complex), [None, None]):
            with self.assertRaises(ValueError):
                world.step(wrong)
        with self.assertRaises(ValueError):
            world.follow(np.zeros((5, 3)))
        world.step(np.zeros((2, 3), np.int64))
        world.step([[0, 0, 0.06], [0, 0, 0.06]])
        world.inputs["position"] = np.nan
        self.assertTrue(np.all(np.isfinite(world.step()["force"])))
        self.assertGreater(world.report.refused, 0)

    def test_use_after_close_raises(self):
        world = ball.world()
        body, parameters, snapshot = world.body("ball"), world.parameters, world.snapshot()
        world.close()
        world.close()
        for use in (world.step, lambda: world.step(np.zeros((1, 3))), world.reset, world.snapshot, world.state, world.save,
                    lambda: world.bodies, lambda: world.parameters, lambda: body.name, lambda: body.vertices(),
                    lambda: body.surface, lambda: parameters["ball.stiffness"], lambda: len(parameters),
                    lambda: snapshot.vertices("ball"), lambda: body.push((0, 0, 0), (0, 0, 1)), world.contacts,
                    lambda: world.follow(ball.press())):
            with self.assertRaisesRegex(tactus.Error, "this World was closed"):
                use()

    def test_before_it_is_sealed(self):
        world = tactus.World()
        for use in (world.step, world.reset, world.snapshot):
            with self.assertRaisesRegex(tactus.Error, "not sealed: call seal"):
                use()
        with self.assertRaises(tactus.Error):
            world.seal()  # nothing in it, or nothing to touch with
            world.add_point_tool("late")

    def test_arrays_and_objects_outlive_their_owner(self):
        world = ball.world()
        surface, fixed = world.body("ball").surface, world.body("ball").fixed
        vertices = surface.vertices
        expected = vertices.copy()
        world.follow(ball.press())
        inputs, outputs = world.inputs, world.outputs
        world.close()
        del world, surface
        gc.collect()
        again = ball.world()
        np.testing.assert_array_equal(vertices, expected)
        self.assertEqual(fixed.sum(), ball.green().fixed.sum())
        self.assertGreater(outputs["force"][0, 2], 1.0)
        inputs["position"] = 0
        again.close()

    def test_a_world_keeps_its_sources_alive(self):
        green = tactus.Green.bake(ball.surface(), tactus.material(**ball.RUBBER), ball.surface().vertices[:, 2] < -0.03,
                                  error_estimate_loads=0)
        world = tactus.World()
        world.add_green("ball", green, mask_radius=0.02)
        world.add_point_tool("finger")
        world.seal()
        green.close()
        del green
        gc.collect()
        np.testing.assert_array_equal(world.follow(ball.press()), ball.world().follow(ball.press()))

    def test_collected_in_any_order(self):
        for _ in range(5):
            world = ball.world()
            world.step()
            cycle = [world, world.body("ball"), world.body("ball").surface.vertices]
            cycle.append(cycle)
            del world, cycle
            gc.collect()

    def test_two_threads_take_turns(self):
        world, raised = ball.world(), []

        def work():
            try:
                for _ in range(2000):
                    world.step()
            except Exception as exception:  # told below
                raised.append(exception)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(raised, [])
        self.assertEqual(world.snapshot().tick, 8000)

    def test_parameters(self):
        world = ball.world()
        force = world.follow(ball.press())[-1, 0, 2]
        self.assertEqual(set(world.parameters), {"ball.stiffness", "ball.friction", "ball.mask"})
        world.reset()
        world.parameters["ball.stiffness"] = 0.5
        self.assertEqual(world.parameters["ball.stiffness"], 0.5)
        self.assertAlmostEqual(world.follow(ball.press())[-1, 0, 2] / force, 0.5, delta=0.01)
        with self.assertRaisesRegex(KeyError, "ball.softness; there are ball.stiffness"):
            world.parameters["ball.softness"] = 1.0
        with self.assertRaises(tactus.Error):
            world.parameters["ball.friction"] = -1.0
        with self.assertRaises(TypeError):
            del world.parameters["ball.mask"]
        self.assertEqual(world.parameters.about("ball.mask").unit, "m")

    def test_save_and_load(self):
        world = ball.world()
        world.follow(ball.press())
        saved = world.save()
        expected = world.follow(ball.press(0.040))
        world.load(saved)
        np.testing.assert_array_equal(world.follow(ball.press(0.040)), expected)
        with self.assertRaises(tactus.Error):
            world.load(saved[:-1])

    def test_snapshots_do_not_change(self):
        world = ball.world()
        world.follow(ball.press())
        snapshot = world.snapshot()
        expected = snapshot.vertices("ball")
        world.reset()
        world.follow(ball.press(0.05))
        np.testing.assert_array_equal(snapshot.vertices("ball"), expected)
        self.assertGreater(snapshot.forces[0, 2], 1.0)
        out = np.empty_like(expected)
        self.assertIs(snapshot.vertices("ball", out=out), out)
        for wrong in (np.empty((3, 3)), np.empty(expected.shape, np.float32), np.empty(expected.shape[::-1]).T):
            with self.assertRaises(ValueError):
                snapshot.vertices("ball", out=wrong)
        with self.assertRaises(ValueError):
            snapshot.outputs["force"] = 0
        self.assertEqual(snapshot.tractions("ball").shape, expected.shape)
        stretch = snapshot.colours("ball", by="stretch")
        self.assertEqual(stretch.shape, (len(expected),))
        with self.assertRaises(KeyError):
            snapshot.colours("ball", by="taste")

    def test_rigid_bodies_fall(self):
        world = tactus.World()
        box = tactus.shape("box", 0.02)
        world.add_rigid("die", box, density=1000.0, free=True, gravity=(0, 0, -10), position=(0, 0, 1))
        world.add_point_tool("finger")
        world.seal()
        world.inputs["lifted"] = True
        for _ in range(100):
            world.step()
        pose, velocity, spin = world.body("die").motion()
        np.testing.assert_allclose(velocity, (0, 0, -1), atol=1e-6)
        self.assertAlmostEqual(pose.position[2], 1 - 0.05, delta=1e-3)
        np.testing.assert_allclose(world.body("die").displacements(), 0, atol=1e-12)
        world.body("die").move((0, 0, 2))
        self.assertAlmostEqual(world.body("die").motion()[0].position[2], 2.0)
        world.body("die").push((0, 0, 2), (0, 0, 1.0))
        del spin

    def test_hyperelastic(self):
        self.assertEqual(tactus.laws()["neo-hookean"].parameters, {"mu": "Pa", "k0": "Pa"})
        soft = tactus.hyperelastic_material("neo-hookean", {"mu": 5e3, "k0": 50e3}, density=1000.0, viscosity=[(0.3, 0.1)])
        volume = ball.surface().tets(0.025)
        world = tactus.World(period=0.01)
        world.add_hyperelastic("ball", volume, soft, volume.vertices[:, 2] < -0.03)
        world.add_point_tool("finger")
        volume.close()
        world.seal()
        forces = world.follow(ball.press(0.046, 40))
        self.assertGreater(forces[-1, 0, 2], 0.05)
        self.assertLess(world.body("ball").displacements()[:, 2].min(), -0.0005)
        with self.assertRaisesRegex(ValueError, "unknown law jelly; the laws are"):
            tactus.hyperelastic_material("jelly", {}, 1000.0)
        with self.assertRaisesRegex(ValueError, "neo-hookean has the parameters mu, k0, not mu"):
            tactus.hyperelastic_material("neo-hookean", {"mu": 1.0}, 1000.0)
        with self.assertRaises(tactus.Error):
            tactus.hyperelastic_material("neo-hookean", {"mu": -1.0, "k0": 1.0}, 1000.0)

    def test_held_bodies_begin_where_they_lie(self):
        world = tactus.World()
        world.add_rigid("probe", tactus.shape("box", 0.02), position=(0.1, 0.2, 0.3))
        self.assertEqual(world.add_body_tool("hand", "probe", grasp=(0.01, 0, 0)), 0)
        world.seal()
        np.testing.assert_allclose(world.inputs["position"][0], (0.11, 0.2, 0.3))
        for _ in range(50):
            world.step()
        np.testing.assert_allclose(world.outputs["force"], 0, atol=1e-9)

    def test_wrong_settings_raise(self):
        world = tactus.World()
        with self.assertRaisesRegex(TypeError, "GreenBodyDef has no softness; it has .*mask_radius"):
            world.add_green("ball", ball.green(), mask_radius=0.02, softness=3)
        with self.assertRaises(tactus.Error):
            world.add_green("ball", ball.green(), mask_radius=-1.0)
        with self.assertRaisesRegex(KeyError, "no body table"):
            world.add_body_tool("hand", "table")
        with self.assertRaises(TypeError):
            tactus.World(no_such_setting=1)
        with self.assertRaises(KeyError):
            ball.world().body("bell")
        with self.assertRaises(IndexError):
            ball.world().body(1)
        with self.assertRaises(ValueError):
            ball.world().body(ball.world().body("ball"))

    def test_python_exits_cleanly_with_open_objects(self):
        script = ("import ball, numpy as np, tactus\n"
                  "world = ball.world(); world.follow(ball.press()); snapshot = world.snapshot()\n"
                  "vertices = world.body('ball').surface.vertices; scene = tactus.Scene.build(ball.description())\n")
        result = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True,
                                env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path[:2])))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
