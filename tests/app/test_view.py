#!/usr/bin/env python3
"""`tactus view` without a browser. Usage: test_view.py [CLASS] PROGRAM SCENES

What is checked are statements about the world that is shown (equilibrium, sums, a recording against its replay), so
that neither the machine's speed nor a change of the solver's last digits matters."""

import csv
import glob
import http.client
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import recording_file  # noqa: E402
import side_by_side  # noqa: E402
from view_client import (  # noqa: E402
    COMMANDS,
    Client,
    Closed,
    GRABBED,
    GRABS,
    NO_CONTACT,
    PATIENCE,
    PRESSURE,
    PRESSURE_WISHED,
    SLIDES,
    STICKS,
    STRESS,
    STRESS_WISHED,
    SURFACE,
    SURFACES_WISHED,
    add,
    cross,
    displacements,
    dot,
    norm,
    single,
    sub,
)

PROGRAM = ""
SCENES = ""
LIGHT = "TACTUS_TEST_LIGHT" in os.environ  # a sanitizer build
CACHE = ""  # of all tests, with the bodies baked

BALL = """tactus: 1
name: ball
about: a ball on a table
bodies:
  - name: ball
    kind: green
    method: boundary-elements
    surface: {shape: sphere, size: 20 mm}
    material: {young: 10 kPa, poisson: 0.4, density: 1000 kg/m3}
    fixed:
      - below: {axis: z, at: -5 mm}
    mask: 25 mm
    live: {stiffness: [0.5, 2]}
tools:
  - name: probe
    kind: point
    device:
      kind: operator
      preset: premium-3
      repeat: true
      path:
        - {on: ball, near: [0, 0, 80 mm], depth: -3 mm, after: 0.2 s}
        - {on: ball, near: [0, 0, 80 mm], depth: 5 mm, after: 0.2 s}
        - {on: ball, near: [10 mm, 0, 80 mm], depth: 5 mm, after: 0.2 s}
servo: {ramp_in: 0.05 s}
"""

# Two bodies, two tools; the second body lies beside the first, turned by 90 degrees.
PAIR = (
    BALL.replace("name: ball\nabout", "name: pair\nabout")
    .replace(
        "tools:\n",
        """  - name: other
    kind: green
    method: boundary-elements
    surface: {shape: sphere, size: 20 mm}
    material: {young: 10 kPa, poisson: 0.4, density: 1000 kg/m3}
    fixed:
      - below: {axis: z, at: -5 mm}
    position: [150 mm, 0, 0]
    rotation: {axis: [0, 0, 1], angle: 90 deg}
    mask: 25 mm
tools:
""",
    )
    .replace(
        "servo:",
        """  - name: second
    kind: point
    centre: [150 mm, 0, 0]
    scale: 2
    rotation: {axis: [0, 1, 0], angle: 30 deg}
    device:
      kind: operator
      preset: premium-3
      repeat: true
      path:
        - {on: other, near: [150 mm, 0, 80 mm], depth: -3 mm, after: 0.2 s}
        - {on: other, near: [150 mm, 0, 80 mm], depth: 5 mm, after: 0.2 s}
servo:""",
    )
)

SOLID = BALL.replace("name: ball\nabout", "name: solid\nabout").replace("boundary-elements", "finite-elements").replace(
    "    material", "    volume: {tets: 25 mm}\n    material"
)

# A reduced beam, held at its left end.
BEAM = """tactus: 1
name: beam
bodies:
  - name: beam
    kind: reduced
    surface: {shape: beam, size: 20 mm}
    volume: {bricks: 20 mm}
    material: {young: 200 kPa, poisson: 0.4, density: 300 kg/m3}
    fixed:
      - below: {axis: x, at: 1 mm}
    position: [0, 100 mm, 0]
    rotation: {axis: [0, 0, 1], angle: 90 deg}
    basis: {from: modes, modes: 4, size: 8}
    damping: {mass: 20 1/s, stiffness: 20 ms}
    touch: {stiffness: 500 N/m}
    live: {mu: [0.5, 2]}
tools:
  - name: hand
    kind: point
    device:
      kind: operator
      preset: premium-3
      repeat: true
      path:
        - {on: beam, near: [-20 mm, 450 mm, 60 mm], depth: -20 mm, after: 0.5 s}
        - {on: beam, near: [-20 mm, 450 mm, 60 mm], depth: 5 mm, after: 0.5 s}
servo: {ramp_in: 0.05 s}
"""


# ---- the program ----


