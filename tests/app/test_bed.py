#!/usr/bin/env python3
"""A kind of body that Tactus does not ship, as a user meets it: the example's scene through every command.

Usage: test_bed.py PROGRAM EXAMPLES BED, the last the shared object of examples/body_bed.c."""

import os
import re
import shutil
import sys
import unittest

sys.dont_write_bytecode = True
import scene_case  # noqa: E402
from view_client import Viewer, add, displacements  # noqa: E402

EXAMPLES = BED = ""


class Bed(scene_case.Case):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("scenes"))
        self.scene = shutil.copy(os.path.join(EXAMPLES, "bed.yaml"), self.path("scenes"))
        self.library = shutil.copy(BED, self.path("scenes", "body_bed.so"))

    def test_info(self):
        self.contains(self.ok("info", self.scene), "kind bed", self.library)

    def test_run_report_and_replay(self):
        recording = self.path("out", "run.tacrec")
        text = self.ok("run", self.scene, "--fast", "--duration", "2", "--allow-plugins", "--cache", self.cache, "-o", self.path("out"))
        for tool in ("finger", "hand"):
            force = float(re.search(rf"largest force .*{tool} ([\d.]+) N", text).group(1))
            self.assertTrue(0.2 < force < 8.0, text)
        self.assertIn("bed", self.read("out", "report.html"))
        self.assertIn("body_bed.so", self.ok("info", recording))
        replayed = self.replay("--allow-plugins")
        self.assertTrue(replayed.startswith("identical: 2,000 ticks\n"), replayed)
        os.remove(self.library)
        result = self.run_program("replay", recording, "--allow-plugins", "--cache", self.cache)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("body_bed.so: cannot load these kinds of bodies", result.stderr)

    def test_view(self):
        with Viewer(scene_case.PROGRAM, self.folder, self.scene, "--allow-plugins", cache=self.cache) as viewer:
            client = viewer.client()
            client.until_running()
            bed = next(i for i, body in enumerate(client.state["scene"]["bodies"]) if body["name"] == "bed")
            self.assertEqual(len(client.bodies[bed].rest), 64)
            column = 9  # second of the second row
            place = client.bodies[bed].rest[column]
            client.come_down(add(place, (0.0, 0.0, 1.0), 0.002))
            client.pointer(add(place, (0.0, 0.0, 1.0), -0.004))
            client.until_frame(lambda frame: frame.tools[0].led and bed in client.surfaces
                               and displacements(client.surfaces[bed])[column][2] < -0.5e-3, "the bed to yield")
            self.assertEqual(viewer.end(), 0)


if __name__ == "__main__":
    BED, EXAMPLES, scene_case.PROGRAM = (os.path.abspath(sys.argv.pop()) for _ in range(3))
    unittest.main()
