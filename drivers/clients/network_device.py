#!/usr/bin/env python3
"""A client of the network device (docs/network_device.md): tells where a hand is and is told what it feels.

As a module:

    from network_device import NetworkDevice
    with NetworkDevice(name="my robot", force_limit=3.0, stiffness_limit=800.0) as device:
        while running:
            force, torque = device.exchange(position)   # m, device frame; N, N m on the hand

As a program, it is a hand that moves on a circle and gives way to forces, a thousand times a second:

    network_device.py --radius 0.03 --turn 4

Python's standard library is all that it needs.
"""

import argparse
import math
import os
import select
import socket
import struct
import time

VERSION = 1
PORT = 7625
HELLO, WELCOME, STATE, FORCE, BYE, REFUSAL = range(1, 7)
HEAD = struct.Struct("<4sBBHII")  # magic, version, kind, zero, session, sequence
HELLO_BODY = struct.Struct("<B7x32s32s4d6d")
WELCOME_BODY = struct.Struct("<II")
STATE_BODY = struct.Struct("<Q3d4dI4x")
FORCE_BODY = struct.Struct("<IB3x3d3d")
MAGIC = b"TACD"
SILENCE = 0.05  # s without a word from the driver after which the hand feels nothing

INDEX, GRAB, LIFT = 1, 2, 4  # buttons


def grip(level):
    """How far jaws are closed, 0 to 255, beside the buttons."""
    return (level & 255) << 8


class NetworkError(Exception):
    pass


