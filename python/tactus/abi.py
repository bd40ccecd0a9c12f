"""The library's structs, enums and functions, as its headers have them.

Made by python/generate.py from include/tactus; do not edit. FUNCTIONS has every function: what it gives, what it
takes, its header, its declaration, and what is said of it."""

from ctypes import (CFUNCTYPE, c_bool, c_char, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t,
                    c_uint32, c_uint64, c_void_p)
from enum import IntEnum
from typing import Any, Optional

import numpy as np

from .struct import Struct, define

# ---- constants ----

ERROR_TEXT_SIZE = 512
BAKE_CHECK_TEXT = 96
BAKE_MOST_CHECKS = 8
MESH_MATERIAL_PARAMETERS = 24
POINTSHELL_MOST_LEVELS = 12
BODY_MOST_COORDINATES = 160
BODY_TABLE_VERSION = 8
PATCH_VERTICES = 96
BODY_KIND_VERSION = 3
BODY_KIND_MOST = 64  # kinds of a process
BODY_KIND_MOST_KEYS = 64  # of a kind
BODY_KIND_MOST_RECORD = 1024  # bytes
BODY_KIND_MOST_VALUES = 16  # of a vector
LAWS_MOST_PATCH = 256
DEVICE_ABI = 1
BUTTON_INDEX = 1  # held: the hand moves without moving the tool (workspace indexing)
BUTTON_GRAB = 2  # held: the tool holds what it touches
BUTTON_LIFT = 4  # held: the tool touches nothing, wherever it goes
DEVICE_MOST_FOUND = 8
LAW_MOST_PARAMETERS = 16
LAW_MOST_TERMS = 4
LIMIT_FORCE = 1  # the device's largest force
LIMIT_RATE = 2  # how fast a force may change
LIMIT_COUPLING = 4  # tacToolOutput.saturated
ERROR_ESTIMATE_SOME = 0.1
ERROR_ESTIMATE_MUCH = 0.3
MOST_TOOLS = 16
MOST_JAWS = 2
WORLD_MOST_LOCAL = 48
TICK_LIMITED_FORCE = 1
TICK_LIMITED_RATE = 2
TICK_DAMPED = 4
TICK_FAULT = 8
TICK_INDEXING = 16
TICK_TAKEN = 32  # tacTickReport.taken; a replay takes in the same ticks
REPLAY_FAR_SHARE = 0.01
REPLAY_FAR = 0.0001  # m
SERVO_LEAST_SPEED = 0.01
SERVO_MOST_ERROR_ESTIMATES = 32
SERVO_MOST_CONTACTS = 256
SERVO_MOST_COUPLED = 64
SCENE_FORMAT = 1  # the number that a file gives with its key `tactus`; no other is read


class Vec3(Struct):
    """tacVec3 of <tactus/base.h>."""

    x: float
    y: float
    z: float


define(Vec3, [
    ("x", c_double),
    ("y", c_double),
    ("z", c_double),
])


class Box(Struct):
    """An axis-aligned box; empty where a lower bound exceeds the upper one.

    tacBox of <tactus/base.h>."""

    lower: np.ndarray
    upper: np.ndarray


define(Box, [
    ("lower", Vec3),
    ("upper", Vec3),
])


class Grid(Struct):
    """The value at node (i, j, k), which lies at origin + spacing (i, j, k), is values[(k * ny + j) * nx + i].

    nx, ny, nz: nodes along each axis, at least 2
    spacing: metres, the same along each axis

    tacGrid of <tactus/base.h>."""

    nx: int
    ny: int
    nz: int
    origin: np.ndarray
    spacing: float
    values: Any


define(Grid, [
    ("nx", c_int),
    ("ny", c_int),
    ("nz", c_int),
    ("origin", Vec3),
    ("spacing", c_double),
    ("values", c_void_p),
])


class Status(IntEnum):
    """ERR_MEMORY: an allocation failed
    ERR_FILE: a file could not be opened, read or written
    ERR_FORMAT: a file's content is broken
    ERR_UNSUPPORTED: a file or request is valid but not something Tactus handles
    ERR_VERSION: a file was written by another version
    ERR_ARGUMENT: an argument is out of its range
    ERR_GEOMETRY: a mesh does not have the property that is needed (closed, not empty, ...)
    ERR_SINGULAR: a matrix is singular or not positive definite
    ERR_NO_CONVERGENCE: an iteration did not converge within its bound
    ERR_CANCELLED: the progress callback asked to stop
    ERR_CHECK: a bake's result did not pass its check (tacBakeChecks)

    tacStatus of <tactus/base.h>."""

    OK = 0
    ERR_MEMORY = 1
    ERR_FILE = 2
    ERR_FORMAT = 3
    ERR_UNSUPPORTED = 4
    ERR_VERSION = 5
    ERR_ARGUMENT = 6
    ERR_GEOMETRY = 7
    ERR_SINGULAR = 8
    ERR_NO_CONVERGENCE = 9
    ERR_CANCELLED = 10
    ERR_CHECK = 11


class Error(Struct):
    """tacError of <tactus/base.h>."""

    status: Status
    text: str


define(Error, [
    ("status", c_int, Status),
    ("text", c_char * 512),
])


class LogLevel(IntEnum):
    """tacLogLevel of <tactus/base.h>."""

    INFO = 0
    WARNING = 1

LogFn = CFUNCTYPE(None, c_int, c_char_p, c_void_p)

ProgressFn = CFUNCTYPE(c_bool, c_char_p, c_double, c_void_p)


class Progress(Struct):
    """Long functions take a `const tacProgress *` that may be NULL.

    tacProgress of <tactus/base.h>."""

    report: ProgressFn
    user: Any


define(Progress, [
    ("report", ProgressFn),
    ("user", c_void_p),
])


class BakeCheck(Struct):
    """what: what was compared with what, and in which unit: "forces with U^T f(U q)"
    samples: comparisons
    worst, allowed: errors, relative unless `what` says otherwise; good where worst <= allowed

    tacBakeCheck of <tactus/base.h>."""

    what: str
    samples: int
    worst: float
    allowed: float


define(BakeCheck, [
    ("what", c_char * 96),
    ("samples", c_int),
    ("worst", c_double),
    ("allowed", c_double),
])


class BakeChecks(Struct):
    """None for an asset that was not baked, such as a field from a caller's own samples.

    tacBakeChecks of <tactus/base.h>."""

    count: int
    checks: np.ndarray


define(BakeChecks, [
    ("count", c_int),
    ("checks", BakeCheck * 8),
])

PluginFn = CFUNCTYPE(c_bool, c_char_p, c_void_p)


class Layout(Struct):
    """type: "tacToolInput"
    field: "grab"; "": the struct itself
    size, offset: bytes

    tacLayout of <tactus/base.h>."""

    type: Optional[str]
    field: Optional[str]
    size: int
    offset: int


define(Layout, [
    ("type", c_char_p),
    ("field", c_char_p),
    ("size", c_size_t),
    ("offset", c_size_t),
])


class IndexSet(Struct):
    """A named list of vertices or elements of a mesh.

    name: owned, never NULL, unique within its list
    count: may be 0
    indices: owned, ascending, without repetition, counted from 0

    tacIndexSet of <tactus/mesh.h>."""

    name: Optional[str]
    count: int
    indices: Any


define(IndexSet, [
    ("name", c_char_p),
    ("count", c_int),
    ("indices", c_void_p),
])


class Triangle(Struct):
    """Corners counter-clockwise seen from outside, so that (b - a) x (c - a) points out of the solid.

    tacTriangle of <tactus/mesh.h>."""

    v: np.ndarray


define(Triangle, [
    ("v", c_int * 3),
])


class TriMesh(Struct):
    """A plain struct so that callers can fill it; every array is owned by the mesh and comes from malloc.

    group_count: named parts

    tacTriMesh of <tactus/mesh.h>."""

    vertex_count: int
    vertices: Any
    triangle_count: int
    triangles: Any
    group_count: int
    groups: Any


define(TriMesh, [
    ("vertex_count", c_int),
    ("vertices", c_void_p),
    ("triangle_count", c_int),
    ("triangles", c_void_p),
    ("group_count", c_int),
    ("groups", c_void_p),
])


class MassProperties(Struct):
    """What a rigid solid weighs, and how it resists being turned.

    volume: m^3
    mass: kg
    centre: of mass, m, in the frame of the surface
    inertia: about the centre, kg m^2, along the axes of that frame: sum of m (r.r 1 - r r^T)

    tacMassProperties of <tactus/mesh.h>."""

    volume: float
    mass: float
    centre: np.ndarray
    inertia: np.ndarray


define(MassProperties, [
    ("volume", c_double),
    ("mass", c_double),
    ("centre", Vec3),
    ("inertia", c_double * 3 * 3),
])


class Tet(Struct):
    """Positive volume: (b - a) x (c - a) . (d - a) > 0.

    tacTet of <tactus/mesh.h>."""

    v: np.ndarray


define(Tet, [
    ("v", c_int * 4),
])


class Brick(Struct):
    """Bottom face 0 1 2 3 counter-clockwise seen from above (from the top face), top face 4 5 6 7 above it: the VTK and
    Gmsh order.

    tacBrick of <tactus/mesh.h>."""

    v: np.ndarray


define(Brick, [
    ("v", c_int * 8),
])


class MeshMaterial(Struct):
    """tacMeshMaterial of <tactus/mesh.h>."""

    name: Optional[str]
    kind: Optional[str]
    parameter_count: int
    parameters: np.ndarray


define(MeshMaterial, [
    ("name", c_char_p),
    ("kind", c_char_p),
    ("parameter_count", c_int),
    ("parameters", c_double * 24),
])


class MeshRegion(Struct):
    """Elements of `group` have `material`; later regions override earlier ones.

    tacMeshRegion of <tactus/mesh.h>."""

    group: int
    material: int


define(MeshRegion, [
    ("group", c_int),
    ("material", c_int),
])


class VolMesh(Struct):
    """Elements are numbered tetrahedra first, then bricks: element e >= tet_count is bricks[e - tet_count]. A plain
    struct so that callers can fill it; every array is owned by the mesh and comes from malloc.

    group_count: of elements

    tacVolMesh of <tactus/mesh.h>."""

    vertex_count: int
    vertices: Any
    tet_count: int
    tets: Any
    brick_count: int
    bricks: Any
    group_count: int
    groups: Any
    vertex_set_count: int
    vertex_sets: Any
    material_count: int
    materials: Any
    region_count: int
    regions: Any


define(VolMesh, [
    ("vertex_count", c_int),
    ("vertices", c_void_p),
    ("tet_count", c_int),
    ("tets", c_void_p),
    ("brick_count", c_int),
    ("bricks", c_void_p),
    ("group_count", c_int),
    ("groups", c_void_p),
    ("vertex_set_count", c_int),
    ("vertex_sets", c_void_p),
    ("material_count", c_int),
    ("materials", c_void_p),
    ("region_count", c_int),
    ("regions", c_void_p),
])


class MeshContents(Struct):
    """Owns both; either may be NULL.

    tacMeshContents of <tactus/mesh.h>."""

    surface: Any
    volume: Any


define(MeshContents, [
    ("surface", c_void_p),
    ("volume", c_void_p),
])


class MeshFormat(IntEnum):
    """BY_NAME: from the path's ending: .obj .stl .ply .off .msh .vtk .vtu .veg .node .ele
    STL_BINARY: what .stl means
    PLY_BINARY: what .ply means; little-endian
    MSH41_ASCII: what .msh means
    VTK_BINARY: what .vtk means
    VTU_BINARY: what .vtu means
    TETGEN: writes both .node and .ele beside each other

    tacMeshFormat of <tactus/mesh.h>."""

    BY_NAME = 0
    OBJ = 1
    STL_ASCII = 2
    STL_BINARY = 3
    PLY_ASCII = 4
    PLY_BINARY = 5
    OFF = 6
    MSH1 = 7
    MSH22_ASCII = 8
    MSH22_BINARY = 9
    MSH41_ASCII = 10
    MSH41_BINARY = 11
    VTK_ASCII = 12
    VTK_BINARY = 13
    VTU_ASCII = 14
    VTU_BINARY = 15
    VEG = 16
    TETGEN = 17
    COUNT = 18


class SurfaceReport(Struct):
    """Is this mesh fit for use? Counts and measures of surfaces and volumes.

    duplicate_vertices: vertices at exactly the place of an earlier one
    duplicate_triangles: same three corners as an earlier one, in any order
    degenerate_triangles: repeated corner, or height below 1e-10 of the longest edge
    boundary_edges: in one triangle
    nonmanifold_edges: in three or more
    misoriented_edges: in two triangles that run along it in the same direction
    nonmanifold_vertices: whose triangles form more than one fan
    components: connected by shared vertices
    self_intersections: pairs of triangles that cross or overlap other than at shared corners or edges
    manifold: no non-manifold edge or vertex
    closed: not empty, every edge in exactly two triangles
    oriented: no misoriented edge
    inside_out: closed components that face inward and are the wall of no cavity; 0 where not closed
    genus: sum over components; -1 where the surface is not closed and manifold
    area, volume: m^2, m^3; volume is 0 where not closed
    solid_volume: that of tac_trimesh_solid_volume, less than `volume` where parts overlap; likewise
    centroid: of the solid where closed, of the surface elsewhere
    inertia: about the centroid at unit density, kg m^2; 0 where not closed
    smallest_angle, largest_angle: degrees

    tacSurfaceReport of <tactus/mesh.h>."""

    vertices: int
    triangles: int
    unused_vertices: int
    duplicate_vertices: int
    duplicate_triangles: int
    degenerate_triangles: int
    boundary_edges: int
    nonmanifold_edges: int
    misoriented_edges: int
    nonmanifold_vertices: int
    components: int
    self_intersections: int
    manifold: bool
    closed: bool
    oriented: bool
    inside_out: int
    genus: int
    area: float
    volume: float
    solid_volume: float
    centroid: np.ndarray
    inertia: np.ndarray
    shortest_edge: float
    longest_edge: float
    smallest_angle: float
    largest_angle: float
    box: Box


define(SurfaceReport, [
    ("vertices", c_int),
    ("triangles", c_int),
    ("unused_vertices", c_int),
    ("duplicate_vertices", c_int),
    ("duplicate_triangles", c_int),
    ("degenerate_triangles", c_int),
    ("boundary_edges", c_int),
    ("nonmanifold_edges", c_int),
    ("misoriented_edges", c_int),
    ("nonmanifold_vertices", c_int),
    ("components", c_int),
    ("self_intersections", c_int),
    ("manifold", c_bool),
    ("closed", c_bool),
    ("oriented", c_bool),
    ("inside_out", c_int),
    ("genus", c_int),
    ("area", c_double),
    ("volume", c_double),
    ("solid_volume", c_double),
    ("centroid", Vec3),
    ("inertia", c_double * 3 * 3),
    ("shortest_edge", c_double),
    ("longest_edge", c_double),
    ("smallest_angle", c_double),
    ("largest_angle", c_double),
    ("box", Box),
])


class VolumeReport(Struct):
    """inverted_elements: negative volume (tet), or a non-positive Jacobian at a corner (brick)
    degenerate_elements: volume below 1e-12 of the cube of the longest edge, or a repeated corner
    nonmanifold_faces: shared by three or more elements
    components: connected by shared faces
    inertia: about the centroid at unit density, kg m^2
    smallest_dihedral, largest_dihedral: degrees, over tetrahedra; 0 where there are none

    tacVolumeReport of <tactus/mesh.h>."""

    vertices: int
    tets: int
    bricks: int
    unused_vertices: int
    duplicate_elements: int
    inverted_elements: int
    degenerate_elements: int
    nonmanifold_faces: int
    components: int
    volume: float
    centroid: np.ndarray
    inertia: np.ndarray
    smallest_dihedral: float
    largest_dihedral: float
    shortest_edge: float
    longest_edge: float
    box: Box


define(VolumeReport, [
    ("vertices", c_int),
    ("tets", c_int),
    ("bricks", c_int),
    ("unused_vertices", c_int),
    ("duplicate_elements", c_int),
    ("inverted_elements", c_int),
    ("degenerate_elements", c_int),
    ("nonmanifold_faces", c_int),
    ("components", c_int),
    ("volume", c_double),
    ("centroid", Vec3),
    ("inertia", c_double * 3 * 3),
    ("smallest_dihedral", c_double),
    ("largest_dihedral", c_double),
    ("shortest_edge", c_double),
    ("longest_edge", c_double),
    ("box", Box),
])


class RepairDef(Struct):
    """Mends what can be mended in a surface without changing its shape.

    weld: vertices within this distance become one; metres, 0 welds only exact repetitions

    tacRepairDef of <tactus/mesh.h>."""

    weld: float


define(RepairDef, [
    ("weld", c_double),
])


class RepairReport(Struct):
    """welded_vertices, removed_vertices: removed: used by no triangle
    removed_triangles: degenerate or repeated; not the walls where closed parts touch
    flipped_triangles: to orient each component consistently, outward where it is closed
    filled_holes: boundary loops closed by triangles

    tacRepairReport of <tactus/mesh.h>."""

    welded_vertices: int
    removed_vertices: int
    removed_triangles: int
    flipped_triangles: int
    filled_holes: int


define(RepairReport, [
    ("welded_vertices", c_int),
    ("removed_vertices", c_int),
    ("removed_triangles", c_int),
    ("flipped_triangles", c_int),
    ("filled_holes", c_int),
])


class FieldDef(Struct):
    """Builds distance fields from meshes. Offline.

    resolution: voxels along each side of the cube; nodes are one more
    expansion: side of the cube over the longest side of the mesh's box (thesis 3.11: 1.5)
    offset: of a soup: metres from its polygons to the surface; 0 means 1.4 voxels (thesis Fig. 3.15)
    band: voxels from the surface within which nodes are exact; infinity: all, up to 6 times slower
    thread_count: 0: one for each core

    tacFieldDef of <tactus/distance_field.h>."""

    resolution: int
    expansion: float
    offset: float
    band: float
    thread_count: int


define(FieldDef, [
    ("resolution", c_int),
    ("expansion", c_double),
    ("offset", c_double),
    ("band", c_double),
    ("thread_count", c_int),
])


class PointshellDef(Struct):
    """point_count: of all levels together; default 65536
    level_count: default 0: so many that the first has about 300 points. Each has 4 times the points of the one before
    thread_count: 0: one for each core. The result does not depend on it

    tacPointshellDef of <tactus/pointshell.h>."""

    point_count: int
    level_count: int
    thread_count: int


define(PointshellDef, [
    ("point_count", c_int),
    ("level_count", c_int),
    ("thread_count", c_int),
])


class StressSum(Struct):
    """Scratch of one vertex: the sum over its triangles.

    stress: Pa m^2: xx, yy, zz, yz, zx, xy, times the weight
    weight: m^2, twice the area

    tacStressSum of <tactus/body.h>."""

    stress: np.ndarray
    weight: float


define(StressSum, [
    ("stress", c_double * 6),
    ("weight", c_double),
])


class Pose(Struct):
    """orientation: unit quaternion w, x, y, z

    tacPose of <tactus/body.h>."""

    position: np.ndarray
    orientation: np.ndarray


define(Pose, [
    ("position", Vec3),
    ("orientation", c_double * 4),
])


class SiteKind(IntEnum):
    """A material place of a body; plain data.

    FRAME: moves with the frame alone
    SURFACE: in a triangle of the surface
    SHELL: a point of its shell
    FIELD: under a proxy of its field
    PATCH: a mean over vertices of the surface. Only kinds that answer as the compliance of a step are asked for it
    TIP: in a triangle of the surface, under a fingertip. Only kinds with `meet_fingertip` are asked for it

    tacSiteKind of <tactus/body.h>."""

    FRAME = 0
    SURFACE = 1
    SHELL = 2
    FIELD = 3
    PATCH = 4
    TIP = 5


class Site(Struct):
    """kind: tacSiteKind
    index: SURFACE, TIP: triangle; SHELL: point; FIELD: 65536 domain + proxy; PATCH: which of tacBodyStep.patches
    at: SURFACE, TIP: weights of the corners; FRAME and FIELD: the place at rest, m

    tacSite of <tactus/body.h>."""

    kind: int
    index: int
    at: np.ndarray


define(Site, [
    ("kind", c_int32),
    ("index", c_int32),
    ("at", Vec3),
])


class Patch(Struct):
    """Where a fingertip presses: the displacement of the patch is sum w_i u_i, a force f on it is w_i f at each vertex.

    vertex: of the surface, each once
    corner: 3 triangle + corner: where the vertex is one
    weight: w_i, positive; they sum to 1

    tacPatch of <tactus/body.h>."""

    count: int
    vertex: np.ndarray
    corner: np.ndarray
    weight: np.ndarray


define(Patch, [
    ("count", c_int32),
    ("vertex", c_int32 * 96),
    ("corner", c_int32 * 96),
    ("weight", c_double * 96),
])


class Inertia(Struct):
    """mass: kg
    centre: of mass, m
    moments: about the centre, kg m^2

    tacInertia of <tactus/body.h>."""

    mass: float
    centre: np.ndarray
    moments: np.ndarray


define(Inertia, [
    ("mass", c_double),
    ("centre", Vec3),
    ("moments", c_double * 3 * 3),
])


class Parameter(Struct):
    """What may be changed while a world is used.

    name: "kidney.stiffness"; of a body alone without its name: "stiffness"
    label, unit: "stiffness"; "" or "m"
    value: now
    in_tick: may be set between steps; else only while no other thread uses the world: it takes time

    tacParameter of <tactus/body.h>."""

    name: str
    label: Optional[str]
    unit: Optional[str]
    value: float
    in_tick: bool


define(Parameter, [
    ("name", c_char * 160),
    ("label", c_char_p),
    ("unit", c_char_p),
    ("value", c_double),
    ("in_tick", c_bool),
])


