"""Compares the cost of a step from Python with one from C, on the same world, in the same run:

    python3 -m tactus.bench [SCENE.yaml]

A loop in C (compiled on the spot with cc) and loops in Python alternate, 100 steps each; the results are medians."""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Callable, Optional

import numpy as np

import tactus
from tactus.library import library

SOURCE = r"""
#include <stdint.h>
#include <time.h>
typedef void step(void *world, const void *inputs, void *outputs, void *report);
static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}
int64_t loop(step *f, void *world, const void *inputs, void *outputs, void *report, int count) {
  int64_t start = now();
  for (int i = 0; i < count; ++i) f(world, inputs, outputs, report);
  return now() - start;
}
"""
STEPS = 100  # in a turn


def c_loop(world: tactus.World) -> Optional[Callable[[], int]]:
    """Nanoseconds of each turn in C; None without a compiler."""
    compiler = shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory(prefix="tactus-bench-") as folder:
        source, made = os.path.join(folder, "loop.c"), os.path.join(folder, "loop.so")
        with open(source, "w") as file:
            file.write(SOURCE)
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", source, "-o", made], check=True)
        loop = ctypes.CDLL(made).loop
    loop.restype = ctypes.c_int64
    loop.argtypes = [ctypes.c_void_p] * 5 + [ctypes.c_int]
    step = ctypes.cast(library.tac_world_step, ctypes.c_void_p)
    inputs, outputs = world.inputs, np.zeros_like(world.outputs)
    report = ctypes.create_string_buffer(ctypes.sizeof(tactus.TickReport))
    return lambda: loop(step, world.address, inputs.ctypes.data, outputs.ctypes.data, report, STEPS)


def python_loops(world: tactus.World) -> "dict[str, Callable[[], int]]":
    """Nanoseconds of each turn in Python, for each way to step."""
    position, force = world.inputs["position"], world.outputs["force"]
    row = world.inputs["position"].copy()

    def plain() -> int:
        step = world.step
        start = time.perf_counter_ns()
        for _ in range(STEPS):
            step()
        return time.perf_counter_ns() - start

    def written() -> int:
        step, height = world.step, float(row[0, 2])
        start = time.perf_counter_ns()
        for _ in range(STEPS):
            position[0, 2] = height
            step()
            force[0, 2]
        return time.perf_counter_ns() - start

    def given() -> int:
        step = world.step
        start = time.perf_counter_ns()
        for _ in range(STEPS):
            step(row)
        return time.perf_counter_ns() - start

    entries = world.inputs.copy()

    def array() -> int:
        step = world.step
        start = time.perf_counter_ns()
        for _ in range(STEPS):
            step(entries)
        return time.perf_counter_ns() - start

    return {"world.step()": plain, "world.step(inputs)": array, "a coordinate set, step(), a force read": written,
            "world.step(positions)": given}


def ball() -> tactus.World:
    """A soft ball on a table, pressed by 5 mm."""
    surface = tactus.shape("sphere", 0.012)
    green = tactus.Green.bake(surface, tactus.material(30e3, 0.45, 1000), surface.vertices[:, 2] < -0.03, error_estimate_loads=0)
    world = tactus.World()
    world.add_green("ball", green, mask_radius=0.02)
    world.add_point_tool("finger")
    world.seal()
    world.follow(np.linspace((0, 0, 0.055), (0, 0, 0.045), 500)[:, None, :])
    return world


def measure(world: tactus.World, turns: int) -> "dict[str, float]":
    """Median microseconds of a step, for each way; the ways alternate, so that all run under the same load."""
    loops = python_loops(world)
    harness = c_loop(world)
    if harness is not None:
        loops = {"C": harness, **loops}
    times: "dict[str, list[int]]" = {name: [] for name in loops}
    names = list(loops)
    for turn in range(turns):
        first = turn % len(names)  # another each time: a scheduler's slices must not always end in the same one
        for name in names[first:] + names[:first]:
            times[name].append(loops[name]())
    return {name: float(np.median(values)) / STEPS * 1e-3 for name, values in times.items()}


def main(arguments: "list[str]") -> int:
    if len(arguments) > 1:
        print(__doc__, file=sys.stderr)
        return 2
    if arguments:
        scene = tactus.Scene.read(arguments[0])
        scene.bake()
        world = scene.world()
    else:
        world = ball()
    medians = measure(world, 1000)
    beside = medians.get("C")
    print(f"{'a step, median':42} {'us':>8} {'more than C':>12}")
    for name, value in medians.items():
        more = f"{value - beside:12.2f}" if beside is not None else ""
        print(f"{name:42} {value:8.2f} {more}")
    if beside is None:
        print("there is no cc here to compile the loop in C with")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
