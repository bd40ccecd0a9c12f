#!/usr/bin/env python3
"""Scenes as a user meets them: bake, run, replay, info. Usage: test_run.py PROGRAM SCENES"""

import glob
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import recording_file  # noqa: E402
import scene_case  # noqa: E402
from scene_case import BALL, PROBE, assets  # noqa: E402

SCENES = ""

SCENE = """tactus: 1
name: ball
about: a ball on a table
duration: 1 s
bodies:
""" + BALL + PROBE.format(first="0.4 s", second="0.3 s", ramp_in="0.1 s")

# A hand that touches nothing.
FINGER = """tools:
  - name: finger
    kind: point
    device: {kind: operator, path: [{at: [0, 0, 0.2 m]}, {at: [0, 0, 0.21 m], after: 1 s}]}
"""

BEAM = "tactus: 1\nbodies:\n" + scene_case.BEAM + FINGER

BOX = """tactus: 1
method: signorini
gravity: [0, 0, -9.81 m/s2]
floor: {normal: z, at: 0 m, friction: 0.4}
bodies:
  - name: box
    kind: rigid
    analytic: [{box: {lower: [-50 mm, -40 mm, 0], upper: [50 mm, 40 mm, 60 mm]}}]
    free: true
    density: 1000 kg/m3
""" + FINGER


BLOCK = """tactus: 1
bodies:
  - name: block
    kind: reduced
    volume: {shape: box}
    material: {young: 20 kPa, poisson: 0.4, density: 1000 kg/m3}
    fixed: [{below: {axis: z, at: 1 mm}}]
    basis: {from: modes, modes: 4, size: 6}
    points: {file: block.ply}
  - name: probe
    kind: rigid
    analytic: [{capsule: {from: [0, 0, -29.35 mm], to: [0, 0, 29.35 mm], radius: 0.65 mm}}]
    position: [50 mm, 40 mm, 100 mm]
contacts:
  - {points: block, field: probe}
tools:
  - name: hand
    kind: body
    body: probe
    centre: [50 mm, 40 mm, 100 mm]
    device: {kind: operator, path: [{at: [50 mm, 40 mm, 100 mm]}, {at: [50 mm, 40 mm, 78 mm], after: 1 s}]}
"""


def block_points():
    """Points of a box of 100 x 80 x 60 mm, 20 mm apart, as PLY: none is nearer than 14 mm to the middle of its top."""
    lines = []
    size = (0.1, 0.08, 0.06)
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (0, 1):
            for i in range(round(size[u] / 0.02)):
                for j in range(round(size[v] / 0.02)):
                    at, normal = [0.0] * 3, [0] * 3
                    at[axis], normal[axis] = side * size[axis], 2 * side - 1
                    at[u], at[v] = 0.02 * i + 0.01, 0.02 * j + 0.01
                    lines.append(" ".join(f"{x:g}" for x in at + normal))
    head = ["ply", "format ascii 1.0", f"element vertex {len(lines)}"]
    head += [f"property float {name}" for name in ("x", "y", "z", "nx", "ny", "nz")]
    return "\n".join(head + ["end_header"] + lines) + "\n"


class Scenes:
    """What the cases here add: the scene of the ball."""

    def setUp(self):
        super().setUp()
        self.scene = self.write("ball.yaml", SCENE)

    def run_scene(self, *more, scene=None, **options):
        return self.ok("run", scene or self.scene, "--fast", "--cache", self.cache, "-o", self.path("out"), *more, **options)

    def start(self, *arguments):
        return super().start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


class Case(Scenes, scene_case.Case):
    pass


class Baked(Scenes, scene_case.Baked):
    pass


