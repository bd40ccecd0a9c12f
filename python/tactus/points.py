"""Pointshells: points that sample a closed surface evenly, on nested levels."""

import ctypes
from typing import Optional

import numpy as np

from . import abi
from .field import DistanceField, bake_checks
from .library import check, documented, library, path_of
from .mesh import PathLike, Surface
from .owner import Owner, Thing
from .progress import Progress, check_with_progress


class Pointshell(Owner):
    """Points of a surface as a tree (Barbic 2007, 3.7 to 3.9); immutable. `Pointshell.bake(field, surface)` or
    `.read(path)`."""

    def __init__(self, thing: Thing):
        super().__init__(thing)

    @classmethod
    @documented("tac_pointshell_bake")
    def bake(cls, field: DistanceField, mesh: Optional[Surface] = None, points: int = 65536, levels: int = 0,
             threads: int = 0, progress: Optional[Progress] = None) -> "Pointshell":
        definition, made = library.tac_pointshell_def_default(), ctypes.c_void_p()
        definition.point_count, definition.level_count, definition.thread_count = points, levels, threads
        check_with_progress(library.tac_pointshell_bake, field.address, mesh.address if mesh is not None else None,
                            ctypes.byref(definition), progress=progress, after=(ctypes.byref(made),))
        return cls(Thing(made.value, library.tac_pointshell_destroy))

    @classmethod
    @documented("tac_pointshell_read", "tac_pointshell_read_ply")
    def read(cls, path: PathLike) -> "Pointshell":
        """Files of Tactus, or PLY if the name ends with .ply."""
        made = ctypes.c_void_p()
        ply = path_of(path).lower().endswith(b".ply")
        check(library.tac_pointshell_read_ply if ply else library.tac_pointshell_read, path_of(path), ctypes.byref(made))
        return cls(Thing(made.value, library.tac_pointshell_destroy))

    @documented("tac_pointshell_write", "tac_pointshell_write_ply")
    def write(self, path: PathLike) -> None:
        """Files of Tactus, or PLY if the name ends with .ply."""
        ply = path_of(path).lower().endswith(b".ply")
        check(library.tac_pointshell_write_ply if ply else library.tac_pointshell_write, self.address, path_of(path))

    @property
    def level_count(self) -> int:
        return library.tac_pointshell_level_count(self.address)

    @documented("tac_pointshell_size")
    def size(self, level: int = abi.POINTSHELL_MOST_LEVELS) -> int:
        return library.tac_pointshell_size(self.address, level)

    def points(self, level: int = abi.POINTSHELL_MOST_LEVELS) -> np.ndarray:
        """[point][axis] of the levels 0 to `level`, m. A copy: the tree stores them in its own order."""
        address, point = self.address, library.tac_pointshell_point
        result = np.empty((self.size(level), 3))
        for index in range(len(result)):
            place = point(address, index)
            result[index] = place.x, place.y, place.z
        return result

    @property
    def checks(self) -> "list[abi.BakeCheck]":
        """The checks of its bake."""
        return bake_checks(library.tac_pointshell_checks(self.address))
