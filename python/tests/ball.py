"""What most tests touch: a soft ball of 50 mm radius on a table."""

import functools
import os

import numpy as np

import tactus

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RUBBER = dict(young=30e3, poisson=0.45, density=1000.0)


@functools.lru_cache(maxsize=None)
def surface():
    return tactus.shape("sphere", 0.012)


@functools.lru_cache(maxsize=None)
def green():
    return tactus.Green.bake(surface(), tactus.material(**RUBBER), surface().vertices[:, 2] < -0.03, error_estimate_loads=0)


def world(tools=1, **settings):
    made = tactus.World(**settings)
    made.add_green("ball", green(), mask_radius=0.02)
    for tool in range(tools):
        made.add_point_tool(f"finger {tool}")
    made.seal()
    return made


def press(to=0.044, ticks=200):
    """[tick][tool][axis]: down onto its top."""
    return np.linspace((0, 0, 0.055), (0, 0, to), ticks)[:, None, :]


def description(mesh=None):
    """A scene of it."""
    return {
        "name": "ball", "duration": "0.5 s",
        "bodies": [{
            "name": "ball", "kind": "green", "method": "boundary-elements",
            "surface": mesh if mesh is not None else {"shape": "sphere", "size": "12 mm"},
            "material": {"young": "30 kPa", "poisson": 0.45, "density": "1000 kg/m3"},
            "fixed": [{"below": {"axis": "z", "at": "-5 mm"}}], "mask": "20 mm",
            "live": {"stiffness": [0.25, 4]},
        }],
        "tools": [{"name": "finger", "kind": "point", "device": {
            "kind": "operator", "preset": "premium-3", "repeat": True,
            "path": [{"on": "ball", "near": [0, 0, "60 mm"], "depth": "-3 mm", "after": "0.2 s"},
                     {"on": "ball", "near": [0, 0, "60 mm"], "depth": "6 mm", "after": "0.2 s"}]}}],
    }