class BodyStep(Struct):
    """length: h, s
    gravity: m/s^2, by which it deforms; zero where it falls freely
    euler: implicit Euler, v = d / h at the end, as contact laws ask; else what the kind does best
    springs: the last so many sites of a step are those of point tools: f = f0 - K u, f0 as it began
    spring: K of them, [springs][3][3], N/m, with what their damping has in this step
    patches: of sites that are patches

    tacBodyStep of <tactus/body.h>."""

    length: float
    gravity: np.ndarray
    euler: bool
    springs: int
    spring: Any
    patches: Any


define(BodyStep, [
    ("length", c_double),
    ("gravity", Vec3),
    ("euler", c_bool),
    ("springs", c_int),
    ("spring", c_void_p),
    ("patches", c_void_p),
])


class BodyFinish(Struct):
    """limited: the motion was shortened
    refused: it was not finite or far too large: the body was brought to rest where it was

    tacBodyFinish of <tactus/body.h>."""

    limited: bool
    refused: bool


define(BodyFinish, [
    ("limited", c_bool),
    ("refused", c_bool),
])


class BodyShown(IntEnum):
    """How a body is shown.

    RIGID: a surface that moves as a whole
    COORDINATES: coordinates q and a texture of displacements: u = U q
    VERTICES: vertices

    tacBodyShown of <tactus/body.h>."""

    RIGID = 0
    COORDINATES = 1
    VERTICES = 2


class Colouring(IntEnum):
    """What a body's surface may be coloured by.

    STRESS: von Mises stress, Pa
    STRETCH: the largest principal stretch; 1 at rest

    tacColouring of <tactus/body.h>."""

    STRESS = 0
    STRETCH = 1


class ShownNumber(Struct):
    """A number of the shown part of a state that means something by itself.

    label, unit: "factor's age", "steps"
    at: where it is

    tacShownNumber of <tactus/body.h>."""

    label: Optional[str]
    unit: Optional[str]
    at: int


define(ShownNumber, [
    ("label", c_char_p),
    ("unit", c_char_p),
    ("at", c_int),
])


class ShownBasis(Struct):
    """How a body with coordinates is shown: its surface at rest, and how that moves with the coordinates q [size], the
    first numbers of its state. The arrays belong to the asset that the body is made of: bodies of one asset have the
    same `displacements`.

    size: r
    is_free: no vertex is held: it moves as a whole, too
    surface: at rest, body's frame
    fixed: [vertex]: it cannot move
    displacements: U, [vertex][axis][r]: a vertex moves by U q
    normals: [vertex], at rest: unit, outward
    normal_changes: N, [vertex][axis][r]: the deformed normal has the direction n + N q

    tacShownBasis of <tactus/body.h>."""

    size: int
    is_free: bool
    surface: Any
    fixed: Any
    displacements: Any
    normals: Any
    normal_changes: Any


define(ShownBasis, [
    ("size", c_int),
    ("is_free", c_bool),
    ("surface", c_void_p),
    ("fixed", c_void_p),
    ("displacements", c_void_p),
    ("normals", c_void_p),
    ("normal_changes", c_void_p),
])


class ShownShape(Struct):
    """A shape that a basis was made from, such as a vibration mode.

    coordinates: [r]

    tacShownShape of <tactus/body.h>."""

    label: Optional[str]
    coordinates: Any


define(ShownShape, [
    ("label", c_char_p),
    ("coordinates", c_void_p),
])


class ShownSensor(Struct):
    """A sensor inside of a body.

    name: may be empty
    quantity, unit: "displacement", "m"
    row_count: numbers: 3 of a displacement, 6 of a stress (xx yy zz yz zx xy)

    tacShownSensor of <tactus/body.h>."""

    name: Optional[str]
    quantity: Optional[str]
    unit: Optional[str]
    row_count: int


define(ShownSensor, [
    ("name", c_char_p),
    ("quantity", c_char_p),
    ("unit", c_char_p),
    ("row_count", c_int),
])


class KnownLoads(Struct):
    """Single forces on a surface to which a kind knows its answer.

    count: vertices where they act
    most: N: the largest size
    direction: unit, body's frame; zero: any

    tacKnownLoads of <tactus/body.h>."""

    count: int
    most: float
    direction: np.ndarray


define(KnownLoads, [
    ("count", c_int),
    ("most", c_double),
    ("direction", Vec3),
])


class BodyDescription(Struct):
    """What a body is made of. Numbers and pointers stay the same for its life; what pointers point to may change in
    steps.

    surface: at rest
    fixed: [vertex]: it does not move; NULL: every vertex may
    points: For distributed contact; each may be NULL. Points that deform take the coordinates `points_q`.
    field: at rest
    state, shown: numbers of the state; so many of the first of them are enough to show the body
    parameters: that may be changed
    coordinates: n, at most TAC_BODY_MOST_COORDINATES; 0: it does not answer in coordinates
    iterations: of Newton's method in a step; 0: 1
    sites: at most so many in a step, of bodies that answer as the compliance of a step
    rates: [n], the velocities of the coordinates, where contacts need a damper; NULL: they need none
    stiffness, tip_stiffness: N/m: the largest eigenvalue of `stiffness` of any vertex now, of points and of the
    fingertips that it met; 0: not known
    method: how its model was solved, "finite elements", where the name of its kind does not say it; else NULL

    tacBodyDescription of <tactus/body.h>."""

    surface: Any
    fixed: Any
    points: Any
    points_q: Any
    field: Any
    deformed_field: Any
    state: int
    shown: int
    parameters: int
    coordinates: int
    iterations: int
    sites: int
    rates: Any
    stiffness: float
    tip_stiffness: float
    method: Optional[str]


define(BodyDescription, [
    ("surface", c_void_p),
    ("fixed", c_void_p),
    ("points", c_void_p),
    ("points_q", c_void_p),
    ("field", c_void_p),
    ("deformed_field", c_void_p),
    ("state", c_int),
    ("shown", c_int),
    ("parameters", c_int),
    ("coordinates", c_int),
    ("iterations", c_int),
    ("sites", c_int),
    ("rates", c_void_p),
    ("stiffness", c_double),
    ("tip_stiffness", c_double),
    ("method", c_char_p),
])


class BodyBounds(Struct):
    """How far a body is from rest, at most.

    swelling: m: of any vertex from its place at rest
    fastest: m/s: of any vertex; 0: not known

    tacBodyBounds of <tactus/body.h>."""

    swelling: float
    fastest: float


define(BodyBounds, [
    ("swelling", c_double),
    ("fastest", c_double),
])


class BodyLooks(Struct):
    """What is shown of a body. All functions may be NULL. Any thread unless it says otherwise; not part of a tick but
    for `vertices`.

    vertices: Of a state's shown part (NULL: at rest), all vertices. NULL: the surface at rest.
    colours: One thread at a time, which may be another than that which steps: likewise, with the vertices as
    `vertices` computes them, the value by which each is coloured. `room` has one for each vertex. False: not known;
    NULL: stress is not known, and stretch is that of the surface.
    number: These three list something, of the index 0, 1, ... until false: numbers of the shown part that mean
    something by themselves; shapes that the basis was made from; sensors, whose rows `displace` computes one after
    the other.
    basis: Of bodies that are shown by coordinates; false for all others.
    covers: Whether the kind knows its answer to a force of this size and direction (N, body's frame) without
    guessing; the sum of what presses the body is then kept and shown. NULL: it has no such bounds.
    known_loads: The single forces that it knows its answer to, and what one of the largest size along each axis at a
    vertex adds to a coordinate, without its nonlinear part; false: none acts there.
    tractions: `displace` computes them

    tacBodyLooks of <tactus/body.h>."""

    vertices: Any
    colours: Any
    number: Any
    shape: Any
    sensor: Any
    basis: Any
    covers: Any
    known_loads: Any
    load_mode: Any
    tractions: bool


define(BodyLooks, [
    ("vertices", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)),
    ("colours", CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p, c_int, c_void_p, c_void_p)),
    ("number", CFUNCTYPE(c_bool, c_void_p, c_int, c_void_p)),
    ("shape", CFUNCTYPE(c_bool, c_void_p, c_int, c_void_p)),
    ("sensor", CFUNCTYPE(c_bool, c_void_p, c_int, c_void_p)),
    ("basis", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
    ("covers", CFUNCTYPE(c_bool, c_void_p, Vec3)),
    ("known_loads", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
    ("load_mode", CFUNCTYPE(c_bool, c_void_p, c_int, c_int, c_void_p)),
    ("tractions", c_bool),
])


class BodyThread(Struct):
    """Of bodies with a separate thread; all are needed.

    start: Load phase: it begins, and ends. Without it, `prepare` does what it would do.
    ready: any thread: it has something to be taken before the next step
    prepare: takes it: first in a step, where `ready` said so; an event of the recording

    tacBodyThread of <tactus/body.h>."""

    start: Any
    stop: Any
    ready: Any
    prepare: Any


define(BodyThread, [
    ("start", CFUNCTYPE(c_int, c_void_p, c_void_p)),
    ("stop", CFUNCTYPE(None, c_void_p)),
    ("ready", CFUNCTYPE(c_bool, c_void_p)),
    ("prepare", CFUNCTYPE(None, c_void_p)),
])


class BodyTable(Struct):
    """version: TAC_BODY_TABLE_VERSION
    destroy: NULL is allowed
    reset: at rest, undeformed; parameters stay
    describe: any thread
    save: The state as plain numbers; both NULL where the body has none. the first `count` numbers
    load: all; false, unchanged, where they make no sense
    parameter: these two: NULL where it has none
    inertia: NULL or false: it has no mass and cannot be free
    material: Young's modulus (Pa) and Poisson's ratio of what lies under a vertex, as it is now: how far a fingertip
    dents it beyond what the kind resolves. NULL or false: not known, and nothing is added.
    meet_fingertip: Fingertips of this radius (m) will touch it; the world numbers its radii 1, 2, ... Kinds that
    answer as a compliance find the stiffness that these feel. Before the first step. NULL: nothing is to be done.
    vertex_normal: outward; its length does not matter
    bounds: NULL: no vertex moves
    linearise: A [n][n], symmetric, and b [n], about the motion so far of this step. May be asked between steps, too:
    how would it answer? false: not finite
    move: adds to the motion of this step
    advance: The whole step of a body on which nothing acts; NULL: by the functions above.
    rows: [3][n]: d(place) by coordinates. Of a point of a shell with n coordinates these are the shell's.
    begin_step: Begins a step in which forces act at `count` sites: the motion of each in that step, m, under these
    forces (N; those of the step before: exact there), and how it changes with them: c [3 count][3 count], m/N,
    symmetric, as well as it is known.
    move_again: Within it, where c is not that of the body's equations: the motion of the same sites under other
    forces, N, by the equations. Contacts are then solved again from there, so that what c errs by counts twice.
    False, or NULL: c is as good.
    end_step: Ends it with the forces that act there, N, on the same sites.
    give_way: Between steps: how sites would give way in the next. Without sites, before the first step and after a
    reset: what a tick must not do, such as a first factor, is done here.
    foresee: Between steps: the motion of sites in the next step and in the one after it, m, under forces that act in
    both, N; `whole`: from the state as it is; else what these forces do beside. Of fingers that press it between its
    steps; NULL: they press what does not go on.
    velocity: m/s
    compliance: m/N; false: not known. On a surface it is linear in the weights of either site: what is between
    corners is interpolated.
    stiffness: The stiffness that a tool feels at a vertex: a point (`tip` 0), or the fingertip of that number
    (`meet_fingertip`); NULL: that of the world's tools alone.
    displace: Any thread: what forces at sites do to all vertices (m), to the tractions there (Pa), and to its
    sensors. Each of the three may be NULL.
    energy: J: what its coordinates hold, elastic and kinetic, less the work of the step's gravity on how far they are
    from rest; what its frame holds the world knows. Once a step, in a part of its time. Not a number: it does not
    know. NULL: it never holds any, or does not know.
    error_estimate: How far the present state is expected to be from that of the full model that the body stands for,
    under the same loads and at rest: |u - u_full| / |u_full| in the root of the mean square over the surface; 0.1 is
    10 %. Of a body without a state, under these forces at its surface; else there are none. In every eighth tick, in
    a fraction of a microsecond. Negative or not a number: it does not know. NULL: nothing is known, and nothing said.
    error_cause: what is wrong then, "displacements are beyond ...", and what to do; each may be NULL
    looks: NULL: it is shown by its surface at rest
    thread: NULL: it has none
    pads: NULL: they cannot take hold of it

    tacBodyTable of <tactus/body.h>."""

    version: int
    destroy: Any
    reset: Any
    describe: Any
    save: Any
    load: Any
    parameter: Any
    set_parameter: Any
    inertia: Any
    material: Any
    meet_fingertip: Any
    vertex: Any
    vertex_normal: Any
    place: Any
    bounds: Any
    linearise: Any
    move: Any
    finish: Any
    advance: Any
    rows: Any
    begin_step: Any
    move_again: Any
    end_step: Any
    give_way: Any
    foresee: Any
    velocity: Any
    compliance: Any
    stiffness: Any
    displace: Any
    energy: Any
    error_estimate: Any
    error_cause: Optional[str]
    remedy: Optional[str]
    looks: Any
    thread: Any
    pads: Any


define(BodyTable, [
    ("version", c_uint32),
    ("destroy", CFUNCTYPE(None, c_void_p)),
    ("reset", CFUNCTYPE(None, c_void_p)),
    ("describe", CFUNCTYPE(BodyDescription, c_void_p)),
    ("save", CFUNCTYPE(None, c_void_p, c_int, c_void_p)),
    ("load", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
    ("parameter", CFUNCTYPE(Parameter, c_void_p, c_int)),
    ("set_parameter", CFUNCTYPE(c_int, c_void_p, c_int, c_double, c_void_p)),
    ("inertia", CFUNCTYPE(c_bool, c_void_p, c_void_p)),
    ("material", CFUNCTYPE(c_bool, c_void_p, c_int, c_void_p, c_void_p)),
    ("meet_fingertip", CFUNCTYPE(c_int, c_void_p, c_int, c_double, c_void_p)),
    ("vertex", CFUNCTYPE(Vec3, c_void_p, c_int)),
    ("vertex_normal", CFUNCTYPE(Vec3, c_void_p, c_int)),
    ("place", CFUNCTYPE(Vec3, c_void_p, c_void_p)),
    ("bounds", CFUNCTYPE(BodyBounds, c_void_p)),
    ("linearise", CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p, c_void_p)),
    ("move", CFUNCTYPE(None, c_void_p, c_void_p)),
    ("finish", CFUNCTYPE(BodyFinish, c_void_p, c_void_p)),
    ("advance", CFUNCTYPE(BodyFinish, c_void_p, c_void_p)),
    ("rows", CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)),
    ("begin_step", CFUNCTYPE(None, c_void_p, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p)),
    ("move_again", CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p, c_void_p)),
    ("end_step", CFUNCTYPE(BodyFinish, c_void_p, c_void_p, c_void_p)),
    ("give_way", CFUNCTYPE(None, c_void_p, c_void_p, c_int, c_void_p, c_void_p)),
    ("foresee", CFUNCTYPE(None, c_void_p, c_void_p, c_bool, c_int, c_void_p, c_void_p, c_void_p, c_void_p)),
    ("velocity", CFUNCTYPE(Vec3, c_void_p, c_void_p)),
    ("compliance", CFUNCTYPE(c_bool, c_void_p, c_void_p, c_void_p, c_void_p)),
    ("stiffness", CFUNCTYPE(c_void_p, c_void_p, c_int, c_int)),
    ("displace", CFUNCTYPE(None, c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p)),
    ("energy", CFUNCTYPE(c_double, c_void_p)),
    ("error_estimate", CFUNCTYPE(c_double, c_void_p, c_int, c_void_p, c_void_p)),
    ("error_cause", c_char_p),
    ("remedy", c_char_p),
    ("looks", c_void_p),
    ("thread", c_void_p),
    ("pads", c_void_p),
])


class KeyType(IntEnum):
    """What the value of a key is, and what it becomes in the record.

    NUMBER: double, SI; with a unit where the key has one
    VECTOR: double[count], likewise: [1 mm, 2 mm, 3 mm]
    COUNT: int
    FLAG: bool: true or false
    TEXT: const char *, not empty
    PATH: const char *: a file; in the record as seen from where the program runs

    tacKeyType of <tactus/body_kind.h>."""

    NUMBER = 0
    VECTOR = 1
    COUNT = 2
    FLAG = 3
    TEXT = 4
    PATH = 5


class BodyKey(Struct):
    """A key of a body of the kind. All bodies of registered kinds have name, kind, position, rotation, friction, touch,
    contact, free, velocity, spin, gravity, every and copies as well, and as far as the kind takes them surface,
    points and field: such names are not for keys of one's own.

    offset: of its value in the record
    unit: of numbers and vectors: that of SI ("m", "N/m", "N/m3"); NULL or "": plain numbers
    least, most: of numbers, of each of a vector, of counts; both 0: any. Counts need them
    count: of a vector; 1 to TAC_BODY_KIND_MOST_VALUES
    required: else what `defaults` has there

    tacBodyKey of <tactus/body_kind.h>."""

    name: Optional[str]
    type: KeyType
    offset: int
    unit: Optional[str]
    least: float
    most: float
    count: int
    required: bool


define(BodyKey, [
    ("name", c_char_p),
    ("type", c_int, KeyType),
    ("offset", c_size_t),
    ("unit", c_char_p),
    ("least", c_double),
    ("most", c_double),
    ("count", c_int),
    ("required", c_bool),
])


class BodyGiven(Struct):
    """What a scene says of a body beside the keys of its kind.

    endless: one of its exact solids has no end: a plane

    tacBodyGiven of <tactus/body_kind.h>."""

    free: bool
    endless: bool


define(BodyGiven, [
    ("free", c_bool),
    ("endless", c_bool),
])


class BodyCreate(Struct):
    """What a body is made in; texts live as long as the call, meshes and assets longer than the body.

    name: of the body, for errors
    folder: of the scene; "." where it has none
    surface: that the scene gives, or that of its exact solids, in the body's frame; NULL: none
    points: made of the body's surface, at rest; NULL: the scene asks for none, or does not have it yet
    field: likewise

    tacBodyCreate of <tactus/body_kind.h>."""

    name: Optional[str]
    folder: Optional[str]
    surface: Any
    points: Any
    field: Any


define(BodyCreate, [
    ("name", c_char_p),
    ("folder", c_char_p),
    ("surface", c_void_p),
    ("points", c_void_p),
    ("field", c_void_p),
])


class BodyDraft(Struct):
    """A first body of the kind, as `tactus new` writes it for an organ: what is known of the organ.

    surface, material, fixed: lines of a scene, with their ends, as they go below a body
    tissue: name of its material: "liver"
    volume: that the surface encloses, m^3
    thickness: which a tenth of the surface is below, m
    edge: mean length of the surface's edges, m
    finger: radius of what presses it, m

    tacBodyDraft of <tactus/body_kind.h>."""

    surface: Optional[str]
    material: Optional[str]
    fixed: Optional[str]
    tissue: Optional[str]
    volume: float
    thickness: float
    edge: float
    finger: float


define(BodyDraft, [
    ("surface", c_char_p),
    ("material", c_char_p),
    ("fixed", c_char_p),
    ("tissue", c_char_p),
    ("volume", c_double),
    ("thickness", c_double),
    ("edge", c_double),
    ("finger", c_double),
])


class DraftUse(IntEnum):
    """Which organs the kind is chosen for, where nobody asks for a kind.

    ON_REQUEST: none
    THIN: too thin for boundary elements
    HARD: stiffer than any device renders

    tacDraftUse of <tactus/body_kind.h>."""

    ON_REQUEST = 0
    USUAL = 1
    THIN = 2
    HARD = 3


class BodyDrafter(Struct):
    """use: of several kinds the first is taken
    held: it writes `fixed`
    rate: Hz: of the bodies' steps; 0: that of the servo
    write: Writes the lines of a body after its name into `text`, as snprintf does, with an explanation each.

    tacBodyDrafter of <tactus/body_kind.h>."""

    use: DraftUse
    held: bool
    rate: float
    write: Any


define(BodyDrafter, [
    ("use", c_int, DraftUse),
    ("held", c_bool),
    ("rate", c_double),
    ("write", CFUNCTYPE(None, c_void_p, c_char_p, c_size_t)),
])


class BodyKind(Struct):
    """version: TAC_BODY_KIND_VERSION
    name: the value of `kind` in scenes: up to 64 letters, digits, '-', '_' and '.'
    summary: one line, for people
    record_size: bytes, at most TAC_BODY_KIND_MOST_RECORD
    defaults: a record; NULL: zeros
    takes_surface, takes_points, takes_field: from the scene
    makes_field: of kinds that take none: their bodies have one
    takes_analytic: exact solids in place of a surface, and of a field: one of the two is required then
    check: What a key alone cannot say; NULL: nothing. What is wrong goes to `error`, and to `key` the key whose line
    is to blame, or NULL: the body's.
    create: Makes a body at rest, whose `self` the table's destroy frees. The scene calls it first without points and
    field, for the body's surface, which they are then made of, and later once for every body that is added to a
    world: the same record gives the same body. On failure fills `error` and returns other than TAC_OK. Any thread,
    several at a time.
    shown: TAC_SHOWN_VERTICES, or TAC_SHOWN_RIGID where it never deforms
    scene: Of kinds that bake assets of their own, and are built with the library: what scenes know of them instead of
    keys, record and create. NULL for all others.
    drafter: NULL: `tactus new` writes no body of it

    tacBodyKind of <tactus/body_kind.h>."""

    version: int
    name: Optional[str]
    summary: Optional[str]
    key_count: int
    keys: Any
    record_size: int
    defaults: Any
    takes_surface: bool
    takes_points: bool
    takes_field: bool
    makes_field: bool
    takes_analytic: bool
    check: Any
    create: Any
    table: Any
    shown: BodyShown
    scene: Any
    drafter: Any


