"""A world: bodies, the tools that touch them, and one step of both."""

import ctypes
import threading
from typing import Any, Callable, Iterator, MutableMapping, NoReturn, Optional, Union

import numpy as np

from . import abi
from .abi import Status
from .error import Error
from .green import Green
from .library import check, documented, library, text
from .mesh import Surface, Volume
from .owner import Owner, Thing, fill, flags, out_array, pointer, vector, view
from .reduced import Reduced
from .snapshot import Snapshot, rotation_matrix
from .struct import c_text, dtype_of, real

#: numpy's types of what a step takes and gives, one for each tool: every field where C has it.
INPUT = dtype_of(abi.ToolInput)
OUTPUT = dtype_of(abi.ToolOutput)


class Body:
    """A body of a world, from `world.body(name)` or `world.bodies`. It refers to its world."""

    def __init__(self, world: "World", index: int):
        self.world, self.index = world, index
        self.id = library.tac_world_body(world.address, index)
        self.vertex_count = abi.TriMesh.from_address(
            library.tac_world_body_surface(world.address, self.id)).vertex_count

    def __repr__(self) -> str:
        return f"Body({self.name!r}, {self.kind}, {self.vertex_count} vertices)"

    @property
    def name(self) -> str:
        return text(library.tac_world_body_name(self.world.address, self.id))

    @property
    def kind(self) -> str:
        """The kind as in scenes: "rigid", "green", ..."""
        return text(library.tac_world_body_kind_name(self.world.address, self.id))

    @property
    def surface(self) -> Surface:
        """The surface that is touched and shown, at rest in the body's frame."""
        return Surface._of(library.tac_world_body_surface(self.world.address, self.id), self.world.thing)

    @property
    def fixed(self) -> np.ndarray:
        """Fixed vertices of the surface, [vertex]; a read-only view."""
        return view(self.world.thing, library.tac_world_body_fixed(self.world.address, self.id), np.bool_,
                    (self.vertex_count,))

    @property
    def start(self) -> abi.Pose:
        """Position and orientation of its frame at the start."""
        return library.tac_world_body_pose(self.world.address, self.id)

    @property
    @documented("tac_world_body_most_stiffness")
    def most_stiffness(self) -> float:
        """Its largest stiffness, N/m."""
        return library.tac_world_body_most_stiffness(self.world.address, self.id)

    def vertices(self, out: Optional[np.ndarray] = None) -> np.ndarray:
        """[vertex][axis]: the current surface, world frame, m. See Snapshot.vertices."""
        return self.world.snapshot().vertices(self, out)

    def displacements(self, out: Optional[np.ndarray] = None) -> np.ndarray:
        """[vertex][axis]: current displacement from the rest position, in the body's frame, m."""
        return self.world.snapshot().displacements(self, out)

    @documented("tac_world_body_motion")
    def motion(self) -> "tuple[abi.Pose, np.ndarray, np.ndarray]":
        """Pose, velocity (m/s) and spin (rad/s)."""
        pose, velocity, spin = abi.Pose(), np.zeros(3), np.zeros(3)
        with self.world._alone():
            check(library.tac_world_body_motion, self.world.address, self.id, ctypes.byref(pose), pointer(velocity),
                  pointer(spin))
        return pose, velocity, spin

    @documented("tac_world_move_body")
    def move(self, position: Any, orientation: Any = (1, 0, 0, 0), velocity: Any = (0, 0, 0), spin: Any = (0, 0, 0)) -> None:
        """Moves the body to a new pose, between steps."""
        pose = abi.Pose(position=vector(position, "position"), orientation=orientation)
        with self.world._alone():
            check(library.tac_world_move_body, self.world.address, self.id, ctypes.byref(pose),
                  abi.Vec3(*vector(velocity, "velocity")), abi.Vec3(*vector(spin, "spin")))

    @documented("tac_world_push_body")
    def push(self, at: Any, force: Any) -> None:
        """An external force during the next step only: N, at a point of the world."""
        with self.world._alone():
            check(library.tac_world_push_body, self.world.address, self.id, abi.Vec3(*vector(at, "at")),
                  abi.Vec3(*vector(force, "force")))


