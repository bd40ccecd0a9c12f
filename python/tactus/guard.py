"""A guard between a device and a world, for custom loops: it protects the hand from faults of either."""

import ctypes
from typing import Any

from . import abi
from .library import check, documented, library
from .owner import Owner, Thing, fill

_ZERO = (0.0, 0.0, 0.0)


class Guard(Owner):
    """One guard per device. Each tick makes two calls, in the device's frame:

        fault = guard.read(position)                  # the checked state: guard.state
        if not fault: world.step(...)
        safe = guard.write(force, torque)             # limited: safe.force, safe.torque; until safe.ended

    `force_limit` (N) and `stiffness_limit` (N/m) are the device's; settings are fields of tactus.abi.GuardDef."""

    def __init__(self, force_limit: float, stiffness_limit: float, **settings: Any):
        definition, made = library.tac_guard_def_default(None, 0.001), ctypes.c_void_p()
        fill(definition, {"force_limit": force_limit, "stiffness_limit": stiffness_limit, **settings}, [])
        check(library.tac_guard_create, ctypes.byref(definition), ctypes.byref(made))
        super().__init__(Thing(made.value, library.tac_guard_destroy))
        self._read, self._safe = abi.DeviceState(), abi.GuardForce()
        #: The last good state, which is always safe to use: position, orientation, buttons.
        self.state = abi.DeviceState()
        self._force, self._torque = abi.Vec3(), abi.Vec3()

    @classmethod
    @documented("tac_guard_def_default")
    def of_device(cls, info: abi.DeviceInfo, period: float = 0.001, **settings: Any) -> "Guard":
        """A guard with the limits of a device: `Guard.of_device(device.info)`."""
        definition = library.tac_guard_def_default(ctypes.byref(info), period)
        limits = {name: getattr(definition, name) for name in
                  ("period", "force_limit", "stiffness_limit", "torque_limit", "resolution", "start")}
        return cls(**{**limits, **settings})

    @documented("tac_guard_read")
    def read(self, position: Any = None, orientation: Any = (1, 0, 0, 0), buttons: int = 0,
             health: abi.DeviceHealth = abi.DeviceHealth.FINE) -> abi.Fault:
        """Checks the device's state as read; None means TAC_DEVICE_LATE. The checked state is in `state`."""
        read = self._read
        if position is None:
            health = abi.DeviceHealth.LATE if health == abi.DeviceHealth.FINE else health
        else:
            read.position, read.orientation, read.buttons = position, orientation, buttons
        return abi.Fault(library.tac_guard_read(self.address, health, ctypes.byref(read), ctypes.byref(self.state)))

    @documented("tac_guard_write")
    def write(self, force: Any, torque: Any = _ZERO) -> abi.GuardForce:
        """The limited force and torque, safe to write to the device. The next call overwrites the result."""
        f, t = self._force, self._torque
        f.x, f.y, f.z = force
        t.x, t.y, t.z = torque
        library.tac_guard_write(self.address, f, t, ctypes.byref(self._safe))
        return self._safe

    @documented("tac_guard_set_stored")
    def set_stored(self, energy: float) -> None:
        library.tac_guard_set_stored(self.address, energy)

    @documented("tac_guard_skip")
    def skip(self, periods: int) -> None:
        library.tac_guard_skip(self.address, periods)

    @documented("tac_guard_pause")
    def pause(self, paused: bool = True) -> None:
        library.tac_guard_pause(self.address, paused)

    @documented("tac_guard_stop")
    def stop(self) -> None:
        library.tac_guard_stop(self.address)

    @documented("tac_guard_reset")
    def reset(self) -> None:
        library.tac_guard_reset(self.address)

    @documented("tac_guard_report")
    def report(self) -> abi.GuardReport:
        """Faults, largest forces, energies."""
        return library.tac_guard_report(self.address)

    @property
    @documented("tac_guard_fault_text")
    def fault_text(self) -> str:
        buffer = ctypes.create_string_buffer(256)
        library.tac_guard_fault_text(self.address, buffer, len(buffer))
        return buffer.value.decode()
