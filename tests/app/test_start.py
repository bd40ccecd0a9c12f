#!/usr/bin/env python3
"""How `tactus view` starts: what it says meanwhile, small versions and the full ones behind them, badges, replays.
Usage: test_start.py PROGRAM. Nothing here depends on how long it takes."""

import sys
import unittest

sys.dont_write_bytecode = True
import scene_case  # noqa: E402
from view_client import Viewer  # noqa: E402

# Its field has more voxels than a small version, so that it has one.
SCENE = """tactus: 1
name: rubbed-ball
bodies:
  - name: ball
    kind: rigid
    surface: {shape: kidney}
    field: {resolution: 80}
    points: {count: 300, levels: 2}
tools:
  - name: probe
    kind: point
    device:
      kind: operator
      repeat: true
      path:
        - {on: ball, near: [0, 0, 80 mm], depth: -5 mm, after: 1 s}
servo: {ramp_in: 0.05 s}
"""


class Start(scene_case.Case):
    def setUp(self):
        super().setUp()
        self.write("ball.yaml", SCENE)

    def view(self, *more):
        viewer = Viewer(scene_case.PROGRAM, self.folder, self.folder, *more, cache=self.cache, TACTUS_PREBAKED="")
        self.addCleanup(viewer.close)
        return viewer.client()

    def open(self, client):
        """Opens the scene; what was told of the progress meanwhile."""
        reports = []
        client.command("open", text="ball.yaml")

        def running():
            if client.state["progress"] and (not reports or reports[-1] != client.state["progress"]):
                reports.append(client.state["progress"])
            return client.state["phase"] == "running"

        client.until(running, "the scene")
        return reports

    def test_small_until_the_full_one_is_baked(self):
        client = self.view()
        client.until(lambda: client.badges is not None, "the badges")
        self.assertEqual([(b["file"], b["baked"]) for b in client.badges["scenes"]], [("ball.yaml", False)])
        reports = self.open(client)
        self.assertTrue(reports)
        fractions = [p["fraction"] for p in reports]
        self.assertEqual(fractions, sorted(fractions))
        self.assertTrue(all(p["scene"] in ("ball.yaml", "rubbed-ball") for p in reports))
        self.assertIsNotNone(client.state["small"])
        client.until(lambda: client.state["small"]["ready"], "the full version")
        self.assertEqual(client.state["small"]["fault"], "")
        client.until(lambda: client.badges["scenes"][0]["baked"], "its badge")
        client.command("reload")
        client.until(lambda: client.state["phase"] == "running" and client.state["small"] is None, "the full version")

    def test_full_on_request_and_a_replay_names_the_opened_version(self):
        client = self.view("--full")
        self.open(client)
        self.assertIsNone(client.state["small"])
        client.command("record", 1.0)
        client.until(lambda: client.state["recording"] is not None, "the recording")
        client.pump(0.3)
        client.command("record", 0.0)
        client.until(lambda: client.state["recordings"], "its end")
        names = []
        client.command("replay", text=client.state["recordings"][0]["file"])

        def replaying():
            if client.state["progress"]:
                names.append(client.state["progress"]["scene"])
            return client.state["phase"] == "replaying"

        client.until(replaying, "the replay")
        self.assertTrue(all("view-001" in name for name in names), names)


if __name__ == "__main__":
    scene_case.PROGRAM = sys.argv.pop(1)
    unittest.main()
