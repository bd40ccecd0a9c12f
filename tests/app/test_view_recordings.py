#!/usr/bin/env python3
"""Recordings of `tactus view`: made, replayed, named, fetched, deleted, and what an end leaves of them.
Usage: test_view_recordings.py [CLASS] PROGRAM SCENES"""

import os
import shutil
import sys

sys.dont_write_bytecode = True
import recording_file  # noqa: E402
import view_case  # noqa: E402
from view_case import Case, setUpModule, view  # noqa: E402, F401
from view_client import add, dot, norm, single, sub  # noqa: E402


class Tape(Case):
    """Recordings and replays."""

    def record(self):
        """Touches, moves and changes the ball while it is recorded; returns the file."""
        c, vertex = self.client, self.body.freest
        place, normal = self.body.rest[vertex], self.body.normals[vertex]
        known = {recording["file"] for recording in c.state["recordings"]}
        file = self.begin_recording()
        self.assertNotIn(file, known)
        c.come_down(add(place, normal, 0.002))
        c.pointer(add(place, normal, -0.005))
        c.until_frame(lambda frame: norm(frame.tools[0].force) > 0.3, "a force")
        c.set("ball.stiffness", 2.0)
        c.pointer(add(place, (normal[1], -normal[0], normal[2]), -0.004))
        tick = c.frame.tick + 150
        c.until_frame(lambda frame: frame.tick > tick, "150 ticks")
        c.command("pause", 1.0)
        c.command("step", 20)
        c.until(lambda: c.state["paused"], "the pause")
        c.command("record", 0.0)
        c.until(lambda: c.state["recording"] is None, "the recording's end")
        c.until(lambda: file in {recording["file"] for recording in c.state["recordings"]}, "the recording in the list")
        c.set("ball.stiffness", 1.0)
        return file

    def test_record_and_replay(self):
        c, vertex = self.client, self.body.freest
        file = self.record()
        self.assertIn({"kind": "info", "text": f"Recorded to {self.folder}/out/{file}"}, c.notices)
        done, rows = self.replayed(file)
        self.assertTrue(done.stdout.startswith("identical: "), done.stdout)
        (seconds,) = [recording["seconds"] for recording in c.state["recordings"] if recording["file"] == file]
        self.assertAlmostEqual(seconds, 0.001 * len(rows), delta=1e-9)
        self.assertEqual([int(row["tick"]) for row in rows], list(range(len(rows))))
        changes = [float(row["parameter_value"]) for row in rows if int(row["parameter"])]
        self.assertEqual(changes, [2.0])
        forces = [norm(self.vector(row, "tool0.output.force", "N")) for row in rows]
        self.assertGreater(max(forces), 0.3)

        load = c.load
        c.command("replay", text=file)
        c.until_phase("replaying")
        c.until(lambda: len(c.bodies) == 1, "the body")
        self.assertGreater(c.load, load)
        self.assertEqual((c.state["replay"]["file"], c.state["replay"]["speed"]), (file, 0.0))
        self.assertAlmostEqual(c.state["replay"]["duration"], 0.001 * (len(rows) - 1), delta=1e-9)
        self.assertFalse(c.state["scene"]["tools"][0]["pointer"])
        peak = forces.index(max(forces))
        for tick in (0, len(rows) - 1, peak, len(rows) // 2, 1):
            self.check_moment(tick, rows)
        c.command("seek", 1e6)
        c.until_frame(lambda frame: frame.tick == len(rows) - 1, "the end")

        # It plays, and rests at its end; played again, it begins anew.
        c.command("seek", 0.0)
        c.until_frame(lambda frame: frame.tick == 0, "the start")
        c.command("play", 10.0)
        c.until(lambda: c.state["replay"]["speed"] == 10.0, "the speed")
        c.until_frame(lambda frame: frame.tick > 0, "time to move")
        c.until(lambda: c.state["replay"]["speed"] == 0.0, "the end")
        c.until_frame(lambda frame: frame.tick == len(rows) - 1, "the last tick")
        c.command("play", 1.0)
        c.until_frame(lambda frame: frame.tick < len(rows) - 1, "the start")

        # Touching moves nothing now; afterwards the world runs again, and can be touched.
        c.pointer(self.body.rest[vertex])
        load = c.load
        c.command("replay")
        c.until(lambda: c.load > load, "the world")
        c.until_running()
        self.assertIsNone(c.state["replay"])
        self.assertGreater(norm(c.press(vertex, 0.005).force), 0.3)
        c.release()

    def vector(self, row, name, unit):
        return tuple(float(row[f"{name}.{axis} [{unit}]"]) for axis in "xyz")

    def check_moment(self, tick, rows):
        c, row = self.client, rows[tick]
        c.command("seek", 0.001 * tick)
        traced = {}

        def collect(frame):
            for trace in frame.traces:
                traced.update({trace.first + i: values for i, values in enumerate(trace.rows)})
            return frame.tick == tick

        frame = c.until_frame(collect, f"tick {tick}")
        tool = frame.tools[0]
        for value, name, unit in (
            (tool.position, "position", "m"),
            (tool.force, "output.force", "N"),
            (tool.proxy, "output.proxy", "m"),
        ):
            self.assertEqual(value, tuple(map(single, self.vector(row, f"tool0.{name}", unit))), name)
        self.assertEqual(tool.contact, int(row["tool0.output.contact.state"]))
        self.assertEqual(tool.lifted, row["tool0.lifted"] == "1")
        self.assertEqual(frame.contacts, int(row["report.contact_count"]))
        energy = 0.0  # absorbed: what the hand has done, force by force held through the way to the next tick
        for i in range(tick + 1):
            now = rows[i]
            place = self.vector(now, "tool0.device.position", "m")
            if i > 0:
                energy -= dot(force_before, sub(place, place_before))
            place_before, force_before = place, self.vector(now, "tool0.written", "N")
            if i not in traced:
                continue
            compute, late, force, penetration, absorbed, asked = traced[i]
            self.assertAlmostEqual(compute, 1e-9 * int(now["compute_ns [ns]"]), delta=1e-6 * abs(compute))
            self.assertAlmostEqual(late, 1e-9 * int(now["late_ns [ns]"]), delta=1e-6 * abs(late))
            self.assertAlmostEqual(force, norm(force_before), delta=1e-6 * force)
            self.assertAlmostEqual(absorbed, energy, delta=1e-6 * abs(energy) + 1e-12)
            limited = int(now["tool0.limits"]) & 3  # force or rate
            wanted = norm(self.vector(now, "tool0.output.force", "N")) if limited else -1.0
            self.assertAlmostEqual(asked, wanted, delta=1e-6 * abs(wanted))
            if int(now["tool0.output.contact.state"]):
                at = self.vector(now, "tool0.output.contact.at", "m")
                depth = norm(sub(self.vector(now, "tool0.position", "m"), at))
                self.assertAlmostEqual(penetration, depth, delta=1e-6 * depth)
            else:
                self.assertEqual(penetration, 0.0)

    def test_an_asset_other_than_the_recordings_is_reported(self):
        c = self.client
        file = self.record()
        path = os.path.join(self.folder, "out", file)
        texts, _ = recording_file.read_texts(path)
        self.assertRegex(texts["assets"], r"^[0-9a-f]{16} ball-[0-9a-f]{16}\.green\n$")
        recording_file.change_texts(path, assets="f" * 16 + texts["assets"][16:])
        count = len(c.notices)
        c.command("replay", text=file)
        c.until_phase("replaying")
        c.until(lambda: len(c.notices) > count, "a notice")
        self.assertEqual(c.notices[-1]["kind"], "info")
        self.assertIn(texts["assets"][17:-1], c.notices[-1]["text"])
        c.command("replay")
        c.until_phase("running")

    def test_files_that_are_no_recording(self):
        c = self.client
        for file in ("nothing.tacrec", "../scenes/ball.yaml", "/etc/passwd"):
            self.notice_after("replay", text=file)
            self.assertEqual((c.notices[-1]["kind"], c.state["phase"]), ("error", "running"))
        # One that was damaged after it was listed.
        file = self.record()
        path = os.path.join(self.folder, "out", file)
        with open(path, "r+b") as stream:
            stream.truncate(100)
        self.notice_after("replay", text=file)
        os.remove(path)
        self.assertIn(file, c.notices[-1]["text"])
        self.assertEqual(c.state["phase"], "running")
        c.until_frame(lambda frame: True, "the world to go on")

    def test_parameters_survive_a_new_start(self):
        c, vertex = self.client, self.body.freest
        index, _ = c.parameter("ball.stiffness")
        c.press(vertex, 0.005)
        before = c.stiffness()
        c.release()
        # Set while no tick takes it, and then the world starts anew.
        c.pause()
        c.command("parameter", index=index, value=2.0)
        c.reset()
        self.assertEqual(c.parameter("ball.stiffness")[1]["value"], 2.0)
        c.press(vertex, 0.005)
        self.assertAlmostEqual(c.stiffness() / before, 2.0, delta=0.1)
        c.release()
        c.set("ball.stiffness", 1.0)

    def test_recording_without_a_writable_folder_fails(self):
        c = self.client
        out = os.path.join(self.folder, "out")
        if os.path.exists(out):
            os.rename(out, out + ".kept")
        with open(out, "w"):
            pass
        self.notice_after("record", 1.0)
        self.assertEqual(c.notices[-1]["kind"], "error")
        self.assertIsNone(c.state["recording"])
        tick = c.frame.tick
        c.until_frame(lambda frame: frame.tick != tick, "the world to go on")
        os.remove(out)
        # The folder is there, but the file cannot be made.
        os.mkdir(out)
        os.symlink(os.path.join(out, "nowhere", "x"), os.path.join(out, "view-001.tacrec"))
        self.assertIn("view-001.tacrec", self.notice_after("record", 1.0)["text"])
        tick = c.next_frame().tick
        c.until_frame(lambda frame: frame.tick > tick, "the world to go on")
        self.assertIsNone(c.state["recording"])
        shutil.rmtree(out)
        if os.path.exists(out + ".kept"):
            os.rename(out + ".kept", out)


class Files(Case):
    """Recordings are named, fetched and deleted."""

    def record(self):
        c, count = self.client, len(self.client.state["recordings"])
        self.begin_recording()
        c.until_frame(lambda frame: frame.tick > 100 and not frame.busy, "some ticks")
        c.command("record", 0.0)
        c.until(lambda: len(c.state["recordings"]) == count + 1, "the end of the recording")
        return c.state["recordings"][-1]["file"]

    def files(self):
        return [recording["file"] for recording in self.client.state["recordings"]]

    def test_named_fetched_and_deleted(self):
        c = self.client
        first, second = self.record(), self.record()
        c.command("rename", text=f"{first}/soft press (1)")
        c.until(lambda: self.files() == ["soft press (1).tacrec", second], "the new name")
        with open(os.path.join(self.folder, "out", "soft press (1).tacrec"), "rb") as file:
            content = file.read()
        self.assertEqual(self.fetch("/recordings/soft%20press%20(1).tacrec"), (200, content))
        for name in (first, "../stderr", "..%2Fstderr", "%2e%2e/stderr", "no.tacrec", ""):
            self.assertEqual(self.fetch(f"/recordings/{name}")[0], 404, name)
        # Names that are refused, and those that are taken, are told, and nothing changes.
        for text in (f"{second}/soft press (1)", f"{second}/.hidden", f"{second}/a/b", f"{second}/", second, "no/a", "/a"):
            c.notices.clear()
            c.command("rename", text=text)
            c.until(lambda: len(c.notices) == 1, f"a word on {text}")
            self.assertEqual(c.notices[0]["kind"], "error")
        self.assertEqual(self.files(), ["soft press (1).tacrec", second])
        self.assertTrue(self.replayed("soft press (1).tacrec")[0].stdout.startswith("identical: "))
        # What is shown stays.
        c.command("replay", text=second)
        c.until_phase("replaying")
        c.notices.clear()
        c.command("delete", text=second)
        c.until(lambda: any("was not changed" in notice["text"] for notice in c.notices), "why it stays")
        c.command("replay")
        c.until_phase("running")
        self.assertNotIn("tac-progress", self.viewer.threads())  # the load has ended for the terminal, too
        c.command("delete", text="../stderr")
        for file in (second, "soft press (1).tacrec"):
            c.command("delete", text=file)
        c.until(lambda: self.files() == [], "an empty list")
        self.assertEqual(os.listdir(os.path.join(self.folder, "out")), [])
        self.assertTrue(os.path.exists(os.path.join(self.folder, "stderr")))


class End(Case):
    """What Ctrl-C and kill leave."""

    def setUp(self):
        super().setUp()
        c = self.client
        self.file = self.begin_recording()
        place, normal = self.body.rest[self.body.freest], self.body.normals[self.body.freest]
        c.come_down(add(place, normal, 0.002))
        c.pointer(add(place, normal, -0.004))
        self.tick = c.until_frame(lambda frame: norm(frame.tools[0].force) > 0.2, "a force").tick

    @classmethod
    def tearDownClass(cls):
        pass

    def test_a_interrupt(self):
        self.assertEqual(self.viewer.end(), 0, self.viewer.said())
        done, rows = self.replayed(self.file)
        self.assertTrue(done.stdout.startswith("identical: "), done.stdout)
        self.assertNotIn("is incomplete", done.stderr)
        self.assertGreater(len(rows), self.tick)
        type(self).viewer = view(self.folder, os.path.join(self.scenes, self.SCENE))
        self.addClassCleanup(self.viewer.close)

    def test_b_kill(self):
        path = os.path.join(self.folder, "out", self.file)
        # What is written grows by a block of ticks a second, and by one of states whenever that is full.
        c = self.client
        second = c.until_frame(lambda frame: frame.tick > self.tick + 1000, "a second of ticks").tick
        size = os.path.getsize(path)
        c.until_frame(lambda frame: frame.tick > second + 1000 and os.path.getsize(path) > size, "a block of ticks")
        self.viewer.job.kill()
        self.viewer.job.wait()
        done, rows = self.replayed(self.file, status=1)
        self.assertTrue(done.stdout.startswith("identical: "), done.stdout)
        self.assertIn("is incomplete", done.stderr)
        self.assertGreater(len(rows), 0)


if __name__ == "__main__":
    view_case.main()
