"""Scenes from files, text and dicts; bakes into a cache; and what runs them: servo, recordings, devices, guards."""

import hashlib
import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import ball
import tactus


def setUpModule():
    global FOLDER, CACHE
    FOLDER = tempfile.mkdtemp(prefix="tactus-python-")
    unittest.addModuleCleanup(shutil.rmtree, FOLDER)
    CACHE = os.path.join(FOLDER, "cache")


def path_of(name):
    return os.path.join(FOLDER, name)


def ball_scene():
    scene = tactus.Scene.build(ball.description())
    scene.bake(cache=CACHE)
    return scene


def block(surface):
    """A scene that is baked at once: a rigid body with a field."""
    return {"name": "block", "tools": ball.description()["tools"],
            "bodies": [{"name": "ball", "kind": "rigid", "surface": surface, "field": {"resolution": 16}}]}


class Plugins(unittest.TestCase):
    def setUp(self):
        self.file = path_of("kinds.so")
        with open(self.file, "w") as file:
            file.write("no library")
        self.addCleanup(tactus.set_plugin_policy, None)

    def refused(self, text):
        with self.assertRaisesRegex(tactus.Error, text):
            tactus.load_kinds(self.file)

    def test_files_are_refused_unless_the_policy_allows_them(self):
        self.refused("until this program allows it with tac_plugin_set")
        asked = []

        def refuse(path, checksum):
            asked.append((path, checksum))
            raise PermissionError("not this file")

        tactus.set_plugin_policy(refuse)
        self.refused("cannot load these kinds of bodies: not this file")
        self.assertEqual(asked, [(self.file, hashlib.sha256(b"no library").hexdigest())])
        tactus.set_plugin_policy(lambda path, checksum: False)
        self.refused("does not allow code from this file")
        tactus.set_plugin_policy(lambda path, checksum: True)
        self.refused("file too short|invalid ELF header")


class Scenes(unittest.TestCase):
    def test_read(self):
        scene = tactus.Scene.read(os.path.join(ball.ROOT, "scenes", "kidney.yaml"))
        self.assertEqual((scene.name, scene.bodies, scene.tools), ("kidney", ["kidney"], ["finger"]))
        self.assertEqual(scene.live["kidney.stiffness"], (0.25, 4.0))
        self.assertIn("Green's functions by boundary elements", scene.describe())
        with self.assertRaisesRegex(tactus.Error, "before|bake"):
            scene.world()

    def test_errors_have_the_librarys_text(self):
        wrong = ball.description()
        wrong["bodies"][0]["material"]["yuong"] = "1 kPa"
        with self.assertRaisesRegex(tactus.Error, r"bodies\[0\].material.yuong: unknown key; did you mean young"):
            tactus.Scene.build(wrong)
        with self.assertRaises(TypeError):
            tactus.Scene.build({"name": object()})
        with self.assertRaisesRegex(tactus.Error, "x.yaml:1"):
            tactus.Scene.parse("nonsense: 1", "x.yaml")

    def test_bake(self):
        scene = tactus.Scene.build(block({"shape": "sphere", "size": "12 mm"}))
        reports = []
        asset, = scene.bake(cache=path_of("other"), progress=lambda what, done: reports.append(what))
        self.assertFalse(asset.was_cached)
        self.assertEqual(asset.kind, "field")
        self.assertTrue(reports)
        self.assertTrue(os.path.exists(asset.path))
        again, = scene.bake(cache=path_of("other"))
        self.assertTrue(again.was_cached)
        samples = scene.field("ball").grid[0]
        with self.assertRaisesRegex(tactus.Error, "in use, which another bake would free"):
            scene.bake(cache=path_of("other"))
        self.assertLess(samples.min(), 0)
        del samples
        with self.assertRaises(LookupError):
            scene.bake(cache=path_of("other"), again=True, progress=lambda what, done: {}[what])
        self.assertIsNone(scene.field("ball"))
        with self.assertRaises(KeyError):
            scene.field("bell")

    def test_world(self):
        scene = ball_scene()
        world = scene.world()
        green, surface = scene.green("ball"), scene.surface(0)
        self.assertIsNone(scene.reduced("ball"))
        scene.close()
        vertices = surface.vertices
        surface.close()
        self.assertGreater(world.follow(ball.press())[-1, 0, 2], 1.0)
        world.close()
        self.assertEqual(len(vertices), green.vertex_count)
        with self.assertRaises(tactus.Error):
            scene.world()

    def test_own_mesh(self):
        mesh = tactus.Surface(ball.surface().vertices * (1, 1, 0.8), ball.surface().triangles)
        scene = tactus.Scene.build(block(mesh))
        scene.bake(cache=CACHE)
        np.testing.assert_array_equal(scene.surface("ball").vertices, mesh.vertices)
        kept = path_of("kept")
        os.mkdir(kept)
        tactus.Scene.build(block(mesh), folder=kept)
        self.assertEqual(sorted(os.listdir(kept)), ["ball-surface.ply", "block.yaml"])
        tactus.Scene.read(os.path.join(kept, "block.yaml"))
        body = {key: value for key, value in ball.description()["bodies"][0].items() if key != "surface"}
        volume = tactus.Scene.build({**ball.description(), "bodies": [
            {**body, "method": "finite-elements", "volume": ball.surface().tets(0.025)}]})
        self.assertGreater(len(volume.volume("ball").tets), 10)

    def test_temporary_files_are_removed_with_the_scene(self):
        scene = tactus.Scene.build(ball.description(ball.surface()))
        folder = os.path.dirname(re.search(r'"file": "(.*)"', scene.text).group(1))
        self.assertTrue(os.path.isdir(folder))
        scene.close()
        self.assertFalse(os.path.exists(folder))

    def test_quantities(self):
        self.assertEqual(tactus.quantity(0.5, "m"), "0.5 m")
        self.assertEqual(tactus.quantity(np.array([1.0, 2.0]), "mm"), ["1 mm", "2 mm"])

    def test_log_messages_go_to_logging(self):
        with self.assertLogs("tactus", logging.WARNING) as logs:
            tactus.Green.bake(tactus.shape("kidney").simplify(400), tactus.material(**ball.RUBBER), range(60), error_estimate_loads=0,
                              accept_thin=True)
        self.assertIn("thick", logs.output[0])


