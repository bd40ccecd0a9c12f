"""A client of `tactus view` that speaks docs/viewer_protocol.md. It checks that every message has the form that is
described there, knows what was said last, touches, and waits for what happens."""

import base64
import contextlib
import functools
import glob
import hashlib
import json
import math
import os
import select
import signal
import socket
import struct
import subprocess
import time

TIMEOUT = 600.0  # s; waiting ends when the thing waited for has happened, this is for what never does

WELCOME, STATE, BODY, FRAME, NOTICE, MODEL, RIGID, BADGES = 1, 2, 3, 4, 5, 6, 7, 20
TOOLS, SURFACE, FIELD, NUMBERS, SENSORS, COORDINATES = 1, 2, 3, 4, 6, 7
BEAT, TICKS = 12, 13
FREE = 1
SURFACES_REQUESTED, STRESS_REQUESTED, PRESSURE_REQUESTED = 1, 2, 4
STRESS, PRESSURE = 1, 2
LED, LIFTED, GRABS = 1, 2, 4
NO_CONTACT, STICKS, SLIDES, GRABBED = 0, 1, 2, 3
COMMANDS = ("open", "reload", "pause", "step", "reset", "record", "replay", "seek", "play", "parameter", "demo")
COMMANDS += ("speed", "rename", "delete", "take", "follow")


# ---- vectors ----


def add(a, b, factor=1.0):
    return tuple(x + factor * y for x, y in zip(a, b))


def sub(a, b):
    return add(a, b, -1.0)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def norm(a):
    return math.sqrt(dot(a, a))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def triples(numbers):
    return list(zip(numbers[0::3], numbers[1::3], numbers[2::3]))


def single(value):
    """As a float of 32 bits."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


# ---- what the server says ----


class Taker:
    """Numbers of a message, one after the other."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def __call__(self, count, kind):
        values = struct.unpack_from(f"<{count}{kind}", self.data, self.at)
        self.at += struct.calcsize(f"<{count}{kind}")
        return values


class Body:
    """Geometry of one body."""

    def __init__(self, data):
        vertices, triangles, fixed, points, edges, zero = struct.unpack_from("<6I", data)
        assert zero == 0
        assert len(data) == 24 + 12 * (vertices + triangles + points) + 4 * fixed + 8 * edges
        take = Taker(data, 24)
        self.rest = triples(take(3 * vertices, "f"))
        self.triangles = triples(take(3 * triangles, "I"))
        self.fixed = take(fixed, "I")
        self.points = triples(take(3 * points, "f"))
        self.edges = take(2 * edges, "I")
        self.areas = [0.0] * vertices
        self.normals = [(0.0, 0.0, 0.0)] * vertices
        for triangle in self.triangles:
            a, b, c = (self.rest[v] for v in triangle)
            n = cross(sub(b, a), sub(c, a))
            for v in triangle:
                self.areas[v] += norm(n) / 6.0
                self.normals[v] = add(self.normals[v], n)
        self.normals = [tuple(x / norm(n) for x in n) for n in self.normals]

        # The vertex that is farthest from all that is held.
        held = [self.rest[v] for v in self.fixed]
        self.freest = max(range(vertices), key=lambda v: min((math.dist(self.rest[v], p) for p in held), default=0.0))