define(BodyKind, [
    ("version", c_uint32),
    ("name", c_char_p),
    ("summary", c_char_p),
    ("key_count", c_int),
    ("keys", c_void_p),
    ("record_size", c_size_t),
    ("defaults", c_void_p),
    ("takes_surface", c_bool),
    ("takes_points", c_bool),
    ("takes_field", c_bool),
    ("makes_field", c_bool),
    ("takes_analytic", c_bool),
    ("check", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p)),
    ("create", CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_void_p)),
    ("table", c_void_p),
    ("shown", c_int, BodyShown),
    ("scene", c_void_p),
    ("drafter", c_void_p),
])


class ContactMethod(IntEnum):
    """How a contact is closed: by a spring that gives way, or by the laws of Signorini and Coulomb themselves.

    tacContactMethod of <tactus/contact.h>."""

    PENALTY = 0
    SIGNORINI = 1


class Detection(IntEnum):
    """Where contacts that obey laws are looked for: points of one body in the field of the other, or vertices and edges
    of one surface against faces and edges of the other, both as they are deformed.

    tacDetection of <tactus/contact.h>."""

    POINTS = 0
    SURFACES = 1


class LawsDef(Struct):
    """Contacts of two bodies that obey laws.

    patch: so many of them at most, 1 to TAC_LAWS_MOST_PATCH; 0, the default: 8, and 4 of two rigid bodies
    restitution: 0 to 1: what is left of the speed with which they met, above 20 mm/s; default 0
    detect: default points

    tacLawsDef of <tactus/contact.h>."""

    patch: int
    restitution: float
    detect: Detection


define(LawsDef, [
    ("patch", c_int),
    ("restitution", c_double),
    ("detect", c_int, Detection),
])


class ContactState(IntEnum):
    """tacContactState of <tactus/contact.h>."""

    NONE = 0
    STICKS = 1
    SLIDES = 2
    GRABBED = 3


class PadHold(IntEnum):
    """How a pad holds a patch of a body's surface.

    STICK: Glued: takes the vertices within the radius once, at the shape that the surface then has, and keeps them.
    PRESS: A plate: takes what comes through its plane, within its radius and as long as it presses: no tension, no
    penetration when at rest, Coulomb friction at each vertex.

    tacPadHold of <tactus/contact.h>."""

    STICK = 0
    PRESS = 1


class Contact(Struct):
    """Where a tool touches (James and Pai 2001, Figure 8).

    body: index
    triangle: -1: of a held body or of pads, which touch at many places; `at`, `normal` and `force` are their mean and
    sum
    weight: barycentric coordinates of x^C in the triangle
    at: x^C, undeformed surface, world frame
    normal: n^C, outward, smooth across triangles
    deformed: x^E, the image of x^C on the deformed surface: the proxy
    force: on the body by the tool, N

    tacContact of <tactus/contact.h>."""

    state: ContactState
    body: int
    triangle: int
    weight: np.ndarray
    at: np.ndarray
    normal: np.ndarray
    deformed: np.ndarray
    force: np.ndarray


define(Contact, [
    ("state", c_int, ContactState),
    ("body", c_uint32),
    ("triangle", c_int32),
    ("weight", c_double * 3),
    ("at", Vec3),
    ("normal", Vec3),
    ("deformed", Vec3),
    ("force", Vec3),
])


class DeviceInfo(Struct):
    """name: for people
    dof: 3: force; 6: force and torque
    workspace: m, device frame
    force_limit: N, length of the largest force that it renders
    torque_limit: N m; 0 for 3 dof
    stiffness_limit: N/m, the largest that it renders stably at 1 kHz
    resolution: m, of the position; 0: unknown

    tacDeviceInfo of <tactus/device.h>."""

    name: str
    dof: int
    workspace: Box
    force_limit: float
    torque_limit: float
    stiffness_limit: float
    resolution: float


define(DeviceInfo, [
    ("name", c_char * 64),
    ("dof", c_int),
    ("workspace", Box),
    ("force_limit", c_double),
    ("torque_limit", c_double),
    ("stiffness_limit", c_double),
    ("resolution", c_double),
])


class DeviceState(Struct):
    """orientation: unit quaternion w, x, y, z

    tacDeviceState of <tactus/device.h>."""

    position: np.ndarray
    orientation: np.ndarray
    buttons: int


define(DeviceState, [
    ("position", Vec3),
    ("orientation", c_double * 4),
    ("buttons", c_uint32),
])


class DeviceHealth(IntEnum):
    """LATE: no new state since the last read; the state is the last one
    LOST: gone for good
    DONE: a trajectory came to its end: an orderly stop

    tacDeviceHealth of <tactus/device.h>."""

    FINE = 0
    LATE = 1
    LOST = 2
    DONE = 3


class DeviceDriver(Struct):
    """abi: TAC_DEVICE_ABI
    open: `options` is the text of the scene's `options` key, "" where there is none. `period` is the servo's,
    seconds. On failure fills `error` and returns other than TAC_OK.
    read: Ticks: each is called once a tick, first read, then write; neither may block, allocate or wait.
    write: on the hand

    tacDeviceDriver of <tactus/device.h>."""

    abi: int
    name: Optional[str]
    summary: Optional[str]
    open: Any
    close: Any
    read: Any
    write: Any


define(DeviceDriver, [
    ("abi", c_uint32),
    ("name", c_char_p),
    ("summary", c_char_p),
    ("open", CFUNCTYPE(c_int, c_char_p, c_double, c_void_p, c_void_p, c_void_p)),
    ("close", CFUNCTYPE(None, c_void_p)),
    ("read", CFUNCTYPE(c_int, c_void_p, c_void_p)),
    ("write", CFUNCTYPE(None, c_void_p, Vec3, Vec3)),
])


class DeviceProbe(Struct):
    """ready: what the driver needs is there
    needs: the library or service that it needs and where that was found, or how to get it
    count: devices that answer,
    found: the first of them by what tells them apart

    tacDeviceProbe of <tactus/device.h>."""

    ready: bool
    needs: str
    count: int
    found: np.ndarray


define(DeviceProbe, [
    ("ready", c_bool),
    ("needs", c_char * 320),
    ("count", c_int),
    ("found", c_char * 64 * 8),
])


class DeviceExtras(Struct):
    """What a driver may export beside its table, as

        const tacDeviceExtras *tac_device_extras(void);

    Members may be NULL. None is called in ticks.

    abi: TAC_DEVICE_ABI
    probe: gets a zeroed one
    trouble: why the device was lost, "" where it was not

    tacDeviceExtras of <tactus/device.h>."""

    abi: int
    probe: Any
    trouble: Any


define(DeviceExtras, [
    ("abi", c_uint32),
    ("probe", CFUNCTYPE(None, c_char_p, c_void_p)),
    ("trouble", CFUNCTYPE(None, c_void_p, c_char_p, c_size_t)),
])


class Device(Struct):
    """library: of tac_device_load
    extras: likewise; NULL: the driver has none

    tacDevice of <tactus/device.h>."""

    driver: Any
    self: Any
    info: DeviceInfo
    library: Any
    extras: Any


define(Device, [
    ("driver", c_void_p),
    ("self", c_void_p),
    ("info", DeviceInfo),
    ("library", c_void_p),
    ("extras", c_void_p),
])


class DriverFile(Struct):
    """Drivers that are known by name: the files NAME.so in $TACTUS_DRIVERS, in `drivers` beside the program, and where
    the program or the library is installed (lib/tactus/drivers). Each name once, the one that tac_device_load takes.
    Returns how many there are, of which the first `most` are filled in. Loads nothing.

    tacDriverFile of <tactus/device.h>."""

    name: str
    path: str


define(DriverFile, [
    ("name", c_char * 64),
    ("path", c_char * 1024),
])


class TrajectoryPoint(Struct):
    """tacTrajectoryPoint of <tactus/device.h>."""

    time: float
    position: np.ndarray
    orientation: np.ndarray
    buttons: int


define(TrajectoryPoint, [
    ("time", c_double),
    ("position", Vec3),
    ("orientation", c_double * 4),
    ("buttons", c_uint32),
])


class OperatorDef(Struct):
    """A simulated hand and device in closed loop. The hand wants to follow a path: a spring and damper pull the device's
    handle towards it; the handle's mass moves under hand, damping and the rendered force, held constant between ticks
    (zero-order hold) and cut at the device's limit; the position is read through an encoder. Integrated in steps of
    `substep`.

    info: of the device
    device_mass: kg, apparent at the handle
    device_damping: N s/m
    device_friction: N, Coulomb
    device_inertia: kg m^2, for 6 dof
    hand_mass: kg, moves with the handle
    hand_damping: N s/m, towards the path's velocity
    hand_stiffness: N/m, towards the path
    hand_rotational_stiffness, hand_rotational_damping: N m/rad, N m s/rad
    noise: m: positions are read with errors of up to this, each axis; evenly spread, the same in every run; default 0
    substep: s, at most this; default 25e-6

    tacOperatorDef of <tactus/device.h>."""

    info: DeviceInfo
    device_mass: float
    device_damping: float
    device_friction: float
    device_inertia: float
    hand_mass: float
    hand_damping: float
    hand_stiffness: float
    hand_rotational_stiffness: float
    hand_rotational_damping: float
    noise: float
    substep: float
    repeats: bool


define(OperatorDef, [
    ("info", DeviceInfo),
    ("device_mass", c_double),
    ("device_damping", c_double),
    ("device_friction", c_double),
    ("device_inertia", c_double),
    ("hand_mass", c_double),
    ("hand_damping", c_double),
    ("hand_stiffness", c_double),
    ("hand_rotational_stiffness", c_double),
    ("hand_rotational_damping", c_double),
    ("noise", c_double),
    ("substep", c_double),
    ("repeats", c_bool),
])


class PointerDef(Struct):
    """A hand for a pointer that renders no force (mouse, touch screen, SpaceMouse). A spring and damper pull a handle of
    some mass to where the pointer is, the rendered force pushes it back, and the tool is where the handle is: the
    spring's length shows the force. Samples come at display rate and in bursts: between them the spring's end goes on
    a line, in about the time that lies between samples, never faster than `speed`. Orientations turn likewise;
    torques turn nothing.

    While the pointer does not touch, the tool is lifted (TAC_BUTTON_LIFT): it follows, and forces do nothing. A touch
    that begins far from the handle stays lifted until the handle has come to where it began, and nearly to rest; the
    spring's end waits there for it, wherever the pointer goes meanwhile. No time cuts this short: the tool never
    comes down elsewhere.

    It may stand in front of a device of the tool's own, which goes on leading until the pointer takes over. From one
    to the other the tool goes lifted. While the pointer leads, the own device is read all the same (its time goes
    on), gets no force, and may be late, lost or done: the pointer is fine. When the own device leads, its states,
    buttons, health and forces pass through; its health also while the tool is still on its way back.

    stiffness: N/m, of the spring; 1 to 1e5
    damping: N s/m, 0.01 to 1e4
    mass: kg, 0.001 to 100
    speed: m/s, most of the spring's end; at most 2. The handle's is at most 2.5
    arrival: m: nearer than this the handle has arrived

    tacPointerDef of <tactus/device.h>."""

    stiffness: float
    damping: float
    mass: float
    speed: float
    arrival: float


define(PointerDef, [
    ("stiffness", c_double),
    ("damping", c_double),
    ("mass", c_double),
    ("speed", c_double),
    ("arrival", c_double),
])


class PointerSample(Struct):
    """position: device frame, m
    orientation: w, x, y, z, of any length; zeros: not turned
    touch, grab: `grab` counts while the tool is not lifted

    tacPointerSample of <tactus/device.h>."""

    position: np.ndarray
    orientation: np.ndarray
    touch: bool
    grab: bool


define(PointerSample, [
    ("position", Vec3),
    ("orientation", c_double * 4),
    ("touch", c_bool),
    ("grab", c_bool),
])


class Material(Struct):
    """Strains and stresses are ordered xx, yy, zz, yz, zx, xy; shear strains are engineering strains (gamma = 2
    epsilon).

    density: kg/m^3
    stiffness: Pa, symmetric positive definite
    isotropic: then:
    young, poisson: Pa, -

    tacMaterial of <tactus/material.h>."""

    density: float
    stiffness: np.ndarray
    isotropic: bool
    young: float
    poisson: float


define(Material, [
    ("density", c_double),
    ("stiffness", c_double * 6 * 6),
    ("isotropic", c_bool),
    ("young", c_double),
    ("poisson", c_double),
])


class LawMaterial(Struct):
    """One of the laws that docs/hyperelastic_laws.md lists, and its parameters in that order; SI units.

    density: kg/m^3
    term_count: Viscosity, a Prony series: the part `share` of the stress relaxes in the time `time`, s.

    tacLawMaterial of <tactus/material.h>."""

    law: Optional[str]
    parameters: np.ndarray
    density: float
    term_count: int
    share: np.ndarray
    time: np.ndarray


define(LawMaterial, [
    ("law", c_char_p),
    ("parameters", c_double * 16),
    ("density", c_double),
    ("term_count", c_int),
    ("share", c_double * 4),
    ("time", c_double * 4),
])


class MaterialLaw(Struct):
    """What is known of a law: of the index 0, 1, ... until NULL.

    otherwise: NAN: must be given
    of_moduli: its parameters follow from the shear and bulk modulus at small strain

    tacMaterialLaw of <tactus/material.h>."""

    name: Optional[str]
    about: Optional[str]
    parameter_count: int
    parameter: np.ndarray
    unit: np.ndarray
    otherwise: np.ndarray
    fibres: bool
    of_moduli: bool


define(MaterialLaw, [
    ("name", c_char_p),
    ("about", c_char_p),
    ("parameter_count", c_int),
    ("parameter", c_char_p * 16),
    ("unit", c_char_p * 16),
    ("otherwise", c_double * 16),
    ("fibres", c_bool),
    ("of_moduli", c_bool),
])


class SensorKind(IntEnum):
    """A quantity at an inner point that comes with every Green's function (James and Pai 2001, section 3.5).

    DISPLACEMENT: 3 rows, m
    STRESS: 6 rows: xx yy zz yz zx xy, Pa

    tacSensorKind of <tactus/material.h>."""

    DISPLACEMENT = 0
    STRESS = 1


class Sensor(Struct):
    """point: inside the body, m

    tacSensor of <tactus/material.h>."""

    name: Optional[str]
    kind: SensorKind
    point: np.ndarray


define(Sensor, [
    ("name", c_char_p),
    ("kind", c_int, SensorKind),
    ("point", Vec3),
])


class ReferenceMethod(IntEnum):
    """tacReferenceMethod of <tactus/material.h>."""

    BOUNDARY_ELEMENTS = 0
    FINITE_ELEMENTS = 1


class ReferenceDef(Struct):
    """surface: boundary elements: the closed surface. Finite elements: not used
    volume: finite elements: its boundary (tac_volmesh_surface) is the surface
    materials: boundary elements: one, isotropic
    material_of: finite elements: [element] -> materials; NULL: all have materials[0]
    fixed: [vertex of the surface]; at least three that are not on a line. By finite elements none will do: the body
    is free, and its displacements are relative to the rigid motion that the same forces cause, by the densities.
    fixed_inside: Finite elements: [vertex of the volume], those inside that never move, whatever is done to the
    surface; vertices of the surface are as `fixed` says. NULL: none. TAC_ERR_GEOMETRY where they are all that is
    held.
    thread_count: 0: one for each core
    accept_thin: Boundary elements make parts too stiff in bending that are thinner than their edges are long, and
    such a surface is refused; true: take it, with a warning in the log.

    tacReferenceDef of <tactus/material.h>."""

    method: ReferenceMethod
    surface: Any
    volume: Any
    material_count: int
    materials: Any
    material_of: Any
    fixed: Any
    fixed_inside: Any
    sensor_count: int
    sensors: Any
    thread_count: int
    accept_thin: bool


define(ReferenceDef, [
    ("method", c_int, ReferenceMethod),
    ("surface", c_void_p),
    ("volume", c_void_p),
    ("material_count", c_int),
    ("materials", c_void_p),
    ("material_of", c_void_p),
    ("fixed", c_void_p),
    ("fixed_inside", c_void_p),
    ("sensor_count", c_int),
    ("sensors", c_void_p),
    ("thread_count", c_int),
    ("accept_thin", c_bool),
])


class Fault(IntEnum):
    """tacFault of <tactus/guard.h>."""

    NONE = 0
    DEVICE_LOST = 1
    DEVICE_LATE = 2
    DEVICE_JUMPED = 3
    DEVICE_NOT_FINITE = 4
    FORCE_NOT_FINITE = 5


class GuardDef(Struct):
    """period: s between ticks; default 0.001
    force_limit: Of the device; the first two must be chosen. N, length of the largest force
    stiffness_limit: N/m, the largest that it renders stably
    torque_limit: N m; default 0: it renders none
    resolution: m, of the position; default 0: unknown
    start: m: where it is taken to be until its first good state; default the origin
    ramp_in: Of the loop. s from zero force to full; default 0.5
    ramp_out: s from a fault to zero force; default 0.05
    speed_limit: m/s of the device, above which a state is a fault (a jump); default 5
    late_limit: most ticks in a row without a new state; one more is a fault; default 20
    force_rate: N/s, by which the force may change while the device rests; default 500
    passivity: damps where the port would generate energy; default true

    tacGuardDef of <tactus/guard.h>."""

    period: float
    force_limit: float
    stiffness_limit: float
    torque_limit: float
    resolution: float
    start: np.ndarray
    ramp_in: float
    ramp_out: float
    speed_limit: float
    late_limit: int
    force_rate: float
    passivity: bool


define(GuardDef, [
    ("period", c_double),
    ("force_limit", c_double),
    ("stiffness_limit", c_double),
    ("torque_limit", c_double),
    ("resolution", c_double),
    ("start", Vec3),
    ("ramp_in", c_double),
    ("ramp_out", c_double),
    ("speed_limit", c_double),
    ("late_limit", c_int),
    ("force_rate", c_double),
    ("passivity", c_bool),
])


class GuardForce(Struct):
    """force, torque: on the hand, N and N m: to be written
    presence: 0 to 1: of the ramp in, or into and out of a pause
    ended: the force has come to zero after a fault or stop, and stays there

    tacGuardForce of <tactus/guard.h>."""

    force: np.ndarray
    torque: np.ndarray
    presence: float
    limited_force: bool
    limited_rate: bool
    damped: bool
    ended: bool
    fault: Fault


define(GuardForce, [
    ("force", Vec3),
    ("torque", Vec3),
    ("presence", c_double),
    ("limited_force", c_bool),
    ("limited_rate", c_bool),
    ("damped", c_bool),
    ("ended", c_bool),
    ("fault", c_int, Fault),
])


class GeneratedWorst(Struct):
    """What went to the hand beyond what the hand had put in: in the worst contact, from its begin to its end; in the
    worst 0.1 s and 1 s and in all, where what was put in counts only as far as springs could hold it. Apart from what
    holding the force between ticks gives. docs/device.md, Passivity, says what that means.

    energy: J; 0: none
    work: J: sum |f.dx| from `tick` to where it was generated, to compare with
    tick: in which it began; -1: none

    tacGeneratedWorst of <tactus/guard.h>."""

    energy: float
    work: float
    tick: int


define(GeneratedWorst, [
    ("energy", c_double),
    ("work", c_double),
    ("tick", c_int64),
])


class Generated(Struct):
    """all: J

    tacGenerated of <tactus/guard.h>."""

    contact: GeneratedWorst
    tenth: GeneratedWorst
    second: GeneratedWorst
    all: float


define(Generated, [
    ("contact", GeneratedWorst),
    ("tenth", GeneratedWorst),
    ("second", GeneratedWorst),
    ("all", c_double),
])


class GuardReport(Struct):
    """ticks: forces that were given
    fault_tick: -1: none
    force_max: N, written
    force_step_max: N between ticks, written
    energy_absorbed: J: net work of the hand on the world at the device, sum -f.dx
    energy_least: J: least of that sum over time; negative: generated
    work: J: sum |f.dx|, to compare with
    asked: by the world: with its force, before ramps, limits and damper
    written: with what was written
    limited_force, limited_rate, damped: ticks in which a limit or the damper acted

    tacGuardReport of <tactus/guard.h>."""

    ticks: int
    fault: Fault
    fault_tick: int
    force_max: float
    force_step_max: float
    energy_absorbed: float
    energy_least: float
    work: float
    asked: Generated
    written: Generated
    limited_force: int
    limited_rate: int
    damped: int


define(GuardReport, [
    ("ticks", c_int64),
    ("fault", c_int, Fault),
    ("fault_tick", c_int64),
    ("force_max", c_double),
    ("force_step_max", c_double),
    ("energy_absorbed", c_double),
    ("energy_least", c_double),
    ("work", c_double),
    ("asked", Generated),
    ("written", Generated),
    ("limited_force", c_int64),
    ("limited_rate", c_int64),
    ("damped", c_int64),
])


class BodyId(Struct):
    """Generational: an id of another world or of nothing is refused. {0, 0} is none.

    tacBodyId of <tactus/world.h>."""

    index: int
    generation: int


define(BodyId, [
    ("index", c_uint32),
    ("generation", c_uint32),
])


class WorldDef(Struct):
    """period: seconds between steps; default 0.001
    budget: s of a step that the pairs' contacts may take; default 0: as long as it takes. tac_world_keep_budget
    movable: bodies may be moved by tac_world_move_body: snapshots hold the poses of all; default false
    method: of contacts that nobody chose one for: those of free bodies; default penalty
    simulate_every: Ticks of one step of the bodies, 1 to 100; default 1. With more the world is simulated slower than
    it is rendered: see tac_world_start_simulation.
    laws: of the contacts of free bodies that are in no pair

    tacWorldDef of <tactus/world.h>."""

    period: float
    budget: float
    movable: bool
    method: ContactMethod
    simulate_every: int
    laws: LawsDef


define(WorldDef, [
    ("period", c_double),
    ("budget", c_double),
    ("movable", c_bool),
    ("method", c_int, ContactMethod),
    ("simulate_every", c_int),
    ("laws", LawsDef),
])


