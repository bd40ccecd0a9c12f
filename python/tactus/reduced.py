"""Reduced bodies: large deformations in a few coordinates, u = U q."""

import ctypes
from typing import Any, Optional, Sequence

import numpy as np

from . import abi
from .field import bake_checks
from .green import Materials, elements_of, materials_of
from .library import check, documented, library, path_of
from .mesh import PathLike, Surface, Volume
from .owner import Owner, Thing, flags, pointer, view
from .progress import Progress, check_with_progress
from .struct import c_text


class Reduced(Owner):
    """A reduced model (Barbic 2007, chapter 2); immutable, so any thread may read it. `Reduced.bake(...)` or `.read(path)`."""

    def __init__(self, thing: Thing):
        super().__init__(thing)

    @classmethod
    @documented("tac_reduced_bake")
    def bake(cls, volume: Volume, materials: Materials, fixed: Any = None, surface: Optional[Surface] = None,
             size: int = 20, modes: int = 10, material_of: Any = None, group_names: Optional[Sequence[str]] = None,
             lumped_mass: bool = False, strain_rate: bool = False, error_estimate_loads: Optional[int] = None,
             progress: Optional[Progress] = None) -> "Reduced":
        """Bakes `size` coordinates from `modes` modes of vibration and their derivatives.

        `fixed` are vertices of the volume that do not move (bools or indices; None: a free body); `surface` is
        touched and shown (None: the volume's boundary)."""
        definition, made = library.tac_reduced_def_default(), ctypes.c_void_p()
        several = materials_of(materials)
        numbers = elements_of(material_of, volume.element_count, len(several))
        mask = None if fixed is None else flags(fixed, "fixed", len(volume.vertices))
        names = None
        if group_names is not None:
            if len(group_names) != len(several):
                raise ValueError(f"group_names must have one for each of {len(several)} materials")
            names = (ctypes.c_char_p * len(several))(*[c_text(name) for name in group_names])
        pointers = (volume.address, surface.address if surface is not None else None)
        definition.volume, definition.surface = pointers
        definition.material_count, definition.materials = len(several), ctypes.addressof(several)
        definition.material_of, definition.fixed = pointer(numbers), pointer(mask)
        definition.group_names = ctypes.addressof(names) if names is not None else None
        definition.size, definition.mode_count = size, modes
        definition.lumped_mass, definition.strain_rate = lumped_mass, strain_rate
        if error_estimate_loads is not None:
            definition.error_estimate_loads = error_estimate_loads
        check_with_progress(library.tac_reduced_bake, ctypes.byref(definition), progress=progress,
                            after=(ctypes.byref(made),))
        return cls(Thing(made.value, library.tac_reduced_destroy))

    @classmethod
    @documented("tac_reduced_read")
    def read(cls, path: PathLike) -> "Reduced":
        made = ctypes.c_void_p()
        check(library.tac_reduced_read, path_of(path), ctypes.byref(made))
        return cls(Thing(made.value, library.tac_reduced_destroy))

    @documented("tac_reduced_write")
    def write(self, path: PathLike) -> None:
        check(library.tac_reduced_write, self.address, path_of(path))

    @property
    def size(self) -> int:
        """r, the number of coordinates."""
        return library.tac_reduced_size(self.address)

    @property
    def surface(self) -> Surface:
        """The surface at rest, without groups."""
        return Surface._of(library.tac_reduced_surface(self.address), self.thing)

    @property
    def volume(self) -> Volume:
        """The volume at rest."""
        return Volume._of(library.tac_reduced_volume(self.address), self.thing)

    @property
    def fixed(self) -> np.ndarray:
        """[vertex of the surface]; a read-only view."""
        return view(self.thing, library.tac_reduced_fixed(self.address), np.bool_, (len(self.surface.vertices),))

    @property
    @documented("tac_reduced_displacements")
    def displacements(self) -> np.ndarray:
        """[vertex of the surface][axis][r]; a read-only view."""
        return view(self.thing, library.tac_reduced_displacements(self.address), np.float64,
                    (len(self.surface.vertices), 3, self.size))

    @property
    @documented("tac_reduced_basis")
    def basis(self) -> np.ndarray:
        """[vertex of the volume][axis][r]; a read-only view."""
        return view(self.thing, library.tac_reduced_basis(self.address), np.float64,
                    (len(self.volume.vertices), 3, self.size))

    @property
    def mass(self) -> float:
        """Mass, kg, as baked."""
        return self.info.mass

    @property
    def info(self) -> abi.ReducedInfo:
        """Its source, and its frequencies."""
        return abi.ReducedInfo.from_buffer_copy(ctypes.string_at(library.tac_reduced_info(self.address),
                                                                 ctypes.sizeof(abi.ReducedInfo)))

    @property
    def checks(self) -> "list[abi.BakeCheck]":
        """The checks of its bake."""
        return bake_checks(library.tac_reduced_checks(self.address))
