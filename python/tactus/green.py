"""Green's functions of elastostatic bodies: the response of a boundary value problem to unit loads."""

import ctypes
from typing import Any, Optional, Sequence, Union

import numpy as np

from . import abi
from .field import bake_checks
from .library import check, documented, library, path_of
from .mesh import PathLike, Surface, Volume
from .owner import Owner, Thing, flags, indices, pointer, view
from .progress import Progress, check_with_progress

Materials = Union[abi.Material, Sequence[abi.Material]]


def materials_of(materials: Materials) -> "ctypes.Array[abi.Material]":
    several = [materials] if isinstance(materials, abi.Material) else list(materials)
    return (abi.Material * len(several))(*several)


def elements_of(numbers: Any, elements: int, count: int) -> Optional[np.ndarray]:
    """Material index of each element."""
    if numbers is None:
        return None
    chosen = indices(numbers, "material_of")
    if len(chosen) != elements or chosen.size and chosen.max() >= count:
        raise ValueError(f"material_of must have {elements} numbers below {count}")
    return chosen


class Green(Owner):
    """Green's functions (James and Pai 2001); immutable, so any thread may read them. `Green.bake(...)` or `Green.read(path)`."""

    def __init__(self, thing: Thing):
        super().__init__(thing)

    @classmethod
    @documented("tac_green_bake")
    def bake(cls, mesh: Union[Surface, Volume], materials: Materials, fixed: Any, wanted: Any = None,
             material_of: Any = None, accept_thin: bool = False, error_estimate_loads: Optional[int] = None, threads: int = 0,
             factored: PathLike = "", checkpoint: PathLike = "", progress: Optional[Progress] = None) -> "Green":
        """Bakes boundary elements of a Surface with one isotropic material, or finite elements of a Volume with any materials.

        `fixed` are the vertices of the surface that do not move (bools or indices); for a Volume, of its boundary
        (Volume.surface()); `wanted` are those that can be touched (None: all free ones)."""
        definition, made = library.tac_green_def_default(), ctypes.c_void_p()
        problem, pointer_to_mesh = definition.problem, mesh.address
        several = materials_of(materials)
        if isinstance(mesh, Surface):
            problem.method, problem.surface, surface = abi.ReferenceMethod.BOUNDARY_ELEMENTS, pointer_to_mesh, mesh
            numbers = None
        else:
            problem.method, problem.volume, surface = abi.ReferenceMethod.FINITE_ELEMENTS, pointer_to_mesh, mesh.surface()
            numbers = elements_of(material_of, mesh.element_count, len(several))
        held = flags(fixed, "fixed", len(surface.vertices))
        chosen = None if wanted is None else np.flatnonzero(flags(wanted, "wanted", len(held))).astype(np.int32)
        problem.material_count, problem.materials = len(several), ctypes.addressof(several)
        problem.material_of, problem.fixed = pointer(numbers), pointer(held)
        problem.accept_thin, problem.thread_count = accept_thin, threads
        definition.wanted, definition.wanted_count = pointer(chosen), 0 if chosen is None else len(chosen)
        definition.factored = path_of(factored) if factored else None
        definition.checkpoint = path_of(checkpoint) if checkpoint else None
        if error_estimate_loads is not None:
            definition.error_estimate_loads = error_estimate_loads
        check_with_progress(library.tac_green_bake, ctypes.byref(definition), progress=progress, after=(ctypes.byref(made),))
        return cls(Thing(made.value, library.tac_green_destroy))

    @classmethod
    @documented("tac_green_read")
    def read(cls, path: PathLike) -> "Green":
        made = ctypes.c_void_p()
        check(library.tac_green_read, path_of(path), ctypes.byref(made))
        return cls(Thing(made.value, library.tac_green_destroy))

    @documented("tac_green_write")
    def write(self, path: PathLike) -> None:
        check(library.tac_green_write, self.address, path_of(path))

    @property
    def surface(self) -> Surface:
        """The surface at rest, without groups."""
        return Surface._of(library.tac_green_surface(self.address), self.thing)

    @property
    def vertex_count(self) -> int:
        return abi.TriMesh.from_address(library.tac_green_surface(self.address)).vertex_count

    @property
    def fixed(self) -> np.ndarray:
        """Fixed vertices, [vertex]; a read-only view."""
        return view(self.thing, library.tac_green_fixed(self.address), np.bool_, (self.vertex_count,))

    @property
    def area(self) -> np.ndarray:
        """Area of each vertex, [vertex], m^2; a read-only view."""
        return view(self.thing, library.tac_green_area(self.address), np.float64, (self.vertex_count,))

    @property
    def column_vertices(self) -> np.ndarray:
        """Vertices that have columns, ascending; a read-only view."""
        return view(self.thing, library.tac_green_column_vertex(self.address), np.int32,
                    (library.tac_green_column_count(self.address),))

    @documented("tac_green_column")
    def column(self, vertex: int) -> Optional[np.ndarray]:
        """[3][row]: the response of all vertices to unit tractions at one; a read-only view. None if it is not stored."""
        address = library.tac_green_column(self.address, vertex)
        if not address:
            return None
        return view(self.thing, address, np.float64, (3, library.tac_green_row_count(self.address)))

    @documented("tac_green_block")
    def block(self, i: int, j: int) -> Optional[np.ndarray]:
        """The 3 x 3 block: the response of vertex i to vertex j; None if it is not stored."""
        block = np.zeros((3, 3))
        return block if library.tac_green_block(self.address, i, j, pointer(block)) else None

    @documented("tac_green_betti_defect")
    def betti_defect(self) -> float:
        return library.tac_green_betti_defect(self.address)

    @property
    def checks(self) -> "list[abi.BakeCheck]":
        """The checks of its bake."""
        return bake_checks(library.tac_green_checks(self.address))