class Viewer:
    def __init__(self, folder, *arguments, leaks=False):
        self.folder = folder
        self.errors = open(os.path.join(folder, "stderr"), "w+")
        more = ("--no-open", "--full", "--port", "0", "-o", os.path.join(folder, "out"), "--cache", CACHE)
        self.job = subprocess.Popen(
            [PROGRAM, "view", *arguments, *more],
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            cwd=folder,
            env=dict(os.environ, ASAN_OPTIONS=f"detect_leaks={int(leaks)}"),
        )
        line = self.job.stdout.readline()
        assert line.startswith("viewer: http://127.0.0.1:"), line + self.said()
        self.port = int(line.rsplit(":", 1)[1].rstrip("/\n"))
        self.clients = []

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def client(self, **options):
        client = Client(self.port, **options)
        self.clients.append(client)
        return client

    def end(self):
        """By Ctrl-C; returns the status."""
        self.job.send_signal(signal.SIGINT)
        status = self.job.wait(PATIENCE)
        for client in self.clients:
            client.socket.close()
        self.job.stdout.close()
        return status

    def close(self):
        if self.job.poll() is None:
            self.job.kill()
            self.job.wait()
        for client in self.clients:
            client.socket.close()
        self.job.stdout.close()
        self.errors.close()

    def memory(self):
        """Resident, bytes."""
        with open(f"/proc/{self.job.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def run(*arguments, folder=None):
    return subprocess.run(
        [PROGRAM, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        cwd=folder,
        env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"),
    )


class Case(unittest.TestCase):
    """One program for the tests of a class; each has a client of its own and finds the scene running and untouched."""

    SCENES = {"ball.yaml": BALL}  # in the folder; None: those that come with Tactus
    SCENE = "ball.yaml"  # that the program starts with; "": the folder
    LEAKS = False  # looks for leaks at the end, which takes seconds

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="tactus-view-")
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.scenes = SCENES if cls.SCENES is None else os.path.join(cls.folder, "scenes")
        if cls.SCENES is not None:
            os.mkdir(cls.scenes)
            for name in cls.SCENES:
                cls.write(name, cls.SCENES[name])
        cls.viewer = Viewer(cls.folder, os.path.join(cls.scenes, cls.SCENE), leaks=cls.LEAKS)
        cls.addClassCleanup(cls.viewer.close)

    @classmethod
    def tearDownClass(cls):
        for client in cls.viewer.clients:
            client.socket.close()
        status = cls.viewer.end()
        assert status == 0, f"status {status}: {cls.viewer.said()}"
        for word in ("Sanitizer", "runtime error"):
            assert word not in cls.viewer.said(), cls.viewer.said()

    @classmethod
    def write(cls, name, content):
        with open(os.path.join(cls.scenes, name), "w") as file:
            file.write(content)

    def join(self, **options):
        client = self.viewer.client(**options)
        self.addCleanup(client.socket.close)
        return client

    def setUp(self):
        self.client = self.join()
        if self.SCENE:
            self.client.until_running()
            self.client.until_frame(
                lambda frame: frame.clients == 1 and not any(tool.client for tool in frame.tools), "the others to leave"
            )
            self.body = self.client.bodies.get(0)

    def replayed(self, file):
        """What `tactus replay` says of a recording, and its rows."""
        path, table = os.path.join(self.folder, "out", file), os.path.join(self.folder, "table.csv")
        done = run("replay", path, "--cache", CACHE, "--csv", table)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(table) as rows:
            return done, list(csv.DictReader(rows))


class Shipped(Case):
    """The scenes that come with Tactus."""

    SCENES = None
    SCENE = ""

    def test_welcome(self):
        c = self.client
        self.assertEqual((c.welcome["protocol"], c.welcome["display_rate"]), (1, 60))
        self.assertTrue(c.welcome["program"].startswith("tactus "))
        files = [scene["file"] for scene in c.welcome["scenes"]]
        self.assertEqual(files, sorted(map(os.path.basename, glob.glob(os.path.join(SCENES, "*.yaml")))))
        for scene in c.welcome["scenes"]:
            self.assertEqual(set(scene), {"file", "name", "about", "picture", "error"})
            self.assertEqual((scene["name"] + ".yaml", scene["error"]), (scene["file"], None))
        self.assertEqual((c.state["phase"], c.state["scene"], c.state["servo"]), ("gallery", None, None))

    def test_pictures(self):
        names = [scene["file"][:-5] for scene in self.client.welcome["scenes"] if scene["picture"]]
        there = glob.glob(os.path.join(SCENES, "pictures", "*.png"))
        self.assertEqual([name + ".png" for name in names], sorted(map(os.path.basename, there)))
        for name, status in [(name, 200) for name in names[:1]] + [("nothing", 404), ("../kidney", 404)]:
            server = http.client.HTTPConnection("127.0.0.1", self.viewer.port, timeout=PATIENCE)
            server.request("GET", f"/pictures/{name}.png")
            answer = server.getresponse()
            self.assertEqual((answer.status, answer.read(4) == b"\x89PNG"), (status, status == 200))
            server.close()


class Touch(Case):
    SCENE = "kidney.yaml"

    @classmethod
    def setUpClass(cls):
        with open(os.path.join(SCENES, "kidney.yaml")) as file:
            cls.SCENES = {"kidney.yaml": file.read() + "servo: {ramp_in: 0.05 s}\n"}
        super().setUpClass()

    def test_state(self):
        state = self.client.state
        self.assertEqual(
            set(state),
            {"phase", "scene", "progress", "error", "paused", "demo", "recording", "replay", "recordings", "parameters"}
            | {"servo", "sketch", "sketched", "busy", "small", "hands", "speed", "changed", "follow"},
        )
        for key in ("busy", "progress", "small", "error", "recording", "replay", "sketch", "sketched"):
            self.assertIsNone(state[key])
        self.assertEqual((state["paused"], state["demo"], state["recordings"]), (False, False, []))
        scene = state["scene"]
        keys = {"file", "name", "about", "rate", "centre", "radius", "floor", "bodies", "tools", "pairs"}
        self.assertEqual(set(scene), keys | {"simulate_every"})
        self.assertEqual(scene["simulate_every"], 1)
        self.assertIsNone(scene["floor"])
        self.assertEqual(scene["pairs"], [])
        self.assertEqual((scene["file"], scene["name"], scene["rate"]), ("kidney.yaml", "kidney", 1000.0))
        (body,) = scene["bodies"]
        self.assertEqual((body["name"], body["method"]), ("kidney", "boundary elements"))
        self.assertEqual((body["vertices"], body["volume"]), (700, False))
        self.assertEqual((body["coordinates"], body["free"], body["sketch"]), (0, False, False))
        self.assertEqual((body["held"], body["shell"], body["field"]), (None, None, None))
        self.assertEqual(body["colours"], ["displacement", "stress", "stretch", "pressure"])
        self.assertEqual((body["told"], body["step"]), ([], 0.001))
        for key, value in (("mask", 0.012), ("young", 20e3), ("poisson", 0.45)):
            self.assertAlmostEqual(body[key], value, delta=1e-9 * value)
        self.assertEqual(body["sensors"], [{"name": "pelvis", "kind": "stress", "unit": "Pa"}])
        (tool,) = scene["tools"]
        self.assertEqual((tool["name"], tool["device"], tool["dof"], tool["pointer"]), ("finger", "operator", 3, True))
        self.assertEqual((tool["body"], tool["grasp"], tool["pads"]), (None, None, None))
        self.assertGreater(tool["force_limit"], 1.0)
        for parameter in state["parameters"]:
            self.assertEqual(set(parameter), {"name", "label", "unit", "least", "most", "start", "value", "rebuilds"})
            self.assertEqual(parameter["start"], parameter["value"])
            self.assertTrue(parameter["least"] <= parameter["value"] <= parameter["most"], parameter)
        self.assertEqual(
            [(p["name"], p["rebuilds"]) for p in state["parameters"]],
            [("kidney.stiffness", False), ("kidney.friction", False), ("kidney.mask", True)]
            + [("hand.stiffness", False), ("hand.damping", False)],
        )
        self.assertEqual((state["servo"]["rate"], state["servo"]["fault"]), (1000.0, ""))

    def test_geometry(self):
        scene, body = self.client.state["scene"], self.body
        self.assertEqual(
            (len(body.rest), len(body.triangles), len(body.fixed)),
            tuple(scene["bodies"][0][key] for key in ("vertices", "triangles", "fixed")),
        )
        self.assertTrue(all(max(triangle) < len(body.rest) for triangle in body.triangles))
        self.assertTrue(all(v < len(body.rest) for v in body.fixed) and len(set(body.fixed)) == len(body.fixed))
        self.assertTrue(all(norm(sub(x, scene["centre"])) <= scene["radius"] + 1e-6 for x in body.rest))
        # Closed and turned outward: every edge has two sides, and the volume is positive.
        sides = {(t[i], t[(i + 1) % 3]) for t in body.triangles for i in range(3)}
        self.assertEqual(len(sides), 3 * len(body.triangles))
        self.assertTrue(all((b, a) in sides for a, b in sides))
        self.assertGreater(sum(dot(body.rest[a], cross(body.rest[b], body.rest[c])) for a, b, c in body.triangles), 0.0)
        for v in body.fixed:
            self.assertTrue(body.rest[v][1] < -0.015 + 1e-6 or body.rest[v][0] > 0.026 - 1e-6)

    def test_hover_touches_nothing(self):
        place = self.body.rest[self.body.freest]
        inside = add(place, self.body.normals[self.body.freest], -0.005)
        tool = self.client.hover(inside)
        self.assertTrue(tool.led and tool.lifted)
        self.assertEqual((tool.force, tool.contact, tool.client), ((0.0, 0.0, 0.0), NO_CONTACT, 0))
        self.assertLess(norm(sub(tool.position, inside)), 1e-6)
        self.assertEqual(self.client.frame.contacts, 0)

    def test_press(self):
        c, vertex = self.client, self.body.freest
        normal = self.body.normals[vertex]
        c.wishes = SURFACES_WISHED | STRESS_WISHED | PRESSURE_WISHED
        tool = c.press(vertex, 0.005)
        self.assertEqual((tool.client, tool.contact, c.frame.contacts), (c.number, STICKS, 1))
        self.assertGreater(norm(tool.force), 0.3)
        self.assertGreater(dot(tool.force, normal), 0.9 * norm(tool.force))
        self.assertGreater(dot(tool.normal, normal), 0.9)
        # The hand is in equilibrium: what its spring pulls, the surface pushes back.
        stiffness = c.parameter("hand.stiffness")[1]["value"]
        pull = tuple(stiffness * x for x in sub(tool.spring, tool.position))
        self.assertLess(norm(add(tool.force, pull)), 0.02 * norm(tool.force))
        # The surface has given way, most where it is touched, and where the tool shows it.
        moved = displacements(c.surfaces[0])
        depths = [-dot(d, normal) for d in moved]
        self.assertGreater(depths[vertex], 0.001)
        self.assertLess(depths[vertex], tool.penetration + 0.001)
        self.assertGreater(depths[vertex], 0.7 * max(depths))
        self.assertTrue(all(norm(moved[v]) == 0.0 for v in self.body.fixed))
        self.assertLess(norm(sub(tool.point, tool.proxy)), 1e-7)
        self.assertGreater(max(map(abs, c.frame.sensors()[0])), 1.0)
        self.check_fields(vertex)
        self.check_stiffness(tool.spring)
        c.release()
        tool = c.until_frame(lambda frame: norm(frame.tools[0].force) == 0.0, "no force").tools[0]
        self.assertEqual((tool.contact, tool.client), (NO_CONTACT, c.number))
        c.until_frame(lambda frame: not any(map(norm, displacements(c.surfaces[0]))), "the surface at rest")
        self.assertEqual(set(c.frame.sensors()[0]), {0.0})

    def check_fields(self, vertex):
        c = self.client
        frame = c.until_frame(lambda frame: len(frame.fields()) == 2, "fields")
        fields, force = frame.fields(), norm(frame.tools[0].force)
        # The masks' pressure is the force.
        pressure = fields[0, PRESSURE]
        self.assertAlmostEqual(dot(pressure, self.body.areas) / force, 1.0, delta=0.02)
        near = {v for v, x in enumerate(self.body.rest) if norm(sub(x, self.body.rest[vertex])) < 0.03}
        self.assertTrue(all(pressure[v] == 0.0 for v in range(len(pressure)) if v not in near))
        # Stress of the order of the pressure; where nothing holds the body, most near the contact.
        stress = [0.0 if v in self.body.fixed else value for v, value in enumerate(fields[0, STRESS])]
        self.assertIn(stress.index(max(stress)), near)
        self.assertTrue(0.05 * max(pressure) < max(stress) < max(pressure))
        c.wishes = SURFACES_WISHED
        c.until_frame(lambda frame: not frame.fields() and frame.all_of(SURFACE), "no fields")
        self.assertFalse(c.until_frame(lambda frame: True, "a frame").fields())
        c.wishes = 0
        c.until_frame(lambda frame: not frame.all_of(SURFACE), "no surfaces")
        c.wishes = SURFACES_WISHED

    def check_stiffness(self, target):
        """Twice as stiff under the press that rests at `target`, and back."""
        c = self.client
        before = c.stiffness()
        c.set("kidney.stiffness", 2.0)
        c.settle(target)
        self.assertAlmostEqual(c.stiffness() / before, 2.0, delta=0.1)
        # Values are cut at their range; what there is not is ignored.
        c.set("kidney.stiffness", 1e9)
        self.assertEqual(c.parameter("kidney.stiffness")[1]["value"], 4.0)
        c.set("kidney.stiffness", -1.0)
        self.assertEqual(c.parameter("kidney.stiffness")[1]["value"], 0.25)
        for index in (5, 4000, 0xFFFFFFFF):
            c.command("parameter", index=index, value=3.0)
        c.set("kidney.stiffness", 1.0)
        c.settle(target)
        self.assertAlmostEqual(c.stiffness() / before, 1.0, delta=0.01)
        # A stiffer hand at the same place presses deeper.
        hand = c.parameter("hand.stiffness")[1]["value"]
        depth = c.frame.tools[0].penetration
        c.set("hand.stiffness", 2.0 * hand)
        tool = c.settle(target)
        self.assertGreater(tool.penetration, 1.1 * depth)
        self.assertAlmostEqual(2.0 * hand * norm(sub(tool.spring, tool.position)) / norm(tool.force), 1.0, delta=0.02)
        c.set("hand.stiffness", hand)

    def test_grab_pulls(self):
        c, vertex = self.client, self.body.freest
        place, normal = self.body.rest[vertex], self.body.normals[vertex]
        c.come_down(add(place, normal, 0.0005), grab=True)
        c.until_frame(lambda frame: frame.tools[0].contact == GRABBED, "the grasp")
        out = add(place, normal, 0.005)
        c.pointer(out, grab=True)
        tool = c.settle(out)
        self.assertTrue(tool.flags & GRABS)
        self.assertLess(dot(tool.force, normal), -0.3)
        self.assertGreater(dot(displacements(c.surfaces[0])[vertex], normal), 0.001)
        c.pointer(out)
        tool = c.until_frame(lambda frame: frame.tools[0].contact == NO_CONTACT, "the tool free").tools[0]
        self.assertEqual(tool.force, (0.0, 0.0, 0.0))

    def test_friction(self):
        c, vertex = self.client, self.body.freest
        normal = self.body.normals[vertex]
        along = cross(normal, (1.0, 0.0, 0.0) if abs(normal[0]) < 0.6 else (0.0, 1.0, 0.0))
        along = tuple(x / norm(along) for x in along)
        c.set("kidney.friction", 1.0)
        target = add(c.press(vertex, 0.004).spring, along, 0.003)
        c.pointer(target)
        sticks = c.settle(target)
        c.set("kidney.friction", 0.0)
        slides = c.settle(target)
        c.release()
        c.set("kidney.friction", 0.2)
        # It sticks where it was pressed, and pulls back; without friction it slides after the hand until nothing does.
        self.assertEqual((sticks.contact, slides.contact), (STICKS, SLIDES))
        back = [-dot(tool.force, along) / norm(tool.force) for tool in (sticks, slides)]
        self.assertGreater(back[0], 0.2)
        self.assertGreater(back[0], 3.0 * abs(back[1]))
        self.assertGreater(dot(sub(slides.point, sticks.point), along), 0.0005)

    def test_mask(self):
        c, load = self.client, self.client.load
        found = {}
        for radius in (0.006, 0.024, 0.012):
            c.set("kidney.mask", radius)
            c.until(lambda: c.state["scene"]["bodies"][0]["mask"] == radius, "the mask in the scene")
            c.press(self.body.freest, 0.005)
            found[radius] = c.stiffness()
            c.release()
        # A force on a larger patch sinks in less.
        self.assertTrue(1.1 * found[0.006] < 1.05 * found[0.012] < found[0.024], found)
        self.assertEqual(c.load, load)

    def test_slow_motion(self):
        c = self.client
        c.command("speed", 0.02)
        c.until(lambda: c.state["speed"] == 0.02, "slow motion")
        c.until_frame(lambda frame: 0.0 < frame.servo_rate < 60.0, "a servo of 20 Hz")
        c.reset()  # it stays slow
        self.assertEqual(c.state["speed"], 0.02)
        c.until_frame(lambda frame: 0.0 < frame.servo_rate < 60.0, "a servo of 20 Hz")
        c.command("speed", 1.0)
        c.until(lambda: c.state["speed"] == 1.0, "the usual speed")
        c.until_frame(lambda frame: frame.servo_rate > 100.0, "a servo that is faster")

    def test_pause_and_step(self):
        c = self.client
        c.pause()

        def rest():
            """Frames go on, ticks do not."""
            tick, count = None, 0

            def rests(frame):
                nonlocal tick, count
                tick, count = frame.tick, count + 1 if frame.tick == tick else 0
                return count == 15

            return c.until_frame(rests, "ticks to stand still").tick

        done = []
        while done != [5, 100] and len(done) < 10:  # again where the machine stood still, and not the ticks
            done = done[2:]
            for steps in (5, 100):
                tick = rest()
                c.command("step", steps)
                c.until_frame(lambda frame: frame.tick >= tick + steps, "steps")
                done.append(rest() - tick)
        self.assertEqual(done, [5, 100])
        tick = rest()
        c.go_on()
        c.until_frame(lambda frame: frame.tick > tick, "ticks to go on")
        c.command("step", 5)  # of no meaning now

    def test_reset(self):
        self.client.press(self.body.freest, 0.005)
        frame = self.client.reset()
        (tool,) = frame.tools
        self.assertEqual((tool.client, tool.contact, tool.force), (0, NO_CONTACT, (0.0, 0.0, 0.0)))
        self.assertAlmostEqual(frame.time, 0.001 * frame.tick)

    def test_trace_follows_the_ticks(self):
        c = self.client
        c.reset()
        last = -1

        def collect(frame):
            nonlocal last
            for trace in frame.traces:
                self.assertGreater(trace.first, last)
                last = trace.first + len(trace.rows) - 1
                self.assertTrue(all(row[0] > 0.0 and row[2:] == (0.0, 0.0, 0.0, -1.0) for row in trace.rows))
            self.assertLessEqual(last, frame.tick)
            return frame.tick > 200

        c.until_frame(collect, "200 ticks")
        self.assertGreater(last, 0)


class Tape(Case):
    """Recordings and replays."""

    def record(self):
        """Touches, moves and changes the ball while it is recorded; returns the file."""
        c, vertex = self.client, self.body.freest
        place, normal = self.body.rest[vertex], self.body.normals[vertex]
        known = {recording["file"] for recording in c.state["recordings"]}
        c.command("record", 1.0)
        c.until(lambda: c.state["recording"] is not None, "the recording")
        file = c.state["recording"]["file"]
        self.assertNotIn(file, known)
        c.come_down(add(place, normal, 0.002))
        c.pointer(add(place, normal, -0.005))
        c.until_frame(lambda frame: norm(frame.tools[0].force) > 0.3, "a force")
        c.set("ball.stiffness", 2.0)
        c.pointer(add(place, (normal[1], -normal[0], normal[2]), -0.004))
        tick = c.frame.tick + 150
        c.until_frame(lambda frame: frame.tick > tick, "150 ticks")
        c.command("pause", 1.0)
        c.command("step", 20)
        c.until(lambda: c.state["paused"], "the pause")
        c.command("record", 0.0)
        c.until(lambda: c.state["recording"] is None, "the recording's end")
        c.until(lambda: file in {recording["file"] for recording in c.state["recordings"]}, "the recording in the list")
        c.set("ball.stiffness", 1.0)
        return file

    def test_record_and_replay(self):
        c, vertex = self.client, self.body.freest
        file = self.record()
        self.assertIn({"kind": "info", "text": f"Recorded to {self.folder}/out/{file}"}, c.notices)
        done, rows = self.replayed(file)
        self.assertTrue(done.stdout.startswith("identical: "), done.stdout)
        (seconds,) = [recording["seconds"] for recording in c.state["recordings"] if recording["file"] == file]
        self.assertAlmostEqual(seconds, 0.001 * len(rows), delta=1e-9)
        self.assertEqual([int(row["tick"]) for row in rows], list(range(len(rows))))
        changes = [float(row["parameter_value"]) for row in rows if int(row["parameter"])]
        self.assertEqual(changes, [2.0])
        forces = [norm(self.vector(row, "tool0.output.force", "N")) for row in rows]
        self.assertGreater(max(forces), 0.3)

        load = c.load
        c.command("replay", text=file)
        c.until_phase("replaying")
        c.until(lambda: len(c.bodies) == 1, "the body")
        self.assertGreater(c.load, load)
        self.assertEqual((c.state["replay"]["file"], c.state["replay"]["speed"]), (file, 0.0))
        self.assertAlmostEqual(c.state["replay"]["duration"], 0.001 * (len(rows) - 1), delta=1e-9)
        self.assertFalse(c.state["scene"]["tools"][0]["pointer"])
        peak = forces.index(max(forces))
        for tick in (0, len(rows) - 1, peak, len(rows) // 2, 1):
            self.check_moment(tick, rows)
        c.command("seek", 1e6)
        c.until_frame(lambda frame: frame.tick == len(rows) - 1, "the end")

        # It plays, and rests at its end; played again, it begins anew.
        c.command("seek", 0.0)
        c.until_frame(lambda frame: frame.tick == 0, "the start")
        c.command("play", 10.0)
        c.until(lambda: c.state["replay"]["speed"] == 10.0, "the speed")
        c.until_frame(lambda frame: frame.tick > 0, "time to move")
        c.until(lambda: c.state["replay"]["speed"] == 0.0, "the end")
        c.until_frame(lambda frame: frame.tick == len(rows) - 1, "the last tick")
        c.command("play", 1.0)
        c.until_frame(lambda frame: frame.tick < len(rows) - 1, "the start")

        # Touching moves nothing now; afterwards the world runs again, and can be touched.
        c.pointer(self.body.rest[vertex])
        load = c.load
        c.command("replay")
        c.until(lambda: c.load > load, "the world")
        c.until_running()
        self.assertIsNone(c.state["replay"])
        self.assertGreater(norm(c.press(vertex, 0.005).force), 0.3)
        c.release()

    def vector(self, row, name, unit):
        return tuple(float(row[f"{name}.{axis} [{unit}]"]) for axis in "xyz")

    def check_moment(self, tick, rows):
        c, row = self.client, rows[tick]
        c.command("seek", 0.001 * tick)
        traced = {}

        def collect(frame):
            for trace in frame.traces:
                traced.update({trace.first + i: values for i, values in enumerate(trace.rows)})
            return frame.tick == tick

        frame = c.until_frame(collect, f"tick {tick}")
        tool = frame.tools[0]
        for value, name, unit in (
            (tool.position, "position", "m"),
            (tool.force, "output.force", "N"),
            (tool.proxy, "output.proxy", "m"),
        ):
            self.assertEqual(value, tuple(map(single, self.vector(row, f"tool0.{name}", unit))), name)
        self.assertEqual(tool.contact, int(row["tool0.output.contact.state"]))
        self.assertEqual(tool.lifted, row["tool0.lifted"] == "1")
        self.assertEqual(frame.contacts, int(row["report.contact_count"]))
        energy = 0.0  # absorbed: what the hand has done, force by force held through the way to the next tick
        for i in range(tick + 1):
            now = rows[i]
            place = self.vector(now, "tool0.device.position", "m")
            if i > 0:
                energy -= dot(force_before, sub(place, place_before))
            place_before, force_before = place, self.vector(now, "tool0.written", "N")
            if i not in traced:
                continue
            compute, late, force, penetration, absorbed, asked = traced[i]
            self.assertAlmostEqual(compute, 1e-9 * int(now["compute_ns [ns]"]), delta=1e-6 * abs(compute))
            self.assertAlmostEqual(late, 1e-9 * int(now["late_ns [ns]"]), delta=1e-6 * abs(late))
            self.assertAlmostEqual(force, norm(force_before), delta=1e-6 * force)
            self.assertAlmostEqual(absorbed, energy, delta=1e-6 * abs(energy) + 1e-12)
            limited = int(now["tool0.limits"]) & 3  # force or rate
            wanted = norm(self.vector(now, "tool0.output.force", "N")) if limited else -1.0
            self.assertAlmostEqual(asked, wanted, delta=1e-6 * abs(wanted))
            if int(now["tool0.output.contact.state"]):
                at = self.vector(now, "tool0.output.contact.at", "m")
                depth = norm(sub(self.vector(now, "tool0.position", "m"), at))
                self.assertAlmostEqual(penetration, depth, delta=1e-6 * depth)
            else:
                self.assertEqual(penetration, 0.0)

    def test_another_asset_than_the_recordings_is_told(self):
        c = self.client
        file = self.record()
        path = os.path.join(self.folder, "out", file)
        texts, _ = recording_file.read_texts(path)
        self.assertRegex(texts["assets"], r"^[0-9a-f]{16} ball-[0-9a-f]{16}\.green\n$")
        recording_file.change_texts(path, assets="f" * 16 + texts["assets"][16:])
        count = len(c.notices)
        c.command("replay", text=file)
        c.until_phase("replaying")
        c.until(lambda: len(c.notices) > count, "a notice")
        self.assertEqual(c.notices[-1]["kind"], "info")
        self.assertIn(texts["assets"][17:-1], c.notices[-1]["text"])
        c.command("replay")
        c.until_phase("running")

    def test_what_is_no_recording(self):
        c = self.client
        for file in ("nothing.tacrec", "../scenes/ball.yaml", "/etc/passwd"):
            count = len(c.notices)
            c.command("replay", text=file)
            c.until(lambda: len(c.notices) > count, "a notice")
            self.assertEqual((c.notices[-1]["kind"], c.state["phase"]), ("error", "running"))
        # One that was damaged after it was listed.
        file = self.record()
        path = os.path.join(self.folder, "out", file)
        with open(path, "r+b") as stream:
            stream.truncate(100)
        count = len(c.notices)
        c.command("replay", text=file)
        c.until(lambda: len(c.notices) > count, "a notice")
        os.remove(path)
        self.assertIn(file, c.notices[-1]["text"])
        self.assertEqual(c.state["phase"], "running")
        c.until_frame(lambda frame: True, "the world to go on")

    def test_parameters_survive_a_new_start(self):
        c, vertex = self.client, self.body.freest
        index, _ = c.parameter("ball.stiffness")
        c.press(vertex, 0.005)
        before = c.stiffness()
        c.release()
        # Set while no tick takes it, and then the world starts anew.
        c.pause()
        c.command("parameter", index=index, value=2.0)
        c.reset()
        self.assertEqual(c.parameter("ball.stiffness")[1]["value"], 2.0)
        c.press(vertex, 0.005)
        self.assertAlmostEqual(c.stiffness() / before, 2.0, delta=0.1)
        c.release()
        c.set("ball.stiffness", 1.0)

    def test_nowhere_to_record(self):
        c = self.client
        out = os.path.join(self.folder, "out")
        if os.path.exists(out):
            os.rename(out, out + ".kept")
        with open(out, "w"):
            pass
        count = len(c.notices)
        c.command("record", 1.0)
        c.until(lambda: len(c.notices) > count, "a notice")
        self.assertEqual(c.notices[-1]["kind"], "error")
        self.assertIsNone(c.state["recording"])
        tick = c.frame.tick
        c.until_frame(lambda frame: frame.tick != tick, "the world to go on")
        os.remove(out)
        # The folder is there, but the file cannot be made.
        os.mkdir(out)
        os.symlink(os.path.join(out, "nowhere", "x"), os.path.join(out, "view-001.tacrec"))
        c.command("record", 1.0)
        c.until(lambda: len(c.notices) > count + 1, "a notice")
        self.assertIn("view-001.tacrec", c.notices[-1]["text"])
        tick = c.until_frame(lambda frame: True, "a frame").tick
        c.until_frame(lambda frame: frame.tick > tick, "the world to go on")
        self.assertIsNone(c.state["recording"])
        shutil.rmtree(out)
        if os.path.exists(out + ".kept"):
            os.rename(out + ".kept", out)


class Files(Case):
    """Recordings are named, fetched and deleted."""

    def record(self):
        c, count = self.client, len(self.client.state["recordings"])
        c.command("record", 1.0)
        c.until(lambda: c.state["recording"] is not None, "the recording")
        c.until_frame(lambda frame: frame.tick > 100 and not frame.busy, "some ticks")
        c.command("record", 0.0)
        c.until(lambda: len(c.state["recordings"]) == count + 1, "the end of the recording")
        return c.state["recordings"][-1]["file"]

    def fetch(self, path):
        server = http.client.HTTPConnection("127.0.0.1", self.viewer.port, timeout=PATIENCE)
        server.request("GET", path)
        answer = server.getresponse()
        status, content = answer.status, answer.read()
        server.close()
        return status, content

    def files(self):
        return [recording["file"] for recording in self.client.state["recordings"]]

    def test_named_fetched_and_deleted(self):
        c = self.client
        first, second = self.record(), self.record()
        c.command("rename", text=f"{first}/soft press (1)")
        c.until(lambda: self.files() == ["soft press (1).tacrec", second], "the new name")
        with open(os.path.join(self.folder, "out", "soft press (1).tacrec"), "rb") as file:
            content = file.read()
        self.assertEqual(self.fetch("/recordings/soft%20press%20(1).tacrec"), (200, content))
        for name in (first, "../stderr", "..%2Fstderr", "%2e%2e/stderr", "no.tacrec", ""):
            self.assertEqual(self.fetch(f"/recordings/{name}")[0], 404, name)
        # Names that are refused, and those that are taken, are told, and nothing changes.
        for text in (f"{second}/soft press (1)", f"{second}/.hidden", f"{second}/a/b", f"{second}/", second, "no/a", "/a"):
            c.notices.clear()
            c.command("rename", text=text)
            c.until(lambda: len(c.notices) == 1, f"a word on {text}")
            self.assertEqual(c.notices[0]["kind"], "error")
        self.assertEqual(self.files(), ["soft press (1).tacrec", second])
        self.assertTrue(self.replayed("soft press (1).tacrec")[0].stdout.startswith("identical: "))
        # What is shown stays.
        c.command("replay", text=second)
        c.until_phase("replaying")
        c.notices.clear()
        c.command("delete", text=second)
        c.until(lambda: any("stays as it is" in notice["text"] for notice in c.notices), "why it stays")
        c.command("replay")
        c.until_phase("running")
        c.command("delete", text="../stderr")
        for file in (second, "soft press (1).tacrec"):
            c.command("delete", text=file)
        c.until(lambda: self.files() == [], "an empty list")
        self.assertEqual(os.listdir(os.path.join(self.folder, "out")), [])
        self.assertTrue(os.path.exists(os.path.join(self.folder, "stderr")))


class Follow(Case):
    """The scene's files change on the disk."""

    def save(self, content, atomically=False):
        self.write("next" if atomically else "ball.yaml", content)
        if atomically:  # as editors do
            os.rename(os.path.join(self.scenes, "next"), os.path.join(self.scenes, "ball.yaml"))

    def test_a_file_that_changes(self):
        c, load = self.client, self.client.load
        self.assertEqual((c.state["changed"], c.state["follow"]), (False, False))
        self.save(BALL.replace("a ball on a table", "a ball"))
        c.until(lambda: c.state["changed"], "the change")
        self.assertEqual((c.load, c.state["scene"]["about"]), (load, "a ball on a table"))
        c.command("reload")
        c.until(lambda: c.state["scene"] and c.state["scene"]["about"] == "a ball", "the new scene")
        self.assertFalse(c.state["changed"])
        # By itself, whether the file is written or replaced; a mistake too, and its correction.
        c.command("follow", 1.0)
        for i in range(2):
            self.save(BALL.replace("a ball on a table", f"ball {i}"), atomically=i == 1)
            c.until(lambda: c.state["scene"] and c.state["scene"]["about"] == f"ball {i}", "the new scene")
            c.until_running()
        self.save(BALL.replace("young", "yuong"), atomically=True)
        c.until_phase("failed")
        self.save(BALL, atomically=True)
        c.until_phase("running")
        c.command("follow", 0.0)
        c.until(lambda: not c.state["follow"], "to stay")

    def test_a_file_that_the_scene_names(self):
        c, path = self.client, os.path.join(self.scenes, "ball.obj")
        done = run("mesh", "--shape", "sphere", "--size", "0.02", "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.save(BALL.replace("{shape: sphere, size: 20 mm}", "{file: ball.obj}"))
        c.until(lambda: c.state["changed"], "the change")
        c.command("reload")
        c.until(lambda: not c.state["changed"] and c.state["phase"] == "running", "the scene with a mesh")
        os.utime(path)
        c.until(lambda: c.state["changed"], "the change of the mesh")
        self.save(BALL)
        c.command("reload")
        c.until(lambda: not c.state["changed"] and c.state["phase"] == "running", "the scene")


class Demo(Case):
    SCENES = {
        "ball.yaml": BALL,
        "once.yaml": BALL[: BALL.index("    device:")] + "    device: {kind: replay, file: once.txt}\n",
        "once.txt": "0 0 0 0.08\n0.3 0 0 0.045\n0.6 0 0 0.08\n",
    }

    def test_a_touch_takes_over(self):
        c = self.client
        c.command("demo", 1.0)
        c.until(lambda: c.state["demo"], "the demo")

        def wait_for_force(*touches):
            """The scene's own hand presses and lets go, again and again."""
            for touch in touches:
                tool = c.until_frame(
                    lambda frame: not frame.tools[0].led and (norm(frame.tools[0].force) > 0.1) == touch,
                    "the scene's hand",
                ).tools[0]
                self.assertEqual(tool.client, 0)

        wait_for_force(True, False)
        c.pointer((0.0, 0.0, 0.09), touch=False)  # hovering takes nothing over
        wait_for_force(True)
        tool = c.press(self.body.freest, 0.005)
        self.assertTrue(tool.led)
        self.assertEqual(tool.client, c.number)
        self.assertGreater(norm(tool.force), 0.3)
        c.pointer(tool.position, touch=False)
        wait_for_force(False, True)
        # Without it the tool stays where it is, and hovers.
        c.command("demo", 0.0)
        c.until(lambda: not c.state["demo"], "no demo")
        last = None

        def steady(frame):
            """The pointer leads, and for two frames from the same place: the first may still show the scene's hand."""
            nonlocal last
            before, last = last, frame.tools[0].spring if frame.tools[0].led else None
            return last is not None and last == before

        tool = c.settle(c.until_frame(steady, "the pointer to lead").tools[0].spring)
        self.assertEqual((tool.lifted, norm(tool.force)), (True, 0.0))

    def test_a_device_that_ends(self):
        c = self.client
        c.command("demo", 1.0)
        c.open("once.yaml")
        ends = []
        for _ in range(2):
            c.until(lambda: c.state["servo"]["fault"], "its end")
            ends.append(c.until_frame(lambda frame: True, "the last tick").tick)
            self.assertEqual(c.until_frame(lambda frame: True, "a frame").tick, ends[-1])
            c.command("reset")
            c.until(lambda: c.state["phase"] == "running" and not c.state["servo"]["fault"], "the reset")
            c.until_running()
        # The device has played as long as before.
        self.assertEqual(ends[0], ends[1])
        self.assertGreater(ends[0], 600)
        c.command("demo", 0.0)
        c.open("ball.yaml")


class Reduced(Case):
    """A beam of few coordinates."""

    SCENES = {"beam.yaml": BEAM}
    SCENE = "beam.yaml"

    def setUp(self):
        super().setUp()
        self.model = self.client.models[0]
        self.tip = max(range(len(self.model.rest)), key=lambda v: self.model.rest[v][0] + self.model.rest[v][2])

    def place(self, vertex, q):
        """Of a vertex in the world, m: the body is turned by a right angle."""
        x, y, z = add(self.model.rest[vertex], self.model.moved(vertex, q))
        return (-y, 0.1 + x, z)

    def pull(self, far):
        """Takes the tip, pulls it up and waits until all rests."""
        c = self.client
        rest = self.place(self.tip, [0.0] * self.model.size)
        c.come_down(rest, grab=True)
        c.until_frame(lambda frame: frame.tools[0].contact == GRABBED, "the grasp")
        target = add(rest, (0.0, 0.0, 1.0), far)
        c.pointer(target, grab=True)
        return c.settle(target)

    def test_model(self):
        c, model = self.client, self.model
        self.assertEqual((c.bodies, len(c.models)), ({}, 1))
        (body,) = c.state["scene"]["bodies"]
        what = (body["method"], body["coordinates"], body["free"], body["sketch"])
        self.assertEqual(what, ("reduced", 8, False, True))
        self.assertEqual(body["colours"], ["displacement", "stress", "stretch"])
        self.assertEqual((model.size, model.free, model.bodies), (8, False, (0,)))
        self.assertEqual(len(model.rest), body["vertices"])
        self.assertEqual(model.labels[0], "mode 1")
        self.assertEqual(len(model.labels), 4 + 10)  # modes and their derivatives
        zero = [0.0] * 8
        centre, radius = c.state["scene"]["centre"], c.state["scene"]["radius"]
        for v in range(body["vertices"]):
            self.assertLessEqual(norm(sub(self.place(v, zero), centre)), radius + 1e-6)
        for v in model.fixed:  # whatever the coordinates
            self.assertTrue(all(norm(model.moved(v, row)) < 1e-6 for row in model.shapes))
        self.assertIn("beam.mu", [parameter["name"] for parameter in c.state["parameters"]])

    def test_pull(self):
        tool = self.pull(0.08)
        ((q, position, orientation),) = self.client.frame.coordinates()[0]
        self.assertEqual((position, orientation), ((), ()))
        # The tip is where the contact is, has come most of the way, and the spring to it has the force.
        tip = self.place(self.tip, q)
        self.assertLess(norm(sub(tip, tool.point)), 0.001)  # taken where the tool came down, next to it
        self.assertGreater(tip[2] - self.model.rest[self.tip][2], 0.05)
        stretch = norm(sub(tool.position, tool.point))
        self.assertAlmostEqual(norm(tool.force), 500.0 * stretch, delta=5.0 * stretch)
        self.assertLess(tool.force[2], -0.1)
        self.client.set("beam.mu", 2.0)
        stiffer = self.client.settle(tool.spring)
        self.assertLess(stiffer.force[2], 1.1 * tool.force[2])  # along the beam springs give way instead
        self.client.set("beam.mu", 1.0)
        self.client.release()

    def test_sketch(self):
        c = self.client
        c.command("record", 1.0, index=1)
        c.until(lambda: c.state["sketch"] == {"body": 0}, "the sketch")
        c.until_running()
        self.pull(0.08)
        c.release()
        c.command("record", 0.0)
        c.until(lambda: c.state["sketched"] is not None, "its end")
        self.assertEqual((c.state["sketch"], c.state["sketched"]["body"]), (None, 0))
        done, rows = self.replayed(os.path.basename(c.state["sketched"]["file"]))
        self.assertTrue(done.stdout.startswith("identical: "), done.stdout)
        # A bake with the line that is advised, of fewer coordinates: of one pull they hold all.
        line = c.state["sketched"]["basis"].replace("size: 8", "size: 3")
        self.write("sketched.yaml", BEAM.replace("basis: {from: modes, modes: 4, size: 8}", line))
        done = run("bake", os.path.join(self.scenes, "sketched.yaml"), "--cache", CACHE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"3 coordinates from a sketch hold (more than )?99\.")
        asset = max(glob.glob(os.path.join(CACHE, "beam-*.reduced")), key=os.path.getmtime)
        self.assertRegex(run("info", asset).stdout, r"basis +from a sketch, holds (more than )?99\.")


class Clients(Case):
    SCENES = {"pair.yaml": PAIR}
    SCENE = "pair.yaml"

    def test_two_bodies_and_two_tools(self):
        c = self.client
        names = [body["name"] for body in c.state["scene"]["bodies"]]
        self.assertEqual((names, len(c.frame.tools)), (["ball", "other"], 2))
        # The second body is the first one, turned and moved.
        for a, b in zip(c.bodies[0].rest, c.bodies[1].rest):
            self.assertLess(norm(sub((0.15 - a[1], a[0], a[2]), b)), 1e-6)
        vertex = c.bodies[0].freest
        c.press(vertex, 0.005)
        tool = c.press(vertex, 0.005, tool=1, body=1)
        first = c.frame.tools[0]
        self.assertEqual((first.body, tool.body, c.frame.contacts), (0, 1, 2))
        # The second tool goes twice as far as its hand, so that the same hand is half as stiff there.
        hand = c.parameter("hand.stiffness")[1]["value"]
        for t, stiffness in ((first, hand), (tool, hand / 2.0)):
            pull = tuple(stiffness * x for x in sub(t.spring, t.position))
            self.assertLess(norm(add(t.force, pull)), 0.02 * norm(t.force))
        # The bodies are alike: the surface gives way by the same for the same force.
        gave = [dot(displacements(c.surfaces[b])[vertex], c.bodies[b].normals[vertex]) for b in (0, 1)]
        self.assertAlmostEqual(gave[0] * norm(tool.force) / (gave[1] * norm(first.force)), 1.0, delta=0.02)
        c.release()
        c.release(tool=1)
        c.pointer((0.0, 0.0, 0.1), tool=2)  # there is none
        c.pointer((0.0, 0.0, 0.1), tool=65535)
        c.until_frame(lambda frame: True, "a frame")

    def test_each_page_has_a_tool_of_its_own(self):
        a = self.client
        # The page of the test before may have held the first tool when this one came.
        a.until(lambda: [hand["page"] for hand in a.state["hands"]] in ([a.number, 0], [0, a.number]), "one page alone")
        own = [hand["page"] for hand in a.state["hands"]].index(a.number)
        free = 1 - own
        b, c = self.join(), self.join()
        for client in (b, c):
            client.until_running()

        def until(key, of_own, of_free):
            wanted = [client.number if client else 0 for client in (of_own, of_free)]
            a.until(lambda: [a.state["hands"][tool][key] for tool in (own, free)] == wanted, f"the {key}s {wanted}")

        until("page", a, b)  # nothing is left for c
        b.close()
        until("page", a, None)
        c.hover((0.15, 0.0, 0.1), tool=free)
        until("page", a, None)
        c.pointer((0.15, 0.0, 0.1), touch=True, tool=free)  # who touches with a free one has it
        until("page", a, c)
        until("leader", None, c)
        d = self.join()
        d.until_running()
        until("page", a, c)
        d.pointer((0.0, 0.0, 0.1), touch=True, tool=own)  # a touches nothing: it may
        until("leader", d, c)
        until("page", a, c)
        a.command("open", text="pair.yaml")
        until("page", a, c)

    def test_a_tool_that_another_page_holds(self):
        a, b = self.client, self.join()
        b.until_running()
        self.assertNotEqual(a.number, b.number)
        vertex = a.bodies[0].freest
        a.press(vertex, 0.005)
        self.assertEqual(a.frame.tools[0].client, a.number)
        b.until_frame(lambda frame: frame.clients == 2 and frame.tools[0].client == a.number, "the other's touch")
        # Neither the hovering nor the touch of another one changes anything; it is told, once a press.
        b.pointer((0.0, 0.0, 0.2), touch=False)
        for _ in range(5):
            b.pointer((0.0, 0.0, 0.2), touch=True)
        b.settle(a.frame.tools[0].spring)
        self.assertEqual([(n["kind"], n["tool"], n["client"]) for n in b.notices], [("held", 0, a.number)])
        self.assertIn("probe", b.notices[0]["text"])
        self.assertEqual(a.notices, [])
        # It takes it over; the one who still presses has to let go before it may touch again.
        spring = a.frame.tools[0].spring
        b.command("take", index=0)
        b.until(lambda: b.state["hands"][0]["leader"] == b.number, "the tool")
        a.pointer(spring, touch=True)
        tool = b.press(vertex, 0.003)
        self.assertEqual(tool.client, b.number)
        self.assertGreater(norm(tool.force), 0.2)
        a.until(lambda: [n["kind"] for n in a.notices] == ["held"], "the word that it may not")
        a.pointer((0.0, 0.0, 0.2), touch=False)
        b.settle(tool.spring)
        # What nobody presses with goes to the next who touches.
        b.release()
        a.press(vertex, 0.003)
        self.assertEqual(a.frame.tools[0].client, a.number)
        a.release()
        b.press(vertex, 0.003)
        for leave in ("close", "vanish"):
            getattr(b, leave)()
            tool = a.until_frame(lambda frame: frame.clients == 1 and frame.tools[0].lifted, "the tool let go").tools[0]
            self.assertEqual((tool.client, norm(tool.force)), (0, 0.0))
            if leave == "close":
                b = self.join()
                b.until_running()
                b.press(vertex, 0.003)
                a.until_frame(lambda frame: frame.tools[0].client == b.number, "the other's touch")

    def test_who_misses_frames_gets_every_tick(self):
        slow = self.join(shows=False)
        slow.until(lambda: slow.frames == 2, "as many frames as it may have unshown")
        slow.ticks, last = [], slow.frame.tick
        self.client.until_frame(lambda frame: frame.tick > last + 300, "some time")
        slow.shows = True
        slow.send(struct.pack("<BBHI", 65, 1, slow.wishes, slow.frame.number))
        frame = slow.until_frame(lambda frame: True, "the next frame")
        self.assertGreater(frame.tick, last + 300)
        ticks = [trace.first + i for trace in frame.traces for i in range(len(trace.rows))]
        gap = set(range(last + 1, frame.tick - 50)) - set(ticks)
        self.assertEqual((gap, ticks), (set(), sorted(ticks)))

    def test_it_says_that_it_is_there(self):
        beats = self.client.beats
        self.client.until(lambda: self.client.beats >= beats + 3, "three beats")

    def test_who_shows_nothing_holds_nobody_up(self):
        idle = self.join(shows=False)
        c = self.client
        tick = c.frame.tick
        for _ in range(20):
            c.until_frame(lambda frame: True, "a frame")
        self.assertGreater(c.frame.tick, tick)
        idle.until(lambda: idle.frames > 0, "a frame")
        c.command("pause", 1.0)  # it is told all the same
        idle.until(lambda: idle.state["paused"], "the pause")
        c.command("pause", 0.0)
        idle.until(lambda: not idle.state["paused"], "the pause's end")
        self.assertLessEqual(idle.frames, 2)
        idle.close()

    def test_what_is_malformed_closes(self):
        for message, reason in (
            (b"", 1002),
            (b"\x40\x01", 1002),
            (struct.pack("<BBHId", 66, 1, 12, 0, 0.0), 1002),
            (struct.pack("<BBHId", 66, 1, 4, 0, float("nan")), 1002),
            (bytes(2000), 1009),
        ):
            other = self.join()
            other.send(message)
            with self.assertRaises(Closed) as closed:
                other.pump(PATIENCE)
            self.assertEqual(closed.exception.args[0], reason)
        self.client.until_frame(lambda frame: True, "a frame")


class Errors(Case):
    SCENES = {
        "ball.yaml": BALL,
        "broken.yaml": BALL.replace("young", "yuong"),
        "solid.yaml": SOLID,
        "large.yaml": BALL.replace("size: 20 mm", "size: 5 mm"),
    }
    SCENE = ""

    def test_gallery(self):
        c = self.client
        c.open("ball.yaml")
        c.command("open")
        c.until_phase("gallery")
        self.assertEqual((c.state["scene"], c.state["servo"], c.state["parameters"]), (None, None, []))
        self.assertEqual([scene["file"] for scene in c.welcome["scenes"]], sorted(self.SCENES))
        errors = {scene["file"]: scene["error"] for scene in c.welcome["scenes"]}
        self.assertIn("broken.yaml:9: bodies[0].material.yuong", errors.pop("broken.yaml"))
        self.assertEqual(set(errors.values()), {None})

    def test_broken_and_repaired(self):
        c = self.client
        c.open("ball.yaml")
        c.open("broken.yaml")
        state = c.state
        self.assertEqual((state["phase"], state["scene"], state["progress"]), ("failed", None, None))
        self.assertEqual(state["error"]["file"], os.path.join(self.scenes, "broken.yaml"))
        self.assertEqual(state["error"]["line"], 9)
        self.assertIn("did you mean young?", state["error"]["text"])
        lines = self.SCENES["broken.yaml"].splitlines()
        self.assertEqual(state["error"]["excerpt"], [{"line": n, "text": lines[n - 1]} for n in range(6, 13)])
        # Nothing here can be touched, paused or recorded, and nothing breaks.
        for name in ("pause", "step", "reset", "record", "seek", "play"):
            c.command(name, 1.0)
        c.command("parameter", 2.0)
        c.pointer((0.0, 0.0, 0.0))
        self.write("broken.yaml", BALL)
        c.command("reload")
        c.until_running()
        self.assertIsNone(c.state["error"])
        self.write("broken.yaml", self.SCENES["broken.yaml"])
        load = c.load
        c.command("reload")
        c.until(lambda: c.load > load and c.state["phase"] == "failed", "the failure")

    def test_only_scenes_of_the_gallery(self):
        c = self.client
        c.open("ball.yaml")
        load = c.load
        shutil.copy(os.path.join(self.scenes, "ball.yaml"), os.path.join(self.folder, "x.yaml"))
        for file in ("../x.yaml", "../x", os.path.join(self.folder, "x.yaml"), "new.yaml", "ball.yaml/", "/etc/passwd"):
            count = len(c.notices)
            c.command("open", text=file)
            c.until(lambda: len(c.notices) > count, "a notice")
            self.assertEqual(c.notices[-1]["kind"], "error")
        # What ran goes on.
        self.assertEqual((c.load, c.state["phase"]), (load, "running"))
        c.until_frame(lambda frame: True, "a frame")

    def test_another_scene_while_one_bakes(self):
        c = self.client
        c.command("open", text="large.yaml")
        c.until(lambda: (c.state["progress"] or {}).get("fraction", -1.0) > 0.0, "the bake")
        c.open("ball.yaml")
        # All at once: only the last one counts.
        load = c.load
        for file in ("large.yaml", "solid.yaml", "large.yaml", "large.yaml"):
            c.command("open", text=file)
        c.open("ball.yaml")
        self.assertLessEqual(c.load, load + 5)
        # A name that is refused cancels nothing.
        c.command("open", text="large.yaml")
        c.until_phase("loading")
        c.command("open", text="../x.yaml")
        c.until(lambda: c.notices, "a notice")
        self.assertEqual(c.state["phase"], "loading")
        c.command("reload")
        c.open("solid.yaml")

    def test_finite_elements(self):
        c = self.client
        c.open("solid.yaml")
        body, geometry = c.state["scene"]["bodies"][0], c.bodies[0]
        self.assertEqual((body["method"], body["volume"]), ("finite elements", True))
        self.assertGreater(len(geometry.points), 8)
        edges = list(zip(geometry.edges[0::2], geometry.edges[1::2]))
        self.assertTrue(all(a < b < len(geometry.points) for a, b in edges))
        self.assertEqual(len(set(edges)), len(edges))
        self.assertGreater(norm(c.press(geometry.freest, 0.005).force), 0.3)
        c.release()

    def test_reloads_keep_nothing(self):
        c = self.client
        c.open("ball.yaml")
        memory = []
        for i in range(6 if LIGHT else 16):
            load = c.load
            c.command("reload")
            c.until(lambda: c.load > load, "the reload")
            if i % 3 == 0:
                c.until_running()  # or cancel it at once
            memory.append(self.viewer.memory())
        c.until_running()
        # Sanitizers keep what was freed for a while.
        if not LIGHT:
            self.assertLess(memory[-1], memory[len(memory) // 4] + (8 << 20))


class Chance(Case):
    SCENES = {
        "pair.yaml": PAIR,
        "ball.yaml": BALL,
        "broken.yaml": BALL.replace("young", "yuong"),
        "last.yaml": BALL,
    }
    SCENE = "pair.yaml"
    LEAKS = True

    def test_anything_in_any_order(self):
        chance = random.Random(20011)
        clients = [self.client, self.join()]
        dropped = 0
        for i in range(200 if LIGHT else 250):
            c = chance.choice(clients)
            what = chance.random()
            if what < 0.5:
                position = tuple(chance.uniform(-0.08, 0.08) for _ in range(3))
                q = tuple(chance.gauss(0.0, 1.0) for _ in range(4))
                q = tuple(x / norm(q) for x in q)
                c.pointer(position, chance.random() < 0.7, chance.random() < 0.3, chance.choice((0, 0, 1, 1, 2, 9)), q)
            elif what < 0.53:
                (c.vanish if chance.random() < 0.5 else c.close)()
                clients[clients.index(c)] = self.join()
                dropped += 1
            elif what < 0.56:
                c.ask(chance.randint(0, 3), chance.randint(0, 3), chance.uniform(-1.0, 1.0))  # of bodies without fields
            else:
                name = chance.choice(COMMANDS + ("record", "record", "replay"))
                files = ("pair.yaml", "ball.yaml", "broken.yaml", "", "no.yaml")
                value = {
                    "pause": float(chance.random() < 0.5),
                    "step": float(chance.randint(1, 1000)),
                    "record": float(chance.random() < 0.5),
                    "demo": float(chance.random() < 0.5),
                    "follow": float(chance.random() < 0.5),
                    "seek": chance.uniform(0.0, 2.0),
                    "play": chance.uniform(0.0, 10.0),
                    "speed": chance.choice((0.1, 0.5, 1.0)),
                }.get(name, chance.uniform(-1.0, 3.0))
                recordings = [recording["file"] for recording in c.state["recordings"]] + ["", "no.tacrec"]
                file = chance.choice(recordings)
                text = {"open": chance.choice(files), "replay": file, "delete": file, "rename": f"{file}/a{i}"}.get(name, "")
                if name in ("open", "reload") and chance.random() < 0.7:
                    continue  # else little else happens
                c.command(name, value, text, chance.randint(0, 8))
            c.wishes = chance.randint(0, 1023)
            for other in clients:
                while other.receive(0.0):
                    pass
            time.sleep(chance.choice((0.0, 0.0, 0.002, 0.02)))
        self.assertGreater(dropped, 2)
        # It is there, and does what it is told.
        c = clients[0]
        clients[1].close()  # what it has said is done then
        c.wishes = SURFACES_WISHED
        c.command("demo", 0.0)
        c.open("last.yaml")
        self.assertGreater(norm(c.press(c.bodies[0].freest, 0.005).force), 0.3)
        files = [recording["file"] for recording in c.state["recordings"] if recording["seconds"] > 0.0]
        for file in files[:3]:
            self.assertIn("identical", self.replayed(file)[0].stdout)


class End(Case):
    """What Ctrl-C and kill leave."""

    def setUp(self):
        super().setUp()
        c = self.client
        c.command("record", 1.0)
        c.until(lambda: c.state["recording"] is not None, "the recording")
        self.file = c.state["recording"]["file"]
        place, normal = self.body.rest[self.body.freest], self.body.normals[self.body.freest]
        c.come_down(add(place, normal, 0.002))
        c.pointer(add(place, normal, -0.004))
        self.tick = c.until_frame(lambda frame: norm(frame.tools[0].force) > 0.2, "a force").tick

    @classmethod
    def tearDownClass(cls):
        pass

    def test_a_interrupt(self):
        self.assertEqual(self.viewer.end(), 0, self.viewer.said())
        done, rows = self.replayed(self.file)
        self.assertTrue(done.stdout.startswith("identical: "), done.stdout)
        self.assertNotIn("cut short", done.stderr)
        self.assertGreater(len(rows), self.tick)
        type(self).viewer = Viewer(self.folder, os.path.join(self.scenes, self.SCENE))
        self.addClassCleanup(self.viewer.close)

    def test_b_kill(self):
        path = os.path.join(self.folder, "out", self.file)
        # What is written grows by a block of ticks a second, and by one of states whenever that is full.
        c = self.client
        second = c.until_frame(lambda frame: frame.tick > self.tick + 1000, "a second of ticks").tick
        size = os.path.getsize(path)
        c.until_frame(lambda frame: frame.tick > second + 1000 and os.path.getsize(path) > size, "a block of ticks")
        self.viewer.job.kill()
        self.viewer.job.wait()
        done, rows = self.replayed(self.file)
        self.assertTrue(done.stdout.startswith("identical: "), done.stdout)
        self.assertIn("cut short", done.stderr)
        self.assertGreater(len(rows), 0)


def setUpModule():
    global CACHE
    CACHE = os.environ.get("TACTUS_TEST_CACHE")  # shared by the tests of a run
    if CACHE is None:
        CACHE = tempfile.mkdtemp(prefix="tactus-view-cache-")
        unittest.addModuleCleanup(shutil.rmtree, CACHE)
    done = run("bake", os.path.join(SCENES, "kidney.yaml"), "--cache", CACHE, "--quiet")
    assert done.returncode == 0, done.stderr


def run_classes():
    """Side by side, with one cache."""
    with tempfile.TemporaryDirectory(prefix="tactus-view-cache-") as cache:
        os.environ.setdefault("TACTUS_TEST_CACHE", cache)
        return side_by_side.run(side_by_side.classes(sys.modules["__main__"]))


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.exit(run_classes())
    SCENES = os.path.abspath(sys.argv.pop())
    PROGRAM = os.path.abspath(sys.argv.pop())
    unittest.main()
