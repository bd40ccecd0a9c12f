#!/usr/bin/env python3
"""Two bodies compared: a block of tissue without and with a hard nodule inside, palpated along a line above it.

    python3 compare_bodies.py [--size 0.006] [--depth 0.001]

Prints the force of both at each place, and their ratio: what a finger has to tell apart."""

import argparse
import sys

import numpy as np

import tactus

LOWER, UPPER = np.array((-0.03, -0.02, 0.0)), np.array((0.03, 0.02, 0.02))
NODULE, RADIUS = np.array((0.0, 0.0, 0.013)), 0.006


def block(size):
    """Bricks of about `size`, from arrays."""
    counts = np.maximum(np.round((UPPER - LOWER) / size).astype(int), 2)
    axes = [np.linspace(LOWER[i], UPPER[i], counts[i] + 1) for i in range(3)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    number = np.arange(np.prod(counts + 1)).reshape(counts + 1)
    bottom = [number[:-1, :-1, :-1], number[1:, :-1, :-1], number[1:, 1:, :-1], number[:-1, 1:, :-1]]
    top = [number[:-1, :-1, 1:], number[1:, :-1, 1:], number[1:, 1:, 1:], number[:-1, 1:, 1:]]
    return tactus.Volume(grid.reshape(-1, 3), bricks=np.stack(bottom + top, axis=-1).reshape(-1, 8))


def world_of(volume, material_of):
    tissue = tactus.material(young=10e3, poisson=0.45, density=1000)
    hard = tactus.material(young=200e3, poisson=0.45, density=1000)
    surface = volume.surface()
    fixed = surface.vertices[:, 2] < LOWER[2] + 1e-9
    green = tactus.Green.bake(volume, [tissue, hard], fixed, material_of=material_of, error_estimate_loads=0)
    world = tactus.World()
    world.add_green("block", green, mask_radius=0.008)
    world.add_point_tool("finger")
    world.seal()
    return world


def palpate(world, places, depth):
    """N, upwards on the finger, pressed in at each place of the top."""
    result = []
    for place in places:
        world.reset()
        path = np.linspace(place + (0, 0, 0.001), place - (0, 0, depth), 20)
        result.append(world.follow(path[:, None, :])[-1, 0, 2])
    return np.array(result)


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=float, default=0.004, help="of bricks, m")
    parser.add_argument("--depth", type=float, default=0.001, help="m")
    options = parser.parse_args(arguments)
    volume = block(options.size)
    centres = volume.vertices[volume.bricks].mean(1)
    inside = (np.linalg.norm(centres - NODULE, axis=1) < RADIUS).astype(np.int32)
    places = np.array([(x, 0.0, UPPER[2]) for x in np.linspace(-0.02, 0.02, 9)])
    with world_of(volume, np.zeros_like(inside)) as healthy, world_of(volume, inside) as sick:
        forces = np.array([palpate(world, places, options.depth) for world in (healthy, sick)])
    print(f"{volume.element_count} bricks, {inside.sum()} of them in the nodule; pressed in by {1e3 * options.depth:g} mm")
    print("   x, mm   without, N   with, N   ratio")
    for place, (without, with_it) in zip(places, forces.T):
        print(f"{1e3 * place[0]:8.1f} {without:12.4f} {with_it:9.4f} {with_it / without:7.3f}")
    return forces


if __name__ == "__main__":
    main(sys.argv[1:])