class Model:
    """Geometry and basis that reduced bodies share, in their own frame."""

    def __init__(self, data):
        counts = struct.unpack_from("<10I", data)
        vertices, triangles, fixed, points, edges, size, shapes, bodies, label_bytes, free = counts
        assert 1 <= size <= 128 and bodies >= 1 and label_bytes % 4 == 0 and free in (0, 1)
        take = Taker(data, 40)
        self.size, self.free = size, bool(free)
        self.rest = triples(take(3 * vertices, "f"))
        self.normals = triples(take(3 * vertices, "f"))
        self.triangles = triples(take(3 * triangles, "I"))
        self.fixed = take(fixed, "I")
        self.points = triples(take(3 * points, "f"))
        self.edges = take(2 * edges, "I")
        self.bodies = take(bodies, "I")
        self.poses = [take(7, "f") for _ in range(bodies)]
        self.steps = take(size, "f"), take(size, "f")  # of displacements and normals
        self.basis = take(6 * vertices * size, "h")
        self.shapes = [take(size, "f") for _ in range(shapes)]
        text = data[take.at:]
        assert len(text) == label_bytes
        self.labels = text.rstrip(b"\0").decode().splitlines()
        assert len(self.labels) == shapes
        assert all(abs(norm(n) - 1.0) < 1e-5 for n in self.normals)
        assert max(self.fixed + tuple(v for t in self.triangles for v in t)) < vertices
        assert all(v < points for v in self.edges)
        assert all(norm(q) < 1.0 + 1e-5 for q in self.shapes)  # shares

    def moved(self, vertex, q):
        """Displacement of a vertex at those coordinates, m."""
        u = [0.0, 0.0, 0.0]
        for j, (x, step) in enumerate(zip(q, self.steps[0])):
            at = 6 * (vertex * self.size + j)
            u = [a + x * step * b / 32767.0 for a, b in zip(u, self.basis[at : at + 3])]
        return tuple(u)


# Every client gets the same ones.
read_body = functools.lru_cache(Body)
read_model = functools.lru_cache(Model)


class Tool:
    def __init__(self, data, offset):
        numbers = struct.unpack_from("<26f4I4f", data, offset)
        self.position, self.orientation, self.proxy = numbers[0:3], numbers[3:7], numbers[7:10]
        self.force, self.torque = numbers[10:13], numbers[13:16]
        self.point, self.normal, self.penetration = numbers[16:19], numbers[19:22], numbers[22]
        self.spring = numbers[23:26]
        self.contact, self.body, self.flags, self.client = numbers[26:30]
        self.proxy_orientation = numbers[30:34]
        assert abs(sum(x * x for x in self.proxy_orientation) - 1.0) < 1e-4
        assert self.contact <= 3 and self.flags < 8

    lifted = property(lambda self: bool(self.flags & LIFTED))
    led = property(lambda self: bool(self.flags & LED))


class Trace:
    def __init__(self, data):
        self.first, count, tools = struct.unpack_from("<QII", data)
        width = 2 + 4 * tools
        numbers = struct.unpack_from(f"<{width * count}f", data, 16)
        self.rows = [numbers[width * i : width * (i + 1)] for i in range(count)]


class Frame:
    def __init__(self, section_count, number, data):
        self.number = number
        self.load, flags, self.time, self.tick = struct.unpack_from("<IIdQ", data)
        assert flags <= 1
        self.busy = flags == 1
        self.sections = []
        at = 24
        while at < len(data):
            tag, length = struct.unpack_from("<II", data, at)
            assert length % 8 == 0 and at + 8 + length <= len(data), (tag, length)
            self.sections.append((tag, data[at + 8 : at + 8 + length]))
            at += 8 + length
        assert at == len(data) and len(self.sections) == section_count
        tools = self.all_of(TOOLS)
        assert len(tools) == 1
        count, zero = struct.unpack_from("<II", tools[0])
        assert zero == 0 and len(tools[0]) == 8 + 136 * count
        self.tools = [Tool(tools[0], 8 + 136 * i) for i in range(count)]
        self.traces = []  # of the ticks that came with it
        (numbers,) = self.all_of(NUMBERS)
        self.servo_rate, self.display_rate = struct.unpack_from("<2f", numbers)
        self.contacts, self.clients = struct.unpack_from("<2I", numbers, 40)

    def all_of(self, tag):
        return [data for found, data in self.sections if found == tag]

    def fields(self):
        """By body and kind, Pa at the vertices."""
        result = {}
        for data in self.all_of(FIELD):
            body, kind, scale, count = struct.unpack_from("<IIfI", data)
            assert len(data) - 16 - 2 * count in range(8)
            result[body, kind] = [scale * v / 65535.0 for v in struct.unpack_from(f"<{count}H", data, 16)]
        return result

    def coordinates(self):
        """By model, for each of its bodies: q and, where they are free, position and orientation."""
        result = {}
        for data in self.all_of(COORDINATES):
            model, bodies, size, flags = struct.unpack_from("<4I", data)
            assert flags in (0, FREE)
            row = size + (7 if flags & FREE else 0)
            assert len(data) - 16 - 4 * bodies * row in range(8)
            numbers = struct.unpack_from(f"<{bodies * row}f", data, 16)
            rows = [numbers[row * i : row * (i + 1)] for i in range(bodies)]
            result[model] = [(r[:size], r[size : size + 3], r[size + 3 :]) for r in rows]
        return result

    def sensors(self):
        result = {}
        for data in self.all_of(SENSORS):
            body, count = struct.unpack_from("<II", data)
            result[body] = struct.unpack_from(f"<{count}f", data, 8)
        return result


