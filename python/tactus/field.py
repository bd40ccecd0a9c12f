"""Signed distances to solids: negative inside."""

import ctypes
from typing import Any, Optional

import numpy as np

from . import abi
from .library import check, documented, libc, library, path_of
from .mesh import PathLike, Surface
from .owner import Owner, Thing, out_array, pointer, vector, vectors, view
from .progress import Progress, check_with_progress
from .struct import real


def _vec3(values: Any, name: str) -> abi.Vec3:
    return abi.Vec3(*vector(values, name))


class DistanceField(Owner):
    """Signed distance to a solid, sampled on a grid or analytic. Immutable: any thread may query it. Metres.

    Made by `DistanceField.bake(surface)`, `.from_grid(values, origin, spacing)`, `.plane`, `.sphere`, `.box`, `.capsule` or
    `.read(path)`."""

    def __init__(self, thing: Thing):
        super().__init__(thing)

    @classmethod
    def _made(cls, made: ctypes.c_void_p) -> "DistanceField":
        return cls(Thing(made.value, library.tac_distance_field_destroy))

    @classmethod
    @documented("tac_distance_field_bake", "tac_distance_field_bake_soup")
    def bake(cls, mesh: Surface, resolution: int = 128, soup: bool = False, expansion: Optional[float] = None,
             offset: float = 0.0, band: Optional[float] = None, threads: int = 0,
             progress: Optional[Progress] = None) -> "DistanceField":
        """Bakes the field of a closed mesh; with `soup`, of the surface at `offset` metres from any set of triangles."""
        definition, made = library.tac_field_def_default(), ctypes.c_void_p()
        definition.resolution, definition.offset, definition.thread_count = resolution, offset, threads
        definition.expansion = definition.expansion if expansion is None else expansion
        definition.band = definition.band if band is None else band
        after = (ctypes.byref(made), None) if soup else (ctypes.byref(made),)
        function = library.tac_distance_field_bake_soup if soup else library.tac_distance_field_bake
        check_with_progress(function, mesh.address, ctypes.byref(definition), progress=progress, after=after)
        return cls._made(made)

    @classmethod
    @documented("tac_distance_field_from_grid")
    def from_grid(cls, values: Any, origin: Any, spacing: float) -> "DistanceField":
        """Makes a field from samples, values[k][j][i] at origin + spacing (i, j, k). They are copied once, into memory that
        the library owns."""
        samples = np.ascontiguousarray(real(values, "values", np.float32))
        if samples.ndim != 3 or min(samples.shape) < 2:
            raise ValueError(f"values must have three axes of at least 2, not the shape {samples.shape}")
        nz, ny, nx = samples.shape
        memory = libc().malloc(samples.nbytes)
        if not memory:
            raise MemoryError
        ctypes.memmove(memory, pointer(samples), samples.nbytes)
        grid, made = abi.Grid(nx=nx, ny=ny, nz=nz, origin=vector(origin, "origin"), spacing=spacing, values=memory), \
            ctypes.c_void_p()
        try:
            check(library.tac_distance_field_from_grid, ctypes.byref(grid), ctypes.byref(made))
        except Exception:
            libc().free(memory)
            raise
        return cls._made(made)

    @classmethod
    @documented("tac_distance_field_plane")
    def plane(cls, normal: Any, offset: float = 0.0) -> "DistanceField":
        made = ctypes.c_void_p()
        check(library.tac_distance_field_plane, _vec3(normal, "normal"), offset, ctypes.byref(made))
        return cls._made(made)

    @classmethod
    @documented("tac_distance_field_sphere")
    def sphere(cls, centre: Any, radius: float) -> "DistanceField":
        made = ctypes.c_void_p()
        check(library.tac_distance_field_sphere, _vec3(centre, "centre"), radius, ctypes.byref(made))
        return cls._made(made)

    @classmethod
    @documented("tac_distance_field_box")
    def box(cls, lower: Any, upper: Any) -> "DistanceField":
        made = ctypes.c_void_p()
        box = abi.Box(lower=vector(lower, "lower"), upper=vector(upper, "upper"))
        check(library.tac_distance_field_box, box, ctypes.byref(made))
        return cls._made(made)

    @classmethod
    @documented("tac_distance_field_capsule")
    def capsule(cls, a: Any, b: Any, radius: float) -> "DistanceField":
        made = ctypes.c_void_p()
        check(library.tac_distance_field_capsule, _vec3(a, "a"), _vec3(b, "b"), radius, ctypes.byref(made))
        return cls._made(made)

    @classmethod
    @documented("tac_distance_field_union")
    def union(cls, *parts: "DistanceField") -> "DistanceField":
        """The union of fields. It takes ownership: the parts are closed."""
        several = (ctypes.c_void_p * len(parts))(*[part.thing.address for part in parts])
        if len({part.thing.address for part in parts}) != len(parts) or any(part.thing.users > 1 for part in parts):
            raise ValueError("parts of a union must be different, and no world may use them")
        made = ctypes.c_void_p()
        check(library.tac_distance_field_union, len(parts), ctypes.byref(several), ctypes.byref(made))
        whole = cls._made(made)
        for part in parts:  # views onto them keep them, and they keep the whole
            part.thing.disown()
            part.thing.keep(whole.thing)
            part.close()
        return whole

    @classmethod
    @documented("tac_distance_field_read")
    def read(cls, path: PathLike) -> "DistanceField":
        made = ctypes.c_void_p()
        check(library.tac_distance_field_read, path_of(path), ctypes.byref(made))
        return cls._made(made)

    @documented("tac_distance_field_write")
    def write(self, path: PathLike) -> None:
        check(library.tac_distance_field_write, self.address, path_of(path))

    @documented("tac_distance_field_values")
    def values(self, points: Any, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Distances of points [n][3], m."""
        places = vectors(points, "points")
        result = out_array(out, np.float64, (len(places),))
        library.tac_distance_field_values(self.address, len(places), pointer(places), pointer(result))
        return result

    @documented("tac_distance_field_gradient")
    def gradient(self, point: Any) -> "tuple[float, np.ndarray]":
        """Distance and gradient at a point."""
        gradient = np.zeros(3)
        value = library.tac_distance_field_gradient(self.address, _vec3(point, "point"), pointer(gradient))
        return value, gradient

    @property
    def grid(self) -> "Optional[tuple[np.ndarray, np.ndarray, float]]":
        """The samples [k][j][i] (a read-only view), the position of the first, and their spacing, m; None if analytic."""
        address = library.tac_distance_field_grid(self.address)
        if not address:
            return None
        grid = abi.Grid.from_address(address)
        return (view(self.thing, grid.values, np.float32, (grid.nz, grid.ny, grid.nx)), grid.origin.copy(), grid.spacing)

    @property
    def checks(self) -> "list[abi.BakeCheck]":
        """The checks of its bake."""
        return bake_checks(library.tac_distance_field_checks(self.address))


def bake_checks(address: Optional[int]) -> "list[abi.BakeCheck]":
    """Returns copies of the checks of a bake."""
    if not address:
        return []
    checks = abi.BakeChecks.from_address(address)
    base = address + abi.BakeChecks.checks.offset
    return [abi.BakeCheck.from_buffer_copy(
        ctypes.string_at(base + i * ctypes.sizeof(abi.BakeCheck), ctypes.sizeof(abi.BakeCheck)))
        for i in range(checks.count)]
