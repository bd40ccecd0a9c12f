"""What tests of scenes share: the program in a folder of the test's own, and a soft ball that is baked once a run."""

import os
import resource
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = ""  # the tests' main functions set it
LIGHT = "TACTUS_TEST_LIGHT" in os.environ  # a sanitizer build

# A ball of 50 mm radius, held over its lower half, so that trial loads do not bend it far and its bake takes a quarter of a second.
BALL = """  - name: ball
    kind: green
    method: boundary-elements
    surface: {shape: sphere, size: 20 mm}
    material: {young: 10 kPa, poisson: 0.4, density: 1000 kg/m3}
    fixed:
      - below: {axis: z, at: -5 mm}
    sensors:
      - {name: middle, kind: displacement, point: [0, 0, 0]}
    mask: 25 mm
"""

# A reduced beam, held at its left end: baked in a tenth of a second.
BEAM = """  - name: beam
    kind: reduced
    surface: {shape: beam, size: 20 mm}
    volume: {bricks: 20 mm}
    material: {young: 200 kPa, poisson: 0.4, density: 300 kg/m3}
    fixed: [{below: {axis: x, at: 1 mm}}]
    basis: {from: modes, modes: 4, size: 8}
    damping: {mass: 20 1/s, stiffness: 20 ms}
    touch: {stiffness: 500 N/m}
"""

# A hand that presses the ball and slides, again and again.
PROBE = """tools:
  - name: probe
    kind: point
    device:
      kind: operator
      preset: premium-3
      repeat: true
      path:
        - {{on: ball, near: [0, 0, 80 mm], depth: -3 mm, after: {first}}}
        - {{on: ball, near: [0, 0, 80 mm], depth: 5 mm, after: {second}}}
        - {{on: ball, near: [10 mm, 0, 80 mm], depth: 5 mm, after: 0.2 s}}
servo: {{ramp_in: {ramp_in}}}
"""


def assets(folder):
    """Those that were baked; beside them are the meshes that they were made from, and what bakes took."""
    return [name for name in os.listdir(folder) if not name.endswith((".surface", ".volume", ".txt", ".lock"))]


def run(*arguments, limits=(), leaks=False, variables=None, **options):
    """Runs the program; `limits` are pairs (resource, value). Looking for leaks takes seconds, so few runs do it."""
    environment = dict(options.pop("env", os.environ), ASAN_OPTIONS=f"detect_leaks={int(leaks)}", **(variables or {}))
    if limits:
        environment["OPENBLAS_NUM_THREADS"] = "1"  # it makes a thread for each core when it is loaded, or ends the process
        options["preexec_fn"] = lambda: [resource.setrlimit(kind, (value, value)) for kind, value in limits]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "timeout": 600, **options}
    return subprocess.run([PROGRAM, *map(str, arguments)], env=environment, **options)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tactus-test-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.cache = self.path("cache")
        self.environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return self.path(name)

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def bytes(self, *names):
        with open(self.path(*names), "rb") as file:
            return file.read()

    def contains(self, text, *parts):
        for part in parts:
            self.assertIn(part, text)

    def replay(self, *more, recording=None, **options):
        """What is said of the recording of a run."""
        return self.ok("replay", recording or self.path("out", "run.tacrec"), "--cache", self.cache, *more, **options)

    def run_program(self, *arguments, **options):
        return run(*arguments, **{"cwd": self.folder, "env": self.environment, **options})

    def start(self, *arguments, **options):
        return subprocess.Popen([PROGRAM, *map(str, arguments)], text=True, env=self.environment, cwd=self.folder, **options)

    def ok(self, *arguments, **options):
        result = self.run_program(*arguments, **options)
        self.assertEqual(result.returncode, 0, f"{arguments}: {result.stderr}")
        return result.stdout

    def errors(self, result):
        """Its lines of error; others are of progress, and name drivers."""
        return [line for line in result.stderr.splitlines()
                if line.startswith("tactus") and not line.startswith("tactus: loads ")]

    def refused(self, status, *arguments, says=(), **options):
        """The status, and exactly one line of error that holds each text of `says`."""
        result = self.run_program(*arguments, **options)
        self.assertEqual(result.returncode, status, f"{arguments}: {result.stdout}{result.stderr}")
        lines = self.errors(result)
        self.assertEqual(len(lines), 1, f"{arguments}: {result.stderr!r}")
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, lines[0])
        return lines[0]

    def only_files(self, *names):
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))


def bake_ball():
    """The folder of a cache that has the ball and nothing else; where tests share a cache, a folder in that."""
    shared = os.environ.get("TACTUS_TEST_CACHE")
    if shared is None:
        folder = tempfile.mkdtemp(prefix="tactus-ball-")
        unittest.addModuleCleanup(shutil.rmtree, folder)
    else:
        folder = os.path.join(shared, "ball")
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(f"tactus: 1\nbodies:\n{BALL}tools: [{{name: none, kind: point, device: {{kind: operator, path: [{{at: [0, 0, 0.1 m]}}]}}}}]\n")
        file.flush()
        subprocess.run([PROGRAM, "bake", file.name, "--cache", folder, "--quiet"], check=True, stdin=subprocess.DEVNULL,
                       env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"))
    return folder


class Baked(Case):
    """Cases that begin with the ball in their cache, and with nothing else there."""

    seed = None

    def setUp(self):
        super().setUp()
        if Baked.seed is None:
            Baked.seed = bake_ball()
        os.mkdir(self.cache)
        for name in os.listdir(Baked.seed):
            if not name.endswith(".lock"):
                shutil.copy(os.path.join(Baked.seed, name), self.cache)
