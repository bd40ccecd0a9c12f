#!/usr/bin/env python3
"""What goes wrong outside of the program: devices, files, interruptions. Usage: test_faults.py PROGRAM DRIVERS"""

import csv
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
import scene_case  # noqa: E402
from scene_case import BALL, LIGHT, Baked, Case, assets  # noqa: E402

DRIVERS = ""  # the folder of faulty.so
RAMP = 0.05  # s

TOOL = """  - name: {name}
    kind: point
    device: {{kind: driver, file: {file}, options: {options}, stiffness_limit: 1500 N/m}}
"""


def scene(options="none", size=20, bodies=("ball",), tools=("probe",), file=None):
    file = file or os.path.join(DRIVERS, "faulty.so")
    text = "tactus: 1\nname: ball\nduration: 1 s\nbodies:\n"
    text += "".join(BALL.replace("name: ball", f"name: {name}").replace("size: 20", f"size: {size}") for name in bodies)
    text += "tools:\n" + "".join(TOOL.format(name=name, file=file, options=options) for name in tools)
    return text + "servo: {ramp_in: 0.1 s, ramp_out: 50 ms}\n"


def asset_bytes(folder):
    """Of the one asset; no other is in the cache."""
    (name,) = assets(folder)
    assert name.endswith(".green"), name
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


