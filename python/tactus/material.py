"""Linear elastic materials."""

import ctypes
from typing import Any

import numpy as np

from . import abi
from .library import check, documented, library
from .owner import pointer
from .struct import real


@documented("tac_material_isotropic")
def material(young: float, poisson: float, density: float) -> abi.Material:
    """An isotropic material: Young's modulus in Pa, Poisson's ratio, density in kg/m^3."""
    made = abi.Material()
    check(library.tac_material_isotropic, density, young, poisson, ctypes.byref(made))
    return made


@documented("tac_material_anisotropic")
def anisotropic_material(coefficients: Any, density: float) -> abi.Material:
    """Any linear material by its 21 coefficients, Pa; density in kg/m^3."""
    values = np.ascontiguousarray(real(coefficients, "coefficients"))
    if values.shape != (21,):
        raise ValueError(f"coefficients must be 21 numbers, not of the shape {values.shape}")
    made = abi.Material()
    check(library.tac_material_anisotropic, density, pointer(values), ctypes.byref(made))
    return made
