#!/usr/bin/env python3
"""`tactus view` without a browser. Usage: test_view.py [CLASS] PROGRAM SCENES

What is checked are statements about the world that is shown (equilibrium, sums, a recording against its replay), so
that neither the machine's speed nor a change of the solver's last digits matters."""

import glob
import os
import random
import sys
import time

sys.dont_write_bytecode = True
import scene_case  # noqa: E402
import view_case  # noqa: E402
from scene_case import LIGHT  # noqa: E402
from view_case import BALL, BEAM, PAIR, Case, setUpModule  # noqa: E402, F401
from view_client import (  # noqa: E402
    COMMANDS, GRABBED, GRABS, NO_CONTACT, PRESSURE, PRESSURE_REQUESTED, SLIDES, STICKS, STRESS,
    STRESS_REQUESTED, SURFACE, SURFACES_REQUESTED, add, cross, displacements, dot, norm, sub,
)


class Touch(Case):
    SCENE = "kidney.yaml"

    @classmethod
    def setUpClass(cls):
        with open(os.path.join(view_case.SCENES, "kidney.yaml")) as file:
            cls.SCENES = {"kidney.yaml": file.read() + "servo: {ramp_in: 0.05 s}\n"}
        super().setUpClass()

    def test_state(self):
        state = self.client.state
        self.assertEqual(
            set(state),
            {"phase", "scene", "progress", "error", "paused", "demo", "recording", "replay", "recordings", "parameters"}
            | {"servo", "sketch", "sketched", "busy", "small", "hands", "speed", "changed", "follow"},
        )
        for key in ("busy", "progress", "small", "error", "recording", "replay", "sketch", "sketched"):
            self.assertIsNone(state[key])
        self.assertEqual((state["paused"], state["demo"], state["recordings"]), (False, False, []))
        scene = state["scene"]
        keys = {"file", "name", "about", "rate", "centre", "radius", "floor", "bodies", "tools", "pairs"}
        self.assertEqual(set(scene), keys | {"simulate_every"})
        self.assertEqual(scene["simulate_every"], 1)
        self.assertIsNone(scene["floor"])
        self.assertEqual(scene["pairs"], [])
        self.assertEqual((scene["file"], scene["name"], scene["rate"]), ("kidney.yaml", "kidney", 1000.0))
        (body,) = scene["bodies"]
        self.assertEqual((body["name"], body["method"]), ("kidney", "boundary elements"))
        self.assertEqual((body["vertices"], body["volume"]), (700, False))
        self.assertEqual((body["coordinates"], body["free"], body["sketch"]), (0, False, False))
        self.assertEqual((body["held"], body["shell"], body["field"]), (None, None, None))
        self.assertEqual(body["colours"], ["displacement", "stress", "stretch", "pressure"])
        self.assertEqual((body["numbers"], body["step"]), ([], 0.001))
        for key, value in (("mask", 0.012), ("young", 20e3), ("poisson", 0.45)):
            self.assertAlmostEqual(body[key], value, delta=1e-9 * value)
        self.assertEqual(body["sensors"], [{"name": "pelvis", "kind": "stress", "unit": "Pa"}])
        (tool,) = scene["tools"]
        self.assertEqual((tool["name"], tool["device"], tool["dof"], tool["pointer"]), ("finger", "operator", 3, True))
        self.assertEqual((tool["body"], tool["grasp"], tool["pads"]), (None, None, None))
        self.assertGreater(tool["force_limit"], 1.0)
        for parameter in state["parameters"]:
            self.assertEqual(set(parameter), {"name", "label", "unit", "least", "most", "start", "value", "rebuilds"})
            self.assertEqual(parameter["start"], parameter["value"])
            self.assertTrue(parameter["least"] <= parameter["value"] <= parameter["most"], parameter)
        self.assertEqual(
            [(p["name"], p["rebuilds"]) for p in state["parameters"]],
            [("kidney.stiffness", False), ("kidney.friction", False), ("kidney.mask", True)]
            + [("hand.stiffness", False), ("hand.damping", False)],
        )
        self.assertEqual((state["servo"]["rate"], state["servo"]["fault"]), (1000.0, ""))

    def test_geometry(self):
        scene, body = self.client.state["scene"], self.body
        self.assertEqual(
            (len(body.rest), len(body.triangles), len(body.fixed)),
            tuple(scene["bodies"][0][key] for key in ("vertices", "triangles", "fixed")),
        )
        self.assertTrue(all(max(triangle) < len(body.rest) for triangle in body.triangles))
        self.assertTrue(all(v < len(body.rest) for v in body.fixed) and len(set(body.fixed)) == len(body.fixed))
        self.assertTrue(all(norm(sub(x, scene["centre"])) <= scene["radius"] + 1e-6 for x in body.rest))
        # Closed and turned outward: every edge has two sides, and the volume is positive.
        sides = {(t[i], t[(i + 1) % 3]) for t in body.triangles for i in range(3)}
        self.assertEqual(len(sides), 3 * len(body.triangles))
        self.assertTrue(all((b, a) in sides for a, b in sides))
        self.assertGreater(sum(dot(body.rest[a], cross(body.rest[b], body.rest[c])) for a, b, c in body.triangles), 0.0)
        for v in body.fixed:
            self.assertTrue(body.rest[v][1] < -0.015 + 1e-6 or body.rest[v][0] > 0.026 - 1e-6)

    def test_hover_touches_nothing(self):
        place = self.body.rest[self.body.freest]
        inside = add(place, self.body.normals[self.body.freest], -0.005)
        self.client.hover(inside)
        there = lambda frame: norm(sub(frame.tools[0].position, inside)) < 1e-6  # however slow the machine is
        tool = self.client.until_frame(there, "the tool at its place").tools[0]
        self.assertTrue(tool.led and tool.lifted)
        self.assertEqual((tool.force, tool.contact, tool.client), ((0.0, 0.0, 0.0), NO_CONTACT, 0))
        self.assertEqual(self.client.frame.contacts, 0)

    def test_press(self):
        c, vertex = self.client, self.body.freest
        normal = self.body.normals[vertex]
        c.requests = SURFACES_REQUESTED | STRESS_REQUESTED | PRESSURE_REQUESTED
        tool = c.press(vertex, 0.005)
        self.assertEqual((tool.client, tool.contact, c.frame.contacts), (c.number, STICKS, 1))
        self.assertGreater(norm(tool.force), 0.3)
        self.assertGreater(dot(tool.force, normal), 0.9 * norm(tool.force))
        self.assertGreater(dot(tool.normal, normal), 0.9)
        # The hand is in equilibrium: what its spring pulls, the surface pushes back.
        stiffness = c.parameter("hand.stiffness")[1]["value"]
        pull = tuple(stiffness * x for x in sub(tool.spring, tool.position))
        self.assertLess(norm(add(tool.force, pull)), 0.02 * norm(tool.force))
        # The surface has given way, most where it is touched, and where the tool shows it.
        moved = displacements(c.surfaces[0])
        depths = [-dot(d, normal) for d in moved]
        self.assertGreater(depths[vertex], 0.001)
        self.assertLess(depths[vertex], tool.penetration + 0.001)
        self.assertGreater(depths[vertex], 0.7 * max(depths))
        self.assertTrue(all(norm(moved[v]) == 0.0 for v in self.body.fixed))
        self.assertLess(norm(sub(tool.point, tool.proxy)), 1e-7)
        self.assertGreater(max(map(abs, c.frame.sensors()[0])), 1.0)
        self.check_fields(vertex)
        self.check_stiffness(tool.spring)
        c.release()
        tool = c.until_frame(lambda frame: norm(frame.tools[0].force) == 0.0, "no force").tools[0]
        self.assertEqual((tool.contact, tool.client), (NO_CONTACT, c.number))
        c.until_frame(lambda frame: not any(map(norm, displacements(c.surfaces[0]))), "the surface at rest")
        self.assertEqual(set(c.frame.sensors()[0]), {0.0})

    def check_fields(self, vertex):
        c = self.client
        frame = c.until_frame(lambda frame: len(frame.fields()) == 2, "fields")
        fields, force = frame.fields(), norm(frame.tools[0].force)
        # The masks' pressure is the force.
        pressure = fields[0, PRESSURE]
        self.assertAlmostEqual(dot(pressure, self.body.areas) / force, 1.0, delta=0.02)
        near = {v for v, x in enumerate(self.body.rest) if norm(sub(x, self.body.rest[vertex])) < 0.03}
        self.assertTrue(all(pressure[v] == 0.0 for v in range(len(pressure)) if v not in near))
        # Stress of the order of the pressure; where nothing holds the body, most near the contact.
        stress = [0.0 if v in self.body.fixed else value for v, value in enumerate(fields[0, STRESS])]
        self.assertIn(stress.index(max(stress)), near)
        self.assertTrue(0.05 * max(pressure) < max(stress) < max(pressure))
        c.requests = SURFACES_REQUESTED
        c.until_frame(lambda frame: not frame.fields() and frame.all_of(SURFACE), "no fields")
        self.assertFalse(c.next_frame().fields())
        c.requests = 0
        c.until_frame(lambda frame: not frame.all_of(SURFACE), "no surfaces")
        c.requests = SURFACES_REQUESTED

    def check_stiffness(self, target):
        """Twice as stiff under the press that rests at `target`, and back."""
        c = self.client
        before = c.stiffness()
        c.set("kidney.stiffness", 2.0)
        c.settle(target)
        self.assertAlmostEqual(c.stiffness() / before, 2.0, delta=0.1)
        # Values are cut at their range; what there is not is ignored.
        c.set("kidney.stiffness", 1e9)
        self.assertEqual(c.parameter("kidney.stiffness")[1]["value"], 4.0)
        c.set("kidney.stiffness", -1.0)
        self.assertEqual(c.parameter("kidney.stiffness")[1]["value"], 0.25)
        for index in (5, 4000, 0xFFFFFFFF):
            c.command("parameter", index=index, value=3.0)
        c.set("kidney.stiffness", 1.0)
        c.settle(target)
        self.assertAlmostEqual(c.stiffness() / before, 1.0, delta=0.01)
        # A stiffer hand at the same place presses deeper.
        hand = c.parameter("hand.stiffness")[1]["value"]
        depth = c.frame.tools[0].penetration
        c.set("hand.stiffness", 2.0 * hand)
        tool = c.settle(target)
        self.assertGreater(tool.penetration, 1.1 * depth)
        self.assertAlmostEqual(2.0 * hand * norm(sub(tool.spring, tool.position)) / norm(tool.force), 1.0, delta=0.02)
        c.set("hand.stiffness", hand)

    def test_grab_pulls(self):
        c, vertex = self.client, self.body.freest
        place, normal = self.body.rest[vertex], self.body.normals[vertex]
        c.come_down(add(place, normal, 0.0005), grab=True)
        c.until_frame(lambda frame: frame.tools[0].contact == GRABBED, "the grasp")
        out = add(place, normal, 0.005)
        c.pointer(out, grab=True)
        tool = c.settle(out)
        self.assertTrue(tool.flags & GRABS)
        self.assertLess(dot(tool.force, normal), -0.3)
        self.assertGreater(dot(displacements(c.surfaces[0])[vertex], normal), 0.001)
        c.pointer(out)
        tool = c.until_frame(lambda frame: frame.tools[0].contact == NO_CONTACT, "the tool free").tools[0]
        self.assertEqual(tool.force, (0.0, 0.0, 0.0))

    def test_friction(self):
        c, vertex = self.client, self.body.freest
        normal = self.body.normals[vertex]
        along = cross(normal, (1.0, 0.0, 0.0) if abs(normal[0]) < 0.6 else (0.0, 1.0, 0.0))
        along = tuple(x / norm(along) for x in along)
        c.set("kidney.friction", 1.0)
        target = add(c.press(vertex, 0.004).spring, along, 0.003)
        c.pointer(target)
        sticks = c.settle(target)
        c.set("kidney.friction", 0.0)
        slides = c.settle(target)
        c.release()
        c.set("kidney.friction", 0.2)
        # It sticks where it was pressed, and pulls back; without friction it slides after the hand until nothing does.
        self.assertEqual((sticks.contact, slides.contact), (STICKS, SLIDES))
        back = [-dot(tool.force, along) / norm(tool.force) for tool in (sticks, slides)]
        self.assertGreater(back[0], 0.2)
        self.assertGreater(back[0], 3.0 * abs(back[1]))
        self.assertGreater(dot(sub(slides.point, sticks.point), along), 0.0005)

    def test_mask(self):
        c, load = self.client, self.client.load
        found = {}
        for radius in (0.006, 0.024, 0.012):
            c.set("kidney.mask", radius)
            c.until(lambda: c.state["scene"]["bodies"][0]["mask"] == radius, "the mask in the scene")
            c.press(self.body.freest, 0.005)
            found[radius] = c.stiffness()
            c.release()
        # A force on a larger patch sinks in less.
        self.assertTrue(1.1 * found[0.006] < 1.05 * found[0.012] < found[0.024], found)
        self.assertEqual(c.load, load)

    def test_slow_motion(self):
        c = self.client
        c.command("speed", 0.02)
        c.until(lambda: c.state["speed"] == 0.02, "slow motion")
        c.until_frame(lambda frame: 0.0 < frame.servo_rate < 60.0, "a servo of 20 Hz")
        c.reset()  # it stays slow
        self.assertEqual(c.state["speed"], 0.02)
        c.until_frame(lambda frame: 0.0 < frame.servo_rate < 60.0, "a servo of 20 Hz")
        c.command("speed", 1.0)
        c.until(lambda: c.state["speed"] == 1.0, "the usual speed")
        c.until_frame(lambda frame: frame.servo_rate > 100.0, "a servo that is faster")

    def test_pause_and_step(self):
        c = self.client
        c.pause()

        def rest():
            """Frames go on, ticks do not."""
            tick, count = None, 0

            def rests(frame):
                nonlocal tick, count
                tick, count = frame.tick, count + 1 if frame.tick == tick else 0
                return count == 15

            return c.until_frame(rests, "ticks to stand still").tick

        done = []
        while done != [5, 100] and len(done) < 10:  # again where the machine stood still, and not the ticks
            done = done[2:]
            for steps in (5, 100):
                tick = rest()
                c.command("step", steps)
                c.until_frame(lambda frame: frame.tick >= tick + steps, "steps")
                done.append(rest() - tick)
        self.assertEqual(done, [5, 100])
        tick = rest()
        c.go_on()
        c.until_frame(lambda frame: frame.tick > tick, "ticks to go on")
        c.command("step", 5)  # of no meaning now

    def test_reset(self):
        self.client.press(self.body.freest, 0.005)
        frame = self.client.reset()
        (tool,) = frame.tools
        self.assertEqual((tool.client, tool.contact, tool.force), (0, NO_CONTACT, (0.0, 0.0, 0.0)))
        self.assertAlmostEqual(frame.time, 0.001 * frame.tick)

    def test_trace_follows_the_ticks(self):
        c = self.client
        c.reset()
        last = -1

        def collect(frame):
            nonlocal last
            for trace in frame.traces:
                self.assertGreater(trace.first, last)
                last = trace.first + len(trace.rows) - 1
                self.assertTrue(all(row[0] > 0.0 and row[2:] == (0.0, 0.0, 0.0, -1.0) for row in trace.rows))
            self.assertLessEqual(last, frame.tick)
            return frame.tick > 200

        c.until_frame(collect, "200 ticks")
        self.assertGreater(last, 0)