class NetworkDevice:
    """A session with the driver. What the device is (limits, workspace, degrees of freedom) is told once, at the start; the
    limits hold for every force, so they must be right."""

    def __init__(self, host="127.0.0.1", port=PORT, token="", name="Python", dof=3, force_limit=3.0, torque_limit=0.0,
                 stiffness_limit=800.0, resolution=0.0, workspace=((-0.1, -0.1, -0.1), (0.1, 0.1, 0.1)), timeout=30.0):
        self.force, self.torque = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        self.live = False     # the servo writes forces
        self.ended = False    # the driver said goodbye
        self.answered = 0     # the sequence of the newest state that the driver knew of when it sent the force
        self.sequence = 0     # of our last state
        self.received = 0     # forces
        self.lost = 0         # forces that were sent and did not come
        self._newest = None   # the sequence of the newest force
        self._last_received = 0.0
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            self._socket.setblocking(False)
            self._socket.connect((host, port))
            body = HELLO_BODY.pack(dof, token.encode(), name.encode()[:32], force_limit, torque_limit, stiffness_limit,
                                   resolution, *workspace[0], *workspace[1])
            self.session, self.period = self._connect(body, timeout)
        except BaseException:
            self._socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self._socket.fileno() >= 0:
            if not self.ended:
                self._send(BYE, self.session, self.sequence + 1)
            self._socket.close()

    def send_state(self, position, orientation=(1.0, 0.0, 0.0, 0.0), buttons=0):
        """Sends a state: m and a unit quaternion w, x, y, z in the device's frame."""
        self.sequence = (self.sequence + 1) & 0xFFFFFFFF
        self._send(STATE, self.session, self.sequence,
                   STATE_BODY.pack(time.monotonic_ns(), *position, *orientation, buttons))

    def listen(self, timeout=0.0):
        """Takes what has come; waits up to `timeout` seconds where nothing has. Returns force and torque on the hand: zero
        where the driver has been silent."""
        if timeout > 0.0:
            select.select([self._socket], [], [], timeout)
        while True:
            message = self._receive()
            if message is None:
                break
            kind, session, sequence, body = message
            if session != self.session:
                continue
            if kind == BYE:
                self.ended = True
            elif kind == FORCE:
                self._take_force(sequence, body)
        if self.ended or time.monotonic() - self._last_received > SILENCE:
            self.force, self.torque, self.live = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), False
        return self.force, self.torque

    def exchange(self, position, orientation=(1.0, 0.0, 0.0, 0.0), buttons=0, timeout=0.005):
        """Tells a state and waits for its answer."""
        self.send_state(position, orientation, buttons)
        return self.listen(timeout)

    def _take_force(self, sequence, body):
        if self._newest is not None:
            ahead = (sequence - self._newest) & 0xFFFFFFFF
            if ahead == 0 or ahead >= 0x80000000:
                return  # twice, or overtaken
            self.lost += ahead - 1
        self._newest = sequence
        self._last_received = time.monotonic()
        self.received += 1
        values = FORCE_BODY.unpack(body)
        self.answered, self.live = values[0], values[1] != 0
        self.force, self.torque = values[2:5], values[5:8]

    def _connect(self, body, timeout):
        """Says hello until the driver answers: it may start later than we do, and datagrams get lost."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            self._send(HELLO, 0, 0, body)
            select.select([self._socket], [], [], 0.1)
            message = self._receive()
            if message is None:
                time.sleep(0.01)
                continue
            kind, session, _, answer = message
            if kind == WELCOME:
                return session, WELCOME_BODY.unpack(answer)[0] * 1e-6
            if kind == REFUSAL:
                raise NetworkError("the driver refuses: " + answer.rstrip(b"\0").decode(errors="replace"))
        raise NetworkError(f"no driver answered within {timeout:g} s")

    def _send(self, kind, session, sequence, body=b""):
        try:
            self._socket.send(HEAD.pack(MAGIC, VERSION, kind, 0, session, sequence) + body)
        except (BlockingIOError, ConnectionRefusedError):
            pass  # as good as lost on its way

    def _receive(self):
        while True:
            try:
                data = self._socket.recv(512)
            except (BlockingIOError, ConnectionRefusedError):
                return None
            if len(data) < HEAD.size:
                continue
            magic, version, kind, _, session, sequence = HEAD.unpack_from(data)
            sizes = {WELCOME: WELCOME_BODY.size, FORCE: FORCE_BODY.size, BYE: 0, REFUSAL: 96}
            if magic == MAGIC and version == VERSION and sizes.get(kind) == len(data) - HEAD.size:
                return kind, session, sequence, data[HEAD.size:]


class Hand:
    """A mass on a spring and a damper, whose end is led: it follows, and gives way to forces."""

    def __init__(self, start, mass=0.15, stiffness=300.0, damping=13.0):
        self.position, self.velocity = list(start), [0.0, 0.0, 0.0]
        self.mass, self.stiffness, self.damping = mass, stiffness, damping

    def step(self, goal, force, seconds):
        """In steps of at most half a millisecond; semi-implicit."""
        count = max(1, math.ceil(min(seconds, 0.1) / 0.0005))
        h = min(seconds, 0.1) / count
        for _ in range(count):
            for i in range(3):
                pull = self.stiffness * (goal[i] - self.position[i]) + force[i]
                self.velocity[i] = (self.velocity[i] + h * pull / self.mass) / (1.0 + h * self.damping / self.mass)
                self.position[i] += h * self.velocity[i]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0], formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--host", default="127.0.0.1", help="where the driver listens (127.0.0.1)")
    parser.add_argument("--port", type=int, default=PORT, help=f"its port ({PORT})")
    parser.add_argument("--token", default=os.environ.get("TACTUS_TOKEN", ""), help="the driver's token ($TACTUS_TOKEN)")
    parser.add_argument("--radius", type=float, default=0.03, help="of the circle, m (0.03)")
    parser.add_argument("--turn", type=float, default=4.0, help="seconds a turn (4)")
    parser.add_argument("--seconds", type=float, default=math.inf, help="how long (until the driver ends)")
    arguments = parser.parse_args()
    hand, device = Hand((0.0, 0.0, 0.0)), None
    try:
        with NetworkDevice(arguments.host, arguments.port, arguments.token, name="Python's hand") as device:
            last = begin = time.monotonic()
            while not device.ended and time.monotonic() - begin < arguments.seconds:
                now = time.monotonic()
                angle = 2.0 * math.pi * (now - begin) / arguments.turn
                goal = (arguments.radius * math.sin(angle), 0.0, arguments.radius * (math.cos(angle) - 1.0))
                hand.step(goal, device.force, now - last)
                last = now
                device.exchange(tuple(hand.position))
                time.sleep(max(0.0, device.period - (time.monotonic() - now)))
    except NetworkError as error:
        raise SystemExit(f"network_device.py: {error}")
    except KeyboardInterrupt:
        pass
    if device is not None:
        print(f"{device.sequence} states, {device.received} forces, {device.lost} lost")


if __name__ == "__main__":
    main()
