#!/usr/bin/env python3
"""`tactus devices`, scenes that name a driver, and Python's client. Usage: test_devices.py [CASE] PROGRAM CLIENTS DRIVERS STAND_IN"""

import math
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "app"))
import scene_case  # noqa: E402
import side_by_side  # noqa: E402

CLIENTS = DRIVERS = STAND_IN = ""
PATIENT = "5000"  # ticks: no machine is late by that much
TIMEOUT = 600  # s; waiting ends when the thing waited for has happened, this is for what never does

TOOL = """tools:
  - name: probe
    kind: point
    device: {{kind: driver, file: {file}, options: "{options}", stiffness_limit: 400 N/m}}
servo: {{late_limit: 5000}}
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Player(threading.Thread):
    """A hand over the network, which does what `goals` has, by text that the program prints."""

    def __init__(self, port, goals=(), feels=1.0, states=None, start=(0.0, 0.0, 0.0)):
        super().__init__(daemon=True)
        self.port, self.goals, self.feels, self.states = port, goals, feels, states
        self.start_at = self.goal = start
        self.way = []  # places to go to, one after the other
        self.largest = 0.0
        self.ends = threading.Event()
        self.device = None

    def run(self):
        from network_device import Hand, NetworkDevice
        hand, led = Hand(self.start_at), list(self.start_at)
        with NetworkDevice(port=self.port, name="player", stiffness_limit=500.0, timeout=TIMEOUT) as device:
            self.device = device
            last = time.monotonic()
            while not device.ended and not self.ends.is_set():
                now = time.monotonic()
                step = min(now - last, 0.005)  # a hand that was held up goes on from where it was: it does not jump
                last = now
                way = [a - b for a, b in zip(self.goal, led)]
                part = min(1.0, 0.5 * step / max(1e-9, math.hypot(*way)))  # at most 0.5 m/s
                led = [b + part * w for b, w in zip(led, way)]
                if self.way and part == 1.0:
                    self.goal = self.way.pop(0)
                hand.step(led, [self.feels * f for f in device.force], step)
                self.largest = max(self.largest, *map(abs, device.force))
                if self.states is None or device.sequence < self.states:
                    device.send_state(tuple(hand.position))
                device.listen()
                time.sleep(0.001)

    def take_line(self, line):
        for words, way in self.goals:
            if words in line:
                self.goal, *self.way = way


class Case(scene_case.Case):
    def setUp(self):
        super().setUp()
        self.environment.pop("TACTUS_DRIVERS", None)

    def start(self, *arguments):
        process = super().start(*arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.addCleanup(lambda: (process.kill(), process.wait(), process.stdout.close(), process.stderr.close()))
        return process

    def run_program(self, *arguments):
        process = self.start(*arguments)
        output, errors = process.communicate(timeout=TIMEOUT)
        return process.returncode, output, errors

    def play(self, player, *arguments):
        """Runs the program; the player hears what it prints."""
        process, lines = self.start(*arguments), []
        player.start()
        for line in process.stdout:
            lines.append(line)
            player.take_line(line)
        errors = process.stderr.read()
        status = process.wait(timeout=TIMEOUT)
        player.ends.set()
        player.join(TIMEOUT)
        return status, "".join(lines), errors

    def first_touch(self, player, *more):
        return self.play(player, "devices", "network", "--options", f"port={player.port}, wait={TIMEOUT}", "--first-touch", "--yes",
                         "--quick", "--late-limit", PATIENT, *more)


class List(Case):
    def test_drivers_are_listed_with_what_they_need(self):
        status, output, errors = self.run_program("devices")
        self.assertEqual(status, 0, errors)
        for name, words in (("force_dimension", "the Force Dimension SDK was not found"), ("haply", "the Haply Inverse service"),
                            ("network", "a client: over UDP"), ("openhaptics", "OpenHaptics was not found")):
            self.assertRegex(output, rf"(?m)^{name}: .*\n.*{words}")
            self.assertIn(f"tactus: loads {DRIVERS}/{name}.so, whose code", errors)  # before any of it runs

    def test_drivers_that_others_can_write_are_not_loaded(self):
        copy = shutil.copy(os.path.join(DRIVERS, "network.so"), self.path("mine.so"))
        os.chmod(copy, 0o666)
        self.environment["TACTUS_DRIVERS"] = self.folder
        status, output, errors = self.run_program("devices")
        self.assertEqual(status, 0)
        self.assertNotIn("mine.so", errors)
        self.assertRegex(output, r"^mine\n  cannot be used: .*mine.so: cannot load this driver: its code is not allowed")
        status, output, errors = self.run_program("devices", "--allow-plugins")
        self.assertRegex(output, r"^mine: a device over UDP")

    def test_a_custom_folder_takes_precedence(self):
        shutil.copy(os.path.join(DRIVERS, "network.so"), self.path("mine.so"))
        self.environment["TACTUS_DRIVERS"] = self.folder
        status, output, errors = self.run_program("devices")
        self.assertEqual(status, 0, errors)
        self.assertRegex(output, r"^mine: a device over UDP")
        self.assertIn("openhaptics: ", output)

    def test_connected_devices_are_named(self):
        self.environment["TACTUS_DHD_LIBRARY"] = STAND_IN
        status, output, errors = self.run_program("devices")
        self.assertEqual(status, 0, errors)
        self.assertIn(f"  needs: {STAND_IN}\n  device: index=0\n  device: index=1\n", output)

    def test_help_fits_and_names_every_option(self):
        status, output, _ = self.run_program("devices", "--help")
        self.assertEqual(status, 0)
        self.assertTrue(all(len(line) <= 100 for line in output.splitlines()))
        for option in "--options --watch --duration --first-touch --yes --quick --patience --late-limit --allow-plugins".split():
            self.assertIn(f"  {option}", output)

    def test_wrong_usage(self):
        for arguments, words in ((("devices", "a", "b"), "one driver at a time"), (("devices", "--watch"), "no driver given"),
                                 (("devices", "--wach"), "did you mean --watch?")):
            status, _, errors = self.run_program(*arguments)
            self.assertEqual(status, 2)
            self.assertIn(words, errors)
        status, _, errors = self.run_program("devices", "openhatpics")
        self.assertEqual(status, 1)
        self.assertIn("unknown driver openhatpics (`tactus devices` lists the available ones): openhatpics.so is in none of ",
                      errors)
        self.assertIn(DRIVERS, errors)


class Watch(Case):
    def test_a_stand_in_is_shown(self):
        status, output, errors = self.run_program("devices", "force_dimension", "--options", f"library={STAND_IN}",
                                                  "--duration", "0.6", "--allow-plugins")
        self.assertEqual(status, 0, errors)
        self.assertRegex(output, r"^omega.3: 3 degrees of freedom, 12 N, 3000 N/m, workspace 160 x 160 x 110 mm")
        self.assertRegex(output, r"\nx +\+0\.00  y +\+0\.00  z +\+0\.00 mm  q \+1\.000 .*\d+/s  jitter ")
        self.assertRegex(output, r"\n\d+ new states in 600 ticks, \d+ per second; jitter ")

    def test_a_client_is_shown_until_it_disconnects(self):
        player = Player(free_port())
        player.goal = (0.0, 0.0, 0.05)
        process = self.start("devices", "network", "--options", f"port={player.port}, wait={TIMEOUT}", "--watch")
        player.start()
        line = ""
        while "z   +50.0" not in line:
            line = process.stdout.readline()
            self.assertNotEqual(line, "")
        player.ends.set()
        output, errors = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1)
        self.assertIn("player was lost: its client disconnected", errors)


RIGHT, UP, NEAR = (0.05, 0.0, 0.0), (0.0, 0.05, 0.0), (0.0, 0.0, 0.05)
CORNERS = [(x, y, z) for x in (-0.08, 0.08) for y in (-0.06, 0.06) for z in (-0.04, 0.04)]
REST = (0.0, 0.0, 0.0)


def motions(right, up, near):
    def add(*vectors):
        return tuple(map(sum, zip(*vectors)))
    return (("cm to your right", [right]), ("cm up", [add(right, up)]), ("cm towards you", [add(right, up, near)]),
            ("3. Workspace", CORNERS + [REST]), ("4. Forces", [REST]),
            ("5. A soft spring", [(0.0, 0.006, 0.0), REST]))


class FirstTouch(Case):
    def test_a_correct_device_passes(self):
        player = Player(free_port(), motions(RIGHT, UP, NEAR))
        status, output, errors = self.first_touch(player)
        self.assertEqual(status, 0, output + errors)
        for words in ("to your right is the device's +x", "up is the device's +y", "towards you is the device's +z",
                      "along -z (opposite to towards you): the hand moved +", "verdict: fine"):
            self.assertIn(words, output)
        reached = re.search(r"reached x ([-+]\d+) to ([-+]\d+), y ([-+]\d+) to", output)
        self.assertLess(int(reached[1]), -70)
        self.assertGreater(int(reached[2]), 70)
        # x right, y up, z near of the device are x, z and -y of the scene: a quarter turn about x.
        self.assertIn("    rotation: {axis: [1, 0, 0], angle: 90 deg}\n", output)
        self.assertIn(f'device: {{kind: driver, file: network, options: "port={player.port}, wait={TIMEOUT}", stiffness_limit: 500 N/m}}',
                      output)
        self.assertGreater(player.largest, 0.3)
        self.assertLessEqual(player.largest, 0.5 + 1e-12)  # N: gentle, whatever happens
        self.assertIn("per second", re.search(r"largest force 0\.\d\d N; .*", output)[0])

    def test_mirrored_axes_and_reversed_forces_are_found(self):
        player = Player(free_port(), motions(RIGHT, UP, (0.0, 0.0, -0.05)), feels=-2.0)
        status, output, errors = self.first_touch(player)
        self.assertEqual(status, 1, output + errors)
        self.assertIn("! the axes are mirrored", output + errors)
        self.assertIn("! the handle moved against the force: forces are reversed on this axis. No more forces are applied.", output + errors)
        self.assertNotIn("5. A soft spring", output)
        self.assertNotIn("rotation:", output)
        self.assertIn("verdict: 2 to check (lines above with !)", output)

    def test_a_lost_device_is_reported(self):
        player = Player(free_port(), states=700)
        status, output, errors = self.first_touch(player)
        self.assertEqual(status, 1)
        self.assertRegex(errors, r"tactus: player was lost: its client sent nothing for 1 s; the forces were ramped to zero")
        self.assertNotIn("verdict", output)

    def test_a_hand_that_does_not_move_is_reported(self):
        status, output, errors = self.first_touch(Player(free_port()), "--patience", "0.3")
        self.assertEqual(status, 1, output + errors)
        self.assertIn("! the handle was not moved, or by less than 25 mm", output)

    def test_forces_need_confirmation(self):
        player = Player(free_port())
        status, output, errors = self.play(player, "devices", "network", "--options", f"port={player.port}, wait={TIMEOUT}",
                                           "--first-touch")
        self.assertEqual(status, 2)
        self.assertIn("there is no terminal: add --yes", errors)


class Scene(Case):
    @classmethod
    def setUpClass(cls):
        cls.baked = scene_case.bake_ball()  # before any hand waits for it

    def setUp(self):
        super().setUp()
        self.cache = self.baked

    def scene(self, file, options=""):
        text = "tactus: 1\nname: ball\nduration: 60 s\nbodies:\n" + scene_case.BALL + TOOL.format(file=file, options=options)
        return self.write("scene.yaml", text)

    def test_a_scene_names_a_driver(self):
        player = Player(free_port(), start=(0.0, 0.0, 0.07))  # above the ball
        scene = self.scene("network", f"port={player.port}, wait={TIMEOUT}")
        process = self.start("run", scene, "--no-report", "-o", "out", "--cache", self.cache)
        player.start()
        deadline = time.monotonic() + TIMEOUT
        while (player.device is None or not player.device.live) and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        player.ends.set()
        _, errors = process.communicate(timeout=TIMEOUT)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn(f"tactus: loads {DRIVERS}/network.so, whose code becomes part of this program", errors)
        self.assertRegex(errors, r"device 0 \(player\) was lost at \d+\.\d+ s: its client disconnected; the forces were ramped to zero")

    def test_the_line_of_the_documentation_fits_the_client(self):
        """With a body that is stiffer than a client's device can be by default."""
        with open(os.path.join(os.path.dirname(os.path.dirname(CLIENTS)), "docs", "network_device.md")) as file:
            (line,) = re.findall(r"device: \{kind: driver, file: network, .*\}", file.read())
        port = free_port()
        text = f"tactus: 1\nname: ball\nduration: 60 s\nbodies:\n{scene_case.BALL}".replace("10 kPa", "300 kPa")
        text += f"tools:\n  - name: probe\n    kind: point\n    {line}\nservo: {{late_limit: 5000}}\n"
        scene = self.write("scene.yaml", text.replace("wait=60", f"port={port}, wait={TIMEOUT}"))
        process = self.start("run", scene, "--no-report", "-o", "out", "--cache", self.cache)
        from network_device import NetworkDevice
        with NetworkDevice(port=port, timeout=TIMEOUT) as device:
            deadline = time.monotonic() + TIMEOUT
            while not device.live and process.poll() is None and time.monotonic() < deadline:
                device.send_state((0.0, 0.0, 0.0))
                device.listen()
                time.sleep(0.001)
            live = device.live
        _, errors = process.communicate(timeout=TIMEOUT)
        self.assertTrue(live, errors)

    def test_refusals_name_the_place_in_the_scene(self):
        shutil.copy(os.path.join(DRIVERS, "network.so"), self.path("mine.so"))
        status, _, errors = self.run_program("run", self.scene("mine.so", "wait=1"), "--cache", self.cache)
        self.assertEqual(status, 1)
        self.assertRegex(errors, r"scene.yaml:\d+:.*mine.so: cannot load this driver: its code is not allowed")
        status, _, errors = self.run_program("run", self.scene("nothing", "a=b"), "--cache", self.cache)
        self.assertRegex(errors, r"scene.yaml:\d+:.*unknown driver nothing")
        status, _, errors = self.run_program("run", self.scene("openhaptics", "device=a"), "--cache", self.cache)
        self.assertRegex(errors, r"scene.yaml:\d+:.*openhaptics: OpenHaptics was not found")


if __name__ == "__main__":
    if len(sys.argv) == 5:
        touches = [f"FirstTouch.{name}" for name in unittest.defaultTestLoader.getTestCaseNames(FirstTouch)]
        sys.exit(side_by_side.run(touches + ["Watch", "List", "Scene"]))
    STAND_IN, DRIVERS, CLIENTS, scene_case.PROGRAM = (sys.argv.pop() for _ in range(4))
    sys.path.insert(0, CLIENTS)
    unittest.main(verbosity=2)