class Demo(Case):
    SCENES = {
        "ball.yaml": BALL,
        "once.yaml": BALL[: BALL.index("    device:")] + "    device: {kind: replay, file: once.txt}\n",
        "once.txt": "0 0 0 0.08\n0.3 0 0 0.045\n0.6 0 0 0.08\n",
    }

    def test_a_touch_takes_over(self):
        c = self.client
        c.command("demo", 1.0)
        c.until(lambda: c.state["demo"], "the demo")

        def wait_for_force(*touches):
            """The scene's own hand presses and lets go, again and again."""
            for touch in touches:
                tool = c.until_frame(
                    lambda frame: not frame.tools[0].led and (norm(frame.tools[0].force) > 0.1) == touch,
                    "the scene's hand",
                ).tools[0]
                self.assertEqual(tool.client, 0)

        wait_for_force(True, False)
        c.pointer((0.0, 0.0, 0.09), touch=False)  # hovering takes nothing over
        wait_for_force(True)
        tool = c.press(self.body.freest, 0.005)
        self.assertTrue(tool.led)
        self.assertEqual(tool.client, c.number)
        self.assertGreater(norm(tool.force), 0.3)
        c.pointer(tool.position, touch=False)
        wait_for_force(False, True)
        # Without it the tool stays where it is, and hovers.
        c.command("demo", 0.0)
        c.until(lambda: not c.state["demo"], "no demo")
        last = None

        def steady(frame):
            """The pointer leads, and for two frames from the same place: the first may still show the scene's hand."""
            nonlocal last
            before, last = last, frame.tools[0].spring if frame.tools[0].led else None
            return last is not None and last == before

        tool = c.settle(c.until_frame(steady, "the pointer to lead").tools[0].spring)
        self.assertEqual((tool.lifted, norm(tool.force)), (True, 0.0))

    def test_a_device_that_ends(self):
        c = self.client
        c.command("demo", 1.0)
        c.open("once.yaml")
        ends = []
        for _ in range(2):
            c.until(lambda: c.state["servo"]["fault"], "its end")
            ends.append(c.until_frame(lambda frame: True, "the last tick").tick)
            self.assertEqual(c.next_frame().tick, ends[-1])
            c.command("reset")
            c.until(lambda: c.state["phase"] == "running" and not c.state["servo"]["fault"], "the reset")
            c.until_running()
        # The device has played as long as before.
        self.assertEqual(ends[0], ends[1])
        self.assertGreater(ends[0], 600)
        c.command("demo", 0.0)
        c.open("ball.yaml")