class Parameters(MutableMapping[str, float]):
    """Parameters that may be changed while a world is used, by name: `world.parameters["kidney.stiffness"] = 2.0`."""

    def __init__(self, world: "World"):
        self._world = world

    def _index(self, name: str) -> int:
        index = library.tac_world_find_parameter(self._world.address, c_text(name))
        if index < 0:
            raise KeyError(f"{name}; there are {', '.join(self) or 'none'}")
        return index

    @documented("tac_world_parameter")
    def about(self, name: str) -> abi.Parameter:
        """Label, unit, value, and whether it can be set between steps."""
        return library.tac_world_parameter(self._world.address, self._index(name))

    def __getitem__(self, name: str) -> float:
        return self.about(name).value

    def __setitem__(self, name: str, value: float) -> None:
        self._world._set_parameter(self._index(name), float(value))

    def __delitem__(self, name: str) -> NoReturn:
        raise TypeError("parameters of a world cannot be removed; set one instead")

    def __iter__(self) -> Iterator[str]:
        for index in range(len(self)):
            yield library.tac_world_parameter(self._world.address, index).name

    def __len__(self) -> int:
        return library.tac_world_parameter_count(self._world.address)

    def __repr__(self) -> str:
        return repr(dict(self))


BodyLike = Union[Body, str, int]