class BodyDef(Struct):
    """What all bodies have, whatever their kind.

    name: unique in the world
    kind: what it is called where it is told; "" where it does not matter
    pose: of the body's frame in the world, at the start
    free: moves under forces; it must have an inertia. Else it rests, or a tool holds it
    velocity, spin: of a free one at the start: of its centre, m/s; rad/s
    gravity: m/s^2, world frame
    every: ticks from one step of this body to the next; 1
    friction: Coulomb's coefficient
    touch_stiffness: N/m; of the spring between a point tool and its point on the surface
    touch_damping: N s/m; brakes the point that is touched, not the hand
    contact_stiffness: N/m and N s/m; of free bodies where they meet others by penalty

    tacBodyDef of <tactus/world.h>."""

    name: Optional[str]
    kind: Optional[str]
    pose: Pose
    free: bool
    velocity: np.ndarray
    spin: np.ndarray
    gravity: np.ndarray
    every: int
    friction: float
    touch_stiffness: float
    touch_damping: float
    contact_stiffness: float
    contact_damping: float
    shown: BodyShown


define(BodyDef, [
    ("name", c_char_p),
    ("kind", c_char_p),
    ("pose", Pose),
    ("free", c_bool),
    ("velocity", Vec3),
    ("spin", Vec3),
    ("gravity", Vec3),
    ("every", c_int),
    ("friction", c_double),
    ("touch_stiffness", c_double),
    ("touch_damping", c_double),
    ("contact_stiffness", c_double),
    ("contact_damping", c_double),
    ("shown", c_int, BodyShown),
])


class FloorDef(Struct):
    """The half space below which free bodies do not fall: n.x >= offset. None before this is called.

    normal: unit
    offset: m

    tacFloorDef of <tactus/world.h>."""

    normal: np.ndarray
    offset: float
    friction: float


define(FloorDef, [
    ("normal", Vec3),
    ("offset", c_double),
    ("friction", c_double),
])


class PointToolDef(Struct):
    """A tool that touches at a point, or a fingertip that presses a round patch there. Tools are numbered in the order
    in which they are added.

    name: unique in the world
    radius: m: of a fingertip's contact with a soft body; 0: a point

    tacPointToolDef of <tactus/world.h>."""

    name: Optional[str]
    radius: float


define(PointToolDef, [
    ("name", c_char_p),
    ("radius", c_double),
])


class CouplingKind(IntEnum):
    """A tool that holds a body: a rigid one, or an anchored reduced one, whose held vertices then move with the tool.
    The device leads another copy of it, and a virtual coupling pulls the body there (Barbic 2007, chapter 4).

    tacCouplingKind of <tactus/world.h>."""

    STATIC = 0
    DYNAMIC = 1


class JawDef(Struct):
    """body: of one tool alone
    hinge: m, held body's frame: a point of the axis,
    axis: likewise: its direction. The jaw closes by the right-hand rule

    tacJawDef of <tactus/world.h>."""

    body: BodyId
    hinge: np.ndarray
    axis: np.ndarray


define(JawDef, [
    ("body", BodyId),
    ("hinge", Vec3),
    ("axis", Vec3),
])


class BodyToolDef(Struct):
    """name: unique in the world
    body: of one tool alone
    grasp: Where the device holds it, m, body frame: the tool's input is the place of this point and how far the body
    is turned from its orientation at the start. While the tool is lifted, the body rests and the hand feels nothing.
    stiffness: k_VC, N/m
    turn_stiffness: N m
    force_most: N: beyond half of this the coupling's force saturates; 0: none
    torque_most: N m, likewise
    static_damping: alpha, 0 to <1
    speed_most, turn_most: m/s, rad/s of the body
    mass: kg, of a dynamic coupling: with the moments of a solid ball of the body's radius
    reach: m: 0, the default: it always holds the body. Else it takes hold while `grab` is pressed, if its place is
    nearer than this to the body's surface then, as both are, and the body rests where it was let go. What the hand
    felt of it then ends within 20 ms.
    trocar: An instrument through a trocar: the line from its grasp to the pivot, as the body lies at the start, is
    its shaft, and the pivot stays on it. The device then says where the grasp is and how far the shaft is rolled; how
    it is tilted follows. At rest a push at the tip is felt by the law of the lever. `turn_stiffness` is that of the
    roll.
    pivot: m, world
    jaw_count: A grasper: jaws that close together, as far as the input's `grip` says. All turn by one angle, which is
    a coordinate of its own: a motor leads it there at a finite speed, with at most its torque.
    jaw_angle: rad: by which each turns from open to closed; less than pi
    jaw_time: s in which the motor's end goes that far, either way
    jaw_torque: N m, the motor's most: what two jaws press with at a lever l is jaw_torque / (2 l) each

    tacBodyToolDef of <tactus/world.h>."""

    name: Optional[str]
    body: BodyId
    grasp: np.ndarray
    coupling: CouplingKind
    stiffness: float
    turn_stiffness: float
    force_most: float
    torque_most: float
    static_damping: float
    speed_most: float
    turn_most: float
    mass: float
    damping_ratio: float
    reach: float
    trocar: bool
    pivot: np.ndarray
    jaw_count: int
    jaws: np.ndarray
    jaw_angle: float
    jaw_time: float
    jaw_torque: float


define(BodyToolDef, [
    ("name", c_char_p),
    ("body", BodyId),
    ("grasp", Vec3),
    ("coupling", c_int, CouplingKind),
    ("stiffness", c_double),
    ("turn_stiffness", c_double),
    ("force_most", c_double),
    ("torque_most", c_double),
    ("static_damping", c_double),
    ("speed_most", c_double),
    ("turn_most", c_double),
    ("mass", c_double),
    ("damping_ratio", c_double),
    ("reach", c_double),
    ("trocar", c_bool),
    ("pivot", Vec3),
    ("jaw_count", c_int),
    ("jaws", JawDef * 2),
    ("jaw_angle", c_double),
    ("jaw_time", c_double),
    ("jaw_torque", c_double),
])


class PadToolDef(Struct):
    """A tool that takes hold of patches of a body's surface with one or two pads, rigid discs (James and Pai 2001,
    sections 4 and 5): a finger pad, or a gripper. Its place is the middle between its pads. The body is an
    elastostatic one whose Green's functions are stored whole. At most four pads of all tools together are on one
    body, and each holds at most the 32 vertices that are nearest to it. Pads feel each other; they do not feel point
    tools on the same body, nor its contacts with others.

    name: unique in the world
    radius: m, of a pad
    hold: sticks while `grab` is pressed, from where it was pressed; or presses always
    friction: of pads that press; INFINITY: they never slip
    opening: m: 0: one pad; else two that face each other, at +-opening/2 along the tool's x axis
    approach: unit: where one pad looks, into the body, with the tool at identity orientation
    stiffness: of the coupling between device and pads, N/m
    turn_stiffness: N m: the torque is this times sin(angle / 2)
    speed_most, turn_most: m/s, rad/s: of pads that hold something. Lower where that is a quarter of the radius or 0.2
    rad a step.

    tacPadToolDef of <tactus/world.h>."""

    name: Optional[str]
    body: BodyId
    radius: float
    hold: PadHold
    friction: float
    opening: float
    approach: np.ndarray
    stiffness: float
    turn_stiffness: float
    speed_most: float
    turn_most: float


define(PadToolDef, [
    ("name", c_char_p),
    ("body", BodyId),
    ("radius", c_double),
    ("hold", c_int, PadHold),
    ("friction", c_double),
    ("opening", c_double),
    ("approach", Vec3),
    ("stiffness", c_double),
    ("turn_stiffness", c_double),
    ("speed_most", c_double),
    ("turn_most", c_double),
])


class PairDef(Struct):
    """Two bodies in distributed contact: the points of one against the field of the other (Barbic 2007, chapter 3). A
    body may be in several pairs.

    stiffness: k_C, N/m of one point. Default 0: as stiff as lets the world's free bodies, all that it has when the
    pair is added, and a push of 5 N sink in by a hundredth of the thinner body.
    full_count: L: with more points in contact each is softer; default 10
    ramp: m of depth over which a point comes to count; default 0: a fifth of the field's voxel, or of the spacing
    friction: Coulomb's coefficient; default 0
    tangential: stiffness of sticking over `stiffness`; default 0.5
    area_weights: points count by their areas; default true
    level_most: deeper levels are not used; default all
    method: default penalty; Signorini's takes of the above friction and levels alone
    laws: of contacts that obey them. Where surfaces are looked at neither points nor a field are needed

    tacPairDef of <tactus/world.h>."""

    points: BodyId
    field: BodyId
    stiffness: float
    full_count: float
    ramp: float
    friction: float
    tangential: float
    area_weights: bool
    level_most: int
    method: ContactMethod
    laws: LawsDef


define(PairDef, [
    ("points", BodyId),
    ("field", BodyId),
    ("stiffness", c_double),
    ("full_count", c_double),
    ("ramp", c_double),
    ("friction", c_double),
    ("tangential", c_double),
    ("area_weights", c_bool),
    ("level_most", c_int),
    ("method", c_int, ContactMethod),
    ("laws", LawsDef),
])


class ToolInput(Struct):
    """position: the probe's tip x^H, or the grasp of a held body, or the middle of pads, m
    orientation: of a held body, from how it lies at the start; of pads; not used by point tools
    grab: holds the touched surface point or patch: no sliding, no release, pulls as well
    lifted: touches nothing, wherever it goes, and then comes from outside again
    grip: of jaws: how far they are to close, 0 to 1; `grab` closes them all the way

    tacToolInput of <tactus/world.h>."""

    position: np.ndarray
    orientation: np.ndarray
    grab: bool
    lifted: bool
    grip: float


define(ToolInput, [
    ("position", Vec3),
    ("orientation", c_double * 4),
    ("grab", c_bool),
    ("lifted", c_bool),
    ("grip", c_double),
])


class ToolOutput(Struct):
    """force: on the hand, N: the reaction of the contact's
    torque: on the hand, N m
    proxy: Where the tool's tip is shown: x^E in contact, else its position. Of a held body: its grasp; of pads: their
    middle.
    proxy_orientation: of a held body and of pads
    depth: m: |x^H - x^C|; of a held body the deepest point of its pairs; of pads, how far they are from where the
    device is.
    contact: Of a held body: state, the other body, mean place and normal of the points, force on that body. Likewise
    of pads.
    saturated: Of a held body: its coupling gives it less than nine tenths of what the hand feels, since it is near
    its most: the body stays behind. 1 or 0

    tacToolOutput of <tactus/world.h>."""

    force: np.ndarray
    torque: np.ndarray
    proxy: np.ndarray
    proxy_orientation: np.ndarray
    depth: float
    contact: Contact
    saturated: int


define(ToolOutput, [
    ("force", Vec3),
    ("torque", Vec3),
    ("proxy", Vec3),
    ("proxy_orientation", c_double * 4),
    ("depth", c_double),
    ("contact", Contact),
    ("saturated", c_int32),
])


class TickReport(Struct):
    """sweeps: of the coupled contacts, and steps of Newton's method, where most were needed; 0 or 1 where at most one
    tool touches a body
    residual: m: how far the coupled contacts are from their laws,
    residual_force: N: likewise
    unsolved: islands whose sweeps met their bound: their laws hold to the residuals alone
    laws: contacts that obeyed laws
    saturated: loops that met their bound (sliding, sweeps) in this tick
    uncoupled: pairs of contacts whose mutual influence is not yet in memory and was left out
    refused: inputs that were not finite: the tool's last good input was used; bodies brought to rest
    limited: bodies whose acceleration was limited
    touching: pairs of free bodies, and free bodies and floor, that touch; of those that stepped in this tick
    visited: nodes of all pairs' traversals
    points: of shells in contact, of all pairs
    level: the deepest level rendered whole, the least of all pairs; 0 where there is no pair
    degraded: pairs whose deeper levels were left out, or rendered in part, to keep the budget
    renewed: Bodies with threads of their own that take what is ready, in the step that this tick began: a bit each,
    of the first 32.
    taken: this tick took what the bodies did in their last step
    overdue: ticks by which that was late: the bodies' time has stood still for so long
    step: s of a processor that the step took which was taken
    within: s of a processor that this tick spent on a step, where no thread does that
    error_estimate: The largest expected error of a body (tac_world_body_error_estimate), of the last eight ticks; 0.1
    is 10 %;
    error_body: 1 + which body that is; 0: none that knows is in doubt
    coupling_saturated: tools whose coupling is: tacToolOutput.saturated

    tacTickReport of <tactus/world.h>."""

    contact_count: int
    sweeps: int
    residual: float
    residual_force: float
    unsolved: int
    laws: int
    saturated: int
    uncoupled: int
    refused: int
    limited: int
    touching: int
    visited: int
    points: int
    level: int
    degraded: int
    renewed: int
    taken: bool
    overdue: int
    step: float
    within: float
    error_estimate: float
    error_body: int
    coupling_saturated: int


define(TickReport, [
    ("contact_count", c_int),
    ("sweeps", c_int),
    ("residual", c_double),
    ("residual_force", c_double),
    ("unsolved", c_int),
    ("laws", c_int),
    ("saturated", c_int),
    ("uncoupled", c_int),
    ("refused", c_int),
    ("limited", c_int),
    ("touching", c_int),
    ("visited", c_int),
    ("points", c_int),
    ("level", c_int),
    ("degraded", c_int),
    ("renewed", c_uint32),
    ("taken", c_bool),
    ("overdue", c_int),
    ("step", c_double),
    ("within", c_double),
    ("error_estimate", c_double),
    ("error_body", c_int),
    ("coupling_saturated", c_int),
])


class Snapshot(Struct):
    """Everything that display needs of a moment; plain data, made in a tick and handed to other threads.

    state: tac_world_state; NULL: all bodies at rest. Memory of whoever made the snapshot
    position: of the probes
    given: N: length of the force that the hand gets; that of `output` where `limits` is 0
    limits: TAC_LIMIT_*: what kept it from that

    tacSnapshot of <tactus/world.h>."""

    tick: int
    state: Any
    tool_count: int
    position: np.ndarray
    orientation: np.ndarray
    lifted: np.ndarray
    output: np.ndarray
    given: np.ndarray
    limits: np.ndarray


define(Snapshot, [
    ("tick", c_int64),
    ("state", c_void_p),
    ("tool_count", c_int),
    ("position", Vec3 * 16),
    ("orientation", c_double * 4 * 16),
    ("lifted", c_bool * 16),
    ("output", ToolOutput * 16),
    ("given", c_double * 16),
    ("limits", c_uint32 * 16),
])


class ShownContact(Struct):
    """A contact of two bodies that obeys the laws of Signorini and Coulomb, world frame.

    body: indices; -1: what never moves, or the tip of a point tool
    at: m: where the force acts on both
    normal: unit, out of the second body into the first
    force: N, on the first body; the second gets its opposite
    friction: Coulomb's coefficient

    tacShownContact of <tactus/world.h>."""

    body: np.ndarray
    at: np.ndarray
    normal: np.ndarray
    force: np.ndarray
    friction: float
    state: ContactState


define(ShownContact, [
    ("body", c_int32 * 2),
    ("at", Vec3),
    ("normal", Vec3),
    ("force", Vec3),
    ("friction", c_double),
    ("state", c_int, ContactState),
])


class ToolRecord(Struct):
    """device: as read
    health: tacDeviceHealth
    position: of the tool in the scene: the world's input
    orientation: likewise
    grab, lifted: `grab`: 1 where it is pressed, and 256 times the grip in 255ths
    output: of the world
    written: force sent to the device, N, device frame
    limits: TAC_LIMIT_*

    tacToolRecord of <tactus/recording.h>."""

    device: DeviceState
    health: int
    position: np.ndarray
    orientation: np.ndarray
    grab: int
    lifted: int
    output: ToolOutput
    written: np.ndarray
    written_torque: np.ndarray
    limits: int


define(ToolRecord, [
    ("device", DeviceState),
    ("health", c_int32),
    ("position", Vec3),
    ("orientation", c_double * 4),
    ("grab", c_int32),
    ("lifted", c_int32),
    ("output", ToolOutput),
    ("written", Vec3),
    ("written_torque", Vec3),
    ("limits", c_uint32),
])


class TickRecord(Struct):
    """late_ns, compute_ns: not compared by a replay
    flags: TAC_TICK_*
    parameter: 1 + the parameter of the world that was set before this tick; 0: none
    tool: as many as the world has tools; the rest is not stored

    tacTickRecord of <tactus/recording.h>."""

    tick: int
    late_ns: int
    compute_ns: int
    report: TickReport
    flags: int
    parameter: int
    parameter_value: float
    tool: np.ndarray


define(TickRecord, [
    ("tick", c_int64),
    ("late_ns", c_int64),
    ("compute_ns", c_int64),
    ("report", TickReport),
    ("flags", c_uint32),
    ("parameter", c_int32),
    ("parameter_value", c_double),
    ("tool", ToolRecord * 16),
])


class RecordingInfo(Struct):
    """period: s
    simulate_every: ticks of one step of the bodies, 1 to 100; for a recorder 0 is 1
    parameters: of the world, when the recording began; none where the count is 0
    state_size: numbers of tac_world_state
    scene_path: where the scene came from
    scene: its text, complete
    program: version and build that recorded
    platform: where it was computed; NULL for a recorder: here
    assets: tac_scene_assets

    tacRecordingInfo of <tactus/recording.h>."""

    period: float
    simulate_every: int
    tool_count: int
    parameter_count: int
    parameters: Any
    state_size: int
    scene_path: Optional[str]
    scene: Optional[str]
    program: Optional[str]
    platform: Optional[str]
    assets: Optional[str]


define(RecordingInfo, [
    ("period", c_double),
    ("simulate_every", c_int),
    ("tool_count", c_int),
    ("parameter_count", c_int),
    ("parameters", c_void_p),
    ("state_size", c_int),
    ("scene_path", c_char_p),
    ("scene", c_char_p),
    ("program", c_char_p),
    ("platform", c_char_p),
    ("assets", c_char_p),
])


class ReplayGap(Struct):
    """The largest distance between what was and what is.

    most: infinity where one of them is no number
    tick: where; -1: they are the same everywhere
    index: of the tool, or of the body of the world

    tacReplayGap of <tactus/recording.h>."""

    most: float
    tick: int
    index: int


define(ReplayGap, [
    ("most", c_double),
    ("tick", c_int64),
    ("index", c_int),
])


class ReplayReport(Struct):
    """tick_count: of those that were compared
    first_difference: the tick, or -1: every bit is the same
    difference: a line that says what differs there; "" where nothing does
    ended: by a tick that was lost while recording: the rest cannot be compared
    force, torque: the largest recorded on a hand, N and N m
    force_gap, torque_gap, proxy_gap: of tools, N, N m and m
    surface_gap: of vertices of bodies that have a state, m; where it was stored
    felt_ticks, far_ticks: with a force or torque, then or now; of those, far apart at a tool

    tacReplayReport of <tactus/recording.h>."""

    tick_count: int
    first_difference: int
    difference: str
    ended: bool
    force: float
    torque: float
    force_gap: ReplayGap
    torque_gap: ReplayGap
    proxy_gap: ReplayGap
    surface_gap: ReplayGap
    felt_ticks: int
    far_ticks: int


define(ReplayReport, [
    ("tick_count", c_int64),
    ("first_difference", c_int64),
    ("difference", c_char * 320),
    ("ended", c_bool),
    ("force", c_double),
    ("torque", c_double),
    ("force_gap", ReplayGap),
    ("torque_gap", ReplayGap),
    ("proxy_gap", ReplayGap),
    ("surface_gap", ReplayGap),
    ("felt_ticks", c_int64),
    ("far_ticks", c_int64),
])


class WorkspaceDef(Struct):
    """Device workspace to scene: x_scene = centre + scale R (x_device - device_centre) + offset, where the offset
    changes while the index button is held so that the tool rests (thesis of Barbic 2007, section 4.5). Forces go back
    by R^T, unscaled.

    scale: alpha, metres in the scene a metre of the device
    centre: where the device's centre is in the scene, m
    device_centre: m, device frame
    orientation: R: rotates device axes to scene axes; w, x, y, z

    tacWorkspaceDef of <tactus/servo.h>."""

    scale: float
    centre: np.ndarray
    device_centre: np.ndarray
    orientation: np.ndarray


define(WorkspaceDef, [
    ("scale", c_double),
    ("centre", Vec3),
    ("device_centre", Vec3),
    ("orientation", c_double * 4),
])


class ServoDef(Struct):
    """rate: Hz, 250 to 10,000; must be 1 / the world's period
    real_time: ticks at absolute deadlines; else one after another as fast as possible (same bits, as long as the
    bodies of a world that is simulated slower are in time)
    duration: s; 0: until stopped or a device is done
    priority: SCHED_FIFO, 1 to 99; 0: normal. Default 80
    core: -1: any
    lock_memory: in real time: mlockall for the whole process, of all that is mapped when the loop begins, the host's
    memory and its threads' stacks too. It becomes resident, is never swapped, and stays so when the servo has gone.
    Default false: a program asks for it where all of it may be
    ramp_in: s from zero force to full; default 0.5
    ramp_out: s from a fault to zero force; default 0.05
    speed_limit: m/s of a device, above which a state is a fault (a jump); default 5
    late_limit: ticks without a new state that are a fault; default 20
    force_rate: N/s: the force changes by at most this, plus the device's stiffness limit times its motion, a second;
    default 500
    passivity: injects damping where the port would generate energy; default true

    tacServoDef of <tactus/servo.h>."""

    rate: float
    real_time: bool
    duration: float
    priority: int
    core: int
    lock_memory: bool
    ramp_in: float
    ramp_out: float
    speed_limit: float
    late_limit: int
    force_rate: float
    passivity: bool


define(ServoDef, [
    ("rate", c_double),
    ("real_time", c_bool),
    ("duration", c_double),
    ("priority", c_int),
    ("core", c_int),
    ("lock_memory", c_bool),
    ("ramp_in", c_double),
    ("ramp_out", c_double),
    ("speed_limit", c_double),
    ("late_limit", c_int),
    ("force_rate", c_double),
    ("passivity", c_bool),
])


