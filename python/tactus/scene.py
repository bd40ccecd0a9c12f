"""Scenes: bodies, tools, their devices and the servo, from a YAML file or built in code."""

import ctypes
import functools
import json
import os
import shutil
import tempfile
from typing import Any, Callable, Mapping, Optional

import numpy as np

from . import abi
from .abi import Status
from .device import Device
from .error import Error
from .field import DistanceField
from .green import Green
from .library import check, documented, library, names, path_of, text
from .mesh import PathLike, Surface, Volume
from .owner import Owner, Thing
from .points import Pointshell
from .progress import Progress, check_with_progress
from .reduced import Reduced
from .servo import Servo
from .struct import c_text
from .world import World


def quantity(value: Any, unit: str) -> Any:
    """Writes numbers as scenes have them: quantity(0.012, "m") is "0.012 m", quantity([1, 2, 3], "mm") a list of three."""
    if np.ndim(value) > 0:
        return [quantity(element, unit) for element in value]
    return f"{float(value):.17g} {unit}"


class _MeshFiles:
    """Writes the meshes of a scene that is built in code, to a folder or a temporary one."""

    def __init__(self, folder: Optional[PathLike]):
        self.folder = None if folder is None else os.fspath(folder)
        self.temporary: Optional[Thing] = None  # removes it

    def write(self, mesh: "Surface | Volume", name: str) -> str:
        """Writes a mesh; returns its path as the scene has it."""
        file = f"{name}.ply" if isinstance(mesh, Surface) else f"{name}.vtu"
        if self.folder is not None:
            mesh.write(os.path.join(self.folder, file))
            return file
        if self.temporary is None:
            self.made = tempfile.mkdtemp(prefix="tactus-")
            remove = functools.partial(shutil.rmtree, self.made, ignore_errors=True)
            self.temporary = Thing(0, lambda _: remove())
        mesh.write(os.path.join(self.made, file))
        return os.path.join(self.made, file)


def _plain(value: Any, name: str, files: _MeshFiles) -> Any:
    """Converts a value to what JSON can hold; `name` is that of the enclosing body or other named entry."""
    if isinstance(value, Mapping):
        name = str(value.get("name", name))
        return {str(key): {"file": files.write(element, f"{name}-{key}")} if isinstance(element, (Surface, Volume))
                else _plain(element, name, files) for key, element in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(element, name, files) for element in value]
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain(value.tolist(), name, files)
    if isinstance(value, (str, bool, int, float)):
        return value
    raise TypeError(f"{name}: a scene cannot have {value!r}")


@documented("tac_body_kind_load")
def load_kinds(path: PathLike) -> None:
    """Loads a shared object with user-defined kinds of bodies, for scenes that are read afterwards."""
    check(library.tac_body_kind_load, path_of(path))