class World(Owner):
    """Bodies, the tools that touch them, and one step of both. Frames: the world's, metres, newtons.

    From a scene: `tactus.Scene.read("kidney.yaml").world()`. In code: make one, add bodies and tools, then seal() it:

        world = tactus.World()
        world.add_green("ball", green, mask_radius=0.02)
        world.add_point_tool("finger")
        world.seal()
        world.inputs["position"][0] = 0, 0, 0.045
        force = world.step()["force"][0]

    One thread steps at a time; a second one waits. Keyword settings of add_... are fields of the C structs that they name."""

    def __init__(self, period: float = 0.001, **settings: Any):
        definition, made = library.tac_world_def_default(), ctypes.c_void_p()
        fill(definition, {"period": period, **settings}, [])
        check(library.tac_world_create, ctypes.byref(definition), ctypes.byref(made))
        self._begin(Thing(made.value, library.tac_world_destroy))

    @classmethod
    def _of(cls, address: int, kept: "list[Any]") -> "World":
        """A sealed world, and the objects that it needs."""
        world = cls.__new__(cls)
        world._begin(Thing(address, library.tac_world_destroy, kept))
        world._prepare()
        return world

    def _begin(self, thing: Thing) -> None:
        Owner.__init__(self, thing)
        self._lock = threading.RLock()
        self._servo: Any = None  # the one that has it
        self._arguments: tuple = ()
        self._inputs = np.zeros(0, INPUT)
        self._foreign: Optional[np.ndarray] = None  # the caller's own inputs of the last step that had some
        self._foreign_arguments: tuple = ()
        self._outputs = self._given = np.zeros(0, OUTPUT)
        self._report = abi.TickReport()
        self._tick = 0
        self._sealed = False

    def _refuse(self, *_: Any) -> NoReturn:
        self.thing
        if self._servo is not None:
            raise Error(Status.ERR_ARGUMENT, "a servo steps this world until it is closed")
        raise Error(Status.ERR_ARGUMENT, "this world is not sealed: call seal() after adding everything")

    _step: Callable[..., None] = _refuse  # until it is sealed, while a servo has it, and when it was closed

    def _alone(self) -> Any:
        """For calls that only the stepping thread may make; raises an error while a servo has the world."""
        self.thing
        if self._servo is not None:
            self._refuse()
        return self._lock

    def _prepare(self) -> None:
        self._sealed = True
        count = library.tac_world_tool_count(self.address)
        self._inputs, self._given = np.zeros(count, INPUT), np.zeros(count, OUTPUT)
        self._inputs["orientation"][:, 0] = 1.0
        self._outputs = self._given.view()
        self._outputs.flags.writeable = False
        grasp = abi.Vec3()
        for tool in range(count):
            held = library.tac_world_tool_body(self.address, tool, ctypes.byref(grasp))
            if held.generation != 0:
                pose = library.tac_world_body_pose(self.address, held)
                turned = rotation_matrix(pose.orientation) @ (grasp.x, grasp.y, grasp.z)
                self._inputs["position"][tool] = pose.position + turned
        # Without argtypes, and with arguments that are made once: a call then converts nothing.
        function = ctypes.CFUNCTYPE(None)(ctypes.cast(library.tac_world_step, ctypes.c_void_p).value)
        self._arguments = tuple(ctypes.c_void_p(value) for value in (
            self.thing.address, pointer(self._inputs), pointer(self._given), ctypes.addressof(self._report)))
        self._arguments[1].array = self._inputs
        self._last = self._arguments  # of the last step
        self._positions = self._inputs["position"]
        self._step = self._function = function

    def _give_to(self, servo: Any) -> None:
        """Gives the world to a servo; None: takes it back."""
        with self._lock:
            self._servo = servo
            if servo is not None:
                self.__dict__.pop("_step", None)
            elif not self.closed:
                self._step = self._function

    def close(self) -> None:
        with self._lock:
            if self._servo is not None:
                self._servo.close()
            super().close()
            self.__dict__.pop("_step", None)

    # ---- bodies and tools ----

    def _add(self, function: Any, definition: abi.Struct, settings: "dict[str, Any]", kept: "list[Any]", number: Any) -> None:
        common = definition.body if isinstance(getattr(definition, "body", None), abi.BodyDef) else None
        if common is not None:  # what bodies of all kinds have
            for name in ("position", "orientation"):
                if name in settings:
                    setattr(common.pose, name, settings.pop(name))
            shared = [name for name in settings if hasattr(common, name)]
            fill(common, {name: settings.pop(name) for name in shared}, kept)
        for name in ("body", "points", "field"):  # of tools and pairs: bodies
            if isinstance(settings.get(name), (Body, str)):
                settings[name] = self._id(settings[name])
        fill(definition, settings, kept)
        with self._alone():
            check(function, self.address, ctypes.byref(definition), ctypes.byref(number))
        for thing in kept:
            self.thing.keep(thing)

    def _id(self, body: "Union[Body, str]") -> abi.BodyId:
        if isinstance(body, Body):
            return body.id
        found = library.tac_world_find_body(self.address, c_text(body))
        if found.generation == 0:
            raise KeyError(f"this world has no body {body}")
        return found

    @documented("tac_world_add_green", "tac_green_body_def_default")
    def add_green(self, name: str, green: Green, mask_radius: float, **settings: Any) -> None:
        """An elastostatic body. Settings are fields of tactus.abi.GreenBodyDef
        and of tactus.abi.BodyDef, and `position` and `orientation`."""
        self._add(library.tac_world_add_green, library.tac_green_body_def_default(),
                  {"name": name, "green": green, "mask_radius": mask_radius, **settings}, [], abi.BodyId())

    @documented("tac_world_add_reduced", "tac_reduced_body_def_default")
    def add_reduced(self, name: str, reduced: Reduced, **settings: Any) -> None:
        """A body of large deformations. Settings are fields of tactus.abi.ReducedBodyDef
        and of tactus.abi.BodyDef, and `position` and `orientation`."""
        self._add(library.tac_world_add_reduced, library.tac_reduced_body_def_default(),
                  {"name": name, "reduced": reduced, **settings}, [], abi.BodyId())

    @documented("tac_world_add_rigid", "tac_rigid_body_def_default")
    def add_rigid(self, name: str, surface: Surface, density: float = 0.0, **settings: Any) -> None:
        """A rigid body, with the inertia of a solid of `density`, kg/m^3. Settings are fields of tactus.abi.RigidBodyDef
        and of tactus.abi.BodyDef, and `position` and `orientation`."""
        definition = library.tac_rigid_body_def_default()
        if density > 0.0:
            definition.inertia = surface.mass_properties(density)
        self._add(library.tac_world_add_rigid, definition, {"name": name, "surface": surface, **settings}, [], abi.BodyId())

    @documented("tac_world_add_hyperelastic", "tac_hyperelastic_body_def_default")
    def add_hyperelastic(self, name: str, volume: Volume, material: abi.LawMaterial, fixed: Any = None,
                         **settings: Any) -> None:
        """A body of tetrahedra with a nonlinear law; `fixed` are vertices of the volume that do not move (bools or
        indices). Settings are fields of tactus.abi.HyperelasticBodyDef
        and of tactus.abi.BodyDef, and `position` and `orientation`."""
        held = None if fixed is None else flags(fixed, "fixed", len(volume.vertices))
        self._add(library.tac_world_add_hyperelastic, library.tac_hyperelastic_body_def_default(),
                  {"name": name, "mesh": volume, "material_count": 1, "materials": ctypes.addressof(material),
                   "fixed": pointer(held), **settings}, [material, held], abi.BodyId())

    @documented("tac_world_set_floor")
    def set_floor(self, normal: Any = (0, 0, 1), offset: float = 0.0, friction: float = 0.5) -> None:
        definition = abi.FloorDef(normal=vector(normal, "normal"), offset=offset, friction=friction)
        with self._alone():
            check(library.tac_world_set_floor, self.address, ctypes.byref(definition))

    @documented("tac_world_add_point_tool")
    def add_point_tool(self, name: str, radius: float = 0.0) -> int:
        """A point, or a fingertip of this radius (m); returns its number."""
        number = ctypes.c_int()
        self._add(library.tac_world_add_point_tool, abi.PointToolDef(), {"name": name, "radius": radius}, [], number)
        return number.value

    @documented("tac_world_add_body_tool", "tac_body_tool_def_default")
    def add_body_tool(self, name: str, body: "Union[Body, str]", **settings: Any) -> int:
        """A tool that holds a body; returns its number. Settings are fields of tactus.abi.BodyToolDef."""
        number = ctypes.c_int()
        self._add(library.tac_world_add_body_tool, library.tac_body_tool_def_default(),
                  {"name": name, "body": body, **settings}, [], number)
        return number.value

    @documented("tac_world_add_pad_tool", "tac_pad_tool_def_default")
    def add_pad_tool(self, name: str, body: "Union[Body, str]", **settings: Any) -> int:
        """A tool with pads; returns its number. Settings are fields of tactus.abi.PadToolDef."""
        number = ctypes.c_int()
        self._add(library.tac_world_add_pad_tool, library.tac_pad_tool_def_default(),
                  {"name": name, "body": body, **settings}, [], number)
        return number.value

    @documented("tac_world_add_pair", "tac_pair_def_default")
    def add_pair(self, points: "Union[Body, str]", field: "Union[Body, str]", **settings: Any) -> int:
        """Two bodies in distributed contact; returns the pair's number. Settings are fields of tactus.abi.PairDef."""
        number = ctypes.c_int()
        self._add(library.tac_world_add_pair, library.tac_pair_def_default(),
                  {"points": points, "field": field, **settings}, [], number)
        return number.value

    @documented("tac_world_seal")
    def seal(self) -> None:
        with self._alone():
            check(library.tac_world_seal, self.address)
            self._prepare()

    # ---- what there is ----

    @property
    def period(self) -> float:
        """Period of a tick, s."""
        return library.tac_world_period(self.address)

    @property
    def bodies(self) -> "list[Body]":
        return [Body(self, index) for index in range(library.tac_world_body_count(self.address))]

    @property
    def parameters(self) -> Parameters:
        """Parameters that may be changed while it is used, by name."""
        self.thing
        return Parameters(self)

    def body(self, body: BodyLike) -> Body:
        """A body by name or number."""
        if isinstance(body, Body):
            if body.world is not self:
                raise ValueError(f"{body.name} is a body of another world")
            return body
        if isinstance(body, str):
            found = library.tac_world_find_body(self.address, c_text(body))
            if found.generation == 0:
                raise KeyError(f"this world has no body {body}; it has {', '.join(b.name for b in self.bodies)}")
            return Body(self, found.index)
        if not 0 <= body < library.tac_world_body_count(self.address):
            raise IndexError(f"this world has no body {body}")
        return Body(self, body)

    @property
    def tools(self) -> "list[str]":
        """Names of the tools, in order."""
        return [text(library.tac_world_tool_name(self.address, t))
                for t in range(library.tac_world_tool_count(self.address))]

    # ---- the step ----

    @property
    def inputs(self) -> np.ndarray:
        """Inputs of the next step, [tool], with the fields of ToolInput: position, orientation, grab, lifted, grip. Write
        into it: `world.inputs["position"][0] = 0, 0, 0.05`. Held bodies start at their own position, point tools at 0."""
        return self._inputs

    @property
    def outputs(self) -> np.ndarray:
        """Outputs of the last step, [tool], with the fields of ToolOutput: force, torque, proxy, depth, contact, ... Read-only;
        the next step overwrites it."""
        return self._outputs

    @property
    def ticks(self) -> int:
        """Steps since the start or the last reset."""
        return self._tick

    @property
    def report(self) -> abi.TickReport:
        """Report of the last step; the next step overwrites it."""
        return self._report

    @documented("tac_world_step")
    def step(self, inputs: Any = None) -> np.ndarray:
        """Makes one step: reads `inputs`, writes `outputs` and `report`.

        `inputs` may be left out (world.inputs as they are), be an array of tactus.INPUT with one entry a tool, which is used
        without a copy, or positions [tool][axis] in metres. Returns `world.outputs`, always the same array."""
        if inputs is None:
            arguments = self._arguments
        elif inputs is self._foreign:
            arguments = self._foreign_arguments
        else:
            arguments = self._take(inputs)
        with self._lock:
            self._step(*arguments)
            self._last = arguments
            self._tick += 1
        return self._outputs

    def _take(self, inputs: Any) -> tuple:
        """Checks inputs; returns the argument of the step. An array that was checked before is not checked again."""
        array = np.asarray(inputs)
        count = len(self._inputs)
        if array.dtype.kind in "fiu":
            if array.shape != (count, 3):
                raise ValueError(f"positions must have the shape ({count}, 3), not {array.shape}")
            self._positions[...] = array
            return self._arguments
        if array.dtype != INPUT:
            raise ValueError(f"inputs must be of tactus.INPUT, or positions, not {array.dtype}")
        if array.shape != (count,):
            raise ValueError(f"inputs must have one entry for each of {count} tools, not the shape {array.shape}")
        given = array if array.flags.c_contiguous and array.flags.aligned else array.copy()
        self._foreign_arguments = (self._arguments[0], ctypes.c_void_p(pointer(given)), *self._arguments[2:])
        self._foreign_arguments[1].array = given
        self._foreign = array if given is array is inputs else None
        return self._foreign_arguments

    def follow(self, positions: Any, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Steps along positions [tick][tool][axis] (m); returns the forces on the hands, N, with the same shape."""
        path = real(positions, "positions")
        if path.ndim != 3 or path.shape[1:] != (len(self._inputs), 3):
            raise ValueError(f"positions must have the shape (n, {len(self._inputs)}, 3), not {path.shape}")
        forces = out_array(out, np.float64, path.shape)
        place, force = self._positions, self._outputs["force"]
        for tick, row in enumerate(path):
            place[...] = row
            self.step()
            forces[tick] = force
        return forces

    @documented("tac_world_reset")
    def reset(self) -> None:
        with self._alone():
            if not self._sealed:
                self._refuse()
            library.tac_world_reset(self.address)
            self._tick = 0

    def _set_parameter(self, index: int, value: float) -> None:
        if self._servo is not None:
            self._servo._set_parameter(index, value)
            return
        with self._alone():
            check(library.tac_world_set_parameter, self.address, index, value)

    # ---- its state ----

    @documented("tac_world_state")
    def state(self, out: Optional[np.ndarray] = None) -> np.ndarray:
        with self._alone():
            result = out_array(out, np.float64, (library.tac_world_state_size(self.address),))
            library.tac_world_state(self.address, pointer(result))
        return result

    def snapshot(self) -> Snapshot:
        """A snapshot after the last step: the state of the bodies and tools."""
        with self._alone():
            if not self._sealed:
                self._refuse()
            count, inputs = len(self._inputs), self._last[1].array
            struct = abi.Snapshot(tick=self._tick, tool_count=count)
            struct.position[:count], struct.orientation[:count] = inputs["position"], inputs["orientation"]
            struct.lifted[:count], struct.output[:count] = inputs["lifted"], self._given
            struct.given[:count] = np.linalg.norm(self._given["force"], axis=1)
            return Snapshot(self, struct, self.state())

    @documented("tac_world_save")
    def save(self) -> np.ndarray:
        """Saves the state as bytes, for load()."""
        with self._alone():
            memory = np.zeros(library.tac_world_memory_size(self.address), np.uint8)
            check(library.tac_world_save, self.address, memory.nbytes, pointer(memory))
        return memory

    @documented("tac_world_load")
    def load(self, memory: np.ndarray) -> None:
        """Restores a state from save(), in the same process."""
        given = np.ascontiguousarray(real(memory, "memory", np.uint8))
        with self._alone():
            check(library.tac_world_load, self.address, given.nbytes, pointer(given))

    @documented("tac_world_contacts")
    def contacts(self, most: int = 256) -> np.ndarray:
        """[contact], with the fields of ShownContact: body, at, normal, force, friction, state."""
        result = np.zeros(most, dtype_of(abi.ShownContact))
        with self._alone():
            count = library.tac_world_contacts(self.address, most, pointer(result))
        return result[:count]

    @documented("tac_world_tool_stored")
    def tool_stored(self, tool: int) -> float:
        """Stored energy, J."""
        with self._alone():
            return library.tac_world_tool_stored(self.address, tool)

    @documented("tac_world_start_simulation")
    def start_simulation(self) -> None:
        with self._alone():
            check(library.tac_world_start_simulation, self.address)

    @documented("tac_world_stop_simulation")
    def stop_simulation(self) -> None:
        with self._alone():
            library.tac_world_stop_simulation(self.address)
