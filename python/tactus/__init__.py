"""Tactus renders touch: haptic rendering of deformable objects in contact at 1 kHz.

    import tactus
    scene = tactus.Scene.read("scenes/kidney.yaml")
    scene.bake(progress=lambda what, done: print(what, done))
    world = scene.world()
    world.inputs["position"][0] = 0, 0.02, 0        # metres
    force = world.step()["force"][0]                # newtons

Arrays are numpy arrays. Large results are read-only views of the library's memory and keep that memory alive. Every object
of the library is a context manager, has close(), and is freed automatically. Errors of the library raise
tactus.Error. Every function of the C API can be called as tactus.library.tac_...; docs/python.md is the manual."""

from . import abi
from .abi import (BodyId, DeviceHealth, Fault, Parameter, Pose, ServoReport, Status, TickReport, ToolInput, ToolOutput)
from .device import Device, Trajectory, operator_presets
from .error import Error
from .field import DistanceField
from .green import Green
from .guard import Guard
from .hyperelastic import Law, hyperelastic_material, laws
from .library import library, version
from .log import logger
from .material import anisotropic_material, material
from .mesh import Box, MeshContents, Surface, Volume, mesh_formats, read_mesh, write_mesh
from .plugin import set_plugin_policy
from .points import Pointshell
from .progress import Progress
from .recording import Recording
from .reduced import Reduced
from .scene import Scene, load_kinds, quantity
from .servo import Recorder, Servo
from .shape import Shape, shape, shape_bricks, shapes
from .snapshot import Snapshot
from .world import INPUT, OUTPUT, Body, Parameters, World

__version__ = version()

__all__ = [
    "INPUT", "OUTPUT", "Body", "BodyId", "Box", "Device", "DeviceHealth", "DistanceField", "Error", "Fault", "Green",
    "Guard", "Law", "MeshContents", "Parameter", "Parameters", "Pointshell", "Pose", "Progress", "Recorder", "Recording",
    "Reduced", "Scene", "Servo", "ServoReport", "Shape", "Snapshot", "Status", "Surface", "TickReport", "ToolInput",
    "ToolOutput", "Trajectory", "Volume", "World", "abi", "anisotropic_material", "hyperelastic_material", "laws", "load_kinds", "library", "logger", "material",
    "mesh_formats", "operator_presets", "quantity", "read_mesh", "set_plugin_policy", "shape", "shape_bricks", "shapes", "version", "write_mesh",
]