class ServoErrorEstimate(Struct):
    """body: its index
    ticks: with TAC_ERROR_ESTIMATE_SOME or more;
    much: with TAC_ERROR_ESTIMATE_MUCH or more
    worst: the largest
    worst_tick: where that was
    fine: N: the largest force of all tools on it together with less than TAC_ERROR_ESTIMATE_SOME

    tacServoErrorEstimate of <tactus/servo.h>."""

    body: int
    ticks: int
    much: int
    worst: float
    worst_tick: int
    fine: float


define(ServoErrorEstimate, [
    ("body", c_int),
    ("ticks", c_int64),
    ("much", c_int64),
    ("worst", c_double),
    ("worst_tick", c_int64),
    ("fine", c_double),
])


class ServoLimit(Struct):
    """A limit that was met: in how many ticks, and where most was lacking.

    worst: N: of the device's force, what the world asked for; of the rate, what was not written; of a coupling, felt
    worst_tick: of `ticks` 0: 0

    tacServoLimit of <tactus/servo.h>."""

    ticks: int
    worst: float
    worst_tick: int


define(ServoLimit, [
    ("ticks", c_int64),
    ("worst", c_double),
    ("worst_tick", c_int64),
])


class ServoReport(Struct):
    """seconds: of wall clock
    rate: ticks / seconds
    compute_p50, compute_p99, compute_p999, compute_max: s of the servo thread's processor time: reading, stepping,
    writing; from a histogram, 1 % wide
    late_p50, late_p99, late_p999, late_max: s: start of the tick after its deadline
    missed_by_computation: ticks that computed longer than a period
    missed_by_lateness: ticks that ended after the next deadline though they computed in time
    force_max: N, written
    force_step_max: N between ticks, written
    penetration_max: m, |x^H - x^C|
    energy_absorbed: J: net work of the hand on the world at the device port, sum f.dx
    energy_least: J: least of that sum over time; negative: generated
    work: J: sum |f.dx|, to compare with
    asked: by the world: with its force, before ramps, limits and damper
    written: with what was written
    limited_force, limited_rate, damped: ticks in which a limit or the passivity controller acted
    saturated, refused: sums of the tick reports
    contact_ticks: ticks with contact, of any tool
    taken: Of worlds that are simulated slower than they are rendered: steps of the bodies that ticks took
    overdue: ticks in which one was late
    step_p50, step_p99, step_p999, step_max: s of a processor that one took
    remark: what the system refused (priority, memory locking), one line; "" where all was granted
    error_estimate_count: bodies that know, the first TAC_SERVO_MOST_ERROR_ESTIMATES of them

    tacServoReport of <tactus/servo.h>."""

    ticks: int
    seconds: float
    rate: float
    compute_p50: float
    compute_p99: float
    compute_p999: float
    compute_max: float
    late_p50: float
    late_p99: float
    late_p999: float
    late_max: float
    missed_by_computation: int
    missed_by_lateness: int
    force_max: np.ndarray
    force_step_max: np.ndarray
    penetration_max: np.ndarray
    energy_absorbed: np.ndarray
    energy_least: np.ndarray
    work: np.ndarray
    asked: np.ndarray
    written: np.ndarray
    limited_force: int
    limited_rate: int
    damped: int
    saturated: int
    refused: int
    contact_ticks: int
    taken: int
    overdue: int
    step_p50: float
    step_p99: float
    step_p999: float
    step_max: float
    fault: Fault
    fault_device: int
    fault_tick: int
    remark: str
    error_estimate_count: int
    error_estimates: np.ndarray
    force_limit: np.ndarray
    rate_limit: np.ndarray
    coupling_limit: np.ndarray


define(ServoReport, [
    ("ticks", c_int64),
    ("seconds", c_double),
    ("rate", c_double),
    ("compute_p50", c_double),
    ("compute_p99", c_double),
    ("compute_p999", c_double),
    ("compute_max", c_double),
    ("late_p50", c_double),
    ("late_p99", c_double),
    ("late_p999", c_double),
    ("late_max", c_double),
    ("missed_by_computation", c_int64),
    ("missed_by_lateness", c_int64),
    ("force_max", c_double * 16),
    ("force_step_max", c_double * 16),
    ("penetration_max", c_double * 16),
    ("energy_absorbed", c_double * 16),
    ("energy_least", c_double * 16),
    ("work", c_double * 16),
    ("asked", Generated * 16),
    ("written", Generated * 16),
    ("limited_force", c_int64),
    ("limited_rate", c_int64),
    ("damped", c_int64),
    ("saturated", c_int64),
    ("refused", c_int64),
    ("contact_ticks", c_int64),
    ("taken", c_int64),
    ("overdue", c_int64),
    ("step_p50", c_double),
    ("step_p99", c_double),
    ("step_p999", c_double),
    ("step_max", c_double),
    ("fault", c_int, Fault),
    ("fault_device", c_int),
    ("fault_tick", c_int64),
    ("remark", c_char * 256),
    ("error_estimate_count", c_int),
    ("error_estimates", ServoErrorEstimate * 32),
    ("force_limit", ServoLimit * 16),
    ("rate_limit", ServoLimit * 16),
    ("coupling_limit", ServoLimit * 16),
])


class TickSample(Struct):
    """What a tick cost and gave, for plots.

    compute, late: s
    force: N, written
    penetration: m
    energy: J, absorbed at the device port so far
    error_estimate: tacTickReport.error_estimate
    limits: TAC_LIMIT_*
    asked: N, of the world: what the hand would get without ramps, dampers and limits

    tacTickSample of <tactus/servo.h>."""

    tick: int
    compute: float
    late: float
    contact_count: int
    force: np.ndarray
    penetration: np.ndarray
    energy: np.ndarray
    error_estimate: float
    limits: np.ndarray
    asked: np.ndarray


define(TickSample, [
    ("tick", c_int64),
    ("compute", c_float),
    ("late", c_float),
    ("contact_count", c_int32),
    ("force", c_float * 16),
    ("penetration", c_float * 16),
    ("energy", c_float * 16),
    ("error_estimate", c_float),
    ("limits", c_uint32 * 16),
    ("asked", c_float * 16),
])


class ContactMoment(Struct):
    """contacts: tac_world_contacts
    coupled: rows of W; 0 where it was not asked for
    delassus: tac_world_delassus

    tacContactMoment of <tactus/servo.h>."""

    tick: int
    count: int
    contacts: np.ndarray
    coupled: int
    delassus: np.ndarray


define(ContactMoment, [
    ("tick", c_int64),
    ("count", c_int),
    ("contacts", ShownContact * 256),
    ("coupled", c_int),
    ("delassus", c_double * 36864),
])

SceneLine = CFUNCTYPE(None, c_char_p, c_char_p, c_void_p)


class SceneLive(Struct):
    """What the scene lets people change while it runs, by the names of the world's parameters, and how far: body by
    body, then contact by contact, as far as the key `live` names them.

    name: "kidney.stiffness", "bridge.cables.mu", "hoses-part.friction"
    least, most: SI; the scene's own value is between them

    tacSceneLive of <tactus/scene.h>."""

    name: str
    least: float
    most: float


define(SceneLive, [
    ("name", c_char * 160),
    ("least", c_double),
    ("most", c_double),
])


class SceneAsset(Struct):
    """What became of an asset. A body may have several: that of its kind; then its field, which deforms where the body
    has coordinates, and with it perhaps distances to baked deformations; then its points, which are embedded in such
    a body. What is exact needs none.

    body: of the scene
    kind: as its file ends: "field", "deformed", "loads", "points", or that of the body's kind: "green"
    path: in the cache, or of the file that the scene names
    seconds: to bake, or to read
    bytes: of the file
    checksum: of what it holds, however it was made; 0: it cannot be read

    tacSceneAsset of <tactus/scene.h>."""

    body: int
    kind: Optional[str]
    path: str
    was_cached: bool
    seconds: float
    bytes: int
    checksum: int


define(SceneAsset, [
    ("body", c_int),
    ("kind", c_char_p),
    ("path", c_char * 1024),
    ("was_cached", c_bool),
    ("seconds", c_double),
    ("bytes", c_size_t),
    ("checksum", c_uint64),
])


class FindingLevel(IntEnum):
    """What will go wrong with a scene, before it is baked and run; docs/own_organ.md lists what is looked at. Offline.

    NOTE: to know; nothing is wrong
    WARNING: it runs, and is not what one means
    FAULT: it cannot be baked or run

    tacFindingLevel of <tactus/scene.h>."""

    NOTE = 0
    WARNING = 1
    FAULT = 2


class Finding(Struct):
    """about: one word: "mask", "path", "thin", ...
    text: "scene.yaml:14: bodies[0].mask: what is wrong; what would be right"; one line

    tacFinding of <tactus/scene.h>."""

    level: FindingLevel
    about: Optional[str]
    text: Optional[str]


define(Finding, [
    ("level", c_int, FindingLevel),
    ("about", c_char_p),
    ("text", c_char_p),
])

FindingVisit = CFUNCTYPE(None, c_void_p, c_void_p)


class GreenStorage(IntEnum):
    """How much of Xi the asset keeps.

    WHOLE: all rows of every wanted column
    NEAR: 3 x 3 blocks between wanted vertices no farther apart than a radius: enough for the stiffness of point-like
    contact; whole columns and sensors are then computed on demand from the stored reference problem.

    tacGreenStorage of <tactus/green.h>."""

    WHOLE = 0
    NEAR = 1


class GreenDef(Struct):
    """What builds Green's functions. Offline.

    wanted_count: vertices whose columns are wanted, in any order;
    wanted: NULL: every free vertex (the fixed ones' displacement stays zero)
    storage: default TAC_GREEN_WHOLE
    near_radius: m, for TAC_GREEN_NEAR
    factored: A file that keeps the factored problem (tac_reference_problem_write), for columns on demand; one that is
    there and belongs to this problem is used. NULL: none.
    checkpoint: A file that keeps finished columns, so that an interrupted bake goes on from there to the same bits;
    one that is broken or belongs to another bake is ignored. In the end it holds all of them, and is the caller's to
    remove once the result is safe. NULL: none.
    error_estimate_loads: tried by a nonlinear solution to measure tac_green_error_estimate; default 9; 0: it stays
    unknown

    tacGreenDef of <tactus/green.h>."""

    problem: ReferenceDef
    wanted_count: int
    wanted: Any
    storage: GreenStorage
    near_radius: float
    factored: Optional[str]
    checkpoint: Optional[str]
    error_estimate_loads: int


define(GreenDef, [
    ("problem", ReferenceDef),
    ("wanted_count", c_int),
    ("wanted", c_void_p),
    ("storage", c_int, GreenStorage),
    ("near_radius", c_double),
    ("factored", c_char_p),
    ("checkpoint", c_char_p),
    ("error_estimate_loads", c_int),
])


class GreenBodyDef(Struct):
    """An elastostatic body of Green's functions (James and Pai 2001), at rest, held, or free.

    body: Its name, place and springs. A free one moves by the inertia, and what deforms does so in its frame: a
    corotational body (Duriez and others 2006, section 6). Green's functions of a body of which nothing is fixed know
    no rigid motion, which so is the frame's alone; where some vertices are fixed, those move with the frame.
    green: must outlive the world
    mask_radius: m; of the spherical pressure masks. 0: single vertices, for comparison only
    stiffness: factor on the baked stiffness; 1
    rigid_stiffness: k^Rigid, N/m: at fixed vertices, and the most that is rendered anywhere
    young, poisson: Pa: of the material, for fingertips; young 0: not known, and they feel what the mesh resolves
    inertia: with which it is free, or held dynamically; mass 0: a tool's own
    problem: For Green's functions stored TAC_GREEN_NEAR: the factored problem, from which a thread of the world
    computes what the display and the coupling of several tools take; it must outlive the world and not be used
    elsewhere. NULL: contacts have their stiffness, but the surface does not move and tools do not feel each other.
    response_bytes: of such responses that are kept; default 1 GiB
    shell: For contact of bodies, both at rest; both may be NULL, both must outlive the world.

    tacGreenBodyDef of <tactus/green.h>."""

    body: BodyDef
    green: Any
    mask_radius: float
    stiffness: float
    rigid_stiffness: float
    young: float
    poisson: float
    inertia: Inertia
    problem: Any
    response_bytes: int
    shell: Any
    field: Any


define(GreenBodyDef, [
    ("body", BodyDef),
    ("green", c_void_p),
    ("mask_radius", c_double),
    ("stiffness", c_double),
    ("rigid_stiffness", c_double),
    ("young", c_double),
    ("poisson", c_double),
    ("inertia", Inertia),
    ("problem", c_void_p),
    ("response_bytes", c_size_t),
    ("shell", c_void_p),
    ("field", c_void_p),
])


class FactorMode(IntEnum):
    """Where the compliance of contacts, and the preconditioner, come from.

    ASYNCHRONOUS: the last factor that is ready, turned with the nodes
    EXACT: of each step: slow, for comparison
    REST: of the body at rest: as if it were linear, for comparison

    tacFactorMode of <tactus/hyperelastic.h>."""

    ASYNCHRONOUS = 0
    EXACT = 1
    REST = 2


class HyperelasticBodyDef(Struct):
    """body: its name, place and springs; it has no spin, and a step in every tick
    mesh: tetrahedra; its boundary is the surface. Copied
    material_of: [tetrahedron]; NULL: the first
    fibres: [tetrahedron]: fibre, sheet, normal, unit vectors; NULL: the axes
    fixed: [vertex of mesh] with the frame; NULL: none
    moved: [vertex of mesh] that the parameter `moved` moves, along:
    moved_along: unit; m of the parameter
    moved_distance, moved_period: Beside the parameter they go by themselves: from 0 to the distance, m, and back in
    each period, s; 0: they do not.
    mass_damping, stiffness_damping: 1/s, s: Rayleigh's, beside viscosity
    patches: U of the mean J of patches of elements: nearly incompressible bodies do not lock
    factor_delay: steps in which a factor is ready where no thread makes it
    most_sites: places where forces act at once, 1 to 256
    thread_count: for the elements; 1: that which steps alone

    tacHyperelasticBodyDef of <tactus/hyperelastic.h>."""

    body: BodyDef
    mesh: Any
    material_count: int
    materials: Any
    material_of: Any
    fibres: Any
    fixed: Any
    moved: Any
    moved_along: np.ndarray
    moved_distance: float
    moved_period: float
    mass_damping: float
    stiffness_damping: float
    patches: bool
    factor: FactorMode
    factor_delay: int
    most_sites: int
    thread_count: int


define(HyperelasticBodyDef, [
    ("body", BodyDef),
    ("mesh", c_void_p),
    ("material_count", c_int),
    ("materials", c_void_p),
    ("material_of", c_void_p),
    ("fibres", c_void_p),
    ("fixed", c_void_p),
    ("moved", c_void_p),
    ("moved_along", Vec3),
    ("moved_distance", c_double),
    ("moved_period", c_double),
    ("mass_damping", c_double),
    ("stiffness_damping", c_double),
    ("patches", c_bool),
    ("factor", c_int, FactorMode),
    ("factor_delay", c_int),
    ("most_sites", c_int),
    ("thread_count", c_int),
])


class StuffingDef(Struct):
    """size: Edge length at the surface, metres: the side of the lattice's cubes, at least 1/2000 of the box. Lattice
    edges are size (one in three) and 0.87 size long; points that moved onto the surface make edges of 0.2 to 1.5 size
    beside it.
    levels: how often the size may double towards the interior; 0 is uniform
    thread_count: 0: one for each core

    tacStuffingDef of <tactus/meshing.h>."""

    size: float
    levels: int
    thread_count: int


define(StuffingDef, [
    ("size", c_double),
    ("levels", c_int),
    ("thread_count", c_int),
])


class VoxelRule(IntEnum):
    """Bricks from surfaces. Offline.

    CENTRE: voxels whose centre is inside: volume is right; needs a closed surface
    COVER: voxels that the surface touches or encloses: nothing is lost; soups allowed
    SHELL: voxels that the surface touches, hollow inside; soups allowed

    tacVoxelRule of <tactus/meshing.h>."""

    CENTRE = 0
    COVER = 1
    SHELL = 2


class VoxeliseDef(Struct):
    """resolution: cubic voxels along the longest side of the mesh's box

    tacVoxeliseDef of <tactus/meshing.h>."""

    resolution: int
    rule: VoxelRule


define(VoxeliseDef, [
    ("resolution", c_int),
    ("rule", c_int, VoxelRule),
])


class ShapeInfo(Struct):
    """name: "kidney", "suspension-bridge", ...
    summary: one line: what it is and its main dimensions
    size: default edge length of its triangles, metres; resolves its thinnest part
    brick_size: default edge length of its bricks, metres; 0: it has no bricks

    tacShapeInfo of <tactus/meshing.h>."""

    name: Optional[str]
    summary: Optional[str]
    size: float
    brick_size: float


define(ShapeInfo, [
    ("name", c_char_p),
    ("summary", c_char_p),
    ("size", c_double),
    ("brick_size", c_double),
])


class ReducedInfo(Struct):
    """source: "modes", "sketch", "motion" or "vectors"
    mode_count: k, linear modes that went in; 0 where none
    element_count, vertex_count: of the volume mesh
    captured: share of the squared mass norm of the data that the basis holds
    linear_least, linear_most: Hz: of the k linear modes; 0 where none
    reduced_least, reduced_most: Hz: of the reduced body at rest
    bytes_polynomials: of the coefficients of all groups
    bytes_bake: largest amount of memory that the bake held at once, as far as it is counted

    tacReducedInfo of <tactus/reduced.h>."""

    source: str
    mode_count: int
    element_count: int
    vertex_count: int
    captured: float
    linear_least: float
    linear_most: float
    reduced_least: float
    reduced_most: float
    seconds_modes: float
    seconds_derivatives: float
    seconds_basis: float
    seconds_polynomials: float
    bytes_polynomials: float
    bytes_bake: float


define(ReducedInfo, [
    ("source", c_char * 16),
    ("mode_count", c_int),
    ("element_count", c_int),
    ("vertex_count", c_int),
    ("captured", c_double),
    ("linear_least", c_double),
    ("linear_most", c_double),
    ("reduced_least", c_double),
    ("reduced_most", c_double),
    ("seconds_modes", c_double),
    ("seconds_derivatives", c_double),
    ("seconds_basis", c_double),
    ("seconds_polynomials", c_double),
    ("bytes_polynomials", c_double),
    ("bytes_bake", c_double),
])


class BasisSource(IntEnum):
    """Where the basis comes from (Barbic 2007, section 2.8).

    MODES: linear modes and their derivatives: no loads needed
    SKETCH: static shapes under loads that somebody drew
    MOTION: the full simulation's motion under loads over time

    tacBasisSource of <tactus/reduced.h>."""

    MODES = 0
    SKETCH = 1
    MOTION = 2


class LoadSample(Struct):
    """A force at a point of the body.

    time: s; samples of one time act together
    point: of the body at rest, m, in or near the volume
    force: N, on the body
    radius: m, over which it is spread, with the same resultant and moment; 0, or less than elements have: none

    tacLoadSample of <tactus/reduced.h>."""

    time: float
    point: np.ndarray
    force: np.ndarray
    radius: float


define(LoadSample, [
    ("time", c_double),
    ("point", Vec3),
    ("force", Vec3),
    ("radius", c_double),
])


class ReducedDef(Struct):
    """material_of: [element]; NULL: all have materials[0]
    group_names: [material]; NULL: "body", or "group 1", ...
    held: [vertex of the volume]; NULL or none: a free body
    surface: embedded; NULL: the boundary of the volume
    lumped_mass: default false: consistent
    mode_count: k; default 10, at most 1000. For TAC_BASIS_SKETCH and _MOTION these are mixed in; 0: none
    size: r; default 20
    loads: in order of time; for TAC_BASIS_SKETCH and _MOTION
    motion_step: s; of the full simulation for TAC_BASIS_MOTION; default 1 ms
    motion_duration: s; default 0: to the last load
    alpha_mass, beta_stiffness: Rayleigh damping of that simulation, 1/s and s
    strain_rate: also what strain-rate damping needs: r^4 / 8 numbers a part of the energy
    error_estimate_loads: That are tried by the full solution to measure tac_reduced_error_estimate: in the limit of
    small ones all, and fewer large ones the larger the mesh is; none of free bodies and of meshes with over 30,000
    vertices. Default 12; 0: it stays unknown.

    tacReducedDef of <tactus/reduced.h>."""

    volume: Any
    material_count: int
    materials: Any
    material_of: Any
    group_names: Any
    held: Any
    surface: Any
    lumped_mass: bool
    source: BasisSource
    mode_count: int
    size: int
    load_count: int
    loads: Any
    motion_step: float
    motion_duration: float
    alpha_mass: float
    beta_stiffness: float
    strain_rate: bool
    error_estimate_loads: int


define(ReducedDef, [
    ("volume", c_void_p),
    ("material_count", c_int),
    ("materials", c_void_p),
    ("material_of", c_void_p),
    ("group_names", c_void_p),
    ("held", c_void_p),
    ("surface", c_void_p),
    ("lumped_mass", c_bool),
    ("source", c_int, BasisSource),
    ("mode_count", c_int),
    ("size", c_int),
    ("load_count", c_int),
    ("loads", c_void_p),
    ("motion_step", c_double),
    ("motion_duration", c_double),
    ("alpha_mass", c_double),
    ("beta_stiffness", c_double),
    ("strain_rate", c_bool),
    ("error_estimate_loads", c_int),
])


