"""Meshes: surfaces of triangles and volumes of tetrahedra and bricks; files, checks, repair, filling."""

import ctypes
import os
from typing import Any, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import abi
from .library import check, documented, library, path_of, text
from .owner import Owner, Thing, indices, pointer, vectors, view
from .progress import Progress, check_with_progress
from .struct import c_text, real

PathLike = Union[str, "os.PathLike[str]"]


def _sets(thing: Thing, count: int, address: Optional[int]) -> "dict[str, np.ndarray]":
    sets = (abi.IndexSet * count).from_address(address) if count else ()
    return {s.name: view(thing, s.indices, np.int32, (s.count,)) for s in sets}


def _moved(vertices: np.ndarray, scale: float, rotation: Any, translation: Any) -> np.ndarray:
    return scale * vertices @ real(rotation, "rotation").T + real(translation, "translation")


class Box(NamedTuple):
    """An axis-aligned box, m."""
    lower: np.ndarray
    upper: np.ndarray


class Surface(Owner):
    """A triangle mesh: a surface, closed or not, or a polygon soup. Lengths in metres.

    `Surface(vertices, triangles)` copies both once into the library's memory, so that they cannot change after the checks. The
    properties `vertices` and `triangles` are read-only views of that memory, which stay valid as long as you keep them.
    Triangles are counter-clockwise seen from outside."""

    def __init__(self, vertices: Any, triangles: Any, groups: Optional[Mapping[str, Any]] = None):
        points, corners = vectors(vertices, "vertices"), indices(triangles, "triangles", 3)
        made = ctypes.c_void_p()
        check(library.tac_trimesh_create, len(points), len(corners), ctypes.byref(made))
        super().__init__(Thing(made.value, library.tac_trimesh_destroy))
        struct = self._struct
        view(self.thing, struct.vertices, np.float64, points.shape, True)[...] = points
        view(self.thing, struct.triangles, np.int32, corners.shape, True)[...] = corners
        check(library.tac_trimesh_validate, self.address)
        for name, members in (groups or {}).items():
            chosen = indices(members, f"group {name}")
            check(library.tac_trimesh_add_group, self.address, c_text(name), len(chosen), pointer(chosen))

    @classmethod
    def _of(cls, address: int, owner: Optional[Thing] = None) -> "Surface":
        """The mesh at an address; it owns the mesh unless `owner` does."""
        surface = cls.__new__(cls)
        Owner.__init__(surface, Thing(address, None, (owner,)) if owner else Thing(address, library.tac_trimesh_destroy))
        return surface

    @property
    def _struct(self) -> abi.TriMesh:
        return abi.TriMesh.from_address(self.thing.address)

    def __repr__(self) -> str:
        if self.closed:
            return "Surface(closed)"
        return f"Surface({self._struct.vertex_count} vertices, {self._struct.triangle_count} triangles)"

    @property
    def vertices(self) -> np.ndarray:
        """[vertex][axis], m; a read-only view."""
        return view(self.thing, self._struct.vertices, np.float64, (self._struct.vertex_count, 3))

    @property
    def triangles(self) -> np.ndarray:
        """[triangle][corner]; a read-only view."""
        return view(self.thing, self._struct.triangles, np.int32, (self._struct.triangle_count, 3))

    @property
    def groups(self) -> "dict[str, np.ndarray]":
        """Named groups of triangles, ascending; read-only views."""
        return _sets(self.thing, self._struct.group_count, self._struct.groups)

    @staticmethod
    def read(path: PathLike) -> "Surface":
        """Reads the surface of a mesh file of any format; if the file has only a volume, its boundary."""
        contents = read_mesh(path)
        return contents.surface if contents.surface is not None else contents.volume.surface()

    def write(self, path: PathLike, format: str = "") -> None:
        """Writes a file. The format follows from the path or is given by name: "obj", "stl-ascii", "ply" (see write_mesh)."""
        write_mesh(path, surface=self, format=format)

    @property
    def box(self) -> Box:
        box = library.tac_trimesh_box(self.address)
        return Box(box.lower.copy(), box.upper.copy())

    @property
    @documented("tac_trimesh_normals")
    def normals(self) -> np.ndarray:
        """[vertex][axis]"""
        result = np.empty((len(self.vertices), 3))
        library.tac_trimesh_normals(self.address, pointer(result))
        return result

    @property
    def area(self) -> float:
        """Area, m^2."""
        a, b, c = (self.vertices[self.triangles[:, corner]] for corner in range(3))
        return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())

    @property
    @documented("tac_trimesh_volume")
    def volume(self) -> float:
        """Volume, m^3."""
        return library.tac_trimesh_volume(self.address)

    @documented("tac_trimesh_solid_volume")
    def solid_volume(self) -> float:
        """Volume, m^3."""
        volume = ctypes.c_double()
        check(library.tac_trimesh_solid_volume, self.address, ctypes.byref(volume))
        return volume.value

    @documented("tac_trimesh_require_closed")
    def require_closed(self) -> None:
        """Raises tactus.Error unless the mesh encloses a volume."""
        check(library.tac_trimesh_require_closed, self.address)

    @documented("tac_surface_report")
    def report(self) -> abi.SurfaceReport:
        """Counts, measures and defects: is this mesh fit for simulation?"""
        report = abi.SurfaceReport()
        check(library.tac_surface_report, self.address, ctypes.byref(report))
        return report

    @documented("tac_repair")
    def repair(self, weld: float = 0.0) -> "tuple[Surface, abi.RepairReport]":
        """Repairs defects without changing the shape; vertices within `weld` metres are merged."""
        definition, report, made = library.tac_repair_def_default(), abi.RepairReport(), ctypes.c_void_p()
        definition.weld = weld
        check(library.tac_repair, self.address, ctypes.byref(definition), ctypes.byref(made), ctypes.byref(report))
        return Surface._of(made.value), report

    @documented("tac_remesh")
    def remesh(self, size: float, threads: int = 0, progress: Optional[Progress] = None) -> "Surface":
        """Remeshes with even triangles: edges of about `size` metres, no self-intersections."""
        made = ctypes.c_void_p()
        check_with_progress(library.tac_remesh, self.address, size, threads, progress=progress, after=(ctypes.byref(made),))
        return Surface._of(made.value)

    @documented("tac_remesh_simplify")
    def simplify(self, triangles: int) -> "Surface":
        """Simplifies a closed manifold to this number of triangles."""
        made = ctypes.c_void_p()
        check(library.tac_remesh_simplify, self.address, triangles, ctypes.byref(made))
        return Surface._of(made.value)

    def moved(self, scale: float = 1.0, rotation: Any = np.eye(3), translation: Any = (0, 0, 0)) -> "Surface":
        """A copy with x' = scale rotation x + translation; scale 0.001 converts millimetres to metres."""
        return Surface(_moved(self.vertices, scale, rotation, translation), self.triangles, self.groups)

    @documented("tac_mass_properties")
    def mass_properties(self, density: float) -> abi.Inertia:
        """Mass properties of the uniform solid inside a closed surface; density in kg/m^3."""
        properties = abi.Inertia()
        check(library.tac_mass_properties, self.address, density, ctypes.byref(properties))
        return properties

    @documented("tac_stuffing_fill", "tac_stuffing_fill_to_volume")
    def tets(self, size: float = 0.0, tolerance: float = 0.02, levels: int = 3, threads: int = 0,
             progress: Optional[Progress] = None) -> "Volume":
        """Fills it with tetrahedra: `size` is their edge at the surface, m; 0 finds the largest that keeps the volume within
        `tolerance`."""
        definition, made, found = library.tac_stuffing_def_default(), ctypes.c_void_p(), ctypes.c_double()
        definition.size, definition.levels, definition.thread_count = size, levels, threads
        if size != 0.0:
            check_with_progress(library.tac_stuffing_fill, self.address, ctypes.byref(definition), progress=progress,
                                after=(ctypes.byref(made),))
        else:
            check_with_progress(library.tac_stuffing_fill_to_volume, self.address, tolerance, ctypes.byref(definition),
                                progress=progress, after=(ctypes.byref(made), ctypes.byref(found)))
        return Volume._of(made.value)

    @documented("tac_voxelise", "tac_voxelise_to_volume")
    def bricks(self, resolution: int = 0, rule: str = "centre", tolerance: float = 0.02,
               progress: Optional[Progress] = None) -> "Volume":
        """Fills it with cubes: `resolution` of them along the longest side, by the rule "centre", "cover" or "shell"; 0 finds
        the coarsest that keeps the volume within `tolerance`."""
        made, found = ctypes.c_void_p(), ctypes.c_int()
        if resolution != 0:
            definition = library.tac_voxelise_def_default()
            definition.resolution, definition.rule = resolution, rule
            check_with_progress(library.tac_voxelise, self.address, ctypes.byref(definition), progress=progress,
                                after=(ctypes.byref(made),))
        else:
            check_with_progress(library.tac_voxelise_to_volume, self.address, tolerance, progress=progress,
                                after=(ctypes.byref(made), ctypes.byref(found)))
        return Volume._of(made.value)


