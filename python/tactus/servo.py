"""The servo: reads the devices, steps the world, limits and writes the forces, at a fixed rate, and reports on the run."""

import atexit
import ctypes
import os
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence

import numpy as np

from . import abi
from .abi import Status
from .device import Device
from .error import Error
from .library import check, documented, library, path_of, text, version
from .mesh import PathLike
from .owner import Owner, Thing, fill, pointer
from .snapshot import Snapshot
from .struct import dtype_of
from .world import World

if TYPE_CHECKING:
    from .scene import Scene

#: What is called at display rate, with a moment of the world. Returning False ends the run.
OnFrame = Callable[[Snapshot], Optional[bool]]


class Recorder(Owner):
    """Writes a run to a file. A servo with `record` has one; for a custom loop:

        with tactus.Recorder("run.tacrec", world) as recorder:
            while ...:
                world.step()
                recorder.push(written=force)

    Set parameters before the first step: later changes are not recorded. tactus.Recording reads the file."""

    def __init__(self, path: PathLike, world: World, scene: "Optional[Scene]" = None):
        texts, made = abi.RecordingInfo(), ctypes.c_void_p()
        texts.program = f"tactus {version()} (Python)"
        if scene is not None:
            texts.scene_path, texts.scene, texts.assets = scene.path, scene.text, scene.asset_text
        check(library.tac_recorder_open_world, path_of(path), world.address, ctypes.byref(texts), ctypes.byref(made))
        super().__init__(Thing(made.value, lambda address: library.tac_recorder_close(address, None, None)))
        self.path, self._world = os.fspath(path), world
        self._record = np.zeros(1, dtype_of(abi.TickRecord))
        self._state = np.zeros(library.tac_world_state_size(world.address))
        self.lost = 0  #: records and states that did not fit, once it is closed

    @documented("tac_recorder_push")
    def push(self, written: Any = None, late: float = 0.0, compute: float = 0.0) -> bool:
        """Records the last step of the world. `written` are the forces sent to the devices, [tool][axis] (None: those of the
        world); `late` and `compute` are its lateness and its computing time, s."""
        world, record = self._world, self._record[0]
        with world._alone():
            inputs, report = world._last[1].array, world.report
            count = len(inputs)
            record["tick"], record["late_ns"], record["compute_ns"] = world.ticks - 1, round(1e9 * late), round(1e9 * compute)
            record["report"] = np.frombuffer(report, dtype_of(abi.TickReport))[0]
            record["flags"] = abi.TICK_TAKEN if report.taken else 0
            tool = record["tool"][:count]
            for name in ("position", "orientation"):
                tool["device"][name] = tool[name] = inputs[name]
            tool["grab"] = inputs["grab"] + 256 * np.round(255 * np.clip(inputs["grip"], 0, 1)).astype(np.int32)
            tool["lifted"], tool["output"] = inputs["lifted"], world.outputs
            tool["written"], tool["written_torque"] = world.outputs["force"], world.outputs["torque"]
            if written is not None:
                tool["written"] = written
            if self._state.size:
                library.tac_recorder_push_state(self.address, world.ticks - 1, pointer(world.state(self._state)))
            return library.tac_recorder_push(self.address, pointer(self._record))

    @documented("tac_recorder_close")
    def close(self) -> None:
        """Completes the file; raises tactus.Error if that fails."""
        if self.closed:
            return
        thing, lost = self.thing, ctypes.c_int64()
        thing.disown()
        super().close()
        try:
            check(library.tac_recorder_close, thing.address, ctypes.byref(lost))
        finally:
            self.lost = lost.value


