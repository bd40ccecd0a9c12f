#!/usr/bin/env python3
"""tactus check: exit status, lines, and that the gallery has no false alarms. Usage: test_check.py PROGRAM SCENES [all]"""

import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
import scene_case  # noqa: E402
from scene_case import LIGHT  # noqa: E402

SCENES = ""
ALL = False

# What is thin on purpose.
WARNED = {"thin-blade", "thin-needle", "thin-rod", "thin-sheets", "grasper", "knight", "clip-soft-pipe"}
QUICK = ["grasp", "kidney-fem", "press", "thin-rod"]
LARGE = ["vademecum-blobs"]  # minutes

SCENE = """tactus: 1
bodies:
  - name: ball
    kind: green
    method: boundary-elements
    surface: {shape: sphere, size: 14 mm}
    material: liver
    fixed: [{below: {axis: z, at: -35 mm}}]
    mask: 18 mm
tools:
  - name: finger
    kind: point
    device:
      kind: operator
      path:
        - {on: ball, near: [0, 0, 80 mm], depth: -10 mm}
        - {on: ball, near: [0, 0, 80 mm], depth: 6 mm, after: 1 s}
"""


class Check(scene_case.Case):
    def check(self, *arguments):
        return self.run_program("check", *arguments, leaks=True, timeout=800, variables={"OPENBLAS_NUM_THREADS": "1"})

    def scene(self, name, *edits):
        text = SCENE
        for before, after in edits:
            self.assertIn(before, text)
            text = text.replace(before, after)
        self.write(name, text)
        return name

    def found(self, status, *arguments):
        result = self.check(*arguments)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout

    def test_exit_status_states_the_severity(self):
        fine = self.scene("fine.yaml")
        self.assertEqual(self.found(0, fine), "fine.yaml: fine\n")
        warned = self.scene("warned.yaml", ("mask: 18 mm", "mask: 5 mm"))
        output = self.found(1, warned)
        self.assertRegex(output, r"^warning: warned\.yaml:9: bodies\[0\]\.mask: the mask \(5 mm\) is shorter than .* \[mask\]\n")
        self.assertTrue(output.endswith("warned.yaml: 1 warning\n"), output)
        broken = self.scene("broken.yaml", ("at: -35 mm", "at: -80 mm"))
        output = self.found(2, broken)
        self.assertRegex(output, r"^cannot run: broken\.yaml:8: bodies\[0\]\.fixed\[0\]: .* \[fixed\]\n")
        self.assertTrue(output.endswith("broken.yaml: cannot run: 1 fault\n"), output)
        noted = self.scene("noted.yaml", ("material: liver", "material: steel"))
        self.assertRegex(self.found(0, noted), r"^note: noted\.yaml:7: .* \[stiffness\]\nnoted\.yaml: fine\n")
        self.assertEqual(self.found(0, noted, "--quiet"), "")
        self.found(2, fine, warned, broken)  # the worst of all

    def test_unreadable_scenes_cannot_run(self):
        wrong = self.scene("wrong.yaml", ("mask: 18 mm", "masc: 18 mm"))
        self.assertIn("cannot run: wrong.yaml:9: bodies[0].masc: unknown key; did you mean mask?", self.found(2, wrong))
        self.assertIn("cannot run: gone.yaml", self.found(2, "gone.yaml"))
        self.assertEqual(self.check().returncode, 2)

    def test_the_gallery_has_no_false_alarms(self):
        names = sorted(name[:-5] for name in os.listdir(SCENES) if name.endswith(".yaml"))
        names = [name for name in names if name not in LARGE] if ALL else QUICK[:2] if LIGHT else QUICK
        for name in names:
            with self.subTest(name):
                result = self.check(os.path.join(SCENES, name + ".yaml"))
                self.assertEqual(result.returncode, int(name in WARNED), result.stdout + result.stderr)
                abouts = set(re.findall(r"^warning: .*\[(\w+)\]$", result.stdout, re.M))
                self.assertLessEqual(abouts, {"contact"}, result.stdout)


if __name__ == "__main__":
    scene_case.PROGRAM = os.path.abspath(sys.argv.pop(1))
    SCENES = os.path.abspath(sys.argv.pop(1))
    if len(sys.argv) > 1 and sys.argv[1] == "all":
        ALL = bool(sys.argv.pop(1))
    unittest.main()