class Volume(Owner):
    """A volume mesh of 4-node tetrahedra and 8-node bricks. Lengths in metres.

    `Volume(vertices, tets, bricks)` copies once, as Surface does; its properties are read-only views. Elements are numbered
    tetrahedra first, then bricks."""

    def __init__(self, vertices: Any, tets: Any = (), bricks: Any = (), groups: Optional[Mapping[str, Any]] = None,
                 vertex_sets: Optional[Mapping[str, Any]] = None):
        points = vectors(vertices, "vertices")
        four, eight = indices(tets, "tets", 4), indices(bricks, "bricks", 8)
        made = ctypes.c_void_p()
        check(library.tac_volmesh_create, len(points), len(four), len(eight), ctypes.byref(made))
        super().__init__(Thing(made.value, library.tac_volmesh_destroy))
        struct = self._struct
        view(self.thing, struct.vertices, np.float64, points.shape, True)[...] = points
        view(self.thing, struct.tets, np.int32, four.shape, True)[...] = four
        view(self.thing, struct.bricks, np.int32, eight.shape, True)[...] = eight
        check(library.tac_volmesh_validate, self.address)
        for function, sets in ((library.tac_volmesh_add_group, groups), (library.tac_volmesh_add_vertex_set, vertex_sets)):
            for name, members in (sets or {}).items():
                chosen = indices(members, f"set {name}")
                check(function, self.address, c_text(name), len(chosen), pointer(chosen))

    @classmethod
    def _of(cls, address: int, owner: Optional[Thing] = None) -> "Volume":
        volume = cls.__new__(cls)
        Owner.__init__(volume, Thing(address, None, (owner,)) if owner else Thing(address, library.tac_volmesh_destroy))
        return volume

    @property
    def _struct(self) -> abi.VolMesh:
        return abi.VolMesh.from_address(self.thing.address)

    def __repr__(self) -> str:
        if self.closed:
            return "Volume(closed)"
        s = self._struct
        return f"Volume({s.vertex_count} vertices, {s.tet_count} tets, {s.brick_count} bricks)"

    @property
    def vertices(self) -> np.ndarray:
        """[vertex][axis], m; a read-only view."""
        return view(self.thing, self._struct.vertices, np.float64, (self._struct.vertex_count, 3))

    @property
    def tets(self) -> np.ndarray:
        """[tetrahedron][corner]; a read-only view."""
        return view(self.thing, self._struct.tets, np.int32, (self._struct.tet_count, 4))

    @property
    def bricks(self) -> np.ndarray:
        """[brick][corner], in VTK's and Gmsh's order; a read-only view."""
        return view(self.thing, self._struct.bricks, np.int32, (self._struct.brick_count, 8))

    @property
    def element_count(self) -> int:
        return self._struct.tet_count + self._struct.brick_count

    @property
    def groups(self) -> "dict[str, np.ndarray]":
        """Named groups of elements, ascending; read-only views."""
        return _sets(self.thing, self._struct.group_count, self._struct.groups)

    @property
    def vertex_sets(self) -> "dict[str, np.ndarray]":
        return _sets(self.thing, self._struct.vertex_set_count, self._struct.vertex_sets)

    @staticmethod
    def read(path: PathLike) -> "Volume":
        """Reads the volume of a mesh file of any format that has one."""
        contents = read_mesh(path)
        if contents.volume is None:
            raise ValueError(f"{os.fspath(path)} has a surface, but no volume; Surface.read(path).tets() fills it")
        return contents.volume

    def write(self, path: PathLike, format: str = "") -> None:
        """Writes a file; see write_mesh."""
        write_mesh(path, volume=self, format=format)

    @property
    def box(self) -> Box:
        box = library.tac_volmesh_box(self.address)
        return Box(box.lower.copy(), box.upper.copy())

    @property
    def volume(self) -> float:
        """Volume, m^3."""
        return library.tac_volmesh_volume(self.address)

    @documented("tac_volume_report")
    def report(self) -> abi.VolumeReport:
        """Counts, measures and defects: is this mesh fit for simulation?"""
        report = abi.VolumeReport()
        check(library.tac_volume_report, self.address, ctypes.byref(report))
        return report

    def surface(self) -> Surface:
        """The boundary: faces that belong to one element only, facing outward."""
        return self.surface_with_vertices()[0]

    @documented("tac_volmesh_surface")
    def surface_with_vertices(self) -> "tuple[Surface, np.ndarray]":
        """The boundary, and for each of its vertices the index of the vertex of the volume."""
        made, numbers = ctypes.c_void_p(), ctypes.c_void_p()
        check(library.tac_volmesh_surface, self.address, ctypes.byref(made), ctypes.byref(numbers), None)
        surface = Surface._of(made.value)
        return surface, view(_allocated(numbers.value), numbers.value, np.int32, (len(surface.vertices),))

    def moved(self, scale: float = 1.0, rotation: Any = np.eye(3), translation: Any = (0, 0, 0)) -> "Volume":
        """A copy with x' = scale rotation x + translation."""
        return Volume(_moved(self.vertices, scale, rotation, translation), self.tets, self.bricks, self.groups,
                      self.vertex_sets)