class Help(Case):
    def test_every_subcommand_explains_itself(self):
        overview = self.ok("--help")
        for command in ("bake", "run", "replay"):
            self.assertIn(f"  {command} ", overview)
            text = self.ok(command, "--help")
            self.assertIn(f"usage: tactus {command}", text)
            self.assertTrue(all(len(line) <= 120 for line in text.splitlines()))

    def test_wrong_usage(self):
        self.refused(2, "bake", says="no scene given")
        self.refused(2, "run", says="no scene given")
        self.refused(2, "run", "a.yaml", "b.yaml", says="b.yaml")
        self.refused(2, "run", self.scene, "--rate", "10", says="--rate")
        self.refused(2, "run", self.scene, "--durations", "1", says="did you mean --duration?")
        self.refused(2, "replay", says="no recording given")
        self.refused(2, "replay", "a", "--rate", "30", says="--rate needs --vtu")


class Bake(Baked):
    def bake(self, *more, scene=None, **options):
        return self.ok("bake", scene or self.scene, "--cache", self.cache, *more, **options)

    def test_bakes_once_and_again_to_the_same_bytes(self):
        before = self.bytes(self.cache, *assets(self.cache))
        self.assertRegex(self.bake("--again", leaks=True),
                         r"^ball: \d+ vertices \(\d+ free\), boundary elements, baked in .*, Betti defect 0\.\d+\n"
                         r"  3 checks passed; the largest error is \S+ of its allowed value\n$")
        self.assertIn(", cached, ", self.bake())
        self.assertEqual(self.bake("--quiet"), "")
        (name,) = assets(self.cache)
        self.assertRegex(name, r"^ball-[0-9a-f]{16}\.green$")
        self.assertEqual(self.bytes(self.cache, name), before)

    def test_changed_bodies_are_baked_again(self):
        shutil.rmtree(self.cache)
        for old, new, baked in (
            ("tactus: 1", "tactus: 1", True),
            ("200 kPa", "220 kPa", True),
            ("at: 1 mm", "at: 30 mm", True),
            ("at: [0, 0, 0.2 m]", "at: [0, 0, 0.3 m]", False),
            ("500 N/m", "600 N/m", False),
        ):
            self.assertIn(old, BEAM)
            scene = self.write("beam.yaml", BEAM.replace(old, new))
            self.assertEqual("baked in" in self.bake(scene=scene), baked, new)

    def test_a_broken_cache_is_named(self):
        shutil.rmtree(self.cache)
        self.write("ball.yaml", BEAM)
        self.bake()
        file = os.path.join(self.cache, assets(self.cache)[0])
        with open(file, "r+b") as stream:
            stream.truncate(os.path.getsize(file) // 2)
        self.refused(1, "bake", self.scene, "--cache", self.cache, says=(file, "delete this cached file, or bake with --again"))
        self.bake("--again")
        self.assertIn("cached", self.bake())

    def test_the_users_cache(self):
        self.environment["XDG_CACHE_HOME"] = self.path("xdg")
        os.mkdir(self.path("xdg"))
        os.rename(self.cache, self.path("xdg", "tactus"))
        self.assertIn(", cached, ", self.ok("bake", self.scene))

    def test_processes_at_once(self):
        shutil.rmtree(self.cache)
        self.write("ball.yaml", BEAM)
        jobs = [self.start("bake", self.scene, "--cache", self.cache) for _ in range(3)]
        results = [job.communicate()[0] for job in jobs]
        self.assertTrue(all(job.returncode == 0 for job in jobs))
        self.assertEqual(sum("baked in" in text for text in results), 1)
        self.assertEqual(len(assets(self.cache)), 1)


class Run(Baked):
    def test_run_and_replay(self):
        text = self.run_scene("--no-report", leaks=True)
        self.contains(text, "ran ball for 1.00 s: 1,000 ticks", "  tick ", "  deadlines missed ", "  largest force ",
                      "  largest force step ", "  energy generated ", "  penetration ")
        # The hand pushes 5 mm towards a ball of about 2 E a / (1 - nu^2) = 600 N/m.
        force = float(re.search(r"largest force +([\d.]+) N", text).group(1))
        self.assertTrue(0.2 < force < 4.0, text)
        self.assertEqual(os.listdir(self.path("out")), ["run.tacrec"])
        self.assertEqual(self.replay(leaks=True), "identical: 1,000 ticks\n")

    def test_two_runs_are_the_same(self):
        rows = []
        for _ in range(2):
            self.run_scene("--csv", "--no-report")
            with open(self.path("out", "run.csv")) as file:
                names = file.readline().strip().split(",")
                kept = [i for i, name in enumerate(names) if "late" not in name and "compute" not in name]
                rows.append([[line.split(",")[i] for i in kept] for line in file])
        self.assertEqual(len(rows[0]), 1000)
        self.assertEqual(rows[0], rows[1])

    def test_rate_and_duration(self):
        text = self.run_scene("--rate", 2000, "--duration", 0.5, "--no-report")
        self.assertIn("ran ball for 0.50 s: 1,000 ticks", text)
        self.assertIn("identical: 1,000 ticks", self.replay())

    def test_the_report_lists_contacts_with_laws(self):
        """A box rests on the floor."""
        scene = self.write("box.yaml", BOX)
        self.ok("run", scene, "--fast", "--duration", 0.5, "-o", self.path("box"), "--cache", self.cache, "--csv")
        with open(self.path("box", "run.csv")) as file:
            names = [name.split(" [")[0] for name in file.readline().strip().split(",")]
            rows = [dict(zip(names, map(float, line.split(",")))) for line in file]
        resting = rows[len(rows) // 2 :]
        self.assertTrue(all(row["report.laws"] >= 3 for row in resting))
        self.assertTrue(all(row["report.unsolved"] == 0 for row in resting))
        self.assertTrue(all(0 <= row["report.residual_force"] < 0.05 for row in resting))
        self.contains(self.read("box", "report.html"), "Contacts with exact laws, and their solver",
                      "Contacts with exact laws, p50 / p99 / max", "Of these, not solved to the tolerance",
                      "Residual in force, p50 / p99 / max")
        self.assertIn("identical: 500 ticks", self.replay(recording=self.path("box", "run.tacrec")))

    def test_thin_tools_that_contact_misses_are_reported(self):
        """A probe of 1.3 mm goes between points that are 20 mm apart, 12 mm deep into a block."""
        scene = self.write("probe.yaml", BLOCK)
        self.write("block.ply", block_points())
        baked = self.run_program("bake", scene, "--cache", self.cache)
        self.assertRegex(baked.stderr, r"warning: contacts\[0\]: probe is 1\.[23]\d* mm thin, but the points of block are 2\d\S* mm apart, "
                         r"so it can pass between them; exchange their roles \(points: probe, field: block\), or use [\d,]+ points")
        done = self.run_program("run", scene, "--fast", "--cache", self.cache, "-o", self.path("out"))
        self.assertEqual(done.returncode, 0, done.stderr)
        true = re.search(r"true interpenetration +block and probe (\S+) mm at (\S+) s \(contact detected nothing\)", done.stdout)
        self.assertIsNotNone(true, done.stdout)
        # The path ends with the tip, 30 mm below the grasp, at 48 mm; the top of the block is at 60 mm.
        self.assertAlmostEqual(float(true[1]), 12.0, delta=0.3)
        self.assertGreater(float(true[2]), 0.9)
        self.assertRegex(done.stderr, r"warning: block and probe \S+ mm .* contact missed most of it: points of block are")
        self.contains(self.read("out", "report.html"), "True interpenetration of block and probe",
                      "True interpenetration, deepest")
        self.assertIn(true[0], self.replay())

    def test_bodies_are_simulated_at_the_set_rate(self):
        text = self.run_scene("--rate", 500, "--simulate", 50, "--duration", 0.5)
        self.assertIn("50 Hz, ", text)
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["picture.png", "report.html", "run.tacrec"])
        self.assertIn("Rate of the bodies", self.read("out", "report.html"))
        self.assertIn("50 Hz, one step of the bodies every 10 ticks", self.ok("info", self.path("out", "run.tacrec")))
        self.assertIn("identical: 250 ticks", self.replay())
        for given in (0, 1000):
            self.assertNotIn("bodies", self.run_scene("--simulate", given, "--duration", 0.1, "--no-report"))
        self.refused(1, "run", self.scene, "--simulate", "300", says="is not a whole multiple of the bodies' rate, 300 Hz")

    def test_the_default_folder_has_the_scenes_name(self):
        self.ok("run", self.scene, "--fast", "--duration", 0.1, "--no-report", "--cache", self.cache)
        self.assertEqual(os.listdir(self.path("out", "ball")), ["run.tacrec"])

    def test_vtu(self):
        text = self.run_scene("--vtu", 10, "--no-report", "--duration", 0.5)
        self.assertIn("wrote", text)
        files = os.listdir(self.path("out", "vtu"))
        self.assertTrue(any(name.endswith(".pvd") for name in files))
        self.assertTrue(sum(name.endswith(".vtu") for name in files) >= 5)

    def run_until(self, number, *more):
        """A run without end that has recorded and then gets a signal."""
        job = self.start("run", self.scene, "--duration", "forever", *more, "--cache", self.cache, "-o", self.path("out"))
        recording = self.path("out", "run.tacrec")
        while not os.path.exists(recording) or os.path.getsize(recording) < 4000:  # a header and a second of ticks
            self.assertIsNone(job.poll())
            time.sleep(0.1)
        job.send_signal(number)
        return job

    def test_ctrl_c_stops_orderly(self):
        job = self.run_until(signal.SIGINT, "--no-report")
        text, errors = job.communicate(timeout=600)
        self.assertEqual(job.returncode, 0, errors)
        self.contains(text, "ran ball for", "rate held")
        self.assertIn("identical", self.replay())

    def test_a_report_can_be_interrupted(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            job = self.start("run", self.scene, "--fast", "--cache", self.cache, "-o", self.path("out"))
            while not job.stdout.readline().startswith("wrote"):  # the recording; the report comes next
                self.assertIsNone(job.poll())
            job.send_signal(number)
            text, errors = job.communicate(timeout=60)
            self.assertEqual(job.returncode, 1, text + errors)
            self.assertIn("interrupted", errors)
            self.assertEqual(os.listdir(self.path("out")), ["run.tacrec"])
        self.assertIn("identical", self.replay())

    def test_a_report_after_ctrl_c_can_be_interrupted(self):
        job = self.run_until(signal.SIGINT)
        while not job.stdout.readline().startswith("wrote"):
            self.assertIsNone(job.poll())
        job.send_signal(signal.SIGTERM)
        text, errors = job.communicate(timeout=60)
        self.assertEqual(job.returncode, 1, text + errors)
        self.assertIn("interrupted", errors)
        self.assertEqual(os.listdir(self.path("out")), ["run.tacrec"])

    def test_sigterm_ends_a_run_without_its_report(self):
        job = self.run_until(signal.SIGTERM)
        text, errors = job.communicate(timeout=600)
        self.assertEqual(job.returncode, 1, text + errors)
        self.assertIn("ran ball for", text)
        self.assertIn("run.tacrec is complete, but some other results were not written", errors)
        self.assertEqual(os.listdir(self.path("out")), ["run.tacrec"])
        self.assertIn("identical", self.replay())


class Replay(Baked):
    @classmethod
    def setUpClass(cls):
        cls.others = tempfile.mkdtemp(prefix="tactus-run-others-")  # caches of the ball of other materials
        cls.addClassCleanup(shutil.rmtree, cls.others)

    def other_cache(self, material):
        """Of the scene with that material, which is baked once for all tests here; and the scene."""
        scene = self.write("other.yaml", SCENE.replace("10 kPa", material))
        folder = os.path.join(self.others, material.replace(" ", "-"))
        if not os.path.exists(folder):
            self.ok("bake", scene, "--cache", folder, "--quiet")
        return folder, scene

    def test_another_scene_differs(self):
        cache, other = self.other_cache("10.5 kPa")
        self.assertRegex(self.refused(1, "replay", self.record(), "--scene", other, "--cache", cache, says="differs"), r"tick \d+")

    def record(self):
        self.run_scene("--no-report")
        return self.path("out", "run.tacrec")

    def put_asset_of(self, material):
        """In place of the asset in the cache one that was baked with another material, under the key of the first."""
        (name,) = assets(self.cache)
        folder, _ = self.other_cache(material)
        _, key, _ = self.cut_key(self.bytes(self.cache, name))
        before, _, after = self.cut_key(self.bytes(folder, *assets(folder)))
        self.write(os.path.join(self.cache, name), before + key + after)
        return name

    @staticmethod
    def cut_key(asset):
        """An asset's bytes before, of and after the chunk with its key: a head of 72 bytes and what it says is stored."""
        begin = asset.index(b"cache key\0")
        end = begin + 72 + int.from_bytes(asset[begin + 48:begin + 56], "little")
        return asset[:begin], asset[begin:end], asset[end:]

    def test_the_platform_is_reported(self):
        path = self.record()
        texts, _ = recording_file.read_texts(path)
        self.assertRegex(texts["platform"], r"^(x86-64|arm64|another|riscv).*, (gcc|clang) [0-9.]+.*, ")
        info = self.ok("info", path)
        self.assertIn(texts["platform"], info)
        self.assertIn(texts["assets"].strip(), info)
        (name,) = assets(self.cache)
        self.assertRegex(texts["assets"], rf"^[0-9a-f]{{16}} {name}\n$")
        self.assertIn("made on", self.ok("info", os.path.join(self.cache, name)))

    def test_an_asset_that_was_baked_again_is_named(self):
        path = self.record()
        name = self.put_asset_of("10.5 kPa")
        line = self.refused(1, "replay", path, "--cache", self.cache, says=("differs: tick ", f"the asset {name} of the"))
        self.assertIn("has changed since: it was baked again, or on another machine", line)

    def test_runs_of_other_platforms_are_compared_within_tolerance(self):
        path = self.record()
        recording_file.change_texts(path, platform="abacus, by hand")
        said = self.replay()
        self.assertRegex(said, r"^this was recorded on abacus, by hand, and this machine is .*; results may differ in the last bits\nidentical: 1,000 ticks\n$")
        self.put_asset_of("10.02 kPa")  # forces that are 0.2 % larger
        said = self.replay()
        self.assertRegex(said, r"(?s)^this was recorded on abacus.*has changed since.*bits differ since tick \d+ .*"
                               r"force +[0-9.e-]+ N \(tool probe, .*equal except for rounding: 1,000 ticks\n$")
        force, largest = map(float, re.search(r"force +([0-9.e-]+) N .* of ([0-9.e-]+) N", said).groups())
        self.assertGreater(force, 0.0005 * largest)
        self.assertLess(force, 0.01 * largest)
        self.put_asset_of("10.5 kPa")
        self.refused(1, "replay", path, "--cache", self.cache, says=("more than rounding", "more than 10 % of the time", "has changed since: it was baked again, or on another machine"))
        self.assertEqual(self.run_program("replay", path, "--cache", self.cache, "--quiet").stdout, "")

    def test_an_older_recording_is_refused_with_its_version(self):
        path = self.record()
        with open(path, "r+b") as file:
            file.seek(8)
            file.write(b"\6")
        self.refused(1, "replay", path, "--cache", self.cache, says=("version 6", "version 11", "the version that recorded it"))

    def test_files_of_the_scene_are_found(self):
        self.ok("mesh", "--shape", "sphere", "--size", 0.02, "-o", self.path("ball.obj"))
        scene = self.write("file.yaml", SCENE.replace("{shape: sphere, size: 20 mm}", "{file: ball.obj}"))
        self.run_scene("--no-report", "--duration", 0.2, scene=scene)
        self.assertEqual(self.replay(cwd="/"), "identical: 200 ticks\n")

    def test_tables_and_frames(self):
        self.run_scene("--no-report", "--duration", 0.2)
        self.replay("--csv", self.path("a.csv"), "--vtu", self.path("frames"), "--rate", 20)
        self.assertEqual(len(self.read("a.csv").splitlines()), 201)
        self.assertTrue(any(name.endswith(".vtu") for name in os.listdir(self.path("frames"))))

    def test_files_that_are_no_recording(self):
        self.refused(1, "replay", self.scene, says="ball.yaml")
        self.refused(1, "replay", self.path("nothing"), says="nothing")


class Errors(Case):
    def test_errors_name_their_line(self):
        for old, new, says in (
            ("young", "yuong", "wrong.yaml:10: bodies[0].material.yuong: unknown key; did you mean young?"),
            ("mask: 25 mm", "mask: 25 kg", "wrong.yaml:15: bodies[0].mask: 25 kg is not a length; write it like 5 mm"),
            ("shape: sphere, size: 20 mm", "file: liver.obj", "wrong.yaml:9: bodies[0].surface.file: no such file"),
            ("near: [10 mm, 0, 80 mm]", "nera: [0, 0, 0]", "wrong.yaml:26: tools[0].device.path[2].nera: unknown key"),
            ("at: -5 mm", "at: -80 mm", "wrong.yaml:12: bodies[0].fixed[0]: no vertex of the surface lies in this region"),
            ("tactus: 1", "tactus: 9", "wrong.yaml:1: tactus: the scene has format 9"),
        ):
            scene = self.write("wrong.yaml", SCENE.replace(old, new))
            for command in ("bake", "run"):
                self.refused(1, command, scene, "--cache", self.cache, says=says)

    def test_no_scene(self):
        self.refused(1, "run", self.path("nothing.yaml"), says="nothing.yaml")
        self.refused(1, "bake", self.folder, says="is a directory")
        self.refused(1, "run", self.write("binary.yaml", "\0\1\2"), says="a scene is a text file")


class Info(Baked):
    def test_scene_asset_and_recording(self):
        self.run_scene("--no-report", "--duration", 0.2)
        self.contains(self.ok("info", self.scene), "scene, format 1", "a ball on a table", "body ball", "sphere at 20 mm",
                      "tool probe", "1000 Hz")
        self.contains(self.ok("info", os.path.join(self.cache, assets(self.cache)[0])), "Tactus green", "boundary elements",
                      "middle: displacement", "Betti defect")
        self.contains(self.ok("info", self.path("out", "run.tacrec")), "Tactus recording", "200 ticks at 1000 Hz", self.scene)

    def test_errors(self):
        self.refused(1, "info", self.write("wrong.yaml", SCENE.replace("young", "yuong")), says="wrong.yaml:10:")


class Gallery(Case):
    def test_every_scene_is_valid(self):
        scenes = sorted(glob.glob(os.path.join(SCENES, "*.yaml")))
        self.assertTrue(len(scenes) >= 6)
        for scene in scenes:
            self.assertIn("body", self.ok("info", scene))

    def test_the_example_of_the_documentation_is_valid(self):
        with open(os.path.join(os.path.dirname(SCENES), "docs", "scene.md")) as file:
            example = re.search(r"```yaml\n(.*?)```", file.read(), re.S).group(1)
        self.assertIn("body kidney", self.ok("info", self.write("example.yaml", example)))


if __name__ == "__main__":
    SCENES = os.path.abspath(sys.argv.pop())
    scene_case.PROGRAM = os.path.abspath(sys.argv.pop())
    unittest.main()
