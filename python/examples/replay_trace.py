#!/usr/bin/env python3
"""A device trace replayed on a body: what would this hand have felt?

    python3 replay_trace.py [TRACE.txt] [-o trace.tacrec]

A trace has rows "t x y z", seconds and metres, as a device told them; without one a finger presses and slides. The servo plays
it as fast as it can, and records; then the recording is read as arrays, and run again and compared bit for bit."""

import argparse
import sys

import numpy as np

import tactus


def some_trace():
    """Down onto a ball, along its top, and up again."""
    times = np.linspace(0.0, 2.0, 401)
    x = 0.01 * np.sin(np.pi * np.clip(times - 0.5, 0.0, 1.0))
    z = 0.054 - 0.010 * np.clip(2 * times, 0.0, 1.0) + 0.012 * np.clip(2 * times - 3.0, 0.0, 1.0)
    return tactus.Trajectory(times, np.column_stack([x, np.zeros_like(x), z]), smooth=True)


def ball_scene():
    """A soft ball on a table, from a mesh of our own."""
    surface = tactus.shape("sphere", 0.012)
    return tactus.Scene.build({
        "name": "ball",
        "bodies": [{
            "name": "ball", "kind": "green", "method": "boundary-elements",
            "surface": surface,
            "material": {"young": "30 kPa", "poisson": 0.45, "density": "1000 kg/m3"},
            "fixed": [{"below": {"axis": "z", "at": "-30 mm"}}],
            "mask": "20 mm",
        }],
        "tools": [{"name": "finger", "kind": "point",
                   "device": {"kind": "operator", "preset": "premium-3",
                              "path": [{"at": [0, 0, "60 mm"]}, {"at": [0, 0, "60 mm"], "after": "1 s"}]}}],
    })


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", nargs="?")
    parser.add_argument("-o", "--output", default="trace.tacrec")
    parser.add_argument("--cache", help="folder of baked assets (default: the user's cache)")
    options = parser.parse_args(arguments)
    scene = ball_scene()
    scene.bake(cache=options.cache)
    trace = tactus.Trajectory.read(options.trace) if options.trace else some_trace()
    device = tactus.Device.replay(trace)
    with tactus.Servo(scene.world(), [device], record=options.output, scene=scene, real_time=False) as servo:
        report = servo.run()
    with tactus.Recording(options.output) as recording:
        ticks = recording.ticks()
        tool = ticks["tool"][:, 0]
        felt = np.linalg.norm(tool["output"]["force"], axis=1)
        print(f"{report.ticks} ticks, {report.contact_ticks} in contact; at most {felt.max():.3f} N, "
              f"{1e3 * tool['output']['depth'].max():.2f} mm deep")
        again = recording.replay(scene.world())
        print("replayed: every bit is the same" if again.first_difference == -1 else again.difference)
    return felt, again.first_difference


if __name__ == "__main__":
    main(sys.argv[1:])
