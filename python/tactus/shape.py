"""The gallery: procedural models, each a closed surface at any resolution."""

import ctypes
from typing import NamedTuple, Optional

from . import abi
from .library import check, documented, library
from .mesh import Surface, Volume
from .progress import Progress, check_with_progress
from .struct import c_text


class Shape(NamedTuple):
    """A model of the gallery."""
    name: str  #: "kidney", "suspension-bridge", ...
    summary: str  #: one line: what it is and its main dimensions
    size: float  #: default edge length of its triangles, m; resolves its thinnest part
    has_bricks: bool  #: shape_bricks makes a volume of it


def shapes() -> "list[Shape]":
    """All models of the gallery."""
    result = []
    while (address := library.tac_shape_info(len(result))) is not None:
        info = abi.ShapeInfo.from_address(address)
        result.append(Shape(info.name, info.summary, info.size, info.brick_size > 0))
    return result


@documented("tac_shape_build")
def shape(name: str, size: float = 0.0, progress: Optional[Progress] = None) -> Surface:
    """A model of the gallery: `shape("kidney", 0.004)`."""
    made = ctypes.c_void_p()
    check_with_progress(library.tac_shape_build, c_text(name), size, progress=progress, after=(ctypes.byref(made),))
    return Surface._of(made.value)


@documented("tac_shape_bricks")
def shape_bricks(name: str, size: float = 0.0) -> Volume:
    """The bricks of a model, if it defines them."""
    made = ctypes.c_void_p()
    check(library.tac_shape_bricks, c_text(name), size, ctypes.byref(made))
    return Volume._of(made.value)