class Reduced(Case):
    """A beam of few coordinates."""

    SCENES = {"beam.yaml": BEAM}
    SCENE = "beam.yaml"

    def setUp(self):
        super().setUp()
        self.model = self.client.models[0]
        self.tip = max(range(len(self.model.rest)), key=lambda v: self.model.rest[v][0] + self.model.rest[v][2])

    def place(self, vertex, q):
        """Of a vertex in the world, m: the body is turned by a right angle."""
        x, y, z = add(self.model.rest[vertex], self.model.moved(vertex, q))
        return (-y, 0.1 + x, z)

    def pull(self, far):
        """Takes the tip, pulls it up and waits until all rests."""
        c = self.client
        rest = self.place(self.tip, [0.0] * self.model.size)
        c.come_down(rest, grab=True)
        c.until_frame(lambda frame: frame.tools[0].contact == GRABBED, "the grasp")
        target = add(rest, (0.0, 0.0, 1.0), far)
        c.pointer(target, grab=True)
        return c.settle(target)

    def test_model(self):
        c, model = self.client, self.model
        self.assertEqual((c.bodies, len(c.models)), ({}, 1))
        (body,) = c.state["scene"]["bodies"]
        what = (body["method"], body["coordinates"], body["free"], body["sketch"])
        self.assertEqual(what, ("reduced", 8, False, True))
        self.assertEqual(body["colours"], ["displacement", "stress", "stretch"])
        self.assertEqual((model.size, model.free, model.bodies), (8, False, (0,)))
        self.assertEqual(len(model.rest), body["vertices"])
        self.assertEqual(model.labels[0], "mode 1")
        self.assertEqual(len(model.labels), 4 + 10)  # modes and their derivatives
        zero = [0.0] * 8
        centre, radius = c.state["scene"]["centre"], c.state["scene"]["radius"]
        for v in range(body["vertices"]):
            self.assertLessEqual(norm(sub(self.place(v, zero), centre)), radius + 1e-6)
        for v in model.fixed:  # whatever the coordinates
            self.assertTrue(all(norm(model.moved(v, row)) < 1e-6 for row in model.shapes))
        self.assertIn("beam.mu", [parameter["name"] for parameter in c.state["parameters"]])

    def test_pull(self):
        tool = self.pull(0.08)
        ((q, position, orientation),) = self.client.frame.coordinates()[0]
        self.assertEqual((position, orientation), ((), ()))
        # The tip is where the contact is, has come most of the way, and the spring to it has the force.
        tip = self.place(self.tip, q)
        self.assertLess(norm(sub(tip, tool.point)), 0.001)  # taken where the tool came down, next to it
        self.assertGreater(tip[2] - self.model.rest[self.tip][2], 0.05)
        stretch = norm(sub(tool.position, tool.point))
        self.assertAlmostEqual(norm(tool.force), 500.0 * stretch, delta=5.0 * stretch)
        self.assertLess(tool.force[2], -0.1)
        self.client.set("beam.mu", 2.0)
        stiffer = self.client.settle(tool.spring)
        self.assertLess(stiffer.force[2], 1.1 * tool.force[2])  # along the beam springs give way instead
        self.client.set("beam.mu", 1.0)
        self.client.release()

    def test_sketch(self):
        c = self.client
        c.command("record", 1.0, index=1)
        c.until(lambda: c.state["sketch"] == {"body": 0}, "the sketch")
        c.until_running()
        self.pull(0.08)
        c.release()
        c.command("record", 0.0)
        c.until(lambda: c.state["sketched"] is not None, "its end")
        self.assertEqual((c.state["sketch"], c.state["sketched"]["body"]), (None, 0))
        done, rows = self.replayed(os.path.basename(c.state["sketched"]["file"]))
        self.assertTrue(done.stdout.startswith("identical: "), done.stdout)
        # A bake with the line that is advised, of fewer coordinates: of one pull they hold all.
        line = c.state["sketched"]["basis"].replace("size: 8", "size: 3")
        self.write("sketched.yaml", BEAM.replace("basis: {from: modes, modes: 4, size: 8}", line))
        done = scene_case.run("bake", os.path.join(self.scenes, "sketched.yaml"), "--cache", view_case.CACHE)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"3 coordinates from a sketch represent (more than )?99\.")
        asset = max(glob.glob(os.path.join(view_case.CACHE, "beam-*.reduced")), key=os.path.getmtime)
        self.assertRegex(scene_case.run("info", asset).stdout, r"basis +from a sketch, represents (more than )?99\.")