def displacements(data):
    """Of a surface section, m."""
    _, count, scale, zero = struct.unpack_from("<IIfI", data)
    assert zero == 0 and len(data) == 16 + 8 * count
    numbers = struct.unpack_from("<" + "3h2x" * count, data, 16)
    return triples([scale * d / 32767.0 for d in numbers])


# ---- a client ----


class Closed(Exception):
    """The server has closed the connection; the argument is its reason."""


class Client:
    def __init__(self, port, requests=SURFACES_REQUESTED, shows=True):
        self.requests, self.shows = requests, shows
        self.welcome = self.state = self.frame = None
        self.number = self.load = 0
        self.bodies, self.models, self.rigid, self.surfaces, self.notices = {}, {}, {}, {}, []
        self.badges = None
        self.ticks, self.beats = [], 0  # ticks wait for the next frame
        self.frames = 0
        self.buffer = b""
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            (
                f"GET /socket HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
            ).encode()
        )
        while b"\r\n\r\n" not in self.buffer:
            self._read(TIMEOUT)
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        accept = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        assert head.startswith(b"HTTP/1.1 101"), head
        assert base64.b64encode(accept) in head
        self.until(lambda: self.state is not None, "a first state")

    def _read(self, seconds):
        """More bytes, if any come in time."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return False
        data = self.socket.recv(1 << 16)
        if not data:
            raise Closed(None)
        self.buffer += data
        return True

    def _send(self, opcode, payload):
        mask = os.urandom(4)
        head = bytes([0x80 | opcode]) + (
            bytes([0x80 | len(payload)]) if len(payload) < 126 else struct.pack(">BH", 0x80 | 126, len(payload))
        )
        self.socket.sendall(head + mask + bytes(b ^ mask[i & 3] for i, b in enumerate(payload)))

    def send(self, payload):
        self._send(2, payload)

    def pointer(self, position, touch=True, grab=False, tool=0, orientation=(1.0, 0.0, 0.0, 0.0)):
        self.send(struct.pack("<BBHI7f", 64, 1, tool, touch + 2 * grab, *position, *orientation))

    def command(self, name, value=0.0, text="", index=0):
        self.send(struct.pack("<BBHId", 66, 1, 1 + COMMANDS.index(name), index, value) + text.encode())

    def ask(self, body, what, value, number=1):
        self.send(struct.pack("<BBHIIf", 67, 1, body, number, what, value))

    def receive(self, seconds):
        """Takes one message; False where none came in time."""
        deadline = time.monotonic() + seconds
        while True:
            if len(self.buffer) >= 2:
                opcode, length, head = self.buffer[0], self.buffer[1], 2
                if length >= 126 and len(self.buffer) >= 10:
                    head = 4 if length == 126 else 10
                    length = int.from_bytes(self.buffer[2:head], "big")
                if length < 126 or head > 2:
                    if len(self.buffer) >= head + length:
                        payload = self.buffer[head : head + length]
                        self.buffer = self.buffer[head + length :]
                        assert opcode & 0x80, "a message in pieces"
                        self._take(opcode & 15, payload)
                        return True
            if not self._read(max(0.0, deadline - time.monotonic())) and time.monotonic() >= deadline:
                return False

    def _take(self, opcode, payload):
        if opcode == 8:
            raise Closed(int.from_bytes(payload[:2], "big"))
        if opcode == 9:
            self._send(10, payload)
        if opcode != 2:
            return
        kind, version, a, b = struct.unpack_from("<BBHI", payload)
        data = payload[8:]
        assert version == 1
        if kind == WELCOME:
            assert self.welcome is None
            self.welcome, self.number = json.loads(data), b
        elif kind == STATE:
            assert self.welcome is not None and b >= self.load
            if b != self.load:
                self.bodies, self.models, self.rigid, self.surfaces, self.frame = {}, {}, {}, {}, None
            self.state, self.load = json.loads(data), b
        elif kind in (BODY, MODEL, RIGID):
            known = {BODY: self.bodies, MODEL: self.models, RIGID: self.rigid}[kind]
            assert b == self.load and a not in known
            known[a] = read_body(data) if kind == BODY else read_model(data) if kind == MODEL else None
        elif kind == FRAME:
            frame = Frame(a, b, data)
            frame.traces, self.ticks = self.ticks, []
            self._take_frame(frame)
        elif kind == TICKS:
            if b == self.load:
                self.ticks.append(Trace(data))
        elif kind == BEAT:
            assert not data
            self.beats += 1
        elif kind == NOTICE:
            self.notices.append(json.loads(data))
        elif kind == BADGES:
            self.badges = json.loads(data)
        else:
            raise AssertionError(f"message of kind {kind}")

    def _take_frame(self, frame):
        assert frame.load <= self.load, "a frame before the state of its load"
        self.frames += 1
        if frame.load == self.load:
            self.frame = frame
            for data in frame.all_of(SURFACE):
                self.surfaces[struct.unpack_from("<I", data)[0]] = data
        if self.shows:
            self.send(struct.pack("<BBHI", 65, 1, self.requests, frame.number))

    # ---- waiting ----

    def until(self, condition, what):
        deadline = time.monotonic() + TIMEOUT
        while not condition():
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain for {what}; {self.describe()}")
            self.receive(1.0)

    def describe(self):
        tool = self.frame and vars(self.frame.tools[0])
        state = {key: value for key, value in (self.state or {}).items() if key not in ("scene", "parameters")}
        return f"state {state}, notices {self.notices}, tick {self.frame and self.frame.tick}, tool {tool}"

    def until_frame(self, condition, what):
        """Until a frame that comes from now on."""
        last = self.frames

        def came():
            """Asks once of each."""
            nonlocal last
            fresh, last = self.frames > last, self.frames
            return fresh and self.frame is not None and condition(self.frame)

        self.until(came, what)
        return self.frame

    def next_frame(self):
        return self.until_frame(lambda frame: True, "a frame")

    def until_phase(self, phase):
        self.until(lambda: self.state["phase"] == phase, phase)

    def until_running(self):
        self.until_phase("running")
        self.until(lambda: self._known() == list(range(len(self.state["scene"]["bodies"]))), "bodies and models")
        self.next_frame()

    def _known(self):
        """Numbers of the bodies whose geometry came."""
        return sorted([*self.bodies, *self.rigid, *(b for model in self.models.values() for b in model.bodies)])

    def pump(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.receive(end - time.monotonic())

    def open(self, file):
        """Opens a scene and waits until it runs or has failed."""
        load = self.load
        self.command("open", text=file)
        self.until(
            lambda: self.load > load
            and (self.state["phase"] == "failed" or (self.state["scene"] or {}).get("file") == file),
            f"{file} to open",
        )
        if self.state["phase"] != "failed":
            self.until_running()

    def pause(self):
        self.command("pause", 1.0)
        self.until(lambda: self.state["paused"], "the pause")

    def go_on(self):
        self.command("pause", 0.0)
        self.until(lambda: not self.state["paused"], "the pause's end")

    def reset(self):
        """In a pause, which it outlasts, so that the first ticks are seen; returns a frame of them."""
        self.until_frame(lambda frame: frame.tick > 100, "100 ticks")
        self.pause()
        self.command("reset")
        frame = self.until_frame(lambda frame: frame.tick < 50, "the reset")
        self.go_on()
        return frame

    # ---- the hand ----

    def parameter(self, name):
        for i, parameter in enumerate(self.state["parameters"]):
            if parameter["name"] == name:
                return i, parameter
        raise AssertionError(name)

    def set(self, name, value):
        """Sets a parameter and waits until the state has its value (as it was cut)."""
        index, parameter = self.parameter(name)
        cut = min(max(value, parameter["least"]), parameter["most"])
        self.command("parameter", index=index, value=value)
        self.until(lambda: abs(self.parameter(name)[1]["value"] - cut) < 1e-12, f"{name} {cut}")

    def settle(self, target, tool=0):
        """Waits until the hand's spring ends at `target` and the tool has rested for 0.05 s of the world's time."""
        target = tuple(map(single, target))
        anchor = since = None

        def rests(frame):
            nonlocal anchor, since
            t = frame.tools[tool]
            if norm(sub(t.spring, target)) > 1e-7:
                return False
            if anchor is None or norm(sub(t.position, anchor)) > 1e-7 or frame.time < since:
                anchor, since = t.position, frame.time
            return frame.time >= since + 0.05 and frame.time > 0.1  # forces have ramped in

        return self.until_frame(rests, f"rest at {target}").tools[tool]

    def hover(self, position, tool=0):
        self.pointer(position, touch=False, tool=tool)
        return self.settle(position, tool)

    def come_down(self, position, grab=False, tool=0):
        self.pointer(position, grab=grab, tool=tool)
        self.until_frame(lambda frame: frame.tools[tool].led and not frame.tools[tool].lifted, "the tool to come down")

    def press(self, vertex, depth, tool=0, body=0):
        """From 2 mm before a vertex to `depth` behind it, and until all rests."""
        geometry = self.bodies[body]
        place, normal = geometry.rest[vertex], geometry.normals[vertex]
        self.come_down(add(place, normal, 0.002), tool=tool)
        target = add(place, normal, -depth)
        self.pointer(target, tool=tool)
        return self.settle(target, tool)

    def release(self, tool=0):
        """Lifts the tool where it is."""
        self.pointer(self.frame.tools[tool].position, touch=False, tool=tool)
        self.until_frame(lambda frame: frame.tools[tool].lifted, "the tool to be lifted")

    def stiffness(self):
        """Force over penetration of the press, N/m."""
        tool = self.frame.tools[0]
        return norm(tool.force) / tool.penetration

    # ---- the end ----

    def close(self):
        """With the closing handshake."""
        self.shows = False
        self._send(8, struct.pack(">H", 1000))
        try:
            while self.receive(TIMEOUT):
                pass
        except Closed:
            pass
        self.socket.close()

    def vanish(self):
        """Without it."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