class Servos(unittest.TestCase):
    def test_run_record_replay(self):
        scene, frames = ball_scene(), []
        with scene.servo(record=path_of("run.tacrec"), real_time=False) as servo:
            report = servo.run(frames.append, rate=1000)
            with self.assertRaisesRegex(tactus.Error, "a servo steps this world"):
                servo.world.step()
            with self.assertRaisesRegex(tactus.Error, "runs once"):
                servo.run()
            world = servo.world
        self.assertEqual(report.ticks, 500)
        self.assertIs(report.fault, tactus.Fault.NONE)
        self.assertEqual(servo.closed, True)
        world.step()
        self.assertTrue(all(isinstance(frame, tactus.Snapshot) for frame in frames))
        with tactus.Recording(path_of("run.tacrec")) as recording:
            self.assertEqual(len(recording), 500)
            self.assertTrue(recording.complete)
            ticks = recording.ticks()
            np.testing.assert_array_equal(ticks["tick"], np.arange(500))
            self.assertEqual(ticks["tool"].shape, (500, 1))
            self.assertAlmostEqual(np.linalg.norm(ticks["tool"]["written"][:, 0], axis=1).max(), report.force_max[0])
            np.testing.assert_array_equal(recording.ticks(100, 110)["tool"]["device"]["position"],
                                          ticks["tool"]["device"]["position"][100:110])
            self.assertEqual(len(recording.ticks(500)), 0)
            self.assertEqual(len(recording.ticks(-5)), 5)
            self.assertEqual(recording.replay(scene.world()).first_difference, -1)
            deepest = int(ticks["tool"]["output"]["depth"][:, 0].argmax())
            snapshot = recording.snapshot(world, deepest)
            np.testing.assert_array_equal(snapshot.forces[0], ticks["tool"]["output"]["force"][deepest, 0])
            self.assertLess(snapshot.displacements("ball")[:, 2].min(), -0.001)
            self.assertTrue(recording.same_platform().same)
            self.assertEqual(recording.info.tool_count, 1)
            self.assertIn("Python", recording.info.program)
            recording.write_csv(path_of("run.csv"))
            with open(path_of("run.csv")) as file:
                self.assertEqual(sum(1 for _ in file), 501)
            with self.assertRaises(tactus.Error):
                recording.snapshot(world, 500)
            self.assertEqual(recording.scene().name, "ball")
            self.assertEqual(recording.world(cache=CACHE).tools, ["finger"])
            self.assertEqual(recording.replay(recording.world(cache=CACHE)).first_difference, -1)
        with self.assertRaisesRegex(tactus.Error, "this Recording was closed"):
            recording.ticks()
        self.assertEqual(ticks["tick"][-1], 499)  # which outlives it

    def test_the_world_that_steps_itself_gives_the_same(self):
        scene = ball_scene()
        with scene.servo(record=path_of("same.tacrec"), real_time=False) as servo:
            servo.run()
        tools = tactus.Recording(path_of("same.tacrec")).ticks()["tool"]
        forces = scene.world().follow(tools["position"])
        np.testing.assert_array_equal(forces, tools["output"]["force"])

    def test_a_custom_loop_is_recorded(self):
        scene = ball_scene()
        world = scene.world()
        path = ball.press(0.046, 300)
        with tactus.Recorder(path_of("own.tacrec"), world, scene) as recorder:
            forces = []
            for place in path:
                forces.append(world.step(place)["force"].copy())
                self.assertTrue(recorder.push(written=0.5 * forces[-1]))
        self.assertEqual(recorder.lost, 0)
        with self.assertRaisesRegex(tactus.Error, "this Recorder was closed"):
            recorder.push()
        with tactus.Recording(path_of("own.tacrec")) as recording:
            tools = recording.ticks()["tool"]
            np.testing.assert_array_equal(tools["output"]["force"], forces)
            np.testing.assert_array_equal(tools["written"], 0.5 * np.array(forces))
            report = recording.replay(scene.world())
            self.assertEqual((report.first_difference, report.tick_count, report.difference), (-1, 300, ""))

    def test_frames_arrive_on_a_python_thread(self):
        with ball_scene().servo(duration=0.0, priority=0) as servo:
            seen = threading.Event()
            threads = set()

            def look(snapshot):
                threads.add(threading.current_thread().name)
                if snapshot.tick > 50:
                    seen.set()

            servo.start(look, rate=100)
            self.assertTrue(seen.wait(600))
            servo.world.parameters["ball.stiffness"] = 2.0
            end = time.monotonic() + 600
            while servo.world.parameters["ball.stiffness"] != 2.0 and time.monotonic() < end:
                time.sleep(0.01)
            self.assertEqual(servo.world.parameters["ball.stiffness"], 2.0)
            self.assertGreater(len(servo.samples()), 10)
            with self.assertRaisesRegex(tactus.Error, "the servo runs"):
                servo.report()
            report = servo.stop()
            self.assertGreater(report.ticks, 50)
        self.assertEqual(threads, {"tactus frames"})

    def test_an_exception_in_a_callback_ends_the_run(self):
        def fails(snapshot):
            raise LookupError("enough")

        servo = ball_scene().servo(duration=0.0, priority=0)
        with self.assertRaisesRegex(LookupError, "enough"):
            servo.run(fails)
        self.assertFalse(servo.running)
        for _ in range(5):  # two threads stop it at the same time
            servo = ball_scene().servo(duration=0.0, priority=0)
            servo.start(fails)
            with self.assertRaisesRegex(LookupError, "enough"):
                servo.wait()
        servo = ball_scene().servo(duration=0.0, priority=0)
        self.assertGreaterEqual(servo.run(lambda snapshot: snapshot.tick < 20).ticks, 20)

    def test_closing_the_world_closes_its_servo(self):
        servo = ball_scene().servo(duration=0.0, priority=0)
        servo.start(lambda snapshot: None)
        servo.world.close()
        self.assertTrue(servo.closed)
        with self.assertRaisesRegex(tactus.Error, "this Servo was closed"):
            servo.snapshot()

    def test_python_exits_cleanly_while_a_servo_runs(self):
        script = ("import ball, tactus\n"
                  f"scene = tactus.Scene.build(ball.description()); scene.bake(cache={CACHE!r})\n"
                  f"servo = scene.servo(duration=0.0, priority=0, record={path_of('left.tacrec')!r})\n"
                  "servo.start(lambda snapshot: snapshot.vertices('ball'), rate=500)\n"
                  "while servo.snapshot().tick < 20: pass\n")
        result = subprocess.run([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True, timeout=600,
                                env=dict(os.environ, PYTHONPATH=os.pathsep.join(sys.path[:2])))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(tactus.Recording(path_of("left.tacrec")).complete)

    def test_custom_devices(self):
        scene = ball_scene()
        trajectory = tactus.Trajectory([0.0, 0.1, 0.2], [(0, 0, 0.055), (0, 0, 0.046), (0, 0, 0.055)])
        np.testing.assert_allclose(trajectory.at([0.05])["position"][0], (0, 0, 0.0505))
        device = tactus.Device.replay(trajectory)
        self.assertTrue(trajectory.closed)
        with tactus.Servo(scene.world(), [device], real_time=False, ramp_in=0.0) as servo:
            device.close()  # the servo keeps it
            self.assertGreater(servo.run().force_max[0], 0.1)
        with self.assertRaises(ValueError):
            tactus.Servo(scene.world(), [])
        with self.assertRaisesRegex(tactus.Error, "omni"):
            tactus.Device.operator("no such hand", tactus.Trajectory([0, 1], [(0, 0, 0)] * 2))
        self.assertIn("premium-3", tactus.operator_presets())
        operator = tactus.Device.operator("omni", tactus.Trajectory([0, 1], [(0, 0, 0)] * 2), hand_stiffness=300)
        self.assertAlmostEqual(operator.info.force_limit, 3.3)
        with self.assertRaises(tactus.Error):
            tactus.Trajectory([1, 0], [(0, 0, 0)] * 2)
        with self.assertRaises(ValueError):
            tactus.Trajectory([0, 1], np.zeros((3, 3)))
        pointer = tactus.Device.pointer(start=(0, 0, 0.06))
        pointer.point((0, 0, 0.05))
        pointer.close()
        with self.assertRaisesRegex(tactus.Error, "this Device was closed"):
            pointer.point((0, 0, 0.05))


class Guards(unittest.TestCase):
    def test_a_custom_loop(self):
        world, guard = ball.world(), tactus.Guard(force_limit=8.0, stiffness_limit=2000.0)
        tick = 0
        while True:
            height = 0.054 - 10e-6 * tick if tick <= 1000 else -0.076  # somebody tears at it
            force = np.zeros(3)
            if guard.read((0, 0, height)) == tactus.Fault.NONE:
                force = world.step(guard.state.position[None, :])["force"][0]
            safe = guard.write(force)
            self.assertTrue(np.all(np.isfinite(safe.force)) and np.linalg.norm(safe.force) <= 8.0 + 1e-12)
            if safe.ended:
                break
            tick += 1
        self.assertIs(safe.fault, tactus.Fault.DEVICE_JUMPED)
        self.assertIn("jumped 0.12 m", guard.fault_text)
        self.assertGreater(guard.report().force_max, 1.0)
        guard.reset()
        self.assertEqual(guard.fault_text, "")
        self.assertEqual(guard.read(None), tactus.Fault.NONE)
        self.assertEqual(guard.read(None, health=tactus.DeviceHealth.LOST), tactus.Fault.DEVICE_LOST)
        with self.assertRaises(tactus.Error):
            tactus.Guard(force_limit=0.0, stiffness_limit=0.0)
        device = tactus.Device.operator("omni", tactus.Trajectory([0, 1], [(0, 0, 0)] * 2))
        tactus.Guard.of_device(device.info, late_limit=5)
        guard.close()
        with self.assertRaisesRegex(tactus.Error, "this Guard was closed"):
            guard.write((0, 0, 0))