class Scene(Owner):
    """A scene; docs/scene.md lists every key.

        scene = tactus.Scene.read("scenes/kidney.yaml")
        scene.bake(progress=print)
        world = scene.world()                       # to step yourself, or
        report = scene.servo(real_time=False).run() # with its devices
    """

    def __init__(self, thing: Thing):
        super().__init__(thing)

    @classmethod
    @documented("tac_scene_read")
    def read(cls, path: PathLike) -> "Scene":
        """Reads a scene file."""
        made = ctypes.c_void_p()
        check(library.tac_scene_read, path_of(path), ctypes.byref(made))
        return cls(Thing(made.value, library.tac_scene_destroy))

    @classmethod
    @documented("tac_scene_parse")
    def parse(cls, yaml: str, path: PathLike = "scene.yaml") -> "Scene":
        """Parses the text of a scene."""
        made = ctypes.c_void_p()
        check(library.tac_scene_parse, c_text(yaml), path_of(path), ctypes.byref(made))
        return cls(Thing(made.value, library.tac_scene_destroy))

    @classmethod
    def build(cls, description: Mapping[str, Any], folder: Optional[PathLike] = None) -> "Scene":
        """Builds a scene from dicts and lists with the keys of a scene file; `tactus: 1` may be left out.

        Instead of `surface: {file: ...}` or `volume: {file: ...}`, give a tactus.Surface or tactus.Volume. With a `folder`,
        the meshes and the scene are written there, and other paths are relative to it. Without one, meshes are written to
        a temporary folder, which is deleted with the scene: recordings can be replayed only until then. Other paths are
        then relative to the current folder. Quantities are texts with units: "5 mm", or tactus.quantity(0.005, "m")."""
        files = _MeshFiles(folder)
        content = _plain({"tactus": abi.SCENE_FORMAT, **description}, "scene", files)
        path = os.path.join(os.fspath(folder) if folder is not None else "", f"{content.get('name', 'scene')}.yaml")
        yaml = json.dumps(content, indent=1, ensure_ascii=False)  # which is YAML, too
        if folder is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(yaml + "\n")
        scene = cls.parse(yaml, path)
        if files.temporary is not None:
            scene.thing.keep(files.temporary)
        return scene

    # ---- what it says ----

    @property
    def name(self) -> str:
        return text(library.tac_scene_name(self.address))

    @property
    def about(self) -> str:
        return text(library.tac_scene_about(self.address))

    @property
    def text(self) -> str:
        """The complete text."""
        return text(library.tac_scene_text(self.address))

    @property
    def path(self) -> str:
        return text(library.tac_scene_path(self.address))

    @property
    def duration(self) -> float:
        """Duration, s; 0: endless."""
        return library.tac_scene_duration(self.address)

    @property
    def bodies(self) -> "list[str]":
        """Names of the scene's bodies; a body with copies is one name for several bodies of the world."""
        return names(library.tac_scene_body_name, self.address)

    @property
    def tools(self) -> "list[str]":
        return names(library.tac_scene_tool_name, self.address)

    @property
    @documented("tac_scene_live")
    def live(self) -> "dict[str, tuple[float, float]]":
        """Parameters that may be changed while it runs, with their ranges."""
        found, live = {}, abi.SceneLive()
        while library.tac_scene_live(self.address, len(found), ctypes.byref(live)):
            found[live.name] = (live.least, live.most)
        return found

    @documented("tac_scene_describe")
    def describe(self) -> str:
        """A description in plain text."""
        lines: "list[str]" = []

        def line(label: bytes, value: bytes, _: Any) -> None:
            lines.append(f"{text(label):24} {text(value)}".rstrip())

        library.tac_scene_describe(self.address, abi.SceneLineFn(line), None)
        return "\n".join(lines)

    @documented("tac_scene_set_rate")
    def set_rate(self, rate: float) -> None:
        """Sets the rate of world and servo, Hz; call before either is made."""
        check(library.tac_scene_set_rate, self.address, rate)

    # ---- bake ----

    @documented("tac_scene_bake")
    def bake(self, cache: Optional[PathLike] = None, again: bool = False, progress: Optional[Progress] = None
             ) -> "list[abi.SceneAsset]":
        """Bakes the assets of the bodies, or reads them from the cache; returns the result for each asset."""
        if self.thing.users > 1:
            raise Error(Status.ERR_ARGUMENT, "worlds or assets of this scene are in use, which another bake would free: "
                        "close them, or read the scene again")
        count = library.tac_scene_asset_count(self.address)
        assets = (abi.SceneAsset * max(count, 1))()
        check_with_progress(library.tac_scene_bake, self.address, path_of(cache) if cache is not None else None, again,
                            progress=progress, after=(ctypes.byref(assets),))
        return [abi.SceneAsset.from_buffer_copy(assets[i]) for i in range(count)]

    @property
    @documented("tac_scene_assets")
    def asset_text(self) -> str:
        return text(library.tac_scene_assets(self.address))

    def _body(self, body: "str | int") -> int:
        if isinstance(body, str):
            if body not in self.bodies:
                raise KeyError(f"this scene has no body {body}; it has {', '.join(self.bodies)}")
            return self.bodies.index(body)
        if not 0 <= body < len(self.bodies):
            raise IndexError(f"this scene has no body {body}")
        return body

    def _asset(self, function: Any, body: "str | int", make: Callable[[Thing], Any], *more: Any) -> Any:
        address = function(self.address, self._body(body), *more)
        return make(Thing(address, None, (self.thing,))) if address else None

    def surface(self, body: "str | int") -> Optional[Surface]:
        """After the bake: a body's surface at rest, in its frame."""
        return self._asset(library.tac_scene_surface, body, lambda thing: Surface._of(thing.address, thing))

    def green(self, body: "str | int") -> Optional[Green]:
        """After the bake: Green's functions of a body that has them."""
        return self._asset(library.tac_scene_made, body, Green, b"green")

    def reduced(self, body: "str | int") -> Optional[Reduced]:
        """After the bake: the reduced model of a body that has one."""
        return self._asset(library.tac_scene_made, body, Reduced, b"reduced")

    def points(self, body: "str | int") -> Optional[Pointshell]:
        return self._asset(library.tac_scene_points, body, Pointshell)

    def field(self, body: "str | int") -> Optional[DistanceField]:
        return self._asset(library.tac_scene_field, body, DistanceField)

    @documented("tac_scene_volume")
    def volume(self, body: "str | int", progress: Optional[Progress] = None) -> Optional[Volume]:
        made = ctypes.c_void_p()
        check_with_progress(library.tac_scene_volume, self.address, self._body(body), progress=progress,
                            after=(ctypes.byref(made),))
        return Volume._of(made.value) if made.value else None

    # ---- build ----

    @documented("tac_scene_world")
    def world(self) -> World:
        """A sealed world."""
        made = ctypes.c_void_p()
        check(library.tac_scene_world, self.address, ctypes.byref(made))
        return World._of(made.value, [self.thing])

    @documented("tac_scene_devices")
    def devices(self) -> "tuple[list[Device], list[abi.WorkspaceDef]]":
        """One device and one workspace per tool."""
        structs, places = (abi.Device * abi.MOST_TOOLS)(), (abi.WorkspaceDef * abi.MOST_TOOLS)()
        check(library.tac_scene_devices, self.address, ctypes.byref(structs), ctypes.byref(places))
        devices = []
        for index in range(len(self.tools)):
            device = Device(abi.Device.from_buffer_copy(structs[index]))
            device.thing.keep(self.thing)
            devices.append(device)
        return devices, [abi.WorkspaceDef.from_buffer_copy(places[i]) for i in range(len(devices))]

    @documented("tac_scene_servo")
    def servo(self, world: Optional[World] = None, record: Optional[PathLike] = None, **settings: Any) -> Servo:
        """A servo with the scene's devices, of a world of this scene (None: a new one); `record` is a path. Settings are
        fields of tactus.abi.ServoDef: real_time, duration, ..."""
        devices, places = self.devices()
        return Servo(world if world is not None else self.world(), devices, places,
                     library.tac_scene_servo(self.address), record, self, **settings)