# ---- the program ----


class Viewer:
    """`tactus view` in a folder, with its recordings in out/ there; `with` ends it."""

    def __init__(self, program, folder, *arguments, cache, leaks=False, **variables):
        self.folder = folder
        self.errors = open(os.path.join(folder, "stderr"), "w+")
        more = ("--no-open", "--port", "0", "-o", os.path.join(folder, "out"), "--cache", cache)
        self.job = subprocess.Popen([program, "view", *arguments, *more], stdout=subprocess.PIPE, stderr=self.errors, text=True,
                                    cwd=folder, env=dict(os.environ, ASAN_OPTIONS=f"detect_leaks={int(leaks)}", **variables))
        line = self.job.stdout.readline()
        assert line.startswith("viewer: http://127.0.0.1:"), line + self.said()
        self.port = int(line.rsplit(":", 1)[1].rstrip("/\n"))
        self.clients = []

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def client(self, **options):
        client = Client(self.port, **options)
        self.clients.append(client)
        return client

    def end(self):
        """By Ctrl-C; returns the status."""
        self.job.send_signal(signal.SIGINT)
        status = self.job.wait(TIMEOUT)
        self._hang_up()
        return status

    def _hang_up(self):
        for client in self.clients:
            client.socket.close()
        self.job.stdout.close()

    def close(self):
        if self.job.poll() is None:
            self.job.kill()
            self.job.wait()
        self._hang_up()
        self.errors.close()

    def memory(self):
        """Resident, bytes."""
        with open(f"/proc/{self.job.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def threads(self):
        """Their names."""
        names = []
        for path in glob.glob(f"/proc/{self.job.pid}/task/*/comm"):
            with contextlib.suppress(OSError), open(path) as file:
                names.append(file.read().strip())
        return names

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
