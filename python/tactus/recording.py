"""Recordings: all inputs and outputs of a run."""

import ctypes
from typing import NamedTuple, Optional

import numpy as np

from . import abi
from .library import check, documented, library, path_of
from .mesh import PathLike
from .owner import Owner, Thing, pointer
from .progress import Progress, check_with_progress
from .scene import Scene
from .snapshot import Snapshot
from .struct import dtype_of
from .world import World


class Place(NamedTuple):
    """Whether the platform is that of the recording; `text` names both platforms if it is not."""
    same: bool
    text: str


class Recording(Owner):
    """A recording, open for reading.

        recording = tactus.Recording("out/kidney/run.tacrec")
        ticks = recording.ticks()                       # one structured array
        force = ticks["tool"]["output"]["force"][:, 0]  # [tick][axis] of the first tool, a view
        report = recording.replay()                     # again, and compared bit for bit
    """

    def __init__(self, path: PathLike):
        made = ctypes.c_void_p()
        check(library.tac_recording_open, path_of(path), ctypes.byref(made))
        super().__init__(Thing(made.value, library.tac_recording_close))

    def __len__(self) -> int:
        """Number of ticks."""
        return library.tac_recording_tick_count(self.address)

    @property
    def info(self) -> abi.RecordingInfo:
        """Rates, tools, the scene's text, program and platform. It refers to the recording."""
        info = abi.RecordingInfo.from_buffer_copy(ctypes.string_at(library.tac_recording_info(self.address),
                                                                   ctypes.sizeof(abi.RecordingInfo)))
        info._thing = self.thing  # which has its texts
        return info

    @property
    def complete(self) -> bool:
        """False if the recording is incomplete."""
        return library.tac_recording_complete(self.address)

    @property
    def parameters(self) -> np.ndarray:
        """Parameters of the world at the start of the recording."""
        info = self.info
        return np.ctypeslib.as_array((ctypes.c_double * info.parameter_count).from_address(info.parameters)).copy() \
            if info.parameter_count else np.zeros(0)

    @documented("tac_recording_tick")
    def ticks(self, first: int = 0, last: Optional[int] = None) -> np.ndarray:
        """[tick] from `first` up to but not including `last`, with the fields of TickRecord: tick, late_ns, compute_ns, report,
        flags, parameter, parameter_value and tool. `tool` has one entry per tool of the world, with device, health,
        position, orientation, grab, lifted, output, written, ...

        Columns are views: ticks["tool"]["written"][:, 0] has the forces of the first tool. Blocks of the file are compressed,
        so they are decoded once into this array."""
        first, last, _ = slice(first, last).indices(len(self))
        count, tools = max(0, last - first), self.info.tool_count
        whole, tool = dtype_of(abi.TickRecord), dtype_of(abi.ToolRecord)
        names = list(whole.names)
        short = np.dtype({"names": names, "offsets": [whole.fields[n][1] for n in names],
                          "formats": [np.dtype((tool, (tools,))) if n == "tool" else whole.fields[n][0] for n in names],
                          "itemsize": whole.fields["tool"][1] + tools * tool.itemsize})
        # Each record is written whole, also tools that there are not; the next one then overwrites those.
        memory = np.empty(count * short.itemsize + whole.itemsize, np.uint8)
        address, base, error = self.address, pointer(memory), abi.Error()
        read, reference = library.tac_recording_tick, ctypes.byref(error)
        for index in range(count):
            if read(address, first + index, base + index * short.itemsize, reference) != 0:
                check(read, address, first + index, base + index * short.itemsize)
        return memory[:count * short.itemsize].view(short)

    @documented("tac_recording_state")
    def state(self, tick: int) -> np.ndarray:
        """State of the bodies after the tick with this number."""
        state = np.zeros(self.info.state_size)
        check(library.tac_recording_state, self.address, tick, pointer(state))
        return state

    @documented("tac_recording_snapshot")
    def snapshot(self, world: World, index: int) -> Snapshot:
        """Snapshot of a tick, with `vertices(body)` and so on."""
        struct, state = abi.Snapshot(), np.zeros(library.tac_world_state_size(world.address))
        check(library.tac_recording_snapshot, self.address, world.address, index, pointer(state), ctypes.byref(struct))
        return Snapshot(world, struct, state if struct.state else np.zeros(0))

    @documented("tac_scene_recorded")
    def scene(self) -> Scene:
        made = ctypes.c_void_p()
        check(library.tac_scene_recorded, self.address, ctypes.byref(made))
        return Scene(Thing(made.value, library.tac_scene_destroy))

    def world(self, cache: Optional[PathLike] = None, progress: Optional[Progress] = None) -> World:
        """A world like the recorded one: its scene, baked or from the cache."""
        with self.scene() as scene:
            scene.bake(cache=cache, progress=progress)
            return scene.world()

    @documented("tac_recording_replay")
    def replay(self, world: Optional[World] = None, progress: Optional[Progress] = None) -> abi.ReplayReport:
        """Repeats the run and compares every bit; `report.first_difference` is -1 if all are equal."""
        report = abi.ReplayReport()
        world = world if world is not None else self.world()
        with world._alone():
            check_with_progress(library.tac_recording_replay, self.address, world.address, progress=progress,
                                after=(ctypes.byref(report),))
        return report

    @documented("tac_recording_begin")
    def begin(self, world: World) -> None:
        with world._alone():
            check(library.tac_recording_begin, self.address, world.address)

    @documented("tac_recording_same_platform")
    def same_platform(self) -> Place:
        buffer = ctypes.create_string_buffer(1024)
        same = library.tac_recording_same_platform(self.address, buffer, len(buffer))
        return Place(same, "" if same else buffer.value.decode("utf-8", "replace"))

    @documented("tac_recording_write_csv")
    def write_csv(self, path: PathLike) -> None:
        check(library.tac_recording_write_csv, self.address, path_of(path))

    @documented("tac_recording_write_vtu")
    def write_vtu(self, folder: PathLike, world: Optional[World] = None, rate: float = 30.0,
                  progress: Optional[Progress] = None) -> None:
        world = world if world is not None else self.world()
        with world._alone():
            check_with_progress(library.tac_recording_write_vtu, self.address, world.address, rate, path_of(folder),
                                progress=progress)
