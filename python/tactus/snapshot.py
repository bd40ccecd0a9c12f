"""Snapshots of a world, with all data for display."""

import ctypes
from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import abi
from .library import documented, library
from .owner import out_array, pointer
from .struct import dtype_of

if TYPE_CHECKING:
    from .world import Body, World

_OUTPUT = dtype_of(abi.ToolOutput)


class Snapshot:
    """A snapshot of a world: an independent copy that later steps do not change.

    `tick`, `positions`, `orientations`, `lifted` and `outputs` are those of the tools, `state` that of the bodies;
    `vertices(body)` and similar functions give the bodies at that moment. Any thread may call them."""

    def __init__(self, world: "World", struct: abi.Snapshot, state: np.ndarray):
        self.world, self._struct = world, struct
        self.state = state
        self.state.flags.writeable = False
        struct.state = pointer(state) if state.size else None

    def __repr__(self) -> str:
        return f"Snapshot(tick={self.tick}, {self._struct.tool_count} tools)"

    def _tools(self, name: str) -> np.ndarray:
        array = getattr(self._struct, name)[:self._struct.tool_count]
        array.flags.writeable = False
        return array

    @property
    def tick(self) -> int:
        return self._struct.tick

    @property
    def positions(self) -> np.ndarray:
        """[tool][axis]: positions of the probes, m."""
        return self._tools("position")

    @property
    def orientations(self) -> np.ndarray:
        """[tool]: quaternions w, x, y, z."""
        return self._tools("orientation")

    @property
    def lifted(self) -> np.ndarray:
        return self._tools("lifted")

    @property
    def outputs(self) -> np.ndarray:
        """[tool], with the fields of ToolOutput: force, torque, proxy, depth, contact, ..."""
        return self._tools("output")

    @property
    def forces(self) -> np.ndarray:
        """[tool][axis]: forces on the hand, N, as computed by the world."""
        return self.outputs["force"]

    @property
    def given(self) -> np.ndarray:
        """[tool]: magnitude of the force sent to the hand, N."""
        return self._tools("given")

    @documented("tac_world_surface")
    def vertices(self, body: "Union[Body, str, int]", out: Optional[np.ndarray] = None) -> np.ndarray:
        """[vertex][axis]: the deformed surface of a body, world frame, m; written to `out` if given."""
        body = self.world.body(body)
        result = out_array(out, np.float64, (body.vertex_count, 3))
        library.tac_world_surface(self.world.address, ctypes.byref(self._struct), body.id, pointer(result))
        return result

    def displacements(self, body: "Union[Body, str, int]", out: Optional[np.ndarray] = None) -> np.ndarray:
        """[vertex][axis]: displacement from the rest position, in the body's frame, m."""
        body = self.world.body(body)
        result = self.vertices(body, out)
        pose = self.pose(body)
        result -= pose.position
        result[...] = result @ rotation_matrix(pose.orientation)  # by the inverse
        result -= body.surface.vertices
        return result

    @documented("tac_world_snapshot_pose")
    def pose(self, body: "Union[Body, str, int]") -> abi.Pose:
        """Position and orientation of a body's frame."""
        return library.tac_world_snapshot_pose(self.world.address, ctypes.byref(self._struct), self.world.body(body).id)

    @documented("tac_world_tractions")
    def tractions(self, body: "Union[Body, str, int]", out: Optional[np.ndarray] = None) -> np.ndarray:
        """[vertex][axis]: tractions, Pa."""
        body = self.world.body(body)
        result = out_array(out, np.float64, (body.vertex_count, 3))
        library.tac_world_tractions(self.world.address, ctypes.byref(self._struct), body.id, pointer(result))
        return result

    @documented("tac_world_colours")
    def colours(self, body: "Union[Body, str, int]", by: str = "stress") -> Optional[np.ndarray]:
        """[vertex]: the quantity that colours the body, "stress" (von Mises, Pa) or "stretch"; None if it is not known."""
        body = self.world.body(body)
        count = body.vertex_count
        vertices, room, values = np.empty((count, 3)), (abi.StressSum * count)(), np.empty(count)
        known = library.tac_world_colours(self.world.address, ctypes.byref(self._struct), body.id,
                                          abi.Colouring[by.upper()], ctypes.byref(room), pointer(vertices),
                                          pointer(values))
        return values if known else None

    @documented("tac_world_body_error_estimate")
    def error_estimate(self, body: "Union[Body, str, int]") -> float:
        identity = self.world.body(body).id
        return library.tac_world_body_error_estimate(self.world.address, ctypes.byref(self._struct), identity)

    @documented("tac_world_sensors")
    def sensors(self, body: "Union[Body, str, int]") -> np.ndarray:
        """One value for each row of the body's sensors."""
        body = self.world.body(body)
        green = library.tac_world_body_green(self.world.address, body.id)
        values = np.zeros(library.tac_green_row_count(green) - 3 * body.vertex_count if green else 0)
        if values.size:
            library.tac_world_sensors(self.world.address, ctypes.byref(self._struct), body.id, pointer(values))
        return values


def rotation_matrix(quaternion: Any) -> np.ndarray:
    """The rotation matrix of a unit quaternion w, x, y, z."""
    w, x, y, z = (float(value) for value in quaternion)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
