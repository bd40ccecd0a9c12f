#!/usr/bin/env python3
"""A kind of body that Tactus does not ship, as a user meets it: the example's scene through every command.

Usage: test_bed.py PROGRAM EXAMPLES BED, the last the shared object of examples/body_bed.c."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import view_client  # noqa: E402

PROGRAM = EXAMPLES = BED = ""


class Bed(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tactus-bed-")
        self.addCleanup(shutil.rmtree, self.folder)
        os.mkdir(self.path("scenes"))
        self.scene = shutil.copy(os.path.join(EXAMPLES, "bed.yaml"), self.path("scenes"))
        self.library = shutil.copy(BED, self.path("scenes", "body_bed.so"))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_program(self, *arguments):
        environment = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
        return subprocess.run([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600,
                              env=environment, cwd=self.folder)

    def ok(self, *arguments):
        result = self.run_program(*arguments)
        self.assertEqual(result.returncode, 0, f"{arguments}: {result.stdout}{result.stderr}")
        return result.stdout

    def test_info(self):
        text = self.ok("info", self.scene)
        for line in ("bed: a bed of springs", "columns 8, 4", "stiffness 3e5 N/m3", "600 points"):
            self.assertIn(line, text)

    def test_it_is_named_and_can_be_refused(self):
        self.assertIn(f"tactus: loads {self.library}, ", self.run_program("info", self.scene).stderr)
        for command in ("info", "bake", "run"):
            result = self.run_program(command, self.scene, "--no-plugins")
            self.assertEqual(result.returncode, 1, command)
            self.assertIn("body_bed.so: cannot load these kinds of bodies: this program refuses code from files",
                          result.stderr, command)
            self.assertNotIn("loads ", result.stderr)

    def test_run_report_and_replay(self):
        recording = self.path("out", "run.tacrec")
        text = self.ok("run", self.scene, "--fast", "--duration", "2", "--cache", self.path("cache"), "-o", self.path("out"))
        for tool in ("finger", "hand"):
            force = float(re.search(rf"largest force .*{tool} ([\d.]+) N", text).group(1))
            self.assertTrue(0.2 < force < 8.0, text)
        with open(self.path("out", "report.html")) as file:
            self.assertIn("bed", file.read())
        self.assertIn("body_bed.so", self.ok("info", recording))
        replayed = self.ok("replay", recording, "--cache", self.path("cache"))
        self.assertTrue(replayed.startswith("identical: 2,000 ticks\n"), replayed)
        os.remove(self.library)
        result = self.run_program("replay", recording, "--cache", self.path("cache"))
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("body_bed.so: cannot load these kinds of bodies", result.stderr)

    def test_view(self):
        view = subprocess.Popen([PROGRAM, "view", self.scene, "--no-open", "--port", "0", "-o", self.path("out"), "--cache",
                                 self.path("cache")], stdout=subprocess.PIPE, text=True, cwd=self.folder,
                                env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"))
        try:
            line = view.stdout.readline()
            self.assertTrue(line.startswith("viewer: http://127.0.0.1:"), line)
            client = view_client.Client(int(line.rsplit(":", 1)[1].rstrip("/\n")))
            self.addCleanup(client.socket.close)
            client.until_running()
            bed = next(i for i, body in enumerate(client.state["scene"]["bodies"]) if body["name"] == "bed")
            self.assertEqual(len(client.bodies[bed].rest), 64)
            column = 9  # second of the second row
            place = client.bodies[bed].rest[column]
            client.come_down(view_client.add(place, (0.0, 0.0, 1.0), 0.002))
            client.pointer(view_client.add(place, (0.0, 0.0, 1.0), -0.004))
            client.until_frame(lambda frame: frame.tools[0].led and bed in client.surfaces
                               and view_client.displacements(client.surfaces[bed])[column][2] < -0.5e-3, "the bed to yield")
            client.socket.close()
            view.send_signal(signal.SIGINT)
            self.assertEqual(view.wait(view_client.PATIENCE), 0)
        finally:
            if view.poll() is None:
                view.kill()
                view.wait()
            view.stdout.close()


if __name__ == "__main__":
    BED, EXAMPLES, PROGRAM = (os.path.abspath(sys.argv.pop()) for _ in range(3))
    unittest.main()