class ReducedBodyDef(Struct):
    """body: its name, place and springs; the asset knows whether it is free
    reduced: must outlive the world
    kept: [r] vectors of the basis to use; NULL: all
    alpha_mass: Rayleigh damping (alpha M + beta K(q)) q': 1/s,
    beta_stiffness: s
    strain_rate: Strain-rate damping (Barbic 2007, (2.34)): viscous stress of this time, s, times that which the
    elasticity would have at the strain rate. Only where tac_reduced_has_strain_rate.
    newton_steps: of the implicit Newmark method; default 1
    is_static: no inertia
    linear: geometrically linear, to sketch on and to compare with
    acceleration_limit: of |q''|, kg^1/2 m/s^2; 0: none
    shell: For contact of bodies; both may be NULL, both must outlive the world. embedded in `reduced`
    field: of `reduced`
    loads: baked deformations of `field`; NULL: none

    tacReducedBodyDef of <tactus/reduced.h>."""

    body: BodyDef
    reduced: Any
    kept: Any
    alpha_mass: float
    beta_stiffness: float
    strain_rate: float
    newton_steps: int
    is_static: bool
    linear: bool
    acceleration_limit: float
    shell: Any
    field: Any
    loads: Any


define(ReducedBodyDef, [
    ("body", BodyDef),
    ("reduced", c_void_p),
    ("kept", c_void_p),
    ("alpha_mass", c_double),
    ("beta_stiffness", c_double),
    ("strain_rate", c_double),
    ("newton_steps", c_int),
    ("is_static", c_bool),
    ("linear", c_bool),
    ("acceleration_limit", c_double),
    ("shell", c_void_p),
    ("field", c_void_p),
    ("loads", c_void_p),
])


class RigidBodyDef(Struct):
    """body: its name, place and springs
    surface: that is shown and touched; must outlive the world
    inertia: with which it is free or held dynamically; mass 0: none. See tac_mass_properties
    shell: For contact of bodies; both may be NULL, both must outlive the world.

    tacRigidBodyDef of <tactus/rigid.h>."""

    body: BodyDef
    surface: Any
    inertia: Inertia
    shell: Any
    field: Any


define(RigidBodyDef, [
    ("body", BodyDef),
    ("surface", c_void_p),
    ("inertia", Inertia),
    ("shell", c_void_p),
    ("field", c_void_p),
])


