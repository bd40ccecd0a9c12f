#!/usr/bin/env python3
"""A force map of an organ: how stiff it feels wherever a finger presses, as an array and as a picture.

    python3 force_map.py [--organ liver] [--vertices 322] [--depth 0.002] [-o map]

Writes map.npy (N/m, one for each vertex; not a number where it is fixed) and map.png."""

import argparse
import sys

import numpy as np

import picture
import tactus


def organ_world(organ, vertices):
    """An organ held on its lower side, and a finger."""
    surface = tactus.shape(organ).simplify(2 * vertices - 4)
    y = surface.vertices[:, 1]
    tissue = tactus.material(young=20e3, poisson=0.45, density=1050)
    green = tactus.Green.bake(surface, tissue, fixed=y < np.quantile(y, 0.3), progress=print_progress)
    world = tactus.World()
    world.add_green("organ", green, mask_radius=0.012)
    world.add_point_tool("finger")
    world.seal()
    return world


def print_progress(what, done):
    print(f"\r{what} {100 * done:3.0f} %", end="\n" if done == 1.0 else "", file=sys.stderr)


def vertex_normals(surface):
    corners = surface.vertices[surface.triangles]
    faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(surface.vertices)
    for corner in range(3):
        np.add.at(normals, surface.triangles[:, corner], faces)
    return normals / np.linalg.norm(normals, axis=1)[:, None]


def force_map(world, depth):
    """N/m, one for each vertex: each is pressed in along its normal, coming from outside."""
    body = world.body("organ")
    places, normals = body.surface.vertices, vertex_normals(body.surface)
    finger, force = world.inputs[0], world.outputs["force"][0]
    result = np.full(len(places), np.nan)
    for vertex in np.flatnonzero(~body.fixed):
        finger["lifted"], finger["position"] = True, places[vertex] + 0.001 * normals[vertex]
        world.step()
        finger["lifted"] = False
        for way in np.linspace(0.001, -depth, 8):
            finger["position"] = places[vertex] + way * normals[vertex]
            world.step()
        result[vertex] = force @ normals[vertex] / depth
    return result


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--organ", default="liver", help="a model of the gallery")
    parser.add_argument("--vertices", type=int, default=322)
    parser.add_argument("--depth", type=float, default=0.002, help="m")
    parser.add_argument("-o", "--output", default="map")
    options = parser.parse_args(arguments)
    with organ_world(options.organ, options.vertices) as world:
        stiffness = force_map(world, options.depth)
        surface = world.body("organ").surface
        np.save(options.output + ".npy", stiffness)
        picture.write_png(options.output + ".png", picture.draw(surface.vertices, surface.triangles, stiffness))
        print(f"{options.organ}: {np.isfinite(stiffness).sum()} places, {np.nanmin(stiffness):.0f} to "
              f"{np.nanmax(stiffness):.0f} N/m; {options.output}.npy, {options.output}.png")
    return stiffness


if __name__ == "__main__":
    main(sys.argv[1:])