class Clients(Case):
    SCENES = {"pair.yaml": PAIR}
    SCENE = "pair.yaml"

    def test_two_bodies_and_two_tools(self):
        c = self.client
        names = [body["name"] for body in c.state["scene"]["bodies"]]
        self.assertEqual((names, len(c.frame.tools)), (["ball", "other"], 2))
        # The second body is the first one, turned and moved.
        for a, b in zip(c.bodies[0].rest, c.bodies[1].rest):
            self.assertLess(norm(sub((0.15 - a[1], a[0], a[2]), b)), 1e-6)
        vertex = c.bodies[0].freest
        c.press(vertex, 0.005)
        tool = c.press(vertex, 0.005, tool=1, body=1)
        first = c.frame.tools[0]
        self.assertEqual((first.body, tool.body, c.frame.contacts), (0, 1, 2))
        # The second tool goes twice as far as its hand, so that the same hand is half as stiff there.
        hand = c.parameter("hand.stiffness")[1]["value"]
        for t, stiffness in ((first, hand), (tool, hand / 2.0)):
            pull = tuple(stiffness * x for x in sub(t.spring, t.position))
            self.assertLess(norm(add(t.force, pull)), 0.02 * norm(t.force))
        # The bodies are alike: the surface gives way by the same for the same force.
        gave = [dot(displacements(c.surfaces[b])[vertex], c.bodies[b].normals[vertex]) for b in (0, 1)]
        self.assertAlmostEqual(gave[0] * norm(tool.force) / (gave[1] * norm(first.force)), 1.0, delta=0.02)
        c.release()
        c.release(tool=1)
        c.pointer((0.0, 0.0, 0.1), tool=2)  # there is none
        c.pointer((0.0, 0.0, 0.1), tool=65535)
        c.next_frame()

    def test_each_page_has_its_own_tool(self):
        a = self.client
        # The page of the test before may have held the first tool when this one came.
        a.until(lambda: [hand["page"] for hand in a.state["hands"]] in ([a.number, 0], [0, a.number]), "one page alone")
        own = [hand["page"] for hand in a.state["hands"]].index(a.number)
        free = 1 - own
        b, c = self.join(), self.join()
        for client in (b, c):
            client.until_running()

        def until(key, of_own, of_free):
            wanted = [client.number if client else 0 for client in (of_own, of_free)]
            a.until(lambda: [a.state["hands"][tool][key] for tool in (own, free)] == wanted, f"the {key}s {wanted}")

        until("page", a, b)  # nothing is left for c
        b.close()
        until("page", a, None)
        c.hover((0.15, 0.0, 0.1), tool=free)
        until("page", a, None)
        c.pointer((0.15, 0.0, 0.1), touch=True, tool=free)  # who touches with a free one has it
        until("page", a, c)
        until("leader", None, c)
        d = self.join()
        d.until_running()
        until("page", a, c)
        d.pointer((0.0, 0.0, 0.1), touch=True, tool=own)  # a touches nothing: it may
        until("leader", d, c)
        until("page", a, c)
        a.command("open", text="pair.yaml")
        until("page", a, c)

    def test_a_tool_that_another_page_holds(self):
        a, b = self.client, self.join()
        b.until_running()
        self.assertNotEqual(a.number, b.number)
        vertex = a.bodies[0].freest
        a.press(vertex, 0.005)
        self.assertEqual(a.frame.tools[0].client, a.number)
        b.until_frame(lambda frame: frame.clients == 2 and frame.tools[0].client == a.number, "the other's touch")
        # Neither the hovering nor the touch of another one changes anything; it is told, once a press.
        b.pointer((0.0, 0.0, 0.2), touch=False)
        for _ in range(5):
            b.pointer((0.0, 0.0, 0.2), touch=True)
        b.settle(a.frame.tools[0].spring)
        self.assertEqual([(n["kind"], n["tool"], n["client"]) for n in b.notices], [("held", 0, a.number)])
        self.assertIn("probe", b.notices[0]["text"])
        self.assertEqual(a.notices, [])
        # It takes it over; the one who still presses has to let go before it may touch again.
        spring = a.frame.tools[0].spring
        b.command("take", index=0)
        b.until(lambda: b.state["hands"][0]["leader"] == b.number, "the tool")
        a.pointer(spring, touch=True)
        tool = b.press(vertex, 0.003)
        self.assertEqual(tool.client, b.number)
        self.assertGreater(norm(tool.force), 0.2)
        a.until(lambda: [n["kind"] for n in a.notices] == ["held"], "the word that it may not")
        a.pointer((0.0, 0.0, 0.2), touch=False)
        b.settle(tool.spring)
        # What nobody presses with goes to the next who touches.
        b.release()
        a.press(vertex, 0.003)
        self.assertEqual(a.frame.tools[0].client, a.number)
        a.release()
        b.press(vertex, 0.003)
        for leave in ("close", "vanish"):
            getattr(b, leave)()
            tool = a.until_frame(lambda frame: frame.clients == 1 and frame.tools[0].lifted, "the tool let go").tools[0]
            self.assertEqual((tool.client, norm(tool.force)), (0, 0.0))
            if leave == "close":
                b = self.join()
                b.until_running()
                b.press(vertex, 0.003)
                a.until_frame(lambda frame: frame.tools[0].client == b.number, "the other's touch")

    def test_the_server_sends_beats(self):
        beats = self.client.beats
        self.client.until(lambda: self.client.beats >= beats + 3, "three beats")