FUNCTIONS = {
    "tac_log_set": (None, (c_void_p, c_void_p,),
        "base.h", 'void tac_log_set(tacLogFn receiver, void *user)',
        'Sets the process-wide receiver; NULL (the default) discards. Call it before other threads use the library.'),
    "tac_plugin_set": (None, (c_void_p, c_void_p,),
        "base.h", 'void tac_plugin_set(tacPluginFn allow, void *user)',
        'Sets who is asked, for the process; NULL (the default) allows every file. Each that is loaded is named in the log first (tac_log_set). Call it before other threads use the library.'),
    "tac_layouts": (c_void_p, (c_void_p,),
        "base.h", 'const tacLayout *tac_layouts(int *count)',
        'Of every public struct first itself, then its fields in their order. Any phase and thread. [count]'),
    "tac_trimesh_create": (c_int, (c_int, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_create(int vertex_count, int triangle_count, tacTriMesh **mesh, tacError *error)',
        'A mesh with room for the given counts, zeroed. Free it with tac_trimesh_destroy.'),
    "tac_trimesh_destroy": (None, (c_void_p,),
        "mesh.h", 'void tac_trimesh_destroy(tacTriMesh *mesh)',
        'NULL is allowed'),
    "tac_trimesh_add_group": (c_int, (c_void_p, c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_add_group(tacTriMesh *mesh, const char *name, int count, const int *triangles, tacError *error)',
        'Appends a group of `count` triangles (copied, sorted); the name must be new in the mesh.'),
    "tac_trimesh_validate": (c_int, (c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_validate(const tacTriMesh *mesh, tacError *error)',
        'TAC_ERR_GEOMETRY where an index is out of range or a coordinate is not finite; says which. Every function that takes a mesh from a caller may assume that this holds.'),
    "tac_trimesh_require_closed": (c_int, (c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_require_closed(const tacTriMesh *mesh, tacError *error)',
        'TAC_ERR_GEOMETRY, with the number of boundary edges, unless the mesh encloses a volume: every directed edge is matched by an opposite one, counting multiplicity, so that winding numbers are integers everywhere off the surface. Touching, nested and intersecting parts are closed; an empty mesh is not. Offline: allocates.'),
    "tac_trimesh_box": (Box, (c_void_p,),
        "mesh.h", 'tacBox tac_trimesh_box(const tacTriMesh *mesh)',
        ''),
    "tac_trimesh_volume": (c_double, (c_void_p,),
        "mesh.h", 'double tac_trimesh_volume(const tacTriMesh *mesh)',
        'Volume enclosed (m^3, positive where triangles face outward); meaningful for closed meshes.'),
    "tac_trimesh_solid_volume": (c_int, (c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_solid_volume(const tacTriMesh *mesh, double *volume, tacError *error)',
        'Volume of the solid that a closed mesh encloses (m^3, never negative): where the winding number is not 0, so that what lies in several parts counts once, which tac_trimesh_volume counts as often. Exact but for overlaps, which are measured to about 1e-4 of the box by rows through them. Offline: allocates.'),
    "tac_mass_properties": (c_int, (c_void_p, c_double, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_mass_properties(const tacTriMesh *surface, double density, tacMassProperties *properties, tacError *error)',
        'Of the solid of uniform `density` (kg/m^3, positive) that a closed surface bounds; exact up to round-off. A cavity counts as empty where its triangles face into it; where parts overlap, mass counts once for each. TAC_ERR_GEOMETRY where the surface is not closed or its volume is not positive: it is inside out, or flat. Load and offline phases.'),
    "tac_volmesh_create": (c_int, (c_int, c_int, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_create(int vertex_count, int tet_count, int brick_count, tacVolMesh **mesh, tacError *error)',
        'A mesh with room for the given counts, zeroed. Free it with tac_volmesh_destroy.'),
    "tac_volmesh_destroy": (None, (c_void_p,),
        "mesh.h", 'void tac_volmesh_destroy(tacVolMesh *mesh)',
        'NULL is allowed'),
    "tac_volmesh_add_group": (c_int, (c_void_p, c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_add_group(tacVolMesh *mesh, const char *name, int count, const int *elements, tacError *error)',
        'Append a group of elements or a set of vertices (copied, sorted); the name must be new in its list.'),
    "tac_volmesh_add_vertex_set": (c_int, (c_void_p, c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_add_vertex_set(tacVolMesh *mesh, const char *name, int count, const int *vertices, tacError *error)',
        ''),
    "tac_volmesh_validate": (c_int, (c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_validate(const tacVolMesh *mesh, tacError *error)',
        'TAC_ERR_GEOMETRY where an index is out of range or a coordinate is not finite; says which.'),
    "tac_volmesh_box": (Box, (c_void_p,),
        "mesh.h", 'tacBox tac_volmesh_box(const tacVolMesh *mesh)',
        ''),
    "tac_volmesh_volume": (c_double, (c_void_p,),
        "mesh.h", 'double tac_volmesh_volume(const tacVolMesh *mesh)',
        ''),
    "tac_volmesh_surface": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_surface(const tacVolMesh *mesh, tacTriMesh **surface, int **vertex_of, int **element_of, tacError *error)',
        "The boundary: faces that belong to one element only, facing outward; a brick's face becomes two triangles. Vertices are renumbered without gaps. `vertex_of` (optional) receives a malloc'ed array that maps each surface vertex to its volume vertex; `element_of` (optional) one that maps each triangle to its element."),
    "tac_mesh_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_mesh_read(const char *path, tacMeshContents *contents, tacError *error)',
        'Reads a file. Polygons become triangles; elements of other kinds are skipped with a warning to the log; a broken file is an error that names file and line (or byte offset, in binary). On failure `contents` is both NULL, else not.'),
    "tac_mesh_format_name": (c_char_p, (c_int,),
        "mesh.h", 'const char *tac_mesh_format_name(tacMeshFormat format)',
        '"obj", "stl-ascii", "stl", "msh22-ascii", ... as `tactus mesh --format` takes them.'),
    "tac_mesh_write": (c_int, (c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_mesh_write(const char *path, tacMeshFormat format, const tacMeshContents *contents, tacError *error)',
        'Writes to a temporary name beside `path`, then renames: an interrupted or failed write leaves the old file. Coordinates keep every bit where the format can (binary STL holds floats). `contents` may hold either or both; TAC_ERR_UNSUPPORTED where the format cannot hold what is there.'),
    "tac_surface_report": (c_int, (c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_surface_report(const tacTriMesh *mesh, tacSurfaceReport *report, tacError *error)',
        ''),
    "tac_volume_report": (c_int, (c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volume_report(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error)',
        ''),
    "tac_repair_def_default": (RepairDef, (),
        "mesh.h", 'tacRepairDef tac_repair_def_default(void)',
        ''),
    "tac_repair": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_repair(const tacTriMesh *mesh, const tacRepairDef *def, tacTriMesh **repaired, tacRepairReport *report, tacError *error)',
        ''),
    "tac_distance_field_from_grid": (c_int, (c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_from_grid(const tacGrid *grid, tacDistanceField **field, tacError *error)',
        "Takes over grid->values (malloc'ed) on success. Values must be finite."),
    "tac_distance_field_plane": (c_int, (Vec3, c_double, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_plane(tacVec3 normal, double offset, tacDistanceField **field, tacError *error)',
        'The half space normal . p < offset is inside; `normal` need not have unit length.'),
    "tac_distance_field_sphere": (c_int, (Vec3, c_double, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_sphere(tacVec3 centre, double radius, tacDistanceField **field, tacError *error)',
        ''),
    "tac_distance_field_box": (c_int, (Box, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_box(tacBox box, tacDistanceField **field, tacError *error)',
        ''),
    "tac_distance_field_capsule": (c_int, (Vec3, Vec3, c_double, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_capsule(tacVec3 a, tacVec3 b, double radius, tacDistanceField **field, tacError *error)',
        ''),
    "tac_distance_field_union": (c_int, (c_int, c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_union(int part_count, tacDistanceField *const *parts, tacDistanceField **field, tacError *error)',
        "The smallest of the parts' values: exact outside, a bound inside where parts overlap. Takes over the parts on success; unions of unions are allowed."),
    "tac_distance_field_destroy": (None, (c_void_p,),
        "distance_field.h", 'void tac_distance_field_destroy(tacDistanceField *field)',
        'NULL is allowed'),
    "tac_distance_field_gradient": (c_double, (c_void_p, Vec3, c_void_p,),
        "distance_field.h", 'double tac_distance_field_gradient(const tacDistanceField *field, tacVec3 p, tacVec3 *gradient)',
        "The gradient of the same interpolant (equation 3.11), not normalised; outside the grid's box the direction away from the box. Where an analytic field has none, one of those beside it, or zero at the centre of a sphere and on the axis of a capsule. Returns the value as well."),
    "tac_distance_field_values": (None, (c_void_p, c_int, c_void_p, c_void_p,),
        "distance_field.h", 'void tac_distance_field_values(const tacDistanceField *field, int count, const tacVec3 *points, double *values)',
        'Values at many points.'),
    "tac_distance_field_grid": (c_void_p, (c_void_p,),
        "distance_field.h", 'const tacGrid *tac_distance_field_grid(const tacDistanceField *field)',
        'The samples of a grid field, NULL for an analytic one.'),
    "tac_distance_field_checks": (c_void_p, (c_void_p,),
        "distance_field.h", 'const tacBakeChecks *tac_distance_field_checks(const tacDistanceField *field)',
        'Of its bake; none for other fields.'),
    "tac_distance_field_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_write(const tacDistanceField *field, const char *path, tacError *error)',
        'Grid fields only. Written atomically; reading a truncated or altered file is an error that names the chunk.'),
    "tac_distance_field_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_read(const char *path, tacDistanceField **field, tacError *error)',
        ''),
    "tac_field_def_default": (FieldDef, (),
        "distance_field.h", 'tacFieldDef tac_field_def_default(void)',
        ''),
    "tac_distance_field_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_bake(const tacTriMesh *mesh, const tacFieldDef *def, const tacProgress *progress, tacDistanceField **field, tacError *error)',
        'Signed distance to a closed mesh. Nodes within the band and on the faces of the box are exact to float precision. Elsewhere a value may be too large, never too small: by a fraction of a voxel as a rule, by 4.5 voxels at most. A point is inside where the winding number is not zero, so overlapping, touching and nested parts are one solid, and a cavity that is bounded by inward triangles is outside. TAC_ERR_GEOMETRY where the mesh is not closed.'),
    "tac_distance_field_bake_soup": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_bake_soup(const tacTriMesh *soup, const tacFieldDef *def, const tacProgress *progress, tacDistanceField **field, tacTriMesh **surface, tacError *error)',
        'Signed distance to the offset surface of any set of triangles (thesis 3.8.1, 3.11): unsigned distance, isosurface at `offset`, components inside others removed, signed distance to the rest. `surface` (optional) receives that surface.'),
    "tac_pointshell_destroy": (None, (c_void_p,),
        "pointshell.h", 'void tac_pointshell_destroy(tacPointshell *shell)',
        'NULL is allowed'),
    "tac_pointshell_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_write(const tacPointshell *shell, const char *path, tacError *error)',
        ''),
    "tac_pointshell_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_read(const char *path, tacPointshell **shell, tacError *error)',
        ''),
    "tac_pointshell_write_ply": (c_int, (c_void_p, c_char_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_write_ply(const tacPointshell *shell, const char *path, tacError *error)',
        'PLY with x, y, z, nx, ny, nz (outward), level and area of each point; binary. What is embedded in a body is left out. Reading takes files of other programs too: without `level` the levels are made by farthest points (section 3.9.1, branching factor 4); without `area` areas are estimated; normals are needed.'),
    "tac_pointshell_read_ply": (c_int, (c_char_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_read_ply(const char *path, tacPointshell **shell, tacError *error)',
        ''),
    "tac_pointshell_checks": (c_void_p, (c_void_p,),
        "pointshell.h", 'const tacBakeChecks *tac_pointshell_checks(const tacPointshell *shell)',
        'of its bake'),
    "tac_pointshell_level_count": (c_int, (c_void_p,),
        "pointshell.h", 'int tac_pointshell_level_count(const tacPointshell *shell)',
        ''),
    "tac_pointshell_size": (c_int, (c_void_p, c_int,),
        "pointshell.h", 'int tac_pointshell_size(const tacPointshell *shell, int level)',
        'Points of the levels 0 to `level`; a level beyond the last counts as the last.'),
    "tac_pointshell_point": (Vec3, (c_void_p, c_int,),
        "pointshell.h", 'tacVec3 tac_pointshell_point(const tacPointshell *shell, int point)',
        ''),
    "tac_pointshell_displacements": (c_void_p, (c_void_p, c_void_p,),
        "pointshell.h", 'const float *tac_pointshell_displacements(const tacPointshell *shell, int *stride)',
        "U of (3.6): [point][axis][stride], m for a unit of q_j, of which the first r of a row count; the shell's. NULL: rigid."),
    "tac_pointshell_with_basis": (c_int, (c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_with_basis(const tacPointshell *shell, int r, const double *displacements, const double *normal_changes, tacPointshell **embedded, tacError *error)',
        "The same points moving with coordinates of one's own: displacements [point][axis][r] and changes of the normal likewise (outward pseudo-normal N + dN q; NULL: they do not turn). Load phase."),
    "tac_pointshell_deformed_point": (Vec3, (c_void_p, c_int, c_void_p,),
        "pointshell.h", 'tacVec3 tac_pointshell_deformed_point(const tacPointshell *shell, int point, const double *q)',
        'In the deformation q[r]: (3.6), (3.8) and (3.12).'),
    "tac_pointshell_def_default": (PointshellDef, (),
        "pointshell.h", 'tacPointshellDef tac_pointshell_def_default(void)',
        ''),
    "tac_pointshell_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_bake(const tacDistanceField *field, const tacTriMesh *mesh, const tacPointshellDef *def, const tacProgress *progress, tacPointshell **shell, tacError *error)',
        '`field` is a grid: of a closed mesh, or of the offset surface of a soup. Normals are those of `mesh` (closed; the pseudo-normal of its closest face, edge or vertex, so that sharp edges are kept), or of the level set where `mesh` is NULL. Everything else is chosen by the program. Same input, same bits.'),
    "tac_body_kind_register": (c_int, (c_void_p, c_void_p,),
        "body_kind.h", 'tacStatus tac_body_kind_register(const tacBodyKind *kind, tacError *error)',
        "Load phase, any thread. The row must outlive the process's use of the library. The same row again is fine; another of the same name is TAC_ERR_ARGUMENT, as is a row that lacks something; a row or table of another version is TAC_ERR_VERSION."),
    "tac_body_kind_load": (c_int, (c_char_p, c_void_p,),
        "body_kind.h", 'tacStatus tac_body_kind_load(const char *path, tacError *error)',
        'Loads a shared object and registers its rows, all or none. `path` without a slash is looked up by the system. It is never unloaded.'),
    "tac_device_load": (c_int, (c_char_p, c_char_p, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_load(const char *path, const char *options, double period, tacDevice *device, tacError *error)',
        'A shared object; the error names the file and what it lacks. `path` is a file where it has a slash; a name such as "openhaptics" is looked for as openhaptics.so in the folders of tac_device_drivers; what ends in ".so", or is in none of them, is looked up by the system.'),
    "tac_device_close": (None, (c_void_p,),
        "device.h", 'void tac_device_close(tacDevice *device)',
        'a zeroed struct is allowed'),
    "tac_device_drivers": (c_int, (c_int, c_void_p,),
        "device.h", 'int tac_device_drivers(int most, tacDriverFile *files)',
        ''),
    "tac_trajectory_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_trajectory_read(const char *path, tacTrajectory **trajectory, tacError *error)',
        ''),
    "tac_trajectory_create": (c_int, (c_int, c_void_p, c_bool, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_trajectory_create(int count, const tacTrajectoryPoint *points, bool smooth, tacTrajectory **trajectory, tacError *error)',
        'Copies the points; times must ascend. `smooth` interpolates by a cubic.'),
    "tac_trajectory_destroy": (None, (c_void_p,),
        "device.h", 'void tac_trajectory_destroy(tacTrajectory *trajectory)',
        'NULL is allowed'),
    "tac_trajectory_duration": (c_double, (c_void_p,),
        "device.h", 'double tac_trajectory_duration(const tacTrajectory *trajectory)',
        ''),
    "tac_trajectory_at": (None, (c_void_p, c_double, c_void_p, c_void_p,),
        "device.h", 'void tac_trajectory_at(const tacTrajectory *trajectory, double time, tacDeviceState *state, tacVec3 *velocity)',
        'Any phase. Before the first and after the last point the trajectory rests. `velocity` (m/s) may be NULL.'),
    "tac_device_replay_open": (c_int, (c_void_p, c_bool, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_replay_open(tacTrajectory *trajectory, bool repeats, double period, tacDevice *device, tacError *error)',
        'Plays a trajectory, whatever the forces; TAC_DEVICE_DONE at its end, unless it `repeats` (its ends must then meet). Takes the trajectory over, also on failure.'),
    "tac_operator_def_preset": (c_int, (c_char_p, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_operator_def_preset(const char *name, tacOperatorDef *def, tacError *error)',
        'Presets: "premium-3", "premium-6" (Phantom Premium-like, 3 and 6 dof), "omni" (Omni-like, 3 dof of force, encoder 0.055 mm), "omni-6", "virtuose-6" (Virtuose 6D-like, 35 N). TAC_ERR_ARGUMENT names them all.'),
    "tac_operator_preset_name": (c_char_p, (c_int,),
        "device.h", 'const char *tac_operator_preset_name(int index)',
        '0, 1, ... until NULL'),
    "tac_device_operator_open": (c_int, (c_void_p, c_void_p, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_operator_open(const tacOperatorDef *def, tacTrajectory *path, double period, tacDevice *device, tacError *error)',
        'Takes the path over, also on failure.'),
    "tac_pointer_def_default": (PointerDef, (),
        "device.h", 'tacPointerDef tac_pointer_def_default(void)',
        '600 N/m, near critical damping, 0.15 kg, 1 m/s, 1 mm'),
    "tac_device_pointer_open": (c_int, (c_void_p, c_void_p, Vec3, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_pointer_open(const tacPointerDef *def, tacDevice *own, tacVec3 start, double period, tacDevice *device, tacError *error)',
        '`own` (a zeroed struct or NULL: none) is taken over and zeroed, also on failure; the new device has its info (without it: 3 dof, 20 N, 3000 N/m). The handle begins at the first state of `own`, or at `start`. The pointer leads where there is no other.'),
    "tac_device_pointer_move": (None, (c_void_p, c_void_p,),
        "device.h", 'void tac_device_pointer_move(const tacDevice *device, const tacPointerSample *sample)',
        'Below: one other thread at a time, any phase; never wait. Samples that are not finite are ignored, and so is a hand outside the bounds above. Samples between two ticks may be skipped, but not that a touch ended and another began.'),
    "tac_material_isotropic": (c_int, (c_double, c_double, c_double, c_void_p, c_void_p,),
        "material.h", 'tacStatus tac_material_isotropic(double density, double young, double poisson, tacMaterial *material, tacError *error)',
        'TAC_ERR_ARGUMENT unless density > 0, young > 0 and -1 < poisson < 0.5.'),
    "tac_material_anisotropic": (c_int, (c_double, c_void_p, c_void_p, c_void_p,),
        "material.h", 'tacStatus tac_material_anisotropic(double density, const double coefficients[21], tacMaterial *material, tacError *error)',
        'The 21 coefficients of the upper triangle row by row: C11 C12 ... C16 C22 ... C66, Pa. TAC_ERR_ARGUMENT unless C is positive definite.'),
    "tac_material_law": (c_bool, (c_int, c_void_p,),
        "material.h", 'bool tac_material_law(int index, tacMaterialLaw *law)',
        'false: there are no more'),
    "tac_law_material_check": (c_int, (c_void_p, c_void_p,),
        "material.h", 'tacStatus tac_law_material_check(const tacLawMaterial *material, tacError *error)',
        'Whether a material makes sense: names what does not.'),
    "tac_guard_def_default": (GuardDef, (),
        "guard.h", 'tacGuardDef tac_guard_def_default(void)',
        ''),
    "tac_guard_def_for": (GuardDef, (c_void_p, c_double,),
        "guard.h", 'tacGuardDef tac_guard_def_for(const tacDeviceInfo *info, double period)',
        'With the limits of a device; `period` in s. A NULL info gives none, which tac_guard_create refuses.'),
    "tac_guard_create": (c_int, (c_void_p, c_void_p, c_void_p,),
        "guard.h", 'tacStatus tac_guard_create(const tacGuardDef *def, tacGuard **guard, tacError *error)',
        'Load phase. One a device.'),
    "tac_guard_destroy": (None, (c_void_p,),
        "guard.h", 'void tac_guard_destroy(tacGuard *guard)',
        'NULL is allowed'),
    "tac_guard_read": (c_int, (c_void_p, c_int, c_void_p, c_void_p,),
        "guard.h", 'tacFault tac_guard_read(tacGuard *guard, tacDeviceHealth health, const tacDeviceState *read, tacDeviceState *state)',
        "The device's state as read; `health` is TAC_DEVICE_LATE where there is no new one, and `read` may be NULL then. Gives the last good state, its quaternion of length 1, which is always safe to use; it may go where `read` is. Returns the fault that ended the forces, now or before: with one there is nothing left to render, and the world need not be stepped. TAC_DEVICE_DONE stops the guard without a fault."),
    "tac_guard_set_stored": (None, (c_void_p, c_double,),
        "guard.h", 'void tac_guard_set_stored(tacGuard *guard, double energy)',
        "Before tac_guard_write, in every tick or never: what the world's bodies hold that they may give back to this hand (tac_world_tool_stored), J at the device: that of the scene over the workspace's scale. Energy that the hand gave them in an earlier contact is then no generated one. It says only how much of the hand's own work may still be there."),
    "tac_guard_write": (None, (c_void_p, Vec3, Vec3, c_void_p,),
        "guard.h", 'void tac_guard_write(tacGuard *guard, tacVec3 force, tacVec3 torque, tacGuardForce *safe)',
        "The world's force and torque on the hand, device frame. Once a tick, after tac_guard_read, also with a fault: the ramp to zero is made of these calls. What it gives must be written: it counts as held until the next tick."),
    "tac_guard_skip": (None, (c_void_p, c_int64,),
        "guard.h", 'void tac_guard_skip(tacGuard *guard, int64_t periods)',
        'Before tac_guard_read, where periods went by without a tick: a device may have moved that much farther.'),
    "tac_guard_pause": (None, (c_void_p, c_bool,),
        "guard.h", 'void tac_guard_pause(tacGuard *guard, bool paused)',
        "Fades the world's force out (`ramp_out`) and in again (`ramp_in`); ticks go on meanwhile."),
    "tac_guard_stop": (None, (c_void_p,),
        "guard.h", 'void tac_guard_stop(tacGuard *guard)',
        'Ramps to zero for good, as a fault does: with several devices, call it for all where one has a fault.'),
    "tac_guard_reset": (None, (c_void_p,),
        "guard.h", 'void tac_guard_reset(tacGuard *guard)',
        'Begins again, also after a fault, with a ramp in and a new report. The force goes on from what was written last.'),
    "tac_guard_report": (GuardReport, (c_void_p,),
        "guard.h", 'tacGuardReport tac_guard_report(const tacGuard *guard)',
        ''),
    "tac_guard_fault_text": (None, (c_void_p, c_char_p, c_size_t,),
        "guard.h", 'void tac_guard_fault_text(const tacGuard *guard, char *text, size_t size)',
        'What the device did, to stand after its name: "jumped 0.12 m in one tick (at most 5 m/s)". Empty where there is no fault.'),
    "tac_world_def_default": (WorldDef, (),
        "world.h", 'tacWorldDef tac_world_def_default(void)',
        ''),
    "tac_world_create": (c_int, (c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error)',
        ''),
    "tac_world_destroy": (None, (c_void_p,),
        "world.h", 'void tac_world_destroy(tacWorld *world)',
        'NULL is allowed'),
    "tac_world_period": (c_double, (c_void_p,),
        "world.h", 'double tac_world_period(const tacWorld *world)',
        'of a tick'),
    "tac_world_set_floor": (c_int, (c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_set_floor(tacWorld *world, const tacFloorDef *def, tacError *error)',
        ''),
    "tac_world_add_point_tool": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error)',
        ''),
    "tac_body_tool_def_default": (BodyToolDef, (),
        "world.h", 'tacBodyToolDef tac_body_tool_def_default(void)',
        'Static, 600 N/m, 0.5 N m, no saturation, damping 0.5, 1 m/s, 10 rad/s; 0.1 kg, ratio 1; no jaws, which would close by 0.5 rad in 0.5 s with 0.1 N m.'),
    "tac_world_add_body_tool": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_body_tool(tacWorld *world, const tacBodyToolDef *def, int *tool, tacError *error)',
        ''),
    "tac_pad_tool_def_default": (PadToolDef, (),
        "world.h", 'tacPadToolDef tac_pad_tool_def_default(void)',
        'Sticks, one pad of 6 mm that looks along -z, friction 0.5; 600 N/m, 0.5 N m, 1 m/s, 10 rad/s.'),
    "tac_world_add_pad_tool": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_pad_tool(tacWorld *world, const tacPadToolDef *def, int *tool, tacError *error)',
        ''),
    "tac_pair_def_default": (PairDef, (),
        "world.h", 'tacPairDef tac_pair_def_default(void)',
        ''),
    "tac_world_add_pair": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_pair(tacWorld *world, const tacPairDef *def, int *pair, tacError *error)',
        ''),
    "tac_world_seal": (c_int, (c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_seal(tacWorld *world, tacError *error)',
        'Allocates everything that steps need. Nothing can be added afterwards.'),
    "tac_world_is_sealed": (c_bool, (c_void_p,),
        "world.h", 'bool tac_world_is_sealed(const tacWorld *world)',
        'false for NULL'),
    "tac_world_body_count": (c_int, (c_void_p,),
        "world.h", 'int tac_world_body_count(const tacWorld *world)',
        ''),
    "tac_world_body": (BodyId, (c_void_p, c_int,),
        "world.h", 'tacBodyId tac_world_body(const tacWorld *world, int index)',
        ''),
    "tac_world_find_body": (BodyId, (c_void_p, c_char_p,),
        "world.h", 'tacBodyId tac_world_find_body(const tacWorld *world, const char *name)',
        '{0, 0}: none'),
    "tac_world_body_name": (c_char_p, (c_void_p, BodyId,),
        "world.h", 'const char *tac_world_body_name(const tacWorld *world, tacBodyId id)',
        ''),
    "tac_world_body_kind_name": (c_char_p, (c_void_p, BodyId,),
        "world.h", 'const char *tac_world_body_kind_name(const tacWorld *world, tacBodyId id)',
        'As in scenes: "rigid", "green", ...; NULL where there is no such body.'),
    "tac_world_body_surface": (c_void_p, (c_void_p, BodyId,),
        "world.h", 'const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id)',
        "The surface that is touched and shown, at rest in the body's frame, and which of its vertices are fixed."),
    "tac_world_body_fixed": (c_void_p, (c_void_p, BodyId,),
        "world.h", 'const bool *tac_world_body_fixed(const tacWorld *world, tacBodyId id)',
        ''),
    "tac_world_body_pose": (Pose, (c_void_p, BodyId,),
        "world.h", 'tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id)',
        'at the start'),
    "tac_world_tool_count": (c_int, (c_void_p,),
        "world.h", 'int tac_world_tool_count(const tacWorld *world)',
        ''),
    "tac_world_tool_body": (BodyId, (c_void_p, c_int,),
        "world.h", 'tacBodyId tac_world_tool_body(const tacWorld *world, int tool)',
        "The body that a tool holds; {0, 0} for point tools and pads. And where, in the body's frame."),
    "tac_world_tool_grasp": (Vec3, (c_void_p, c_int,),
        "world.h", 'tacVec3 tac_world_tool_grasp(const tacWorld *world, int tool)',
        ''),
    "tac_world_tool_stored": (c_double, (c_void_p, c_int,),
        "world.h", 'double tac_world_tool_stored(const tacWorld *world, int tool)',
        'J, after the last step: what the bodies hold that it touches, and those that touch these, which they may give back to it; of all bodies where it touches none. Elastic and kinetic energy and, of free bodies, that of their weight, above the least that each has had since the start, and the springs of point tools on them; and the kinetic energy of a body that the tool holds by a dynamic coupling. Bodies that rest hold nothing, nor do elastostatic ones beyond their contact; kinds that do not know count for nothing. For tac_guard_set_stored.'),
    "tac_world_tool_name": (c_char_p, (c_void_p, c_int,),
        "world.h", 'const char *tac_world_tool_name(const tacWorld *world, int tool)',
        ''),
    "tac_world_body_most_stiffness": (c_double, (c_void_p, BodyId,),
        "world.h", 'double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id)',
        'The largest stiffness that any contact on this body renders, N/m (largest eigenvalue).'),
    "tac_world_parameter_count": (c_int, (c_void_p,),
        "world.h", 'int tac_world_parameter_count(const tacWorld *world)',
        'What may be changed while a world is used. Of each elastostatic body its stiffness (factor), friction (coefficient) and mask (radius, m). Of each body with coordinates its stiffness (factor on all elasticity), friction, damping (beta, s), touch (N/m), linear (0 or 1), where its model has it strain_rate (s), and by group of material lambda, mu and density (factors on what was baked): "spoon.mu", or with several groups "bridge.cables.mu". Of each pair, as "hoses-part.stiffness", stiffness (of a point, N/m), friction, nodes (that a traversal may visit: its part of the budget on the machine that runs) and contact (what a point in contact costs beside, in nodes). Parameters are numbered through all bodies and then all pairs; worlds with the same bodies and pairs number them alike.'),
    "tac_world_parameter": (Parameter, (c_void_p, c_int,),
        "world.h", 'tacParameter tac_world_parameter(const tacWorld *world, int index)',
        ''),
    "tac_world_find_parameter": (c_int, (c_void_p, c_char_p,),
        "world.h", 'int tac_world_find_parameter(const tacWorld *world, const char *name)',
        '-1: none'),
    "tac_world_set_parameter": (c_int, (c_void_p, c_int, c_double, c_void_p,),
        "world.h", 'tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *error)',
        "From the thread that steps. Values out of range change nothing and are TAC_ERR_ARGUMENT. In time proportional to the body's vertices and without allocation for those that are `in_tick`."),
    "tac_world_left_out": (c_int64, (c_void_p, c_void_p,),
        "world.h", 'int64_t tac_world_left_out(const tacWorld *world, int *most)',
        ''),
    "tac_world_step": (None, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report)',
        'One step. `inputs` and `outputs` have one entry a tool. Outputs are always finite. Of a world that is NULL or not sealed nothing moves, and the report says `refused`.'),
    "tac_world_reset": (None, (c_void_p,),
        "world.h", 'void tac_world_reset(tacWorld *world)',
        'As after sealing: all tools free, all bodies at rest where they were put. Parameters stay as they are.'),
    "tac_world_start_simulation": (c_int, (c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_start_simulation(tacWorld *world, tacError *error)',
        "A world with `simulate_every` N > 1 moves its bodies in steps of N ticks, and its tools in every tick: with a local problem, the contacts of the tools with what they touch or may touch soon, and how that gives way. It hands over its inputs in one tick, and takes what became of the bodies N ticks later, or as soon as it is there; nothing that is felt jumps then.\n\nWithout a thread the steps are done within ticks: runs that need not be in time. After tac_world_start_simulation a thread does them, and a tick neither waits for it nor locks. Both do the same, to the last bit, as long as that thread is in time. Bodies that have threads of their own (tacBodyTable.start) get them, too, whatever N is. Load phase.\n\nWhat is asked for after the first tick (tac_world_set_parameter, _move_body, _push_body; at most 64 between two steps) is done before the bodies' next step. Until then tac_world_parameter tells the value before; one that turns out to be out of range changes nothing and is counted by `refused` where that step is taken. A push gives the impulse of one tick. Parameters that are not `in_tick` are set at once; a reset, a saved and a loaded state wait for the step under way, and find all set."),
    "tac_world_stop_simulation": (None, (c_void_p,),
        "world.h", 'void tac_world_stop_simulation(tacWorld *world)',
        'NULL is allowed; as tac_world_destroy does'),
    "tac_version": (c_char_p, (),
        "world.h", 'const char *tac_version(void)',
        'The version of the library that runs: "1.2.3".'),
    "tac_world_move_body": (c_int, (c_void_p, BodyId, c_void_p, Vec3, Vec3, c_void_p,),
        "world.h", 'tacStatus tac_world_move_body(tacWorld *world, tacBodyId id, const tacPose *pose, tacVec3 velocity, tacVec3 spin, tacError *error)',
        'These are for between steps, from the thread that steps. A world that is NULL or not sealed is an error.\n\nPuts a body elsewhere: one that rests, with its support (its held vertices), where the world is `movable`; or a free one. With the velocity that it has there (of its centre, m/s; rad/s), by which contacts look ahead.'),
    "tac_world_push_body": (c_int, (c_void_p, BodyId, Vec3, Vec3, c_void_p,),
        "world.h", 'tacStatus tac_world_push_body(tacWorld *world, tacBodyId id, tacVec3 at, tacVec3 force, tacError *error)',
        'A force from outside in the next step alone (N), at the point of the surface that is nearest to `at`; world frame.'),
    "tac_world_body_motion": (c_int, (c_void_p, BodyId, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_body_motion(const tacWorld *world, tacBodyId id, tacPose *pose, tacVec3 *velocity, tacVec3 *spin)',
        'Where it is and how it moves; each may be NULL.'),
    "tac_world_memory_size": (c_size_t, (c_void_p,),
        "world.h", 'size_t tac_world_memory_size(const tacWorld *world)',
        'The whole state of a sealed world as bytes, from which it goes on bit for bit: bodies, tools, what friction and warm starts remember. For this process and this world, or one made alike; parameters are not in it. Load phase or between steps: takes time in proportion to the points of shells. While pads hold a body it is not saved: an error. 0 where it is not sealed'),
    "tac_world_save": (c_int, (c_void_p, c_size_t, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_save(tacWorld *world, size_t size, void *memory, tacError *error)',
        ''),
    "tac_world_load": (c_int, (c_void_p, c_size_t, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_load(tacWorld *world, size_t size, const void *memory, tacError *error)',
        ''),
    "tac_world_state_size": (c_int, (c_void_p,),
        "world.h", 'int tac_world_state_size(const tacWorld *world)',
        "The state of the bodies that have one: for each body with coordinates its q (r numbers); for each body that is free or held by a tool the position of its frame's origin (3, m) and its orientation (4, quaternion w, x, y, z); for each body that pads may hold its stiffness, and for each vertex that they may hold its number and the traction there (4, Pa); for each that answers only some loads (tacBodyTable.covers) the sum of what presses it (7); for each that knows its doubt that; after all bodies, for each pair the level to which it was rendered. Tick: copies without allocation. 0 where no body has a state"),
    "tac_world_state": (None, (c_void_p, c_void_p,),
        "world.h", 'void tac_world_state(const tacWorld *world, double *state)',
        ''),
    "tac_world_snapshot_pose": (Pose, (c_void_p, c_void_p, BodyId,),
        "world.h", 'tacPose tac_world_snapshot_pose(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id)',
        'The pose of a body in a snapshot.'),
    "tac_world_surface": (None, (c_void_p, c_void_p, BodyId, c_void_p,),
        "world.h", 'void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices)',
        "Deformed vertices of a body's surface in the world frame (James and Pai 2001, (35); Barbic 2007, (3.6)); any thread, no allocation."),
    "tac_world_tractions": (None, (c_void_p, c_void_p, BodyId, c_void_p,),
        "world.h", 'void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions)',
        'Tractions at the vertices, Pa, world frame: of the contacts, spread by their masks, and of what holds the fixed vertices.'),
    "tac_world_colours": (c_bool, (c_void_p, c_void_p, BodyId, c_int, c_void_p, c_void_p, c_void_p,),
        "world.h", 'bool tac_world_colours(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacColouring colour, tacVec3 *vertices, tacStressSum *room, double *values)',
        "What each vertex is coloured by in that moment: TAC_COLOUR_*. `vertices` and `room` have one for each vertex; the vertices are left deformed, in the body's frame. False where it is not known of this body, then nothing is written to `values`: bodies that do not deform have neither, and stress is known of those that tell it. One thread at a time for a body, any; no allocation."),
    "tac_world_body_error_estimate": (c_double, (c_void_p, c_void_p, BodyId,),
        "world.h", 'double tac_world_body_error_estimate(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id)',
        'How far a body in that moment is expected to be from the full model that it stands for, under the same loads and at rest: |u - u_full| / |u_full| of displacements, in the root of the mean square over its surface. -1: it does not know.'),
    "tac_world_contacts": (c_int, (c_void_p, c_int, c_void_p,),
        "world.h", 'int tac_world_contacts(const tacWorld *world, int most, tacShownContact *contacts)',
        'Those of the last step, near ones that do not touch among them: at most `most`; returns how many were written. Between steps, from the thread that steps. Of worlds that are simulated slower than they are rendered those of the local problem that the last tick solved: of tools with what surrounds them, tips of point tools among them.'),
    "tac_world_sensors": (None, (c_void_p, c_void_p, BodyId, c_void_p,),
        "world.h", 'void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values)',
        "Rows of the body's sensors (m, Pa) in that moment, one sensor after the other."),
    "tac_recorder_open_world": (c_int, (c_char_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recorder_open_world(const char *path, const tacWorld *world, const tacRecordingInfo *texts, tacRecorder **recorder, tacError *error)',
        'The same for a world: rates, tools, parameters and size of the state are its own, whatever `texts` says of them.'),
    "tac_recorder_push": (c_bool, (c_void_p, c_void_p,),
        "recording.h", 'bool tac_recorder_push(tacRecorder *recorder, const tacTickRecord *record)',
        'Tick. False where the ring is full: the record is lost and counted.'),
    "tac_recorder_push_state": (c_bool, (c_void_p, c_int64, c_void_p,),
        "recording.h", 'bool tac_recorder_push_state(tacRecorder *recorder, int64_t tick, const double *state)',
        "Tick. The state after a tick, before that tick's record is pushed. It is kept every 20 ms, as float, and otherwise passed over. False where its ring is full: it is lost and counted."),
    "tac_recorder_close": (c_int, (c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recorder_close(tacRecorder *recorder, int64_t *lost, tacError *error)',
        'Drains, ends the thread, completes the file. `lost` (may be NULL): records and states that did not fit. Frees the recorder.'),
    "tac_recording_open": (c_int, (c_char_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_open(const char *path, tacRecording **recording, tacError *error)',
        'Reads the table; ticks are read as they are asked for. A file that was cut short is read as far as its blocks are whole.'),
    "tac_recording_close": (None, (c_void_p,),
        "recording.h", 'void tac_recording_close(tacRecording *recording)',
        'NULL is allowed'),
    "tac_recording_info": (c_void_p, (c_void_p,),
        "recording.h", 'const tacRecordingInfo *tac_recording_info(const tacRecording *recording)',
        ''),
    "tac_recording_tick_count": (c_int64, (c_void_p,),
        "recording.h", 'int64_t tac_recording_tick_count(const tacRecording *recording)',
        ''),
    "tac_recording_complete": (c_bool, (c_void_p,),
        "recording.h", 'bool tac_recording_complete(const tacRecording *recording)',
        'false where it was cut short'),
    "tac_recording_tick": (c_int, (c_void_p, c_int64, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_tick(tacRecording *recording, int64_t index, tacTickRecord *record, tacError *error)',
        'Ticks in any order; consecutive ones are cheap.'),
    "tac_recording_state": (c_int, (c_void_p, c_int64, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_state(tacRecording *recording, int64_t tick, double *state, tacError *error)',
        "The bodies' state after a tick (its number, not its index), `state_size` numbers: between two stored ones each number is interpolated. Before the first and after the last it is that one; an error where there is none or it is not finite."),
    "tac_recording_snapshot": (c_int, (c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_snapshot(tacRecording *recording, const tacWorld *world, int64_t index, double *state, tacSnapshot *snapshot, tacError *error)',
        'What a tick showed, for tac_world_surface and the like. The snapshot refers to `state`, tac_world_state_size numbers. What does not fit the world (a contact with a triangle that it does not have) or is not finite is an error.'),
    "tac_recording_begin": (c_int, (c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_begin(const tacRecording *recording, tacWorld *world, tacError *error)',
        "Brings the world's parameters to what they were when the recording began, and, before a tick, does what was done before it (a parameter set): for those who go through the ticks with a world of their own. Those who step it tell it when to take, too (tac_world_replay_taking, TAC_TICK_TAKEN). Offline."),
    "tac_recording_write_csv": (c_int, (c_void_p, c_char_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_write_csv(tacRecording *recording, const char *path, tacError *error)',
        'One row a tick, one group of columns a tool; units in the header.'),
    "tac_recording_write_vtu": (c_int, (c_void_p, c_void_p, c_double, c_char_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_write_vtu(tacRecording *recording, tacWorld *world, double rate, const char *folder, const tacProgress *progress, tacError *error)',
        "Surfaces of the world's bodies over time: FOLDER/<body>_<frame>.vtu with displacement and, per frame, contact forces, and FOLDER/<name>.pvd that lists them for ParaView. `rate` frames a second. Sets the world's parameters as they were."),
    "tac_recording_replay": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_replay(tacRecording *recording, tacWorld *world, const tacProgress *progress, tacReplayReport *report, tacError *error)',
        'The world runs again on the recorded inputs, from its reset state, to the end; every output is compared bit for bit, and so is the state as float where it was stored.'),
    "tac_recording_same_platform": (c_bool, (c_void_p, c_char_p, c_size_t,),
        "recording.h", 'bool tac_recording_same_platform(const tacRecording *recording, char *text, size_t size)',
        'Whether this program computes where the recording was made: the same architecture and kernels, compiler, flags and C library, which give the same bits. Otherwise, and where it is not known, `text` gets a line that names both places.'),
    "tac_servo_def_default": (ServoDef, (),
        "servo.h", 'tacServoDef tac_servo_def_default(void)',
        ''),
    "tac_servo_create": (c_int, (c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "servo.h", 'tacStatus tac_servo_create(tacWorld *world, int device_count, tacDevice *devices, const tacWorkspaceDef *workspaces, const tacServoDef *def, tacRecorder *recorder, tacServo **servo, tacError *error)',
        "Load phase. One device a tool of the world, in their order; `workspaces` likewise (NULL: defaults). Refers to all of them. `recorder` may be NULL. The world must be sealed; it is this servo's alone until that has stopped or is destroyed."),
    "tac_servo_destroy": (None, (c_void_p,),
        "servo.h", 'void tac_servo_destroy(tacServo *servo)',
        'NULL is allowed; stops first'),
    "tac_servo_start": (c_int, (c_void_p, c_void_p,),
        "servo.h", 'tacStatus tac_servo_start(tacServo *servo, tacError *error)',
        'Starts the loop on a thread of its own, and in real time the simulation of a world that is simulated slower than it is rendered (tac_world_start_simulation).'),
    "tac_servo_running": (c_bool, (c_void_p,),
        "servo.h", 'bool tac_servo_running(const tacServo *servo)',
        ''),
    "tac_servo_stop": (None, (c_void_p,),
        "servo.h", 'void tac_servo_stop(tacServo *servo)',
        'Asks it to ramp out and stop, and waits until it has.'),
    "tac_servo_snapshot": (c_void_p, (c_void_p,),
        "servo.h", 'const tacSnapshot *tac_servo_snapshot(tacServo *servo)',
        'The latest snapshot, for one other thread at display rate; never waits. It stays, with its state, until the next call.'),
    "tac_servo_remark": (c_char_p, (c_void_p,),
        "servo.h", 'const char *tac_servo_remark(const tacServo *servo)',
        'What the system refused (priority, memory locking), one line; "" where all was granted or the loop has not begun.'),
    "tac_servo_pause": (None, (c_void_p, c_bool,),
        "servo.h", 'void tac_servo_pause(tacServo *servo, bool paused)',
        'While it runs, from one other thread; none waits. A paused loop ramps the forces to zero, then reads the devices and does nothing else: no tick is counted or recorded. Steps are for a paused loop: so many ticks, without force on the devices.'),
    "tac_servo_step": (None, (c_void_p, c_int,),
        "servo.h", 'void tac_servo_step(tacServo *servo, int ticks)',
        ''),
    "tac_servo_set_parameter": (c_bool, (c_void_p, c_int, c_double,),
        "servo.h", 'bool tac_servo_set_parameter(tacServo *servo, int parameter, double value)',
        'Sets a parameter of the world (one that is `in_tick`) before one of the next ticks, one a tick, so that the recording has it. False where too many wait, or it cannot be set in a tick; values out of range are ignored.'),
    "tac_servo_samples": (c_int, (c_void_p, c_int, c_void_p,),
        "servo.h", 'int tac_servo_samples(tacServo *servo, int capacity, tacTickSample *samples)',
        'Those since the last call, oldest first, at most `capacity`; returns how many. For one other thread. At least 4,096 ticks wait; those that come while nobody fetches them are left out.'),
    "tac_servo_report": (ServoReport, (c_void_p,),
        "servo.h", 'tacServoReport tac_servo_report(const tacServo *servo)',
        'After the loop has ended.'),
    "tac_servo_fault_text": (None, (c_void_p, c_char_p, c_size_t,),
        "servo.h", 'void tac_servo_fault_text(const tacServo *servo, char *text, size_t size)',
        'The report\'s fault as a line: "device 0 (omni) jumped 1.02 m in one tick at 3.204 s; ...". Empty where there is none.'),
    "tac_scene_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_read(const char *path, tacScene **scene, tacError *error)',
        'Errors are one line: "scenes/kidney.yaml:14: bodies[0].material.yuong: unknown key; did you mean young?", "...: 5 kg is not a length; write it like 5 mm", "...: no such file: liver.obj".'),
    "tac_scene_parse": (c_int, (c_char_p, c_char_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_parse(const char *text, const char *path, tacScene **scene, tacError *error)',
        'The same from memory; `path` names it in errors, and files are relative to its folder. Opens none of them: what they lack is found by the bake.'),
    "tac_scene_recorded": (c_int, (c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_recorded(const tacRecording *recording, tacScene **scene, tacError *error)',
        "The scene that a recording holds, at the recording's rates, bit for bit."),
    "tac_scene_destroy": (None, (c_void_p,),
        "scene.h", 'void tac_scene_destroy(tacScene *scene)',
        'NULL is allowed; after the world and devices built from it'),
    "tac_scene_name": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_name(const tacScene *scene)',
        ''),
    "tac_scene_about": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_about(const tacScene *scene)',
        ''),
    "tac_scene_text": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_text(const tacScene *scene)',
        "the file's, complete"),
    "tac_scene_path": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_path(const tacScene *scene)',
        ''),
    "tac_scene_describe": (None, (c_void_p, c_void_p, c_void_p,),
        "scene.h", 'void tac_scene_describe(const tacScene *scene, tacSceneLine *line, void *user)',
        ''),
    "tac_scene_body_name": (c_char_p, (c_void_p, c_int,),
        "scene.h", 'const char *tac_scene_body_name(const tacScene *scene, int body)',
        'Names of its bodies and of its tools: index 0, 1, ... until NULL.'),
    "tac_scene_tool_name": (c_char_p, (c_void_p, c_int,),
        "scene.h", 'const char *tac_scene_tool_name(const tacScene *scene, int tool)',
        ''),
    "tac_scene_duration": (c_double, (c_void_p,),
        "scene.h", 'double tac_scene_duration(const tacScene *scene)',
        's; 0: without end'),
    "tac_scene_set_rate": (c_int, (c_void_p, c_double, c_void_p,),
        "scene.h", 'tacStatus tac_scene_set_rate(tacScene *scene, double rate, tacError *error)',
        "Another rate than the file's, Hz, for world and servo alike: before either is made. TAC_ERR_ARGUMENT outside 250 to 10,000."),
    "tac_scene_live": (c_bool, (c_void_p, c_int, c_void_p,),
        "scene.h", 'bool tac_scene_live(const tacScene *scene, int index, tacSceneLive *live)',
        'Index 0, 1, ... until false.'),
    "tac_scene_volume": (c_int, (c_void_p, c_int, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_volume(const tacScene *scene, int body, const tacProgress *progress, tacVolMesh **mesh, tacError *error)',
        "The mesh that a body's finite elements are computed on, in the body's frame; NULL with TAC_OK for boundary elements and rigid bodies. Makes it anew (offline), bake or not; the caller frees it. The surface of a reduced body is embedded in it, not its boundary."),
    "tac_scene_asset_count": (c_int, (c_void_p,),
        "scene.h", 'int tac_scene_asset_count(const tacScene *scene)',
        'of all bodies'),
    "tac_scene_bake": (c_int, (c_void_p, c_char_p, c_bool, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_bake(tacScene *scene, const char *cache, bool again, const tacProgress *progress, tacSceneAsset *assets, tacError *error)',
        "Bakes what the cache lacks. Progress is of the whole bake, weighted by the time that its parts are expected to take; it never falls, and `what` begins with the body's name. `cache` is a folder, NULL for the user's ($XDG_CACHE_HOME/tactus or ~/.cache/tactus). Assets are keyed by content: mesh, materials, fixed set, method, basis, resolution, version. A broken or truncated cached file is an error that says to delete it; one of another body is set aside (PATH.aside, a warning in the log) and baked again. `assets` (may be NULL) receives tac_scene_asset_count of them, body by body."),
    "tac_scene_assets": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_assets(const tacScene *scene)',
        'After the bake: what was baked or fetched, for a recording to hold: a line for each asset with its checksum and its name in the cache. "" where there is none.'),
    "tac_scene_made": (c_void_p, (c_void_p, c_int, c_char_p,),
        "scene.h", 'const void *tac_scene_made(const tacScene *scene, int body, const char *ending)',
        'Its own asset, by the ending of its file; headers of kinds have a function for each, such as tac_scene_green.'),
    "tac_scene_surface": (c_void_p, (c_void_p, c_int,),
        "scene.h", 'const tacTriMesh *tac_scene_surface(const tacScene *scene, int body)',
        "at rest, body's frame; of every body"),
    "tac_scene_points": (c_void_p, (c_void_p, c_int,),
        "scene.h", 'const tacPointshell *tac_scene_points(const tacScene *scene, int body)',
        ''),
    "tac_scene_field": (c_void_p, (c_void_p, c_int,),
        "scene.h", 'const tacDistanceField *tac_scene_field(const tacScene *scene, int body)',
        'of a rigid body'),
    "tac_scene_world": (c_int, (c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_world(const tacScene *scene, tacWorld **world, tacError *error)',
        "After the bake. The world is sealed; one at a time where a body has storage: near. No contact renders more than the tools' devices can: a body's rigid_stiffness, or its touch stiffness, is lowered to the least stiffness limit over scale, and the stiffness of a coupling to that of its own device."),
    "tac_scene_devices": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_devices(const tacScene *scene, tacDevice devices[TAC_MOST_TOOLS], tacWorkspaceDef workspaces[TAC_MOST_TOOLS], tacError *error)',
        'After the bake: one device and one workspace a tool; the caller closes the devices. On failure none is open.'),
    "tac_scene_servo": (ServoDef, (c_void_p,),
        "scene.h", 'tacServoDef tac_scene_servo(const tacScene *scene)',
        ''),
    "tac_scene_check": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_check(const tacScene *scene, const tacProgress *progress, tacFindingVisit *visit, void *user, tacError *error)',
        "Makes the bodies' meshes and looks at them, at the hands' paths and at contacts; bakes nothing. What cannot be made is a finding. Fails where memory is short or `progress` says to stop."),
    "tac_green_destroy": (None, (c_void_p,),
        "green.h", 'void tac_green_destroy(tacGreen *green)',
        'NULL is allowed'),
    "tac_green_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "green.h", 'tacStatus tac_green_write(const tacGreen *green, const char *path, tacError *error)',
        ''),
    "tac_green_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "green.h", 'tacStatus tac_green_read(const char *path, tacGreen **green, tacError *error)',
        ''),
    "tac_green_surface": (c_void_p, (c_void_p,),
        "green.h", 'const tacTriMesh *tac_green_surface(const tacGreen *green)',
        'Below: any phase, no allocation. without groups'),
    "tac_green_fixed": (c_void_p, (c_void_p,),
        "green.h", 'const bool *tac_green_fixed(const tacGreen *green)',
        '[vertex]'),
    "tac_green_area": (c_void_p, (c_void_p,),
        "green.h", 'const double *tac_green_area(const tacGreen *green)',
        '[vertex], m^2'),
    "tac_green_row_count": (c_int, (c_void_p,),
        "green.h", 'int tac_green_row_count(const tacGreen *green)',
        'Rows of a column: 3 a vertex, then those of the sensors in their order.'),
    "tac_green_column_count": (c_int, (c_void_p,),
        "green.h", 'int tac_green_column_count(const tacGreen *green)',
        'wanted vertices'),
    "tac_green_column_vertex": (c_void_p, (c_void_p,),
        "green.h", 'const int *tac_green_column_vertex(const tacGreen *green)',
        '[column] -> vertex, ascending'),
    "tac_green_column": (c_void_p, (c_void_p, c_int,),
        "green.h", 'const double *tac_green_column(const tacGreen *green, int vertex)',
        'The 3 columns of a vertex, one after the other, row_count numbers each; NULL where they are not kept.'),
    "tac_green_block": (c_bool, (c_void_p, c_int, c_int, c_void_p,),
        "green.h", 'bool tac_green_block(const tacGreen *green, int i, int j, double block[3][3])',
        'The 3 x 3 block Xi_ij, row-major: response of vertex i to vertex j. False where it is not kept.'),
    "tac_green_betti_defect": (c_double, (c_void_p,),
        "green.h", 'double tac_green_betti_defect(const tacGreen *green)',
        "Defect of Betti's reciprocity a_i Xi_ij = (a_j Xi_ji)^T, in the Frobenius norm over the pairs of up to 200 wanted free vertices, relative to the norm of these blocks; measured when it was baked. Round-off for finite elements, a measure of the discretisation for boundary elements. 0 where there is no pair."),
    "tac_green_checks": (c_void_p, (c_void_p,),
        "green.h", 'const tacBakeChecks *tac_green_checks(const tacGreen *green)',
        'of its bake'),
    "tac_green_def_default": (GreenDef, (),
        "green.h", 'tacGreenDef tac_green_def_default(void)',
        ''),
    "tac_green_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "green.h", 'tacStatus tac_green_bake(const tacGreenDef *def, const tacProgress *progress, tacGreen **green, tacError *error)',
        "TAC_ERR_MEMORY, with the size, where the result would not fit into this machine's memory."),
    "tac_green_body_def_default": (GreenBodyDef, (),
        "green.h", 'tacGreenBodyDef tac_green_body_def_default(void)',
        'Radius 0 (it must be chosen), stiffness 1, rigid stiffness 1500 N/m, friction 0.2, contacts 2000 N/m and 2 N s/m.'),
    "tac_world_add_green": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "green.h", 'tacStatus tac_world_add_green(tacWorld *world, const tacGreenBodyDef *def, tacBodyId *id, tacError *error)',
        ''),
    "tac_world_body_green": (c_void_p, (c_void_p, BodyId,),
        "green.h", 'const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id)',
        'NULL for another kind'),
    "tac_hyperelastic_body_def_default": (HyperelasticBodyDef, (),
        "hyperelastic.h", 'tacHyperelasticBodyDef tac_hyperelastic_body_def_default(void)',
        ''),
    "tac_world_add_hyperelastic": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "hyperelastic.h", 'tacStatus tac_world_add_hyperelastic(tacWorld *world, const tacHyperelasticBodyDef *def, tacBodyId *id, tacError *error)',
        ''),
    "tac_remesh": (c_int, (c_void_p, c_double, c_int, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_remesh(const tacTriMesh *mesh, double size, int thread_count, const tacProgress *progress, tacTriMesh **remeshed, tacError *error)',
        'The boundary of the solid that a closed mesh encloses (where the winding number is not 0: crossing, overlapping and nested parts become one), as triangles with edges of about `size` metres, none much longer than twice that: the zero level of its distance field, coarsened and relaxed. Closed, manifold, oriented outward and without self-intersections. Its sharp edges are rounded by a fraction of `size`. Groups are dropped. `thread_count` 0: one for each core. TAC_ERR_GEOMETRY where the mesh is not closed, where details that matter are lost (the volume differs by more than 5 %) or where triangles of that size cross each other; each says what would do.'),
    "tac_remesh_simplify": (c_int, (c_void_p, c_int, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_remesh_simplify(const tacTriMesh *mesh, int triangle_count, tacTriMesh **simplified, tacError *error)',
        'The same closed manifold with `triangle_count` triangles (or one less), which its topology must allow: edges are collapsed, cheapest first, then triangles made even. Groups are dropped.'),
    "tac_stuffing_def_default": (StuffingDef, (),
        "meshing.h", 'tacStuffingDef tac_stuffing_def_default(void)',
        'Size 0 must be replaced by the caller; three levels of grading.'),
    "tac_stuffing_fill": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_stuffing_fill(const tacTriMesh *surface, const tacStuffingDef *def, const tacProgress *progress, tacVolMesh **mesh, tacError *error)',
        'Fills a closed surface, by exact distance; TAC_ERR_GEOMETRY where it is not closed.'),
    "tac_stuffing_fill_to_volume": (c_int, (c_void_p, c_double, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_stuffing_fill_to_volume(const tacTriMesh *surface, double tolerance, const tacStuffingDef *def, const tacProgress *progress, tacVolMesh **mesh, double *size, tacError *error)',
        "The largest size, starting from a tenth of the box's longest side in steps of 1.3, whose mesh has a volume within `tolerance` of the solid's (tac_trimesh_solid_volume: what lies in several closed parts counts once) and as many parts, connected by faces, as the solid has, and the next size too. Where no size has the parts before the elements become ten times as many, the one that comes nearest, and a warning in the log. Gives up with TAC_ERR_GEOMETRY at 1/1000 of the box's side or 20 million elements, and at once where the body is far too thin for either."),
    "tac_voxelise_def_default": (VoxeliseDef, (),
        "meshing.h", 'tacVoxeliseDef tac_voxelise_def_default(void)',
        ''),
    "tac_voxelise": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_voxelise(const tacTriMesh *surface, const tacVoxeliseDef *def, const tacProgress *progress, tacVolMesh **mesh, tacError *error)',
        ''),
    "tac_voxelise_to_volume": (c_int, (c_void_p, c_double, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_voxelise_to_volume(const tacTriMesh *surface, double tolerance, const tacProgress *progress, tacVolMesh **mesh, int *resolution, tacError *error)',
        "The coarsest centre-rule resolution, from 16 to 512 in steps of about 1.2, whose mesh has a volume within `tolerance` (such as 0.02) of the surface's and as many parts, connected by faces, as the surface has. Where none has the parts before the bricks become ten times as many, the one that comes nearest, and a warning in the log."),
    "tac_shape_info": (c_void_p, (c_int,),
        "meshing.h", 'const tacShapeInfo *tac_shape_info(int index)',
        'Index 0, 1, ... until NULL.'),
    "tac_shape_build": (c_int, (c_char_p, c_double, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_shape_build(const char *name, double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error)',
        '`size` is the edge length of the triangles, metres; 0 means the default. Every vertex lies on the exact surface.'),
    "tac_shape_bricks": (c_int, (c_char_p, c_double, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_shape_bricks(const char *name, double size, tacVolMesh **mesh, tacError *error)',
        'Bricks of its own, of shapes that have them (box, beam, cube, tables, clip, pipe, diaphragm): they fill it exactly, with two or more through whatever is thin, so that it bends as it should, and few enough to be simulated. Others are filled from their surface (tac_stuffing_fill, tac_voxelise). `size` is the length of a brick along what bends, metres; 0 means the default.'),
    "tac_reduced_destroy": (None, (c_void_p,),
        "reduced.h", 'void tac_reduced_destroy(tacReduced *reduced)',
        'NULL is allowed'),
    "tac_reduced_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "reduced.h", 'tacStatus tac_reduced_write(const tacReduced *reduced, const char *path, tacError *error)',
        ''),
    "tac_reduced_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "reduced.h", 'tacStatus tac_reduced_read(const char *path, tacReduced **reduced, tacError *error)',
        ''),
    "tac_reduced_size": (c_int, (c_void_p,),
        "reduced.h", 'int tac_reduced_size(const tacReduced *reduced)',
        'Below: any phase, no allocation. r'),
    "tac_reduced_surface": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacTriMesh *tac_reduced_surface(const tacReduced *reduced)',
        'without groups'),
    "tac_reduced_fixed": (c_void_p, (c_void_p,),
        "reduced.h", 'const bool *tac_reduced_fixed(const tacReduced *reduced)',
        '[vertex of the surface]: it cannot move'),
    "tac_reduced_displacements": (c_void_p, (c_void_p,),
        "reduced.h", 'const double *tac_reduced_displacements(const tacReduced *reduced)',
        'U_s (3.6): [vertex][axis][r], displacement of a vertex of the surface per coordinate; kg^-1/2.'),
    "tac_reduced_volume": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacVolMesh *tac_reduced_volume(const tacReduced *reduced)',
        'The volume mesh at rest, and U at its vertices, [vertex][axis][r]: from these more points can be embedded.'),
    "tac_reduced_basis": (c_void_p, (c_void_p,),
        "reduced.h", 'const double *tac_reduced_basis(const tacReduced *reduced)',
        ''),
    "tac_reduced_mass": (c_double, (c_void_p,),
        "reduced.h", 'double tac_reduced_mass(const tacReduced *reduced)',
        'kg, as baked'),
    "tac_reduced_info": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacReducedInfo *tac_reduced_info(const tacReduced *reduced)',
        ''),
    "tac_reduced_checks": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacBakeChecks *tac_reduced_checks(const tacReduced *reduced)',
        'of its bake'),
    "tac_reduced_def_default": (ReducedDef, (),
        "reduced.h", 'tacReducedDef tac_reduced_def_default(void)',
        ''),
    "tac_reduced_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "reduced.h", 'tacStatus tac_reduced_bake(const tacReducedDef *def, const tacProgress *progress, tacReduced **reduced, tacError *error)',
        "Errors say what is wrong and what would be right: r larger than the data's rank or than TAC_REDUCED_MOST, a body that is not held against rigid motion, a free one in several pieces, a vertex without mass, materials that are none, loads that invert elements, more than fits into memory. Same input, same bits, whatever the number of cores. `progress` is asked several times a second but for sparse factorisations, which take seconds for meshes of 30,000 vertices."),
    "tac_reduced_body_def_default": (ReducedBodyDef, (),
        "reduced.h", 'tacReducedBodyDef tac_reduced_body_def_default(void)',
        'Damping 0.5 1/s and 0.002 s.'),
    "tac_world_add_reduced": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "reduced.h", 'tacStatus tac_world_add_reduced(tacWorld *world, const tacReducedBodyDef *def, tacBodyId *id, tacError *error)',
        ''),
    "tac_rigid_body_def_default": (RigidBodyDef, (),
        "rigid.h", 'tacRigidBodyDef tac_rigid_body_def_default(void)',
        'No mass.'),
    "tac_world_add_rigid": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "rigid.h", 'tacStatus tac_world_add_rigid(tacWorld *world, const tacRigidBodyDef *def, tacBodyId *id, tacError *error)',
        ''),
}