class Servo(Owner):
    """A loop on its own thread, in C: no Python code runs in it or delays it. It runs once.

    `Scene.servo()` makes one. `run(on_frame)` starts it and calls `on_frame(snapshot)` at display rate on the
    calling thread until it ends; `start(on_frame)` returns at once and calls from a Python thread. While a servo has a world,
    world.step() raises an error, and world.parameters sets values through the servo, so that they are recorded.

    Settings are fields of tactus.abi.ServoDef: real_time (False: as fast as possible, with the same bits), duration,
    priority, ..."""

    def __init__(self, world: World, devices: Sequence[Device], workspaces: Optional[Sequence[abi.WorkspaceDef]] = None,
                 definition: Optional[abi.ServoDef] = None, record: Optional[PathLike] = None,
                 scene: "Optional[Scene]" = None, **settings: Any):
        definition = definition if definition is not None else library.tac_servo_def_default()
        definition.rate = 1.0 / world.period
        fill(definition, settings, [])
        if len(devices) != len(world.inputs) or workspaces is not None and len(workspaces) != len(devices):
            raise ValueError(f"{len(world.inputs)} tools need as many devices and workspaces, not {len(devices)}")
        structs = (abi.Device * len(devices))(*[device._struct for device in devices if device.thing])
        places = (abi.WorkspaceDef * len(devices))(*workspaces) if workspaces is not None else None
        self._lock = threading.Lock()
        self._halting = threading.Lock()
        self._thread: Optional[threading.Thread] = None
        self._raised: Optional[BaseException] = None
        self._started = False
        self.world = world  #: which is this servo's until it is closed
        self._state_size = library.tac_world_state_size(world.address)
        self._recorder = Recorder(record, world, scene) if record is not None else None
        kept = [world.thing, structs, places] + [device.thing for device in devices]
        with world._alone():
            made = ctypes.c_void_p()
            check(library.tac_servo_create, world.address, len(devices), ctypes.byref(structs), places,
                  ctypes.byref(definition), self._recorder.address if self._recorder else None, ctypes.byref(made))
            if self._recorder is not None:
                kept.append(self._recorder.thing)
            super().__init__(Thing(made.value, library.tac_servo_destroy, kept))
            world._give_to(self)

    # ---- running ----

    def run(self, on_frame: Optional[OnFrame] = None, rate: float = 60.0) -> abi.ServoReport:
        """Starts, calls `on_frame` with a snapshot `rate` times a second, and returns the report when the loop has ended.

        An exception in `on_frame` (or Ctrl-C) ramps the forces to zero, ends the loop and is raised here."""
        self._start()
        try:
            self._show(on_frame, rate)
        finally:
            self._end()
        return self.report()

    def start(self, on_frame: Optional[OnFrame] = None, rate: float = 60.0) -> None:
        """Starts and returns; a Python thread calls `on_frame`. Then call wait() or stop()."""
        self._start()

        def show() -> None:
            try:
                self._show(on_frame, rate)
            except BaseException as exception:
                self._raised = exception
                self._halt()

        self._thread = threading.Thread(target=show, name="tactus frames", daemon=True)
        self._thread.start()
        atexit.register(self._at_exit)  # before things are freed

    @property
    def running(self) -> bool:
        return library.tac_servo_running(self.address)

    def wait(self) -> abi.ServoReport:
        """Waits until the loop has ended; returns its report."""
        while self.running:
            time.sleep(0.01)
        return self.stop()

    @documented("tac_servo_stop")
    def stop(self) -> abi.ServoReport:
        """Ramps the forces to zero and stops; returns the report. Raises the exception of `on_frame`, if any."""
        self._end()
        return self.report()

    def close(self) -> None:
        """Stops the loop if it runs, completes the recording, and returns the world."""
        if self.closed:
            return
        try:
            self._end()
        finally:
            super().close()
            if self.world._servo is self:
                self.world._give_to(None)

    def _at_exit(self) -> None:
        if not self.closed:
            self._halt()
            self.close()

    def _start(self) -> None:
        if self._started:
            raise Error(Status.ERR_ARGUMENT, "a servo runs once; make another")
        check(library.tac_servo_start, self.address)
        self._started = True

    def _halt(self) -> None:
        with self._halting:  # a callback that raises halts it too, on its own thread
            library.tac_servo_stop(self.address)

    def _end(self) -> None:
        self._halt()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
            self._thread = None
            atexit.unregister(self._at_exit)
        if self._recorder is not None:
            self._recorder.close()
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised

    def _show(self, on_frame: Optional[OnFrame], rate: float) -> None:
        due = time.monotonic()
        while self.running:
            if on_frame is not None and on_frame(self.snapshot()) is False:
                self._halt()
                return
            due = max(due + 1.0 / rate, time.monotonic() + 1e-3)
            while self.running and time.monotonic() < due:
                time.sleep(min(0.01, max(0.0, due - time.monotonic())))

    # ---- looking ----

    @documented("tac_servo_snapshot")
    def snapshot(self) -> Snapshot:
        """The latest snapshot, as an independent copy."""
        struct = abi.Snapshot()
        state = np.zeros(self._state_size)
        with self._lock:
            address = library.tac_servo_snapshot(self.address)
            if address:
                ctypes.memmove(ctypes.byref(struct), address, ctypes.sizeof(struct))
                if struct.state and state.size:
                    ctypes.memmove(pointer(state), struct.state, state.nbytes)
        if not struct.state:
            state = np.zeros(0)
        return Snapshot(self.world, struct, state)

    @documented("tac_servo_samples")
    def samples(self) -> np.ndarray:
        """Ticks since the last call, [tick], with the fields of TickSample: tick, compute, late, force, penetration, energy, ..."""
        result = np.zeros(8192, dtype_of(abi.TickSample))
        with self._lock:
            count = library.tac_servo_samples(self.address, len(result), pointer(result))
        return result[:count]

    @documented("tac_servo_pause")
    def pause(self, paused: bool = True) -> None:
        with self._lock:
            library.tac_servo_pause(self.address, paused)

    @documented("tac_servo_step")
    def step(self, ticks: int = 1) -> None:
        with self._lock:
            library.tac_servo_step(self.address, ticks)

    def _set_parameter(self, index: int, value: float) -> None:
        with self._lock:
            if not library.tac_servo_set_parameter(self.address, index, value):
                name = library.tac_world_parameter(self.world.address, index).name
                raise Error(Status.ERR_ARGUMENT, f"{name} cannot be set while the servo runs, or too many settings wait")

    # ---- how it went ----

    @documented("tac_servo_report")
    def report(self) -> abi.ServoReport:
        """The report, after the loop has ended."""
        if self.running:
            raise Error(Status.ERR_ARGUMENT, "the servo runs; call stop() or wait() first")
        return library.tac_servo_report(self.address)

    @property
    @documented("tac_servo_fault_text")
    def fault_text(self) -> str:
        if self.running:
            return ""
        buffer = ctypes.create_string_buffer(512)
        library.tac_servo_fault_text(self.address, buffer, len(buffer))
        return buffer.value.decode()

    @property
    def remark(self) -> str:
        """Permissions denied by the operating system: priority, memory locking."""
        return text(library.tac_servo_remark(self.address))