class Devices(Baked):
    def forces(self):
        """|force| that was written in each tick."""
        with open(self.path("out", "run.csv")) as file:
            rows = csv.reader(file)
            names = next(rows)
            columns = [i for i, name in enumerate(names) if name.startswith("tool0.written.")]
            self.assertEqual(len(columns), 3)
            return [math.hypot(*(float(row[i]) for i in columns)) for row in rows]

    def run_fault(self, fault, says=None):
        name = self.write(f"{fault}.yaml", scene(fault))
        arguments = ("run", name, "--allow-plugins", "--fast", "--csv", "--no-report", "--cache", self.cache, "-o", self.path("out"))
        if says is None:
            self.ok(*arguments)
        else:
            self.refused(1, *arguments, says=("device 0 (faulty) ", says, "the forces were ramped to zero"))
        forces = self.forces()
        self.assertTrue(all(math.isfinite(force) for force in forces), fault)
        self.assertEqual(forces[-1], 0.0, fault)
        self.assertIn(f"identical: {len(forces):,} ticks", self.replay())
        return forces

    def test_faults_ramp_the_force_to_zero(self):
        late = 20  # ticks: the default limit
        for fault, says, ticks in (
            ("lost", "was lost", 0),
            ("health", "was lost", 0),
            ("late", "sent no new state for 21 ticks", late),
            ("nan", "NaN or infinite", 0),
            ("quaternion", "not a unit quaternion", 0),
            ("jump", "jumped 1 m in one tick", 0),
        ):
            forces = self.run_fault(fault, says)
            start = 500 + ticks
            self.assertEqual(len(forces), start + round(1000 * RAMP), fault)
            held = forces[start - 1]
            self.assertGreater(held, 0.5, fault)  # the device pressed
            for i in range(start, len(forces)):
                # 1 - t^2 (3 - 2 t): never up, and steepest in the middle.
                self.assertLessEqual(forces[i], forces[i - 1], fault)
                self.assertLess(forces[i - 1] - forces[i], 1.6 * held / (1000 * RAMP), fault)

    def test_events_that_are_no_fault(self):
        pressed = max(self.run_fault("none"))
        self.assertEqual(max(self.run_fault("buttons")), pressed)  # those that nobody knows
        self.assertAlmostEqual(max(self.run_fault("hiccup")), pressed)  # 15 ticks late, then as before
        self.assertEqual(max(self.run_fault("far")), 0.0)  # beyond any body

    def test_in_real_time(self):
        name = self.write("lost.yaml", scene("lost"))
        self.refused(1, "run", name, "--allow-plugins", "--no-report", "--quiet", "--cache", self.cache, "-o", self.path("out"),
                     says="was lost at 0.5")

    def test_a_killed_run_keeps_what_it_recorded(self):
        name = self.write("none.yaml", scene())
        recording = self.path("out", "run.tacrec")
        job = self.start("run", name, "--allow-plugins", "--duration", "forever", "--quiet", "--cache", self.cache, "-o", self.path("out"))
        while not os.path.exists(recording) or os.path.getsize(recording) < 4000:  # a header and a second of ticks
            self.assertIsNone(job.poll())
            time.sleep(0.1)
        job.kill()
        job.wait()
        result = self.run_program("replay", recording, "--cache", self.cache)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, r"^identical: \d,000 ticks\n$")
        self.assertIn("is incomplete", result.stderr)
        self.refused(1, "info", recording, says="is incomplete")

    def test_drivers_that_cannot_be_used(self):
        for file, says in (("nothing.so", "nothing.so"), ("broken_abi.so", "ABI"), ("broken_symbol.so", "tac_device_driver(void)` is missing"),
                           ("broken_table.so", "`write` is NULL"), ("broken_open.so", "gave no reason"),
                           ("broken_info.so", "force_limit must be positive")):
            name = self.write("driver.yaml", scene(file=os.path.join(DRIVERS, file)))
            self.refused(1, "run", name, "--allow-plugins", "--fast", "--cache", self.cache, "-o", self.path("out"), says=says)

    def test_a_driver_is_named_before_its_code_runs(self):
        name = self.write("none.yaml", scene())
        self.environment["FAULTY_SPEAKS"] = "1"
        arguments = ("run", name, "--fast", "--no-report", "--cache", self.cache, "-o", self.path("out"))
        lines = self.run_program(*arguments, "--allow-plugins").stderr.splitlines()
        named = lines.index(f"tactus: loads {os.path.join(DRIVERS, 'faulty.so')}, whose code becomes part of this program")
        self.assertLess(named, lines.index("faulty: its code runs"))
        result = self.run_program(*arguments)
        self.assertEqual(result.returncode, 1)
        self.assertIn("faulty.so: cannot load this driver: its code is not allowed", result.stderr)
        self.assertNotIn("its code runs", result.stderr)

    def test_a_full_disk_hides_neither_summary_nor_fault(self):
        name = self.write("scene.yaml", scene("tired"))
        result = self.run_program("run", name, "--allow-plugins", "--fast", "--duration", "7", "--cache", self.cache, "-o", self.path("out"),
                                  limits=[(resource.RLIMIT_FSIZE, 20000)])
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^ran ball for 5.*\n(.*\n)*  largest force ")
        recording = self.path("out", "run.tacrec")
        first, second = self.errors(result)
        self.assertIn("device 0 (faulty) was lost", first)
        self.assertIn(f"{recording}: cannot write: File too large", second)
        ticks = re.search(r"the run had 5,\d+ ticks, and the first (\d,\d+) are recorded", second)[1]
        result = self.run_program("replay", recording, "--cache", self.cache)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(result.stdout, f"identical: {ticks} ticks\n")
        self.assertIn("is incomplete", result.stderr)

    def test_a_report_that_cannot_be_written_does_not_hide_a_fault(self):
        name = self.write("scene.yaml", scene("lost"))
        os.makedirs(self.path("out", "report.html"))
        result = self.run_program("run", name, "--allow-plugins", "--fast", "--cache", self.cache, "-o", self.path("out"))
        self.assertEqual(result.returncode, 1, result.stderr)
        first, second = self.errors(result)
        self.assertIn("device 0 (faulty) was lost", first)
        self.assertIn("report.html: cannot write: Is a directory", second)

    def test_a_fault_is_printed_before_the_results(self):
        name = self.write("scene.yaml", scene("lost"))
        job = self.start("run", name, "--allow-plugins", "--fast", "--cache", self.cache, "-o", self.path("out"),
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        lines = job.communicate(timeout=600)[0].splitlines()
        (fault,) = (i for i, line in enumerate(lines) if "device 0 (faulty) was lost" in line)
        (result,) = (i for i, line in enumerate(lines) if line.startswith("ran ball"))
        self.assertLess(fault, result, lines)


class Files(Baked):
    def test_names_are_unique(self):
        for name, twice in (("ball", {"bodies": ("ball", "ball")}), ("probe", {"tools": ("probe", "probe")})):
            self.refused(1, "run", self.write("a.yaml", scene(**twice)), "--fast", "--cache", self.cache, says=("a.yaml:", name))

    def test_info_finds_any_damage(self):
        chance = random.Random(1)
        for file in (os.path.join(self.cache, name) for name in os.listdir(self.cache)):
            if file.endswith((".txt", ".lock")):
                continue
            whole = self.bytes(file)
            self.ok("info", file)
            for _ in range(8):
                at = chance.randrange(len(whole))
                self.write(file, whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :])
                self.assertEqual(self.run_program("info", file).returncode, 1, (file, at))
            self.write(file, whole)

    def test_assets_that_cannot_be_used(self):
        name = self.write("ball.yaml", scene())
        file = os.path.join(self.cache, assets(self.cache)[0])
        whole = asset_bytes(self.cache)
        for size in (0, 7, 100, len(whole) // 2, len(whole) - 1):
            self.write(file, whole[:size])
            self.refused(1, "run", name, "--allow-plugins", "--fast", "--cache", self.cache, "-o", self.path("out"), says=file)
            self.refused(1, "info", file, says=file)
        self.write(file, whole[:8] + b"\x63" + whole[9:])  # of a container to come
        self.refused(1, "info", file, says="version 99")
        self.assertIn("baked in", self.ok("bake", name, "--cache", self.cache))  # what we cannot read we make again
        self.assertEqual(asset_bytes(self.cache), whole)


class Sizes(Baked):
    """Files that are too large are refused before they are read, and so is what has no size."""

    SAYS = {"scene.yaml": "a scene may have 1.0 MB", "mesh.obj": "a mesh may have 17.2 GB", "mesh.stl": "a mesh may have 17.2 GB"}

    # No more memory than the program needs; sanitizers map terabytes.
    LIMITS = [] if LIGHT else [(resource.RLIMIT_AS, 4 << 30)]

    def hole(self, name):
        with open(self.path(name), "wb") as file:
            file.truncate(10**12)
        return self.path(name)

    def test_holes(self):
        for name, says in self.SAYS.items():
            self.refused(1, "info", self.hole(name), says=(name, "has 1.0 TB; " + says), limits=self.LIMITS)
        self.refused(1, "run", self.hole("scene.yaml"), says="a scene may have 1.0 MB", limits=self.LIMITS)
        self.refused(1, "solve", self.hole("problem.dat"), says="a contact problem may have 4.3 GB", limits=self.LIMITS)
        self.refused(1, "replay", self.hole("run.tacrec"), says="the file is not a recording", limits=self.LIMITS)
        text = scene().replace("kind: driver", "kind: replay").replace(", stiffness_limit: 1500 N/m", "")
        text = text.replace(", options: none", "").replace(os.path.join(DRIVERS, "faulty.so"), self.hole("path.txt"))
        self.refused(1, "run", self.write("replay.yaml", text), "--fast", "--cache", self.cache, says="may have 1.1 GB",
                     limits=self.LIMITS)

    def test_a_recording_or_asset_with_a_hole_is_read_up_to_the_hole(self):
        name = self.write("none.yaml", scene())
        self.ok("run", name, "--allow-plugins", "--fast", "--no-report", "--cache", self.cache, "-o", self.path("out"))
        recording, asset = self.path("out", "run.tacrec"), os.path.join(self.cache, assets(self.cache)[0])
        for file in recording, asset:
            os.truncate(file, 10**12)
            self.refused(1, "info", file, says="bytes after its end", limits=self.LIMITS)

    def test_pipes_and_devices_are_refused(self):
        os.mkfifo(self.path("pipe.yaml"))
        os.symlink("/dev/zero", self.path("zero.yaml"))
        for command in ("info", "run", "bake", "solve", "replay"):
            self.refused(1, command, self.path("pipe.yaml"), says="is a pipe, not a file", limits=self.LIMITS)
            self.refused(1, command, self.path("zero.yaml"), says="is a device, not a file", limits=self.LIMITS)


@unittest.skipIf(LIGHT, "sanitizers map terabytes")
class Memory(Case):
    def test_any_limit_of_memory_ends_in_success_or_an_error(self):
        """Threads of OpenBLAS too, which are there when the program begins, and calls of it in a bake."""
        name = self.write("scene.yaml", scene(size=12))
        for size in range(64, 401, 24):  # MiB; a program that waits for memory takes processor time for ever
            limits = ((resource.RLIMIT_AS, size << 20), (resource.RLIMIT_CPU, 60))
            job = self.start("bake", name, "--cache", self.path(str(size)), "--quiet", stderr=subprocess.PIPE,
                             preexec_fn=lambda: [resource.setrlimit(kind, (value, value)) for kind, value in limits])
            errors = job.communicate(timeout=600)[1]
            self.assertNotIn(-job.returncode, (signal.SIGKILL, signal.SIGXCPU, signal.SIGSEGV, signal.SIGABRT), (size, errors))
            self.assertTrue(errors if job.returncode != 0 else not errors, (size, errors))


class Interruptions(Case):
    """A bake that is killed at any moment goes on or starts again, to the same bytes."""

    @classmethod
    def setUpClass(cls):
        """Once without an interruption: what it takes, and what it makes."""
        with tempfile.TemporaryDirectory(prefix="tactus-test-") as folder:
            with open(os.path.join(folder, "ball.yaml"), "w") as file:
                file.write(cls.scene())
            begin = time.monotonic()
            subprocess.run([scene_case.PROGRAM, "bake", file.name, "--cache", folder, "--quiet"], check=True,
                           env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"))
            cls.seconds = time.monotonic() - begin
            os.remove(file.name)
            cls.whole = asset_bytes(folder)

    @staticmethod
    def scene():
        return scene(size=12)

    def setUp(self):
        super().setUp()
        self.arguments = ["bake", self.write("ball.yaml", self.scene()), "--cache", self.cache, "--quiet"]

    def test_killed(self):
        chance = random.Random(1)
        for kills in (1, 1, 3):
            shutil.rmtree(self.cache, ignore_errors=True)
            for _ in range(kills):
                job = self.start(*self.arguments, stderr=subprocess.DEVNULL)
                time.sleep(self.seconds * chance.uniform(0.1, 1.0))
                job.send_signal(signal.SIGKILL)
                job.wait()
            self.ok(*self.arguments)
            files = assets(self.cache)
            for name in files:  # what a killed write leaves is beside the asset, never in its place
                self.assertRegex(name, r"\.green$|\.lock$|\.new-[0-9a-f]{8}$")
            asset = [name for name in files if name.endswith(".green")]
            self.assertEqual(self.bytes(self.cache, asset[0]), self.whole)

    def test_killed_before_the_checkpoint_is_deleted(self):
        self.ok(*self.arguments)
        asset, = assets(self.cache)
        part = os.path.join(self.cache, asset.replace(".green", ".part"))
        for content, stays in ((b"TACCHCK\n", False), (b"not of Tactus", True)):
            with open(part, "wb") as file:
                file.write(content)
            self.ok(*self.arguments)
            self.assertEqual(os.path.exists(part), stays, content)
            self.assertEqual(self.bytes(self.cache, asset), self.whole)
        self.assertEqual(len(assets(self.cache)), 2)

    def test_stopped_orderly(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            job = self.start(*self.arguments, stderr=subprocess.PIPE)
            time.sleep(0.7 * self.seconds)
            job.send_signal(number)
            errors = job.communicate()[1]
            self.assertIn(job.returncode, (0, 1), errors)
            self.assertEqual(len(errors.splitlines()), job.returncode, errors)
        self.ok(*self.arguments)
        self.assertEqual(asset_bytes(self.cache), self.whole)

    def test_no_room_for_the_asset(self):
        room = len(self.whole) // 2
        self.refused(1, *self.arguments, says="File too large", limits=[(resource.RLIMIT_FSIZE, room)])
        self.assertFalse(any(".new-" in name or name.endswith(".green") for name in assets(self.cache)))
        self.ok(*self.arguments)
        self.assertEqual(asset_bytes(self.cache), self.whole)


if __name__ == "__main__":
    DRIVERS = os.path.abspath(sys.argv.pop())
    scene_case.PROGRAM = os.path.abspath(sys.argv.pop())
    unittest.main()