def _allocated(address: Optional[int]) -> Thing:
    """A Thing for memory from malloc, which the caller owns."""
    from .library import libc
    return Thing(address or 0, libc().free)


class MeshContents(NamedTuple):
    """What a mesh file holds: a surface, a volume or both."""
    surface: Optional[Surface]
    volume: Optional[Volume]


@documented("tac_mesh_read")
def read_mesh(path: PathLike) -> MeshContents:
    """Reads a mesh file: OBJ, STL, PLY, OFF, Gmsh MSH, VTK, VTU, VEG or TetGen, recognised by its content."""
    contents = abi.MeshContents()
    check(library.tac_mesh_read, path_of(path), ctypes.byref(contents))
    return MeshContents(Surface._of(contents.surface) if contents.surface else None,
                        Volume._of(contents.volume) if contents.volume else None)


@documented("tac_mesh_write")
def write_mesh(path: PathLike, surface: Optional[Surface] = None, volume: Optional[Volume] = None,
               format: str = "") -> None:
    """Writes a mesh file. `format` is "" (from the ending of the path) or one of mesh_formats()."""
    formats = ["", *mesh_formats()]  # in the order of abi.MeshFormat; "": by the path's name
    if format not in formats:
        raise ValueError(f"unknown format {format}; the formats are {', '.join(mesh_formats())}")
    pointers = (surface.address if surface is not None else None, volume.address if volume is not None else None)
    check(library.tac_mesh_write, path_of(path), formats.index(format), ctypes.byref(abi.MeshContents(*pointers)))


def mesh_formats() -> "list[str]":
    """Names of the formats for write_mesh."""
    return [text(library.tac_mesh_format_name(f)) for f in range(abi.MeshFormat.BY_NAME + 1, abi.MeshFormat.COUNT)]
