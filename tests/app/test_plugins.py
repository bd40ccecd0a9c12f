#!/usr/bin/env python3
"""Code in files that scenes name runs only where it is allowed.

Usage: test_plugins.py PROGRAM EXAMPLES BED, the last the shared object of marked_bed.c, whose constructor writes a file."""

import hashlib
import os
import pty
import shutil
import stat
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import scene_case  # noqa: E402
from view_client import Viewer  # noqa: E402

EXAMPLES = BED = ""
DRIVER = """tools:
  - {name: probe, kind: point, device: {kind: driver, file: body_bed.so, stiffness_limit: 1500 N/m}}
"""


class Plugins(scene_case.Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("scenes"))
        self.scene = shutil.copy(os.path.join(EXAMPLES, "bed.yaml"), self.path("scenes"))
        self.library = shutil.copy(BED, self.path("scenes", "body_bed.so"))
        self.marker = self.path("marker")
        self.list = self.path("config", "tactus", "plugins")
        self.environment.update(MARKER=self.marker, XDG_CONFIG_HOME=self.path("config"))
        self.run_arguments = ("run", self.scene, "--fast", "--duration", "0.05", "--no-report", "--cache", self.cache, "-o",
                              self.path("out"))

    def checksum(self):
        with open(self.library, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def allow(self):
        os.makedirs(os.path.dirname(self.list), exist_ok=True)
        with open(self.list, "w") as file:
            file.write(f"{self.checksum()} {os.path.realpath(self.library)}\n")

    def change(self):
        """Another file that does the same: bytes after the end of an ELF file mean nothing."""
        with open(self.library, "ab") as file:
            file.write(b"more")

    def ran(self):
        return os.path.exists(self.marker)

    def terminal(self, answer, *arguments):
        """Runs the program on a terminal that gives an answer to its question; returns the status and what was shown."""
        master, slave = pty.openpty()
        job = self.start(*arguments, stdin=slave, stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        shown, answered = b"", False
        while True:
            try:
                more = os.read(master, 4096)
            except OSError:  # the program has ended
                break
            if not more:
                break
            shown += more
            if not answered and b"[y/N]" in shown:
                self.assertFalse(self.ran())
                time.sleep(0.2)  # what is typed before the question counts for nothing
                os.write(master, answer)
                answered = True
        os.close(master)
        return job.wait(600), shown.decode()

    def test_no_command_runs_code_that_is_not_allowed(self):
        text = self.ok("info", self.scene)
        self.contains(text, "body bed", "kind bed", self.library, "not allowed")
        result = self.run_program("check", self.scene)
        self.assertEqual(result.returncode, 1)
        self.contains(result.stdout, "warning: ", self.library, "[kinds]")
        for arguments in (("bake", self.scene, "--cache", self.cache), self.run_arguments):
            self.refused(1, *arguments, says=("bed.yaml:6: kinds[0]: ", "body_bed.so: cannot load these kinds of bodies: ",
                                              "its code is not allowed; ", "add --allow-plugins", self.checksum()))
        self.assertFalse(self.ran())

    def test_a_driver_is_refused_by_run(self):
        scene = self.write("scenes/driver.yaml", f"tactus: 1\nname: ball\nbodies:\n{scene_case.BALL}{DRIVER}")
        self.contains(self.ok("info", scene), "driver", self.library, "not allowed")
        self.run_program("check", scene)
        self.refused(1, "run", scene, "--fast", "--cache", self.cache, says="cannot load this driver: its code is not allowed")
        self.assertFalse(self.ran())

    def test_a_library_that_an_option_of_a_driver_names_is_refused(self):
        """`library=` of a driver of the installation, which itself needs no permission."""
        driver = DRIVER.replace("body_bed.so", f'force_dimension, options: "library={self.library}"')
        scene = self.write("scenes/driver.yaml", f"tactus: 1\nname: ball\nbodies:\n{scene_case.BALL}{driver}")
        run = ("run", scene, "--fast", "--cache", self.cache, "-o", self.path("out"))
        self.environment.pop("TACTUS_DRIVERS", None)
        self.ok("info", scene)
        self.run_program("check", scene)
        self.refused(1, *run, says=("driver.yaml:15: tools[0].device.file: ", "cannot load the option library: its code is not allowed"))
        self.refused(1, "devices", "force_dimension", "--options", f"library={self.library}", "--watch", says="its code is not allowed")
        with Viewer(scene_case.PROGRAM, self.folder, self.scene, cache=self.cache, MARKER=self.marker) as viewer:
            self.assertIn("driver.yaml", [scene["file"] for scene in viewer.client().welcome["scenes"]])
            viewer.end()
        self.assertFalse(self.ran())
        self.allow()
        self.refused(1, *run, says="body_bed.so lacks the function dhd")
        self.assertTrue(self.ran())

    def test_the_option_allows_one_run_and_remembers_nothing(self):
        self.assertIn(f"tactus: loads {self.library}, ", self.run_program(*self.run_arguments, "--allow-plugins").stderr)
        self.assertTrue(self.ran())
        self.assertFalse(os.path.exists(self.list))
        self.refused(1, *self.run_arguments, says="is not allowed")

    def test_a_changed_file_is_refused_again(self):
        self.allow()
        self.ok(*self.run_arguments)
        self.assertTrue(self.ran())
        os.remove(self.marker)
        self.assertRegex(self.ok("info", self.scene), "body_bed.so, not loaded here: allowed")
        self.change()
        self.assertRegex(self.ok("info", self.scene), "body_bed.so, not loaded here: changed since it was allowed")
        self.refused(1, *self.run_arguments, says="its code has changed since you allowed it")
        self.refused(1, "replay", self.path("out", "run.tacrec"), "--quiet", "--cache", self.cache, says="has changed since you allowed it")
        self.assertFalse(self.ran())

    def test_replay_reports_a_change_before_it_loads_the_file(self):
        self.ok(*self.run_arguments, "--allow-plugins")
        self.change()
        result = self.run_program("replay", self.path("out", "run.tacrec"), "--cache", self.cache, "--allow-plugins")
        changed = result.stderr.find("body_bed.so has changed since the recording was made")
        self.assertTrue(0 <= changed < result.stderr.find("tactus: loads "), result.stderr)

    def test_a_list_that_others_can_write_counts_for_nothing(self):
        self.allow()
        os.chmod(self.list, 0o666)
        self.refused(1, *self.run_arguments, says="is not allowed")
        self.assertFalse(self.ran())

    def test_the_gallery_loads_nothing(self):
        other = self.write("scenes/ball.yaml", f"tactus: 1\nname: ball\nbodies:\n{scene_case.BALL}"
                           "tools: [{name: none, kind: point, device: {kind: operator, path: [{at: [0, 0, 0.1 m]}]}}]\n")
        with Viewer(scene_case.PROGRAM, self.folder, other, cache=self.cache, MARKER=self.marker,
                    XDG_CONFIG_HOME=self.path("config")) as viewer:
            client = viewer.client()
            client.until_running()
            self.assertEqual([scene["file"] for scene in client.welcome["scenes"]], ["ball.yaml", "bed.yaml"])
            self.assertEqual([scene["error"] for scene in client.welcome["scenes"]], [None, None])
            self.assertEqual(viewer.end(), 0)
        self.assertFalse(self.ran())

    def test_a_terminal_asks_and_remembers(self):
        for answer in (b"\n", b"n\n", b"yellow\n"):
            status, shown = self.terminal(answer, *self.run_arguments)
            self.assertEqual(status, 1, shown)
            self.contains(shown, os.path.realpath(self.library), self.checksum(), "you did not allow its code")
        self.assertFalse(self.ran() or os.path.exists(self.list))
        status, shown = self.terminal(b"y\n", *self.run_arguments)
        self.assertEqual(status, 0, shown)
        self.assertTrue(self.ran())
        self.assertEqual(stat.S_IMODE(os.stat(self.list).st_mode), 0o600)
        self.assertEqual(self.read(self.list), f"{self.checksum()} {os.path.realpath(self.library)}\n")
        self.ok(*self.run_arguments)
        self.change()
        os.remove(self.marker)
        status, shown = self.terminal(b"y\n", *self.run_arguments)
        self.assertEqual(status, 0, shown)
        self.assertIn("has changed since you allowed it", shown)
        self.assertEqual(self.read(self.list), f"{self.checksum()} {os.path.realpath(self.library)}\n")


if __name__ == "__main__":
    BED, EXAMPLES, scene_case.PROGRAM = (os.path.abspath(sys.argv.pop()) for _ in range(3))
    unittest.main()
