"""What tests of `tactus view` without a browser share: scenes, and one program for the tests of a class."""

import contextlib
import csv
import http.client
import os
import shutil
import sys
import tempfile
import unittest

import scene_case
import side_by_side
from view_client import TIMEOUT, Viewer

SCENES = CACHE = ""  # the folder of those that come with Tactus; the cache of all tests, with the bodies baked
SENSORS = "    sensors:\n      - {name: middle, kind: displacement, point: [0, 0, 0]}\n"

BODY = scene_case.BALL.replace(SENSORS, "")
BALL = "tactus: 1\nname: ball\nabout: a ball on a table\nbodies:\n" + BODY + "    live: {stiffness: [0.5, 2]}\n" + scene_case.PROBE.format(first="0.2 s", second="0.2 s", ramp_in="0.05 s")

# Two bodies, two tools; the second body lies beside the first, turned by 90 degrees.
PAIR = (
    BALL.replace("name: ball\nabout", "name: pair\nabout")
    .replace(
        "tools:\n",
        BODY.replace("name: ball", "name: other")
        + """    position: [150 mm, 0, 0]
    rotation: {axis: [0, 0, 1], angle: 90 deg}
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

BEAM = "tactus: 1\nname: beam\nbodies:\n" + scene_case.BEAM + """    position: [0, 100 mm, 0]
    rotation: {axis: [0, 0, 1], angle: 90 deg}
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


def view(folder, scene, leaks=False):
    return Viewer(scene_case.PROGRAM, folder, scene, "--full", cache=CACHE, leaks=leaks)


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
        cls.viewer = view(cls.folder, os.path.join(cls.scenes, cls.SCENE), cls.LEAKS)
        cls.addClassCleanup(cls.viewer.close)

    @classmethod
    def tearDownClass(cls):
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

    def notice_after(self, *command, **what):
        """Commands, and returns the notice that comes of it."""
        count = len(self.client.notices)
        self.client.command(*command, **what)
        self.client.until(lambda: len(self.client.notices) > count, "a notice")
        return self.client.notices[-1]

    def begin_recording(self):
        """Returns the file."""
        self.client.command("record", 1.0)
        self.client.until(lambda: self.client.state["recording"] is not None, "the recording")
        return self.client.state["recording"]["file"]

    def fetch(self, path):
        """Status and content."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.viewer.port, timeout=TIMEOUT)) as server:
            server.request("GET", path)
            answer = server.getresponse()
            return answer.status, answer.read()

    def replayed(self, file, status=0):
        """What `tactus replay` says of a recording, and its rows."""
        path, table = os.path.join(self.folder, "out", file), os.path.join(self.folder, "table.csv")
        done = scene_case.run("replay", path, "--cache", CACHE, "--csv", table)
        self.assertEqual(done.returncode, status, done.stderr)
        with open(table) as rows:
            return done, list(csv.DictReader(rows))


def setUpModule():
    global CACHE
    CACHE = os.environ.get("TACTUS_TEST_CACHE")  # shared by the tests of a run
    if CACHE is None:
        CACHE = tempfile.mkdtemp(prefix="tactus-view-cache-")
        unittest.addModuleCleanup(shutil.rmtree, CACHE)
    done = scene_case.run("bake", os.path.join(SCENES, "kidney.yaml"), "--cache", CACHE, "--quiet")
    assert done.returncode == 0, done.stderr


def main():
    """PROGRAM and SCENES are the last arguments; without a class before them, all of them run side by side with one cache."""
    if len(sys.argv) == 3:
        with tempfile.TemporaryDirectory(prefix="tactus-view-cache-") as cache:
            os.environ.setdefault("TACTUS_TEST_CACHE", cache)
            sys.exit(side_by_side.run(side_by_side.classes(sys.modules["__main__"])))
    global SCENES
    SCENES = os.path.abspath(sys.argv.pop())
    scene_case.PROGRAM = os.path.abspath(sys.argv.pop())
    unittest.main()
