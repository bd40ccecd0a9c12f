#!/usr/bin/env python3
"""Scenes in `tactus view`: those that come with it, that change on the disk, that cannot be read.
Usage: test_view_scenes.py [CLASS] PROGRAM SCENES"""

import glob
import os
import shutil
import sys

sys.dont_write_bytecode = True
import scene_case  # noqa: E402
import view_case  # noqa: E402
from scene_case import LIGHT  # noqa: E402
from view_case import BALL, SOLID, Case, setUpModule  # noqa: E402, F401
from view_client import norm  # noqa: E402


class Shipped(Case):
    """The scenes that come with Tactus."""

    SCENES = None
    SCENE = ""

    def test_welcome(self):
        c = self.client
        self.assertEqual((c.welcome["protocol"], c.welcome["display_rate"]), (1, 60))
        self.assertTrue(c.welcome["program"].startswith("tactus "))
        files = [scene["file"] for scene in c.welcome["scenes"]]
        self.assertEqual(files, sorted(map(os.path.basename, glob.glob(os.path.join(view_case.SCENES, "*.yaml")))))
        for scene in c.welcome["scenes"]:
            self.assertEqual(set(scene), {"file", "name", "about", "picture", "error"})
            self.assertEqual((scene["name"] + ".yaml", scene["error"]), (scene["file"], None))
        self.assertEqual((c.state["phase"], c.state["scene"], c.state["servo"]), ("gallery", None, None))

    def test_pictures(self):
        names = [scene["file"][:-5] for scene in self.client.welcome["scenes"] if scene["picture"]]
        there = glob.glob(os.path.join(view_case.SCENES, "pictures", "*.png"))
        self.assertEqual([name + ".png" for name in names], sorted(map(os.path.basename, there)))
        for name, status in [(name, 200) for name in names[:1]] + [("nothing", 404), ("../kidney", 404)]:
            got, content = self.fetch(f"/pictures/{name}.png")
            self.assertEqual((got, content[:4] == b"\x89PNG"), (status, status == 200))



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
        done = scene_case.run("mesh", "--shape", "sphere", "--size", "0.02", "-o", path)
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
            self.notice_after("open", text=file)
            self.assertEqual(c.notices[-1]["kind"], "error")
        # What ran goes on.
        self.assertEqual((c.load, c.state["phase"]), (load, "running"))
        c.next_frame()

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


if __name__ == "__main__":
    view_case.main()
