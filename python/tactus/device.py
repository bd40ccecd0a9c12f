"""Devices, which give positions and take forces, and trajectories, which devices replay."""

import ctypes
from typing import Any, Optional

import numpy as np

from . import abi
from .library import check, documented, library, names, path_of, text
from .mesh import PathLike
from .owner import Owner, Thing, fill, pointer, vector
from .struct import c_text, dtype_of, real

#: numpy's type of a trajectory's points: time, position, orientation, buttons.
TRAJECTORY_POINT = dtype_of(abi.TrajectoryPoint)


class Trajectory(Owner):
    """A path in time: `Trajectory(times, positions)` or `Trajectory.read(path)`. Ascending times in s, positions in m."""

    def __init__(self, times: Any, positions: Any, orientations: Any = None, buttons: Any = None, smooth: bool = False):
        points = np.zeros(len(times), TRAJECTORY_POINT)
        points["time"], points["position"] = real(times, "times"), real(positions, "positions")
        points["orientation"] = (1.0, 0.0, 0.0, 0.0) if orientations is None else real(orientations, "orientations")
        points["buttons"] = 0 if buttons is None else real(buttons, "buttons", np.uint32)
        made = ctypes.c_void_p()
        check(library.tac_trajectory_create, len(points), pointer(points), smooth, ctypes.byref(made))
        super().__init__(Thing(made.value, library.tac_trajectory_destroy))

    @classmethod
    @documented("tac_trajectory_read")
    def read(cls, path: PathLike) -> "Trajectory":
        """Rows "t x y z [qw qx qy qz [buttons]]" of a text file."""
        made = ctypes.c_void_p()
        check(library.tac_trajectory_read, path_of(path), ctypes.byref(made))
        trajectory = cls.__new__(cls)
        Owner.__init__(trajectory, Thing(made.value, library.tac_trajectory_destroy))
        return trajectory

    @property
    def duration(self) -> float:
        """Duration, s."""
        return library.tac_trajectory_duration(self.address)

    def at(self, times: Any) -> np.ndarray:
        """States at these times, [time], with the fields of DeviceState: position, orientation, buttons."""
        moments = np.atleast_1d(real(times, "times"))
        states = np.zeros(len(moments), dtype_of(abi.DeviceState))
        for index, moment in enumerate(moments):
            library.tac_trajectory_at(self.address, moment, states.ctypes.data + index * states.itemsize, None)
        return states


class Device(Owner):
    """An open device: `Device.replay(trajectory)`, `Device.operator(preset, path)`, `Device.load(driver)`, or from a scene."""

    def __init__(self, struct: abi.Device):
        self._struct = struct
        super().__init__(Thing(ctypes.addressof(struct), lambda _: library.tac_device_close(ctypes.byref(struct))))

    @property
    def info(self) -> abi.DeviceInfo:
        """Name, degrees of freedom and limits."""
        self.thing
        return self._struct.info

    def __repr__(self) -> str:
        return "Device(closed)" if self.closed else f"Device({self._struct.info.name!r})"

    @classmethod
    @documented("tac_device_load")
    def load(cls, path: PathLike, options: str = "", period: float = 0.001) -> "Device":
        """Loads a driver from a shared object."""
        struct = abi.Device()
        check(library.tac_device_load, path_of(path), c_text(options), period, ctypes.byref(struct))
        return cls(struct)

    @classmethod
    @documented("tac_device_replay_open")
    def replay(cls, trajectory: Trajectory, repeats: bool = False, period: float = 0.001) -> "Device":
        """A device that replays a trajectory. It takes ownership: the trajectory is closed."""
        struct = abi.Device()
        check(library.tac_device_replay_open, _taken(trajectory), repeats, period, ctypes.byref(struct))
        return cls(struct)

    @classmethod
    @documented("tac_device_operator_open", "tac_operator_def_preset")
    def operator(cls, preset: str, path: Trajectory, period: float = 0.001, **settings: Any) -> "Device":
        """A simulated hand and device in closed loop; settings are fields of tactus.abi.OperatorDef. It takes ownership of
        the path, which is closed."""
        definition, struct = abi.OperatorDef(), abi.Device()
        check(library.tac_operator_def_preset, c_text(preset), ctypes.byref(definition))
        fill(definition, settings, [])
        check(library.tac_device_operator_open, ctypes.byref(definition), _taken(path), period, ctypes.byref(struct))
        return cls(struct)

    @classmethod
    @documented("tac_device_pointer_open")
    def pointer(cls, start: Any = (0, 0, 0), period: float = 0.001, **settings: Any) -> "Device":
        """A hand that follows a mouse; settings are fields of tactus.abi.PointerDef. See point()."""
        definition, struct = library.tac_pointer_def_default(), abi.Device()
        fill(definition, settings, [])
        check(library.tac_device_pointer_open, ctypes.byref(definition), None, abi.Vec3(*vector(start, "start")), period,
              ctypes.byref(struct))
        return cls(struct)

    @documented("tac_device_pointer_move")
    def point(self, position: Any, touch: bool = True, grab: bool = False, orientation: Any = (0, 0, 0, 0)) -> None:
        """Sets the position of the pointer, device frame, m. Call from one thread, at any rate. Only for Device.pointer."""
        sample = abi.PointerSample(touch=touch, grab=grab)
        sample.position, sample.orientation = vector(position, "position"), orientation
        library.tac_device_pointer_move(self.address, ctypes.byref(sample))


def operator_presets() -> "list[str]":
    """Names of presets for Device.operator."""
    return names(library.tac_operator_preset_name)


def _taken(trajectory: Trajectory) -> Optional[int]:
    """Its address; the caller gives up ownership."""
    thing = trajectory.thing
    thing.disown()
    trajectory.close()
    return thing.address
