#!/usr/bin/env python3
"""A sweep over parameters on all cores: the largest force on a finger that slides along a soft ball, for several values of
its stiffness and friction.

    python3 sweep.py [--points 5] [--processes 0]

Each process has its own world; what is baked comes from the cache."""

import argparse
import itertools
import multiprocessing
import sys

import numpy as np

import tactus

SCENE = {
    "name": "sweep",
    "bodies": [{
        "name": "ball", "kind": "green", "method": "boundary-elements", "surface": {"shape": "sphere", "size": "12 mm"},
        "material": {"young": "30 kPa", "poisson": 0.45, "density": "1000 kg/m3"},
        "fixed": [{"below": {"axis": "z", "at": "-30 mm"}}], "mask": "20 mm",
    }],
    "tools": [{"name": "finger", "kind": "point",
               "device": {"kind": "operator", "preset": "premium-3",
                          "path": [{"at": [0, 0, "60 mm"]}, {"at": [0, 0, "60 mm"], "after": "1 s"}]}}],
}
PATH = np.concatenate([np.linspace((-0.01, 0.0, 0.055), (-0.01, 0.0, 0.044), 300),
                       np.linspace((-0.01, 0.0, 0.044), (0.01, 0.0, 0.044), 300)])
world = None  # of this process


def begin(cache):
    global world
    scene = tactus.Scene.build(SCENE)
    scene.bake(cache=cache)
    world = scene.world()


def slide(setting):
    """The largest force, N."""
    stiffness, friction = setting
    world.reset()
    world.parameters["ball.stiffness"] = stiffness
    world.parameters["ball.friction"] = friction
    return float(np.linalg.norm(world.follow(PATH[:, None, :]), axis=2).max())


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=5, help="of each parameter")
    parser.add_argument("--processes", type=int, default=0, help="0: one for each core")
    parser.add_argument("--cache", help="folder of baked assets (default: the user's cache)")
    options = parser.parse_args(arguments)
    begin(options.cache)  # so that one bakes, not all
    stiffness, friction = np.linspace(0.5, 2.0, options.points), np.linspace(0.0, 1.0, options.points)
    settings = list(itertools.product(stiffness, friction))
    spawn = multiprocessing.get_context("spawn")  # a process of its own: worlds are not shared by fork
    with spawn.Pool(options.processes or None, begin, (options.cache,)) as pool:
        forces = np.array(pool.map(slide, settings)).reshape(len(stiffness), len(friction))
    print("largest force, N; stiffness downwards, friction to the right")
    print("        " + " ".join(f"{f:7.2f}" for f in friction))
    for factor, row in zip(stiffness, forces):
        print(f"{factor:7.2f} " + " ".join(f"{force:7.3f}" for force in row))
    return forces


if __name__ == "__main__":
    main(sys.argv[1:])