class Chance(Case):
    SCENES = {
        "pair.yaml": PAIR,
        "ball.yaml": BALL,
        "broken.yaml": BALL.replace("young", "yuong"),
        "last.yaml": BALL,
    }
    SCENE = "pair.yaml"
    LEAKS = True

    def test_anything_in_any_order(self):
        chance = random.Random(20011)
        clients = [self.client, self.join()]
        dropped = 0
        for i in range(200 if LIGHT else 250):
            c = chance.choice(clients)
            what = chance.random()
            if what < 0.5:
                position = tuple(chance.uniform(-0.08, 0.08) for _ in range(3))
                q = tuple(chance.gauss(0.0, 1.0) for _ in range(4))
                q = tuple(x / norm(q) for x in q)
                c.pointer(position, chance.random() < 0.7, chance.random() < 0.3, chance.choice((0, 0, 1, 1, 2, 9)), q)
            elif what < 0.53:
                (c.vanish if chance.random() < 0.5 else c.close)()
                clients[clients.index(c)] = self.join()
                dropped += 1
            elif what < 0.56:
                c.ask(chance.randint(0, 3), chance.randint(0, 3), chance.uniform(-1.0, 1.0))  # of bodies without fields
            else:
                name = chance.choice(COMMANDS + ("record", "record", "replay"))
                files = ("pair.yaml", "ball.yaml", "broken.yaml", "", "no.yaml")
                value = {
                    "pause": float(chance.random() < 0.5),
                    "step": float(chance.randint(1, 1000)),
                    "record": float(chance.random() < 0.5),
                    "demo": float(chance.random() < 0.5),
                    "follow": float(chance.random() < 0.5),
                    "seek": chance.uniform(0.0, 2.0),
                    "play": chance.uniform(0.0, 10.0),
                    "speed": chance.choice((0.1, 0.5, 1.0)),
                }.get(name, chance.uniform(-1.0, 3.0))
                recordings = [recording["file"] for recording in c.state["recordings"]] + ["", "no.tacrec"]
                file = chance.choice(recordings)
                text = {"open": chance.choice(files), "replay": file, "delete": file, "rename": f"{file}/a{i}"}.get(name, "")
                if name in ("open", "reload") and chance.random() < 0.7:
                    continue  # else little else happens
                c.command(name, value, text, chance.randint(0, 8))
            c.requests = chance.randint(0, 1023)
            for other in clients:
                while other.receive(0.0):
                    pass
            time.sleep(chance.choice((0.0, 0.0, 0.002, 0.02)))
        self.assertGreater(dropped, 2)
        # It is there, and does what it is told.
        c = clients[0]
        clients[1].close()  # what it has said is done then
        c.requests = SURFACES_REQUESTED
        c.command("demo", 0.0)
        c.open("last.yaml")
        self.assertGreater(norm(c.press(c.bodies[0].freest, 0.005).force), 0.3)
        files = [recording["file"] for recording in c.state["recordings"] if recording["seconds"] > 0.0]
        for file in files[:3]:
            self.assertIn("identical", self.replayed(file)[0].stdout)


if __name__ == "__main__":
    view_case.main()
