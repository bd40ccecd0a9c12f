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

ERROR_TEXT_SIZE = 512  # bytes of tacError.text, including the final zero
BAKE_CHECK_TEXT = 96  # bytes of tacBakeCheck.what, including the final zero
BAKE_MOST_CHECKS = 8  # checks of one asset
MESH_MATERIAL_PARAMETERS = 24  # the most parameters of a tacMeshMaterial
POINTSHELL_MOST_LEVELS = 12
BODY_MOST_COORDINATES = 160  # limit of generalized coordinates of a body
BODY_TABLE_VERSION = 8  # value of tacBodyTable.version
PATCH_VERTICES = 96  # limit of vertices in a tacPatch
BODY_KIND_VERSION = 3  # value of tacBodyKind.version
BODY_KIND_MOST = 64  # limit of kinds in a process
BODY_KIND_MOST_KEYS = 64  # limit of keys of a kind
BODY_KIND_MOST_RECORD = 1024  # limit of bytes in a record
BODY_KIND_MOST_VALUES = 16  # limit of values of a vector key
LAWS_MOST_PATCH = 256
DEVICE_ABI = 1  # version of tacDeviceDriver and tacDeviceExtras
BUTTON_INDEX = 1  # while pressed, the hand moves without moving the tool (workspace indexing)
BUTTON_GRAB = 2  # while pressed, the tool holds what it touches
BUTTON_LIFT = 4  # while pressed, the tool touches nothing, wherever it goes
DEVICE_MOST_FOUND = 8
LAW_MOST_PARAMETERS = 16  # of a law
LAW_MOST_TERMS = 4  # of a Prony series
LIMIT_FORCE = 1  # the device's force limit
LIMIT_RATE = 2  # the limit on how fast a force may change
LIMIT_COUPLING = 4  # tacToolOutput.saturated
ERROR_ESTIMATE_SOME = 0.1  # from this error estimate on, it is reported
ERROR_ESTIMATE_MUCH = 0.3  # from this error estimate on, the body should not be trusted
MOST_TOOLS = 16
MOST_JAWS = 2
WORLD_MOST_LOCAL = 48
TICK_LIMITED_FORCE = 1  # a force was cut to a device's force limit
TICK_LIMITED_RATE = 2  # the change of a force was limited
TICK_DAMPED = 4  # the passivity controller added damping
TICK_FAULT = 8  # a fault: forces ramp to zero and the world rests
TICK_INDEXING = 16  # an index button is held
TICK_TAKEN = 32  # tacTickReport.taken; a replay takes results in the same ticks
REPLAY_FAR_SHARE = 0.01  # of tacReplayReport.force and .torque
REPLAY_FAR = 0.0001  # m, of the proxy
SERVO_LEAST_SPEED = 0.01
SERVO_MOST_ERROR_ESTIMATES = 32
SERVO_MOST_CONTACTS = 256
SERVO_MOST_COUPLED = 64
SCENE_FORMAT = 1  # the only value of the key `tactus` that is read: the version of the format


class Vec3(Struct):
    """A vector or point in three dimensions, in metres unless stated otherwise.

    tacVec3 of <tactus/base.h>."""

    x: float
    y: float
    z: float


define(Vec3, [
    ("x", c_double),
    ("y", c_double),
    ("z", c_double),
])


class Box(Struct):
    """An axis-aligned box. It is empty if a lower bound exceeds the upper bound of the same axis.

    lower, upper: m, corners with the smallest and the largest coordinates

    tacBox of <tactus/base.h>."""

    lower: np.ndarray
    upper: np.ndarray


define(Box, [
    ("lower", Vec3),
    ("upper", Vec3),
])


class Grid(Struct):
    """Samples of a scalar function at the nodes of a regular grid.

    Node (i, j, k) lies at origin + spacing (i, j, k). Its value is values[(k * ny + j) * nx + i].

    nx, ny, nz: number of nodes along each axis, at least 2
    origin: m, position of node (0, 0, 0)
    spacing: m, distance between neighbouring nodes, the same along each axis
    values: [nx ny nz]

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
    """Result of every load and offline function that can fail.

    Such a function also takes an optional tacError for the text; NULL omits the text. The library never prints and
    never exits.

    OK: success
    ERR_MEMORY: memory allocation failed
    ERR_FILE: a file cannot be opened, read or written
    ERR_FORMAT: the content of a file is malformed
    ERR_UNSUPPORTED: a file or request is valid but Tactus does not support it
    ERR_VERSION: a file or plugin was made for another version
    ERR_ARGUMENT: an argument is out of range
    ERR_GEOMETRY: a mesh lacks a required property, for example it is not closed or is empty
    ERR_SINGULAR: a matrix is singular or not positive definite
    ERR_NO_CONVERGENCE: an iteration did not converge within its limit
    ERR_CANCELLED: the progress callback asked to stop
    ERR_CHECK: the result of a bake failed a check, see tacBakeChecks

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
    """Description of a failure. Functions fill it only if they fail.

    status: the returned status
    text: One line without a final newline: what is wrong, where (file, line, field), and what would be right.

    tacError of <tactus/base.h>."""

    status: Status
    text: str


define(Error, [
    ("status", c_int, Status),
    ("text", c_char * 512),
])


class LogLevel(IntEnum):
    """Severity of a log message. Messages never affect correctness; a problem that does is an error.

    tacLogLevel of <tactus/base.h>."""

    INFO = 0
    WARNING = 1

LogFn = CFUNCTYPE(None, c_int, c_char_p, c_void_p)

ProgressFn = CFUNCTYPE(c_bool, c_char_p, c_double, c_void_p)


class Progress(Struct):
    """Progress callback of a long function. Such functions take a `const tacProgress *`, which may be NULL.

    report: the callback
    user: passed to `report`

    tacProgress of <tactus/base.h>."""

    report: ProgressFn
    user: Any


define(Progress, [
    ("report", ProgressFn),
    ("user", c_void_p),
])


class BakeCheck(Struct):
    """One comparison between the result of a bake and the problem that it solves.

    Every bake ends with such checks. They recompute the compared values by another method than the bake, with plain
    loops on one thread. If a check fails, the bake returns TAC_ERR_CHECK and leaves no result.

    what: what is compared, and the unit, for example "forces with U^T f(U q)"
    samples: number of comparisons
    worst, allowed: errors, relative unless `what` states a unit; passed if worst <= allowed

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
    """All checks of an asset. They are stored in the asset and in its file. A file with missing or failed checks is
    refused.

    `count` is 0 for an asset that was not baked, for example a field made from the caller's own samples.

    count: number of checks
    checks: the first `count` are valid

    tacBakeChecks of <tactus/base.h>."""

    count: int
    checks: np.ndarray


define(BakeChecks, [
    ("count", c_int),
    ("checks", BakeCheck * 8),
])

PluginFn = CFUNCTYPE(c_bool, c_char_p, c_char_p, c_void_p, c_void_p)


class Layout(Struct):
    """Size and position of a public struct or of one of its fields.

    A language binding compares these values at import with those that it took from the headers. So it can report a
    mismatch with the loaded library before the mismatch causes damage.

    type: struct, for example "tacToolInput"
    field: field, for example "grab"; "" for the struct itself
    size, offset: bytes; `offset` is from the start of the struct

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
    indices: owned, zero-based, ascending, without duplicates

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
    """Corners of a triangle, counter-clockwise seen from outside, so that (b - a) x (c - a) points out of the solid.

    v: vertices

    tacTriangle of <tactus/mesh.h>."""

    v: np.ndarray


define(Triangle, [
    ("v", c_int * 3),
])


class TriMesh(Struct):
    """A triangle mesh: a surface, closed or open, or a polygon soup. It is a plain struct that callers can fill. The
    mesh owns every array, and each comes from malloc.

    vertices: m
    groups: named parts, lists of triangles

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


class Inertia(Struct):
    """Mass, centre of mass and moments of inertia of a rigid body.

    mass: kg
    centre: centre of mass, m, in the frame of the body or surface
    moments: about the centre, kg m^2, along the axes of that frame: sum of m (r.r 1 - r r^T)

    tacInertia of <tactus/mesh.h>."""

    mass: float
    centre: np.ndarray
    moments: np.ndarray


define(Inertia, [
    ("mass", c_double),
    ("centre", Vec3),
    ("moments", c_double * 3 * 3),
])


class Tet(Struct):
    """A tetrahedron with 4 nodes. Its volume is positive: (b - a) x (c - a) . (d - a) > 0.

    v: vertices a, b, c, d

    tacTet of <tactus/mesh.h>."""

    v: np.ndarray


define(Tet, [
    ("v", c_int * 4),
])


class Brick(Struct):
    """A brick with 8 nodes, in the order of VTK and Gmsh. The bottom face 0 1 2 3 is counter-clockwise seen from above
    (from the top face); the top face 4 5 6 7 lies above it.

    v: vertices

    tacBrick of <tactus/mesh.h>."""

    v: np.ndarray


define(Brick, [
    ("v", c_int * 8),
])


class MeshMaterial(Struct):
    """A material as a mesh file states it, with its parameters in the order of the VEG format.

    name: owned
    kind: owned: "ENU" (density kg/m^3, Young's modulus Pa, Poisson's ratio), "ORTHOTROPIC" or "MOONEYRIVLIN"

    tacMeshMaterial of <tactus/mesh.h>."""

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
    """Assigns a material to the elements of a group. Later regions override earlier ones.

    group, material: indices in tacVolMesh.groups and tacVolMesh.materials

    tacMeshRegion of <tactus/mesh.h>."""

    group: int
    material: int


define(MeshRegion, [
    ("group", c_int),
    ("material", c_int),
])


class VolMesh(Struct):
    """A volume mesh of tetrahedra and bricks. Elements are numbered tetrahedra first, then bricks: element e >=
    tet_count is bricks[e - tet_count]. It is a plain struct that callers can fill. The mesh owns every array, and
    each comes from malloc.

    vertices: m
    groups: of elements
    regions: which group has which material

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
    """Content of a mesh file: a surface, a volume or both. Owns both; either may be NULL.

    tacMeshContents of <tactus/mesh.h>."""

    surface: Any
    volume: Any


define(MeshContents, [
    ("surface", c_void_p),
    ("volume", c_void_p),
])


class MeshFormat(IntEnum):
    """Format to write.

    BY_NAME: from the path's ending: .obj .stl .ply .off .msh .vtk .vtu .veg .node .ele
    STL_BINARY: default for .stl
    PLY_BINARY: default for .ply; little-endian
    MSH41_ASCII: default for .msh
    VTK_BINARY: default for .vtk
    VTU_BINARY: default for .vtu
    TETGEN: writes both .node and .ele beside each other
    COUNT: number of formats; no format

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
    """Counts and measures of a surface, which show whether it is fit for use. Lengths in m.

    duplicate_vertices: vertices at exactly the position of an earlier one
    duplicate_triangles: same three corners as an earlier one, in any order
    degenerate_triangles: repeated corner, or height below 1e-10 of the longest edge
    boundary_edges: in one triangle
    nonmanifold_edges: in three or more triangles
    misoriented_edges: in two triangles that run along it in the same direction
    nonmanifold_vertices: whose triangles form more than one fan
    components: connected by shared vertices
    self_intersections: pairs of triangles that cross or overlap other than at shared corners or edges
    manifold: no non-manifold edge or vertex
    closed: not empty, every edge in exactly two triangles; stricter than tac_trimesh_require_closed
    oriented: no misoriented edge
    inside_out: closed components that face inward and are not the wall of a cavity; 0 if not closed
    genus: sum over components; -1 if the surface is not closed and manifold
    area, volume: m^2, m^3; volume is 0 if not closed
    solid_volume: m^3, of tac_trimesh_solid_volume: less than `volume` if parts overlap; 0 if not closed
    centroid: of the solid if closed, else of the surface
    inertia: about the centroid at unit density, kg m^2; 0 if not closed
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
    """Counts and measures of a volume mesh, which show whether it is fit for use. Lengths in m.

    inverted_elements: negative volume (tetrahedron), or a non-positive Jacobian at a corner (brick)
    degenerate_elements: volume below 1e-12 of the cube of the longest edge, or a repeated corner
    nonmanifold_faces: shared by three or more elements
    components: connected by shared faces
    volume: m^3
    inertia: about the centroid at unit density, kg m^2
    smallest_dihedral, largest_dihedral: degrees, over tetrahedra; 0 if there are none

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
    """How to repair a surface.

    weld: m: vertices within this distance become one; 0 welds only exact duplicates

    tacRepairDef of <tactus/mesh.h>."""

    weld: float


define(RepairDef, [
    ("weld", c_double),
])


class RepairReport(Struct):
    """What a repair changed.

    welded_vertices, removed_vertices: removed: used by no triangle
    removed_triangles: degenerate or duplicate; not the walls where closed parts touch
    flipped_triangles: to orient each component consistently, outward if it is closed
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
    """How a field is baked from a mesh. The grid is a cube around the mesh.

    resolution: voxels along each side of the cube, 1 to 1024; there is one more node; default 128
    expansion: side of the cube over the longest side of the mesh's box, 1 to 100; default 1.5 (section 3.11)
    offset: For a polygon soup: distance from its polygons to the surface, m. 0, the default: 1.4 voxels (Fig. 3.15).
    band: voxels: nodes closer to the surface are exact; default 4. INFINITY: all nodes, up to 6 times slower
    thread_count: 0, the default: one thread for each core

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
    """Size of a pointshell.

    point_count: of all levels together; default 65536
    level_count: Default 0: chosen so that the first level has about 300 points. Each level, with those before it, has
    4 times the points of the previous one.
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
    """Working memory for one vertex when stress or stretch is computed: a weighted sum over the triangles of the vertex.

    stress: Pa m^2: stress times weight, in the order xx, yy, zz, yz, zx, xy
    weight: m^2: twice the area

    tacStressSum of <tactus/body.h>."""

    stress: np.ndarray
    weight: float


define(StressSum, [
    ("stress", c_double * 6),
    ("weight", c_double),
])


class Pose(Struct):
    """Position and orientation of a frame.

    position: m, of the frame's origin
    orientation: unit quaternion w, x, y, z

    tacPose of <tactus/body.h>."""

    position: np.ndarray
    orientation: np.ndarray


define(Pose, [
    ("position", Vec3),
    ("orientation", c_double * 4),
])


class SiteKind(IntEnum):
    """How a site is given, see tacSite.

    FRAME: a point fixed to the body's frame
    SURFACE: a point in a triangle of the surface
    SHELL: a point of the body's pointshell
    FIELD: a point that moves with a proxy of the body's deformed field
    PATCH: a weighted mean of surface vertices; passed only to kinds with step compliance
    TIP: a point in a surface triangle under a fingertip; passed only to kinds with `meet_fingertip`

    tacSiteKind of <tactus/body.h>."""

    FRAME = 0
    SURFACE = 1
    SHELL = 2
    FIELD = 3
    PATCH = 4
    TIP = 5


class Site(Struct):
    """A material point of a body at which a force acts or whose motion is wanted. Plain data.

    kind: tacSiteKind
    index: SURFACE, TIP: triangle. SHELL: point. FIELD: 65536 domain + proxy. PATCH: index in tacBodyStep.patches.
    at: SURFACE, TIP: weights of the triangle's corners. FRAME, FIELD: position at rest, m

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
    """The contact patch of a fingertip. Its displacement is sum w_i u_i. A force f on it acts as w_i f at each vertex.

    count: number of vertices
    vertex: vertices of the surface, each once
    corner: 3 triangle + corner: a triangle corner at which the vertex lies
    weight: w_i, positive, with sum 1

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


class Parameter(Struct):
    """A parameter that may be changed while a world is in use.

    name: "kidney.stiffness"; a body itself reports it without its name: "stiffness"
    label, unit: label for display, "stiffness"; unit, "m", or "" for a plain number
    value: current value
    in_tick: true: may be set between steps. false: slow, set it only while no other thread uses the world

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
    """The step that a body is asked to make.

    length: h, s
    gravity: m/s^2: the gravity that deforms the body; zero if it falls freely
    euler: true: use implicit Euler, with velocity v = d / h at the end of the step, as contact laws need. false: the
    kind chooses.
    springs: Number of point-tool springs. They act at the last `springs` sites of the step with the force f = f0 - K
    u, where f0 is the force at the start of the step.
    spring: [springs][3][3], N/m: K of each spring, including the effect of its damping in this step
    patches: patches that sites of kind TAC_SITE_PATCH refer to

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
    """Outcome of a step.

    limited: the motion was shortened
    refused: the motion was NaN, infinite or far too large; the body was brought to rest where it was

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
    COORDINATES: coordinates q and a displacement texture: u = U q
    VERTICES: positions of all vertices

    tacBodyShown of <tactus/body.h>."""

    RIGID = 0
    COORDINATES = 1
    VERTICES = 2


class Colouring(IntEnum):
    """Quantity by which a body's surface is coloured.

    STRESS: von Mises stress, Pa
    STRETCH: largest principal stretch; 1 at rest

    tacColouring of <tactus/body.h>."""

    STRESS = 0
    STRETCH = 1


class ShownNumber(Struct):
    """An entry of the shown part of a state that has a meaning by itself.

    label, unit: for example "factor's age", "steps"
    at: index of the entry in the state

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
    """Surface of a body with coordinates, and how it moves with the coordinates q, which are the first `size` numbers of
    the state.

    The arrays belong to the asset of the body. Bodies made from one asset have the same `displacements` pointer.

    size: r, number of coordinates
    is_free: no vertex is held, so the body also moves as a whole
    surface: at rest, body's frame
    fixed: [vertex]: true if the vertex cannot move
    displacements: U, [vertex][axis][r]: the displacement of a vertex is U q, m
    normals: [vertex]: unit outward normals n at rest
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
    """A shape from which a basis was built, for example a vibration mode.

    label: for display
    coordinates: [r]

    tacShownShape of <tactus/body.h>."""

    label: Optional[str]
    coordinates: Any


define(ShownShape, [
    ("label", c_char_p),
    ("coordinates", c_void_p),
])


class ShownSensor(Struct):
    """A sensor inside a body.

    name: may be empty
    quantity, unit: for example "displacement", "m"
    row_count: numbers: 3 for a displacement, 6 for a stress (xx yy zz yz zx xy)

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
    """Single forces on a surface whose response was precomputed.

    count: number of vertices at which these forces may act
    most: N, largest precomputed force
    direction: unit vector in the body's frame; zero: any direction

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
    """What a body is made of. Numbers and pointers stay the same for the life of the body, except `stiffness` and
    `tip_stiffness`. The data behind a pointer may change in steps. Members that do not apply are 0 or NULL.

    surface: mesh at rest; required
    fixed: [vertex]: true if the vertex does not move; NULL: every vertex may move
    points: sample points for distributed contact; NULL: none
    points_q: coordinates that deform the points; NULL: they do not deform
    field: distance field at rest; NULL: none
    deformed_field: deformed distance field; NULL: none
    state, shown: numbers of the state, and how many of its first ones suffice to show the body
    parameters: number of parameters that may be changed
    coordinates: n, at most TAC_BODY_MOST_COORDINATES; 0: no coordinate interface
    iterations: iterations of Newton's method in a step; 0 means 1
    sites: step compliance: limit of sites in a step, at least 1
    rates: [n]: velocities of the coordinates, if contacts must damp them; NULL: no damper is needed
    stiffness, tip_stiffness: N/m: the largest eigenvalue of tacBodyTable.stiffness over all vertices now, for points
    and for the registered fingertips. 0: not known.
    method: For display: how the model was solved, for example "finite elements". NULL: the kind's name says it.

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
    """Upper bounds of how far and how fast a body deforms.

    swelling: m: largest distance of any vertex from its position at rest; if too small, tools pass through
    fastest: m/s: largest speed of any vertex in the body's frame; 0: not known, contacts may be found late

    tacBodyBounds of <tactus/body.h>."""

    swelling: float
    fastest: float


define(BodyBounds, [
    ("swelling", c_double),
    ("fastest", c_double),
])


class BodyLooks(Struct):
    """Functions that show a body. Each may be NULL. They may be called from any thread unless their comment says
    otherwise. Only `vertices` is also called in ticks.

    vertices: Computes the positions of all vertices, m, from the shown part of a state; `shown` NULL is the state at
    rest. NULL: the surface is shown at rest.
    colours: Computes the value [vertex] by which each vertex is coloured. `shown` is as for `vertices`, and
    `vertices` is what that function computed. `room` is working memory, one for each vertex. Returns false if the
    kind does not know the value. One thread at a time, which may differ from the stepping thread: it must not touch
    what steps change. NULL, or a result of false: stress is not shown, and stretch is computed from the surface.
    number: Lists numbers in the shown part of the state that have a meaning by themselves: index 0, 1, ... until
    false.
    shape: Lists the shapes from which the basis was built: index 0, 1, ... until false.
    sensor: Lists the sensors: index 0, 1, ... until false. tacBodyTable.displace computes their rows in the same
    order.
    basis: Returns the displacement basis of a body that is shown by coordinates; false for other bodies.
    covers: Returns whether a force of this size and direction (N, body's frame) is within the precomputed range, so
    that the response needs no extrapolation. With this function, the world keeps and shows the sum of the forces that
    press the body. NULL: the kind has no such range.
    known_loads: Returns the single forces whose response was precomputed; false if there are none.
    load_mode: Computes the linear part of the precomputed response at a vertex. `mode` receives the change of one
    coordinate caused by a force of size tacKnownLoads.most along x, y and z. Returns false if no precomputed force
    acts at the vertex.
    tractions: true: tacBodyTable.displace computes tractions

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
    """Functions of a body that works on its own thread beside the steps. All are required.

    start: Starts the thread. Load phase. Until `start` is called, `prepare` does the work of the thread.
    stop: Stops the thread. Load phase. May be called without `start`.
    ready: Returns whether a result of the thread waits to be taken before the next step. Any thread. Without a
    running thread it must return true at fixed steps, so that runs repeat.
    prepare: Takes the result. The world calls this first in a step if `ready` returned true, or if a replayed
    recording did so: each call is recorded. If no result is there, it does nothing.

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
    """Functions of a kind of body. `self` is the body's own data, made by tacBodyKind.create.

    version: TAC_BODY_TABLE_VERSION; another version is refused
    destroy: Frees the body. NULL must be accepted. Required.
    reset: Puts the body at rest, undeformed. Parameters keep their values. Required.
    describe: Describes what the body is made of. Called often. Any thread. Required.
    save: Writes the first `count` numbers of the state. Tick phase. `save` and `load` are NULL if the body has no
    state.
    load: Restores the whole state. Returns false and changes nothing if the numbers are not valid.
    parameter: Returns the parameter of this index, 0 to tacBodyDescription.parameters - 1. May be called while a step
    is under way. `parameter` and `set_parameter` are NULL if the body has no parameters.
    set_parameter: Sets a parameter, between steps if tacParameter.in_tick, else in the load phase. Refuses a value
    that is out of range.
    inertia: Returns the mass properties. Called once, when the body is added to a world. NULL, or a result of false:
    the body has no mass and cannot be free.
    material: Returns the present Young's modulus (Pa) and Poisson's ratio of the material under a vertex. The world
    computes from them how far a fingertip dents the body beyond what the kind resolves. NULL, or a result of false:
    not known, and nothing is added.
    meet_fingertip: Announces that fingertips of this radius (m) will touch the body. The world numbers its radii 1,
    2, ...; `tip` is that number. A kind with static compliance computes here the stiffness that these fingertips
    feel. Called before the first step. NULL: the kind needs no preparation.
    vertex: Returns the present position of a surface vertex, m. Required.
    vertex_normal: Returns the present outward normal at a surface vertex, of any length. Required.
    place: Returns the present position of a site, m. Required.
    bounds: Returns bounds of the present deformation. Called in each tick. NULL: no vertex ever moves.
    linearise: Computes the equations of the step: A [n][n], symmetric, and b [n], linearised about the motion made so
    far in this step. Called once for each iteration, and also between steps to predict the response. Returns false if
    the result is NaN or infinite.
    move: Adds `motion` [n] to the motion of this step.
    finish: Ends the step: the body takes the motion, or refuses it if it is NaN, infinite or far too large.
    advance: Makes a whole step of a body on which no force acts. NULL: the world uses linearise, move and finish.
    rows: Computes the derivative of the position of a site with respect to the coordinates, [3][n]. For a point of a
    pointshell with n coordinates the world reads the derivative from the pointshell. For TAC_SITE_FRAME it is zero.
    begin_step: Begins a step in which forces act at `count` sites.

    `forces` (N) are those of the previous step. The function computes `motion`, m: the motion of each site in this
    step under these forces, which must be exact. It also computes `c` [3 count][3 count], m/N, symmetric: the
    compliance, that is how the motion changes with the forces. `c` may be approximate.
    move_again: Computes the motion (m) of the same sites under other forces (N) from the body's own equations, within
    the step. The world then solves the contacts again from there, so that the error of `c` enters only to second
    order. Not called if a point tool touches the body. NULL, or a result of false: `c` is accurate enough.
    end_step: Ends the step with the final forces (N) at the same sites.
    give_way: Computes the compliance `c` (as for begin_step) of sites in the next step. Called between steps. Before
    the first step and after a reset it is called without sites (`count` 0, `sites` and `c` NULL), in the load phase:
    it then does the work that a tick must not do, such as a first factorization.
    predict: Predicts the motion (m) of sites in the next step, `first`, and in the step after it, `second`, under
    forces (N) that act in both. Called between steps, when fingers press the body between its steps. `whole`: start
    from the present state; otherwise compute only the additional motion caused by these forces. NULL: the world
    assumes that the body does not move on between its steps.
    velocity: Returns the velocity of a site after a step, m/s.
    compliance: Computes the compliance c, m/N: a force f at the site `by` displaces the site `at` by c f. On a
    surface it must be linear in the corner weights of either site: values between corners are interpolated. Returns
    false if it is not known.
    stiffness: Returns the stiffness that a tool feels at a vertex: a point tool (`tip` 0), or the fingertip of this
    number (meet_fingertip). NULL: tools feel only their own contact spring.
    displace: Computes what forces (N) at sites cause: the displacements (m) and the tractions (Pa) of all vertices,
    and the rows of the sensors. Each of the three outputs may be NULL. Any thread. Required with `compliance`.
    energy: Returns the energy that the coordinates hold, J: elastic plus kinetic energy, less the work of the step's
    gravity on the displacement from rest. The world adds the energy of the frame. Called once a step; it must take
    only part of the step's time. A result of NaN: not known. NULL: the body never holds energy, or does not know it.
    error_estimate: Returns the estimated model error: how far the present displacements u are expected to be from
    those of the full model that the body approximates, under the same loads and at rest. 0.1 is 10 %. With |.| the
    root mean square over the surface it is

        |u - u_full| / |u_full|

    For a body without a state, `forces` (N) at `sites` are the loads on its surface; for others `count` is 0. Called
    in every eighth tick; it must take a fraction of a microsecond. A negative result or NaN: not known. NULL: not
    known, and nothing is shown.
    error_cause: Cause of a large error estimate, for example "displacements are beyond ...". NULL: no text.
    remedy: What the user can do about a large error estimate. NULL: no text.
    looks: display; NULL: the surface is shown at rest
    thread: the body's own thread; NULL: it has none
    pads: for kinds built with the library; NULL: pads cannot take hold of the body

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
    predict: Any
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
    ("predict", CFUNCTYPE(None, c_void_p, c_void_p, c_bool, c_int, c_void_p, c_void_p, c_void_p, c_void_p)),
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
    """Type of a key: what a scene writes, and how the record stores it.

    NUMBER: double, SI; the scene writes a unit if the key has one
    VECTOR: double[count], likewise: [1 mm, 2 mm, 3 mm]
    COUNT: int
    FLAG: bool: true or false
    TEXT: const char *, not empty
    PATH: const char *, a file. Scenes write it relative to the scene; `create` gets a path that the program can open.

    tacKeyType of <tactus/body_kind.h>."""

    NUMBER = 0
    VECTOR = 1
    COUNT = 2
    FLAG = 3
    TEXT = 4
    PATH = 5


class BodyKey(Struct):
    """A key that scenes may write for a body of the kind.

    Every body of a user-defined kind also has the keys name, kind, position, rotation, friction, touch, contact,
    free, velocity, spin, gravity, every and copies. These names, and surface, points, field, analytic and live, are
    reserved.

    name: up to 64 letters, digits, '-', '_' and '.'; unique in the kind
    type: type of the value
    offset: of the value in the record, bytes
    unit: SI unit of a number or vector ("m", "N/m", "N/m3"); NULL or "": a plain number
    least, most: Range of a number, of each value of a vector, or of a count. Both 0: any value. Required for a count.
    count: number of values of a vector, 1 to TAC_BODY_KIND_MOST_VALUES
    required: false: if a scene omits the key, tacBodyKind.defaults gives the value

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
    """What a scene states about a body besides the keys of its kind.

    free: the body is free
    endless: one of its exact solids is infinite: a plane

    tacBodyGiven of <tactus/body_kind.h>."""

    free: bool
    endless: bool


define(BodyGiven, [
    ("free", c_bool),
    ("endless", c_bool),
])


class BodyCreate(Struct):
    """Inputs of tacBodyKind.create. Texts are valid only during the call. Meshes and assets outlive the body.

    name: of the body, for error texts
    folder: folder of the scene; "." if it has none
    surface: surface from the scene, or of its exact solids, in the body's frame; NULL: none
    points: Made from the body's surface at rest. NULL: the scene requests none, or it is not made yet.
    field: as for `points`

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
    """What `tactus new` knows about an organ when it writes a first body of the kind.

    surface, material, fixed: lines of a scene with their line ends, indented as keys of a body
    tissue: name of the material: "liver"
    volume: m^3, enclosed by the surface
    thickness: m: the organ is thinner than this under a tenth of its surface
    edge: m, mean edge length of the surface
    finger: m, radius of the finger that presses the organ

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
    """For which organs `tactus new` chooses the kind if the user names no kind.

    ON_REQUEST: for no organ
    USUAL: for organs that are neither thin nor hard
    THIN: for organs too thin for boundary elements
    HARD: for organs stiffer than any device can render

    tacDraftUse of <tactus/body_kind.h>."""

    ON_REQUEST = 0
    USUAL = 1
    THIN = 2
    HARD = 3


class BodyDrafter(Struct):
    """How `tactus new` writes a body of the kind.

    use: if several kinds have the same use, the first one is chosen
    held: `write` includes tacBodyDraft.fixed
    rate: Hz, rate at which the bodies are simulated; 0: the rate of the servo
    write: Writes the lines that follow the body's name into `text`, as snprintf does, each with an explanation.
    `size` is in bytes.

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
    """A kind of body.

    version: TAC_BODY_KIND_VERSION; another version is refused
    name: value of `kind` in scenes: up to 64 letters, digits, '-', '_' and '.'
    summary: one line that describes the kind to users
    key_count: number of `keys`, 0 to TAC_BODY_KIND_MOST_KEYS
    keys: [key_count]
    record_size: bytes of the record, at most TAC_BODY_KIND_MOST_RECORD
    defaults: a record with the values of keys that a scene omits; NULL: zeros
    takes_surface, takes_points, takes_field: scenes may give a surface, request points, request a field
    makes_field: for kinds that take no field: `create` makes a field for each body
    takes_analytic: Scenes may write exact solids instead of a surface and a field. A body then needs one of the two.
    check: Refuses values that the keys alone cannot exclude. It writes what is wrong to `error`. It sets `key` to the
    key whose line is wrong, or NULL for the line of the body. NULL: nothing to check.
    create: Creates a body at rest and stores it in `self`, which tacBodyTable.destroy frees.

    A scene first calls it without points and field, to get the body's surface, from which points and field are made.
    Later it calls it once for each body that is added to a world. The same record must give the same body. On failure
    it fills `error` and returns a status other than TAC_OK. Any thread, several at a time.
    table: functions of the bodies
    shown: TAC_SHOWN_VERTICES; or TAC_SHOWN_RIGID if the bodies never deform
    scene: Scene support of kinds that bake their own assets, used instead of keys, record and `create`. Only for
    kinds built with the library; NULL for all others.
    drafter: NULL: `tactus new` writes no body of this kind

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
    """How contact forces are computed.

    PENALTY: Springs that yield with penetration: one for each point in contact (tacTickReport.points) if both bodies
    are at rest or have coordinates. If one of them is free or has no coordinates: contact laws with the compliance of
    such springs, at a few points (tacTickReport.laws).
    SIGNORINI: contact laws of Signorini (no penetration, no tension) and Coulomb (friction)

    tacContactMethod of <tactus/contact.h>."""

    PENALTY = 0
    SIGNORINI = 1


class Detection(IntEnum):
    """How contacts that obey contact laws are detected.

    POINTS: points of one body in the distance field of the other
    SURFACES: Vertices and edges of one surface against faces and edges of the other, both as deformed.

    tacDetection of <tactus/contact.h>."""

    POINTS = 0
    SURFACES = 1


class LawsDef(Struct):
    """Options of contacts between two bodies that obey contact laws (TAC_METHOD_SIGNORINI).

    patch: Limit of contacts between the two bodies, 1 to TAC_LAWS_MOST_PATCH. 0, the default: 4 for two rigid bodies,
    32 for a pair with a body without inertia, 48 for a body whose nodes move on their own, else 8.
    restitution: 0 to 1: ratio of the speeds after and before an impact faster than 20 mm/s; default 0
    detect: default TAC_DETECT_POINTS

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
    """State of a contact.

    NONE: no contact
    STICKS: static friction
    SLIDES: sliding friction
    GRABBED: held by the tool: no sliding and no release

    tacContactState of <tactus/contact.h>."""

    NONE = 0
    STICKS = 1
    SLIDES = 2
    GRABBED = 3


class PadHold(IntEnum):
    """How a pad holds a patch of a body's surface.

    STICK: Glued: the pad takes the vertices within its radius once, in the shape that the surface then has, and keeps
    them.
    PRESS: A plate: the pad takes vertices that come through its plane within its radius, for as long as they press.
    No tension, no penetration at rest, Coulomb friction at each vertex.

    tacPadHold of <tactus/contact.h>."""

    STICK = 0
    PRESS = 1


class Contact(Struct):
    """Where a tool touches a body (James and Pai 2001, Figure 8).

    state: TAC_CONTACT_NONE: the tool touches nothing
    body: index of the touched body; 0 without contact
    triangle: Triangle of the surface that contains x^C. -1 for a held body or pads, which touch at many places: `at`
    and `normal` are then means, and `force` is the sum. 0 without contact.
    weight: barycentric coordinates of x^C in the triangle
    at: x^C, m: contact point on the undeformed surface
    normal: n^C: outward normal at x^C, continuous across triangles
    deformed: x^E, m: image of x^C on the deformed surface, the proxy
    force: N, exerted by the tool on the body

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
    """Properties of an opened device. Its limits apply to every force that is written to the device.

    name: name shown to users
    dof: 3: force; 6: force and torque
    workspace: m
    force_limit: N, length of the largest force that the device renders
    torque_limit: N m, likewise; 0 for 3 dof
    stiffness_limit: N/m, largest stiffness that the device renders stably at 1 kHz
    resolution: m, resolution of the position; 0: unknown

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
    """State of a device in one tick.

    position: m
    orientation: unit quaternion w, x, y, z; 1, 0, 0, 0 for a device without orientation
    buttons: sum of TAC_BUTTON_*

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
    """Condition of a device after a read.

    FINE: the state is new
    LATE: no new state since the last read; the state is the last one
    LOST: permanently disconnected
    DONE: a trajectory has ended: an orderly stop

    tacDeviceHealth of <tactus/device.h>."""

    FINE = 0
    LATE = 1
    LOST = 2
    DONE = 3


class DeviceDriver(Struct):
    """Functions of a driver. All members are required.

    abi: TAC_DEVICE_ABI; another value is refused
    name, summary: for messages and lists
    open: Opens a device, stores it in `device` and fills `info`. `options` is the text of the scene's `options` key,
    "" if there is none. `period` is that of the servo, s. On failure it fills `error` and returns a status other than
    TAC_OK. Load phase.
    close: Closes the device. Load phase.
    read: Reads the newest state. Called once in each tick, before `write`. It must not block, allocate or wait.
    write: Renders a force (N) and a torque (N m) on the hand. Called once in each tick, after `read`. It must not
    block, allocate or wait.

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
    """What a driver finds without opening a device.

    ready: everything that the driver needs is there
    needs: the required library or service, and where it was found or how to get it
    count: number of devices that respond
    found: the first of them, each by a text that identifies it

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
    """Optional functions of a driver, which it exports besides its table as

        const tacDeviceExtras *tac_device_extras(void);

    Each function may be NULL. None is called in ticks.

    abi: TAC_DEVICE_ABI
    probe: Fills `probe`, which is zeroed before. `options` is as for tacDeviceDriver.open.
    trouble: Writes why the device was lost to `text` of `size` bytes; "" if it was not lost.

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
    """An open device.

    A function that opens a device fills it. A program may also fill one itself, for a device of its own: with `self`,
    `info`, and a `driver` that has at least `abi`, `name`, `read` and `write`; zeros otherwise.

    driver: NULL: no device
    self: first argument of the driver's functions
    info: properties
    library: shared object opened by tac_device_load; NULL for built-in devices
    extras: NULL: the driver has none

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
    """A driver that tac_device_load finds by name.

    name: for tac_device_load
    path: of the file NAME.so

    tacDriverFile of <tactus/device.h>."""

    name: str
    path: str


define(DriverFile, [
    ("name", c_char * 64),
    ("path", c_char * 1024),
])


class TrajectoryPoint(Struct):
    """A point of a trajectory.

    time: s, 0 or later
    position: m
    orientation: unit quaternion w, x, y, z
    buttons: TAC_BUTTON_*, from this point to the next

    tacTrajectoryPoint of <tactus/device.h>."""

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
    """A simulated hand that follows a path and holds a simulated device, in a closed loop with the rendered force f:

        M x'' = k_h (p - x) + b_h (p' - x') - b_d x' - friction + f

    p is the path, x the position of the handle, and M the mass of device and hand. A spring k_h and a damper b_h, the
    hand, pull the handle towards the path; b_d is the device's damping. The force is held constant between ticks
    (zero-order hold) and cut at the device's limit. The position is read through an encoder. Time is integrated in
    steps of `substep`.

    info: properties of the device
    device_mass: kg, apparent mass at the handle
    device_damping: b_d, N s/m
    device_friction: N, Coulomb friction
    device_inertia: kg m^2, for 6 dof
    hand_mass: kg, moves with the handle
    hand_damping: b_h, N s/m, towards the path's velocity
    hand_stiffness: k_h, N/m, towards the path
    hand_rotational_stiffness, hand_rotational_damping: N m/rad and N m s/rad, towards the path's orientation and
    spin, for 6 dof.
    noise: m: each axis of a read position has a random error, uniform between -noise and +noise, the same in every
    run. Default 0.
    substep: s, upper bound of a substep; default 25e-6
    repeats: the path repeats; its two ends must meet

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
    """A simulated hand for a pointer that renders no force.

    A spring and a damper pull a handle of some mass to the pointer, the rendered force pushes it back, and the tool
    is where the handle is. So the length of the spring shows the force. Samples come at display rate and in bursts.
    Between samples the end of the spring moves on a line, in about the time between samples, and never faster than
    `speed`. Orientations follow in the same way; torques have no effect.

    Touch: while the pointer does not touch, the tool is lifted (TAC_BUTTON_LIFT): it follows, and forces have no
    effect. After a touch begins, the tool stays lifted until the handle has arrived where the touch began and is
    nearly at rest. The end of the spring waits there for it, wherever the pointer goes meanwhile. There is no time
    limit, so the tool never comes down elsewhere.

    Second device: the pointer may stand in front of another device, which leads until the pointer takes over. While
    the tool moves from one to the other, it is lifted. While the pointer leads, the other device is still read, so
    that its time goes on, and gets no force. If it is then late, lost or done, the pointer device still reports
    TAC_DEVICE_FINE. While the other device leads, its states, buttons, health and forces pass through. Its health
    also passes through while the tool is on its way back to it.

    stiffness: N/m, of the spring; 1 to 1e5
    damping: N s/m, of the damper; 0.01 to 1e4
    mass: kg, of the handle; 0.001 to 100
    speed: m/s, largest speed of the spring's end, at most 2; the handle's speed is at most 2.5
    arrival: m: closer than this, the handle has arrived

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
    """State of the pointer at one moment.

    position: m, device frame
    orientation: quaternion w, x, y, z of any length; zeros: not turned
    touch, grab: the pointer touches; it grabs, which has no effect while the tool is lifted

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
    """A linear elastic material, sigma = C epsilon. Stresses and strains are ordered xx, yy, zz, yz, zx, xy. Shear
    strains are engineering strains (gamma = 2 epsilon).

    density: kg/m^3
    stiffness: C, Pa: symmetric and positive definite
    isotropic: true: `young` and `poisson` describe the material
    young, poisson: Young's modulus, Pa; Poisson's ratio. Set only where `isotropic`

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
    """A hyperelastic material: a law, its parameters and a viscosity. docs/hyperelastic_laws.md lists the laws.

    law: name of the law, such as "neo-hookean"
    parameters: in the order of tacMaterialLaw.parameter, SI units
    density: kg/m^3
    term_count: Viscosity, a Prony series: the fraction `share` of the stress relaxes with the time constant `time`.
    The shares add up to less than 1. 0 to TAC_LAW_MOST_TERMS; 0: no viscosity
    share, time: 0 to below 1; s, positive

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
    """Description of a hyperelastic law: its name and parameters. The strings are static.

    name, about: name, as in tacLawMaterial.law; one line of description
    parameter, unit: Name and unit of each parameter.
    otherwise: default of each parameter; NaN: it has no default and must be given
    fibres: anisotropic: needs fibre axes for each element
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
    """Quantity that a sensor measures.

    DISPLACEMENT: 3 rows, m
    STRESS: 6 rows: xx yy zz yz zx xy, Pa

    tacSensorKind of <tactus/material.h>."""

    DISPLACEMENT = 0
    STRESS = 1


class Sensor(Struct):
    """A sensor: a quantity at a point inside the body. Each Green's function includes it (James and Pai 2001, section
    3.5).

    name: not empty, unique in the body
    point: inside the body, m, body's frame

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
    """Discretisation of the problem.

    BOUNDARY_ELEMENTS: of the surface; one isotropic material
    FINITE_ELEMENTS: of a volume mesh; any linear materials

    tacReferenceMethod of <tactus/material.h>."""

    BOUNDARY_ELEMENTS = 0
    FINITE_ELEMENTS = 1


class ReferenceDef(Struct):
    """Definition of the problem, a member of tacGreenDef.

    surface: boundary elements: the closed surface. Finite elements: not used
    volume: finite elements: its boundary (tac_volmesh_surface) is the surface
    material_count: number of `materials`
    materials: boundary elements: one, isotropic
    material_of: finite elements: [element] -> index in `materials`; NULL: all have materials[0]
    fixed: [vertex of the surface]: true where it is fixed. At least three fixed vertices must not lie on a line, else
    TAC_ERR_GEOMETRY. Finite elements also accept a body without fixed vertices. Such a body is free: its
    displacements are relative to the rigid motion that the same forces cause, given the densities.
    fixed_inside: Finite elements: [vertex of the volume]: true for inner vertices that never move, whatever acts on
    the surface. For vertices of the surface only `fixed` counts. NULL: none. TAC_ERR_GEOMETRY if some are true, but
    no vertex of the surface is fixed.
    sensors: [sensor_count]; NULL where the count is 0
    thread_count: 0: one for each core
    accept_thin: Boundary elements make a part too stiff in bending if it is thinner than its edges are long. False:
    such a surface is an error. True: it is accepted, with a warning in the log.

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
    """Why the guard has ended the forces.

    NONE: no fault
    DEVICE_LOST: the device is disconnected
    DEVICE_LATE: more than tacGuardDef.late_limit ticks in a row without a new state
    DEVICE_JUMPED: the device moved faster than tacGuardDef.speed_limit
    DEVICE_NOT_FINITE: the device sent a NaN or infinite value, or no unit quaternion
    FORCE_NOT_FINITE: the world's force or torque was NaN or infinite

    tacFault of <tactus/guard.h>."""

    NONE = 0
    DEVICE_LOST = 1
    DEVICE_LATE = 2
    DEVICE_JUMPED = 3
    DEVICE_NOT_FINITE = 4
    FORCE_NOT_FINITE = 5


class GuardDef(Struct):
    """Options of a guard.

    period: s between ticks, 1e-5 to 0.1; default 0.001
    force_limit: N, length of the largest force of the device; no default, must be set
    stiffness_limit: N/m, largest stiffness that the device renders stably; no default, must be set
    torque_limit: N m, length of the largest torque of the device; default 0: it renders none
    resolution: m, resolution of the device's position; default 0: unknown
    start: m, position assumed until the first valid state; default the origin
    ramp_in: s from zero to full force, 0 to 60; default 0.5
    ramp_out: s from a fault to zero force, 0 to 60; default 0.05
    speed_limit: m/s of the device; a faster state is a fault (jump); default 5
    late_limit: limit of ticks in a row without a new state; one more is a fault; default 20
    force_rate: N/s, largest rate of change of the force while the device is at rest; default 500
    passivity: damps the force where the port would generate energy; default true

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
    """The force of one tick.

    force, torque: N, N m on the hand: write them to the device
    presence: 0 to 1: progress of the ramp in, or of the ramp into or out of a pause
    limited_force, limited_rate, damped: The force was cut to the device's limit; the change of the force was limited;
    the passivity damper acted.
    ended: the force has reached zero after a fault or stop, and stays zero
    fault: as tac_guard_read returns it

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
    """The worst interval in which energy was generated.

    energy: J, generated; 0: none
    work: J, for comparison: sum |f.dx| from `tick` to the moment of generation
    tick: first tick of the interval; -1: none

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
    """Energy generated at the device: what went to the hand beyond what the hand had put in. docs/device.md, Passivity,
    explains it.

    Energy that arises only because a force is held constant between ticks is not counted. In the 0.1 s, 1 s and total
    readings, work of the hand counts as put in only as far as springs could store it.

    contact, tenth, second: worst contact from begin to end, worst 0.1 s, worst 1 s
    all: J, total

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
    """Summary since the guard was created or reset.

    ticks: calls of tac_guard_write
    fault: first fault
    fault_tick: its tick; -1: none
    force_max: N, largest written force
    force_step_max: N, largest change of the written force between ticks
    energy_absorbed: J, net work of the hand on the world at the device: sum -f.dx
    energy_least: J, smallest value of that sum over time; negative: generated
    work: J, sum |f.dx|, for comparison
    asked: by the world's force, before ramps, limits and damper
    written: by the written force
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
    """Id of a body in one world. It is generational: a world rejects the ids of another one. {0, 0} is no body.

    tacBodyId of <tactus/world.h>."""

    index: int
    generation: int


define(BodyId, [
    ("index", c_uint32),
    ("generation", c_uint32),
])


class WorldDef(Struct):
    """Definition of a world.

    period: s between steps (a tick), 1e-5 to 1; default 0.001
    budget: s of a step that the contacts of pairs may take, 0 to 1; default 0: no limit. Sealing measures what they
    cost on this machine and sets the parameter `nodes` of each pair. A servo adapts it during the run.
    movable: tac_world_move_body may move bodies at rest: snapshots then hold the poses of all; default false
    method: of contacts without a tacPairDef: those of free bodies; default penalty
    simulate_every: Ticks of one step of the bodies, 1 to 100; default 1. More than 1: the bodies are simulated at a
    lower rate than the tools are rendered. See tac_world_start_simulation.
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
    """Properties that bodies of all kinds have. Defaults: at rest in the origin, no gravity, friction 0.4, touch 300 N/m
    and 0.3 N s/m, contact 2000 N/m and 2 N s/m. The default definition of a kind may differ.

    name: not empty, unique in the world
    kind: kind name shown in reports and the viewer; may be empty. The functions of the kinds set it
    pose: pose of the body's frame in the world, at the start
    free: moves under forces, needs an inertia; false: it rests, or a tool holds it
    velocity, spin: of a free body at the start: of its centre of mass, m/s; angular, rad/s
    gravity: m/s^2, world frame
    every: ticks from one step of this body to the next, 1 to 100; default 1
    friction: Coulomb's coefficient towards tools, the floor, and bodies without a pair
    touch_stiffness: N/m: spring between a point tool and its point on the surface
    touch_damping: N s/m: damps the touched point, not the hand
    contact_stiffness: N/m: of free bodies in contact with others by penalty
    contact_damping: N s/m, likewise
    shown: how it is shown; the functions of the kinds set it

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
    """The floor, a half space. Free bodies stay where n.x >= offset. A world has no floor until tac_world_set_floor.

    normal: n, unit, out of the floor; default +z
    offset: m; default 0
    friction: Coulomb's coefficient; default 0.5

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
    """A tool that touches at a point, or a fingertip that presses a round patch there.

    name: not empty, unique in the world
    radius: m: of a fingertip's contact with a soft body; default 0: a point

    tacPointToolDef of <tactus/world.h>."""

    name: Optional[str]
    radius: float


define(PointToolDef, [
    ("name", c_char_p),
    ("radius", c_double),
])


class CouplingKind(IntEnum):
    """Virtual coupling between the device and the held body (Barbic 2007, chapter 4).

    STATIC: quasi-static: a step moves the body towards equilibrium, without inertia
    DYNAMIC: the body has a mass, on a spring and damper

    tacCouplingKind of <tactus/world.h>."""

    STATIC = 0
    DYNAMIC = 1


class JawDef(Struct):
    """A jaw of a grasper: a rigid body that turns about a hinge of the held body. The start poses of both are those of
    the open grasper.

    body: the jaw; part of one tool only
    hinge: a point of the hinge's axis, m, frame of the held body
    axis: direction of the axis, frame of the held body. The jaw closes by the right-hand rule

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
    """A tool that holds a body: a rigid one, or an anchored reduced one, whose held vertices then move with the tool.
    The device leads another copy of the body, and a virtual coupling pulls the body there (Barbic 2007, chapter 4).

    name: not empty, unique in the world
    body: the held body; of one tool only
    grasp: Where the device holds the body, m, body's frame. The tool's input is the position of this point, and the
    rotation of the body from its orientation at the start. While the tool is lifted, the body rests and the hand
    feels nothing.
    coupling: default static
    stiffness: k_VC, N/m; default 600
    turn_stiffness: N m; default 0.5: the torque is this times sin(angle / 2)
    force_most: N: the coupling's force saturates beyond half of this; default 0: no saturation
    torque_most: N m: likewise for its torque
    static_damping: alpha of a static coupling, 0 to below 1; default 0.5
    speed_most, turn_most: limits of the body's speed, m/s and rad/s; default 1 and 10
    mass: kg, of a dynamic coupling; default 0.1. For a body without its own inertia, with the moments of a solid ball
    of the body's radius.
    damping_ratio: of a dynamic coupling; default 1
    reach: m; default 0: the tool always holds the body. Otherwise it takes hold when `grab` is pressed while its
    position is nearer than this to the body's surface, and holds on until `grab` is released. Meanwhile body and tool
    keep the relative pose of that moment. After the release the body rests where it is, and the force on the hand
    fades within 20 ms.
    trocar: An instrument through a trocar; default false. Its shaft is the line from its grasp to the pivot, as the
    body lies at the start, and the pivot stays on this line. The device then gives the position of the grasp and the
    roll of the shaft; the tilt follows from them. At rest a push at the tip is felt by the law of the lever.
    `turn_stiffness` is that of the roll.
    pivot: m, world frame; at least 1 mm from the grasp at the start
    jaw_count: A grasper: jaws that close together, as far as the input's `grip` requests. All jaws turn by one angle,
    which is an additional coordinate. A motor drives it at a finite speed, with a limited torque. default 0, at most
    TAC_MOST_JAWS; with jaws `reach` must be 0
    jaw_angle: rad: rotation of each jaw from open to closed, less than pi; default 0.5
    jaw_time: s: time in which the motor goes that far, either way; default 0.5
    jaw_torque: N m: limit of the motor; default 0.1. Two jaws press with jaw_torque / (2 l) each at a lever l.

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
    sections 4 and 5): a finger pad, or a gripper. Its position is the middle between its pads. The body is an
    elastostatic one whose Green's functions are stored whole. At most four pads of all tools together are on one
    body, and each holds at most the 32 vertices that are nearest to it. Pads feel each other. They do not feel point
    tools on the same body, nor its contacts with others.

    name: not empty, unique in the world
    radius: m, of a pad; default 6 mm
    hold: default stick: holds while `grab` is pressed, from where it was pressed. Or presses always
    friction: of pads that press; default 0.5; INFINITY: they never slip
    opening: m; default 0: one pad. Else two that face each other, at +-opening/2 along the tool's x axis
    approach: unit: direction of one pad into the body, at identity orientation; default -z
    stiffness: of the coupling between device and pads, N/m; default 600
    turn_stiffness: N m; default 0.5: the torque is this times sin(angle / 2)
    speed_most, turn_most: m/s, rad/s: limits for pads that hold something; default 1 and 10. The limit is lower where
    that is a quarter of the radius or 0.2 rad a step.

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
    """Two bodies in distributed contact: the points of one against the distance field of the other (Barbic 2007, chapter
    3). A body may be in several pairs.

    points, field: the body whose points, and the body whose field is used
    stiffness: k_C, N/m of one point. Default 0: chosen so that a load sinks in by a hundredth of the thinner body.
    The load is a push of 5 N and the weight of all free bodies that the world has when the pair is added.
    full_count: L: with more points in contact each is softer; default 10
    ramp: m: depth over which a point reaches its full weight. Default 0: a fifth of the field's voxel, or of the
    spacing of the points.
    friction: Coulomb's coefficient of this pair; default 0: those of the bodies do not count
    tangential: stiffness of sticking relative to `stiffness`; default 0.5
    area_weights: points count by their areas; default true
    level_most: deepest level of the points that is used; default all
    method: default penalty. Of the above, Signorini's contacts use only friction and level_most
    laws: of contacts that obey contact laws. TAC_DETECT_SURFACES needs neither points nor a field

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
    """Input of a tool for one step.

    position: m: the tip x^H of a point tool, the grasp of a held body, or the middle of pads
    orientation: of a held body, from its orientation at the start; of pads; point tools ignore it
    grab: holds the touched point or patch of the surface: it does not slide or release, and it pulls as well
    lifted: true: the tool touches nothing, wherever it goes, and approaches from outside again afterwards
    grip: of jaws: how far they are to close, 0 to 1; `grab` closes them fully

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
    """Output of a tool after one step. All numbers are finite.

    force: on the hand, N: the reaction to the contact's force
    torque: on the hand, N m
    proxy: Where the tool's tip is shown: x^E in contact, else its position. For a held body its grasp; for pads their
    middle.
    proxy_orientation: of a held body and of pads
    depth: m: |x^H - x^C|. For a held body the deepest point of its pairs; for pads their distance from the device.
    contact: The contact. For a held body and pads: state, the other body, mean position and normal of the points, and
    the force on that body.
    saturated: 1 or 0. 1: a coupling near its limit gives the held body less than nine tenths of the force that the
    hand feels, so the body lags behind.

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
    """Report of one step.

    sweeps: Largest number of sweeps of the coupled contacts, and of steps of Newton's method. 0 or 1 if at most one
    tool touches a body.
    residual: m: how far the coupled contacts are from fulfilling their laws
    residual_force: N: likewise
    unsolved: islands whose sweeps reached their limit: their laws hold only up to the residuals
    laws: contacts that obeyed contact laws, also those of pairs by penalty (tacContactMethod)
    saturated: loops that reached their limit (sliding, sweeps) in this tick
    uncoupled: pairs of contacts whose mutual influence is not yet in memory and was left out
    refused: invalid inputs, replaced by the tool's last valid one; bodies brought to rest; rejected requests
    limited: bodies whose acceleration was limited
    touching: pairs of free bodies, and of free body and floor, in contact; of those that stepped in this tick
    visited: nodes visited by the traversals of all pairs with springs
    points: points of shells in contact, of all pairs with springs
    level: deepest level rendered whole, the least of all pairs; 0 if there is no pair
    degraded: pairs whose deeper levels were left out, or rendered in part, to keep the budget
    renewed: Bodies with a separate thread that take its ready result in the step that this tick began: one bit each,
    of the first 32.
    taken: Of worlds with simulate_every > 1: this tick took the result of the last step of the bodies
    overdue: ticks by which that result was late; the time of the bodies stood still for so long
    step: s: processor time of the step whose result was taken
    within: s: processor time that this tick spent on a step of the bodies, if no thread does that
    error_estimate: Of all worlds: largest estimated model error of a body in the last eight ticks; 0.1 is 10 %
    error_body: 1 + the index of that body; 0: no body has an error estimate above 0
    coupling_saturated: number of tools with tacToolOutput.saturated

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
    """All that a display needs to show a moment. Plain data, made in a tick and handed to other threads.

    state: tac_world_state, in memory of whoever made the snapshot; NULL: all bodies at rest
    position: tacToolInput.position
    orientation: tacToolInput.orientation
    lifted: tacToolInput.lifted
    given: N: size of the force that the hand gets; that of `output` if `limits` is 0
    limits: TAC_LIMIT_*: why the hand does not get the force of `output`

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
    """A contact of two bodies that obeys the laws of Signorini and Coulomb. World frame.

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
    """Record of one tool in one tick.

    device: as read
    health: tacDeviceHealth
    position: input of the world: position of the tool in the scene, m
    orientation: input of the world: orientation of the tool, w, x, y, z
    grab, lifted: inputs of the world. `grab`: 1 if pressed, plus 256 times the grip in 255ths
    output: output of the world
    written: force sent to the device, on the hand, N, device frame
    written_torque: torque sent to the device, N m
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
    """Record of one tick.

    tick: number of the tick; the first is 0
    late_ns, compute_ns: start after the deadline, and computing time; a replay does not compare them
    flags: TAC_TICK_*
    parameter: 1 + the parameter of the world that was set before this tick; 0: none
    parameter_value: its value
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
    """Description of a recording.

    period: s, of a tick
    simulate_every: ticks of one step of the bodies, 1 to 100
    tool_count: tools of the world
    parameter_count: parameters of the world; 0: their values are not stored
    parameters: [parameter_count]: their values when the recording began
    state_size: tac_world_state_size
    scene_path: file of the scene
    scene: complete text of the scene
    program: version and build that recorded
    platform: where it was computed; NULL for a recorder: this platform
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
    """Largest distance between recorded and replayed values.

    most: infinity if one of the values is NaN
    tick: where it is; -1: the values are equal everywhere
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
    """Result of a replay.

    tick_count: compared ticks
    first_difference: number of the first tick that differs; -1: every bit is the same
    difference: one line that names the first difference; "" if there is none
    ended: a record was lost while recording, so the ticks after it could not be compared
    force, torque: the largest recorded on a hand, N and N m
    force_gap, torque_gap, proxy_gap: of tools: N, N m, and m
    surface_gap: of vertices of bodies with a state, m; in the ticks whose state was stored
    felt_ticks, far_ticks: ticks with a force or torque, then or now; those of them with a tool far apart

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
    """Map from the workspace of a device to the scene (thesis of Barbic 2007, section 4.5):

      x_scene = centre + scale R (x_device - device_centre) + offset

    The offset changes while the index button is held, so that the tool rests. Forces return by R^T, unscaled.

    scale: alpha: metres in the scene for a metre of the device; positive; default 1
    centre: position of the device's centre in the scene, m; default the origin
    device_centre: m, device frame; default the origin
    orientation: R: rotates device axes to scene axes; unit quaternion w, x, y, z; default the identity

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
    """Definition of a servo.

    rate: Hz, 250 to 10,000; must be 1 / the world's period; default 1000
    real_time: True, the default: ticks at absolute deadlines. False: one tick after another, as fast as possible.
    Both give the same bits, as long as the bodies of a world with simulate_every > 1 are in time.
    duration: s; default 0: until stopped or until a device is done
    priority: SCHED_FIFO, 1 to 99; 0: normal. Default 80, in real time only
    core: processor core of the loop; default -1: any
    lock_memory: In real time: mlockall for the whole process, of all that is mapped when the loop begins, including
    the host's memory and the stacks of its threads. This memory becomes resident, is never swapped, and stays so
    after the servo has ended. Default false; a program requests it if all of its memory may be locked.
    ramp_in: s from zero force to full; default 0.5
    ramp_out: s from a fault to zero force; default 0.05
    speed_limit: m/s of a device, above which a state is a fault (a jump); default 5
    late_limit: most ticks in a row without a new state; one more is a fault; default 20
    force_rate: N/s. In a second a force changes by at most this, plus the device's stiffness limit times its motion.
    Default 500.
    passivity: adds damping where the port would generate energy; default true

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
    """Statistics of the estimated model error of a body (tac_world_body_error_estimate).

    body: index of the body
    ticks: ticks with an estimate of TAC_ERROR_ESTIMATE_SOME or more
    much: ticks with an estimate of TAC_ERROR_ESTIMATE_MUCH or more
    worst: largest estimate; 0.1 is 10 %
    worst_tick: where it was
    fine: N: largest sum of the forces of all tools on it at an estimate below TAC_ERROR_ESTIMATE_SOME

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
    """A limit that was reached: in how many ticks, and where it cut most.

    worst: N. Force limit: the largest force that the world requested. Rate limit: the largest difference between
    requested and written force. Coupling: the largest force that was felt.
    worst_tick: 0 if `ticks` is 0

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
    """Report of a run. Arrays have one entry for each tool.

    seconds: wall clock
    rate: ticks / seconds, Hz
    compute_p50, compute_p99, compute_p999, compute_max: s, processor time of the servo thread for a tick: reading,
    stepping, writing. Median, 99 %, 99.9 % and maximum, from a histogram with classes 1 % wide.
    late_p50, late_p99, late_p999, late_max: s: start of the tick after its deadline
    missed_by_computation: ticks that computed longer than a period
    missed_by_lateness: ticks that ended after the next deadline although they computed in time
    force_max: N, written
    force_step_max: N: largest change between ticks, written
    penetration_max: m, tacToolOutput.depth: |x^H - x^C| of a point tool
    energy_absorbed: J: net work of the hand on the world at the device port, sum -f.dx
    energy_least: J: least value of that sum over time; negative: generated
    work: J: sum |f.dx|, for comparison
    asked: energy generated by the world's force, before ramps, limits and damper
    written: energy generated by the written force
    limited_force, limited_rate, damped: ticks in which a limit or the passivity controller acted
    saturated, refused: sums of the tick reports
    contact_ticks: ticks with contact, of any tool
    taken: Of worlds with simulate_every > 1, whose bodies are simulated at a lower rate: steps of the bodies whose
    results ticks took
    overdue: ticks in which a result was late
    step_p50, step_p99, step_p999, step_max: s: processor time of such a step
    fault: the first fault; TAC_FAULT_NONE if there was none
    fault_device: its device; -1: none
    fault_tick: its tick; -1: none
    remark: see tac_servo_remark
    error_estimate_count: bodies with an error estimate, at most TAC_SERVO_MOST_ERROR_ESTIMATES
    error_estimates: the first of these bodies
    force_limit, rate_limit, coupling_limit: Limits that cut a force. A coupling is at its limit if
    tacToolOutput.saturated.

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
    """Measurements of one tick, for plots.

    compute, late: s: processor time, and start after the deadline
    force: N, written
    penetration: m, tacToolOutput.depth
    energy: J, absorbed at the device port so far
    error_estimate: tacTickReport.error_estimate
    limits: TAC_LIMIT_*
    asked: N, force of the world: what the hand would get without ramps, damper and limits

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
    """Contacts of a tick that obey contact laws, and their coupling.

    count: number of `contacts`
    contacts: tac_world_contacts
    coupled: contacts in `delassus`, the first ones; 0 if not requested
    delassus: The Delassus operator W, m/N, dense [3 coupled][3 coupled]: the motion of each contact under the force
    of each other. Each contact has three rows: along its normal, then along two tangential directions.

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

SceneLineFn = CFUNCTYPE(None, c_char_p, c_char_p, c_void_p)


class SceneLive(Struct):
    """A parameter of the world that the scene lets people change during a run (key `live`), and its range.

    name: name of the world's parameter: "kidney.stiffness", "bridge.cables.mu", "hoses-part.friction"
    least, most: range, SI units; the scene's own value lies between them

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
    """What the bake did for an asset. A body has its own asset first. It may also have a distance field, which deforms
    if the body has coordinates, then distances to baked deformations, then points, which are embedded in such a body.
    A shape whose field is exact needs no asset for it.

    body: index of the body in the scene
    kind: ending of its file: "field", "deformed", "loads", "points", or the body's kind, as in "green"
    path: in the cache, or the file that the scene names; "" for what is exact
    was_cached: true: read from the cache
    seconds: s, to bake or to read it
    bytes: size of the file
    checksum: of its content, however it was made; 0: it cannot be read

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
    """Severity of a finding.

    NOTE: information; nothing is wrong
    WARNING: the scene runs, but probably not as intended
    FAULT: the scene cannot be baked or run

    tacFindingLevel of <tactus/scene.h>."""

    NOTE = 0
    WARNING = 1
    FAULT = 2


class Finding(Struct):
    """A problem of a scene that tac_scene_check found.

    about: one word: "mask", "path", "thin", ...
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

FindingFn = CFUNCTYPE(None, c_void_p, c_void_p)


class GreenStorage(IntEnum):
    """How much of Xi an asset stores. Columns are stored only for the wanted vertices, see tacGreenDef.

    WHOLE: all rows of every wanted column
    NEAR: 3 x 3 blocks between wanted vertices whose distance is at most a radius: enough for the stiffness of
    point-like contact. Whole columns and sensors are then computed on demand from the stored reference problem.

    tacGreenStorage of <tactus/green.h>."""

    WHOLE = 0
    NEAR = 1


class GreenDef(Struct):
    """How Green's functions are baked.

    problem: surface or volume, materials, fixed vertices, sensors
    wanted_count: number of `wanted` vertices
    wanted: Vertices whose columns are wanted, in any order. NULL: every free vertex; the displacement of fixed
    vertices then stays zero.
    storage: default TAC_GREEN_WHOLE
    near_radius: m, for TAC_GREEN_NEAR
    factored: File for the factored problem, from which columns are computed on demand. The bake stores the problem
    there, or uses the file if it already holds this problem. NULL: no file.
    checkpoint: File for finished columns, so that an interrupted bake continues from there, with the same bits. A
    broken file, or one of another bake, is ignored. At the end it holds all columns; the caller removes it when the
    result is safe. NULL: no file.
    error_estimate_loads: Number of loads that are also solved nonlinearly, to fit the estimated model error of the
    body (tac_world_body_error_estimate). Default 9. 0: the error estimate stays unknown.

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
    """An elastostatic body in a world: at rest, held by a tool, or free.

    body: Name, place and contact springs; `every` has no effect.

    A free body moves as a rigid body with `inertia` and deforms in its own frame: a corotational body (Duriez and
    others 2006, section 6). Green's functions of a body without fixed vertices contain no rigid motion, so that only
    the frame moves as a whole. If some vertices are fixed, they move with the frame.
    green: Green's functions; must outlive the world
    mask_radius: m, of the spherical pressure masks. 0: single vertices, only for comparison
    stiffness: factor on the baked stiffness; default 1
    rigid_stiffness: k^Rigid, N/m: stiffness of fixed vertices, and upper bound of what is rendered anywhere
    young, poisson: Pa and plain: Young's modulus and Poisson's ratio of the baked material, for fingertips. `young`
    0, the default: not known, and fingertips feel only what the mesh resolves.
    inertia: used if the body is free or held by a dynamic coupling; mass 0: the tool's own mass is used
    problem: For Green's functions stored as TAC_GREEN_NEAR: the factored problem. A thread of the world computes from
    it the responses that the display and the coupling of several tools need. It must outlive the world and must not
    be used elsewhere. NULL: contacts have their stiffness, but the surface does not move and tools do not feel each
    other.
    response_bytes: limit of memory for such responses, bytes; default 1 GiB
    shell: For contact between bodies: points and field, both at rest. Each may be NULL; they must outlive the world.

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
    """Source of the factorization that gives the compliance of contacts and the preconditioner.

    ASYNCHRONOUS: the newest finished factorization, rotated with the nodes
    EXACT: a factorization in each step: slow, for comparison
    REST: that of the body at rest, as if the body were linear: for comparison

    tacFactorMode of <tactus/hyperelastic.h>."""

    ASYNCHRONOUS = 0
    EXACT = 1
    REST = 2


class HyperelasticBodyDef(Struct):
    """A hyperelastic body. Everything that it points to is copied.

    body: name, place and contact springs; `spin` has no effect, and `every` counts as 1
    mesh: tetrahedra only; their boundary is the surface
    material_count: number of `materials`, at least 1
    materials: laws, parameters, densities and viscosities
    material_of: [tetrahedron]: index in `materials`; NULL: the first material
    fibres: [tetrahedron]: unit vectors of fibre, sheet and normal; NULL: the coordinate axes
    fixed: [vertex of mesh]: true if fixed to the body's frame; NULL: none
    moved: [vertex of mesh]: true if moved by the parameter `moved`; NULL: none
    moved_along: unit vector: direction of the motion by the parameter `moved`, which is in m
    moved_distance, moved_period: m, s: these vertices also move by themselves, from 0 to the distance and back in
    each period. Period 0: they do not.
    mass_damping, stiffness_damping: alpha, 1/s, and beta, s: Rayleigh damping besides viscosity; 0 to 1000
    patches: true: the volumetric energy U is that of the mean J over patches of elements, which avoids locking of
    nearly incompressible bodies.
    factor: default TAC_FACTOR_ASYNCHRONOUS
    factor_delay: steps after which a factorization is ready if no thread computes it, 1 to 1000; default 5
    most_sites: limit of places where forces act at once, 1 to 256; default 96
    thread_count: threads that evaluate the elements; default 1: only the stepping thread

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
    """Size of the tetrahedra.

    size: Edge length at the surface, m: the side of the lattice's cubes, at least 1/2000 of the longest side of the
    box. Lattice edges are `size` (one in three) and 0.87 `size` long. Points that moved onto the surface make edges
    of 0.2 to 1.5 `size` beside it.
    levels: how often the size may double towards the interior, 0 to 16; 0: uniform
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
    """Which voxels become bricks.

    CENTRE: voxels whose centre is inside: the volume is right; needs a closed surface
    COVER: voxels that the surface touches or encloses: nothing is lost; accepts polygon soups
    SHELL: voxels that the surface touches, hollow inside; accepts polygon soups

    tacVoxelRule of <tactus/meshing.h>."""

    CENTRE = 0
    COVER = 1
    SHELL = 2


class VoxeliseDef(Struct):
    """How to voxelise.

    resolution: cubic voxels along the longest side of the box of the mesh, 1 to 1024

    tacVoxeliseDef of <tactus/meshing.h>."""

    resolution: int
    rule: VoxelRule


define(VoxeliseDef, [
    ("resolution", c_int),
    ("rule", c_int, VoxelRule),
])


class ShapeInfo(Struct):
    """Description of a shape of the gallery. Static.

    name: "kidney", "suspension-bridge", ...
    summary: one line: what it is and its main dimensions
    size: default edge length of its triangles, m; resolves its thinnest part
    brick_size: default edge length of its bricks, m; 0: it has no exact bricks

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
    """Summary of a bake.

    source: source of the basis: "modes", "sketch", "motion" or "vectors"
    mode_count: k: linear modes that entered the basis; 0 if none
    element_count, vertex_count: of the volume mesh
    mass: kg
    captured: share of the squared mass norm of the data that the basis holds, 0 to 1
    linear_least, linear_most: Hz: frequencies of the k linear modes; 0 if none
    reduced_least, reduced_most: Hz: frequencies of the reduced body at rest
    seconds_modes, seconds_derivatives, seconds_basis, seconds_polynomials: s: time spent on each stage of the bake.
    bytes_polynomials: size of the coefficients of all groups
    bytes_bake: peak memory of the bake, as far as it is counted

    tacReducedInfo of <tactus/reduced.h>."""

    source: str
    mode_count: int
    element_count: int
    vertex_count: int
    mass: float
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
    ("mass", c_double),
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
    """Source of the basis (Barbic 2007, section 2.8).

    MODES: linear modes and their derivatives: needs no loads
    SKETCH: static shapes under given loads
    MOTION: motion of the full simulation under loads over time

    tacBasisSource of <tactus/reduced.h>."""

    MODES = 0
    SKETCH = 1
    MOTION = 2


class LoadSample(Struct):
    """A force at a point of the body, for TAC_BASIS_SKETCH and TAC_BASIS_MOTION.

    time: s; samples of one time act together
    point: of the body at rest, m, in or near the volume
    force: N, on the body
    radius: m, over which the force is spread, with the same resultant and moment. 0, or less than the size of the
    elements: the force is not spread.

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
    """Definition of a bake.

    volume: the body at rest
    material_count: at least 1; these are the groups of material
    materials: [material_count]
    material_of: [element] -> index in `materials`; NULL: all have materials[0]
    group_names: [material]; NULL: "body", or "group 1", ...
    fixed: [vertex of the volume]: true if fixed; NULL or no true: a free body
    surface: embedded surface; NULL: the boundary of the volume
    lumped_mass: true: lumped mass matrix; default false: consistent
    source: default TAC_BASIS_MODES
    mode_count: k; default 10, at most 1000. TAC_BASIS_SKETCH and _MOTION add these modes to their data; 0: none
    size: r; default 20, at most TAC_BODY_MOST_COORDINATES
    loads: in order of time; for TAC_BASIS_SKETCH and _MOTION
    motion_step: s, time step of the full simulation of TAC_BASIS_MOTION; default 1 ms
    motion_duration: s; default 0: to the last load
    mass_damping, stiffness_damping: Rayleigh damping of that simulation, 1/s and s
    strain_rate: also bakes what strain-rate damping needs: r^4 / 8 numbers for each part of the energy
    error_estimate_loads: Number of loads that the full solution is computed for, to measure the error estimate of the
    body (tac_world_body_error_estimate). All are tried in the limit of small loads. Large loads are tried, too: the
    larger the mesh, the fewer. Free bodies and meshes with over 30,000 vertices try none. Default 12; 0: the error
    estimate is unknown.

    tacReducedDef of <tactus/reduced.h>."""

    volume: Any
    material_count: int
    materials: Any
    material_of: Any
    group_names: Any
    fixed: Any
    surface: Any
    lumped_mass: bool
    source: BasisSource
    mode_count: int
    size: int
    load_count: int
    loads: Any
    motion_step: float
    motion_duration: float
    mass_damping: float
    stiffness_damping: float
    strain_rate: bool
    error_estimate_loads: int


define(ReducedDef, [
    ("volume", c_void_p),
    ("material_count", c_int),
    ("materials", c_void_p),
    ("material_of", c_void_p),
    ("group_names", c_void_p),
    ("fixed", c_void_p),
    ("surface", c_void_p),
    ("lumped_mass", c_bool),
    ("source", c_int, BasisSource),
    ("mode_count", c_int),
    ("size", c_int),
    ("load_count", c_int),
    ("loads", c_void_p),
    ("motion_step", c_double),
    ("motion_duration", c_double),
    ("mass_damping", c_double),
    ("stiffness_damping", c_double),
    ("strain_rate", c_bool),
    ("error_estimate_loads", c_int),
])


class ReducedBodyDef(Struct):
    """Definition of a body of a world. A body without held vertices is free: it falls, and touches the floor and other
    bodies.

    body: name, pose and contact springs; `free` is not used, since `reduced` determines it
    reduced: must outlive the world
    kept: [r] which vectors of the basis to use; NULL: all
    mass_damping: Rayleigh damping (alpha M + beta K(q)) q'. alpha, 1/s; default 0.5
    stiffness_damping: beta, s; default 0.002
    strain_rate: Strain-rate damping (Barbic 2007, (2.34)), s: the viscous stress is this time multiplied by the
    stress that the elasticity would have at the strain rate. Only for a body that was baked with
    tacReducedDef.strain_rate; 0: none.
    newton_steps: of the implicit Newmark method in a step, 1 to 10; default 1
    is_static: no inertia
    linear: geometrically linear, for sketching loads and for comparison
    acceleration_limit: limit of |q''|, kg^1/2 m/s^2; 0: none
    shell: For distributed contact with other bodies (tacPairDef). Each may be NULL; each must outlive the world.
    embedded in `reduced`
    field: of `reduced`
    loads: baked deformations of `field`; NULL: none

    tacReducedBodyDef of <tactus/reduced.h>."""

    body: BodyDef
    reduced: Any
    kept: Any
    mass_damping: float
    stiffness_damping: float
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
    ("mass_damping", c_double),
    ("stiffness_damping", c_double),
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
    """Definition of a rigid body.

    body: name, pose and contact springs
    surface: shown and touched, closed or open; must outlive the world
    inertia: Inertia of a free body, or of one that a tool holds by a dynamic coupling. Mass 0: the body has no
    inertia. tac_mass_properties computes it.
    shell: For distributed contact with other bodies (tacPairDef). Both may be NULL; both must outlive the world.

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
        'Sets the receiver of log messages for the whole process. NULL, the default, discards them. The library passes `user` to each call of `receiver`. Call this before other threads use the library.'),
    "tac_plugin_set": (None, (c_void_p, c_void_p,),
        "base.h", 'void tac_plugin_set(tacPluginFn allow, void *user)',
        'Sets the plugin decision for the whole process. NULL, the default, refuses every file. Only drivers in the folders of tac_device_drivers need no permission, if nobody but root and the user of the process can write to the file, its folder and the folders above. The library writes the path of each plugin to the log before it loads the plugin. A refused plugin gives TAC_ERR_UNSUPPORTED. Call this before other threads use the library.'),
    "tac_layouts": (c_void_p, (c_void_p,),
        "base.h", 'const tacLayout *tac_layouts(int *count)',
        'Returns the layouts of all public structs and stores their number in `count`. Each struct is listed first, then its fields in order. The array is static. Any phase, any thread.'),
    "tac_trimesh_create": (c_int, (c_int, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_create(int vertex_count, int triangle_count, tacTriMesh **mesh, tacError *error)',
        'Creates a mesh with zeroed arrays for the given counts. Free it with tac_trimesh_destroy.'),
    "tac_trimesh_destroy": (None, (c_void_p,),
        "mesh.h", 'void tac_trimesh_destroy(tacTriMesh *mesh)',
        'Frees a mesh and all that it owns. NULL is allowed.'),
    "tac_trimesh_add_group": (c_int, (c_void_p, c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_add_group(tacTriMesh *mesh, const char *name, int count, const int *triangles, tacError *error)',
        'Appends a group of `count` triangles. The list is copied and sorted; duplicates are removed. TAC_ERR_ARGUMENT if the mesh already has a group of this name, or if an index is out of range.'),
    "tac_trimesh_validate": (c_int, (c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_validate(const tacTriMesh *mesh, tacError *error)',
        'Checks indices and coordinates. TAC_ERR_GEOMETRY if an index is out of range or a coordinate is NaN or infinite; the error names it. Every function that takes a mesh from a caller may assume that this check has passed.'),
    "tac_trimesh_require_closed": (c_int, (c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_require_closed(const tacTriMesh *mesh, tacError *error)',
        'Checks that a mesh encloses a volume. A mesh is closed if an opposite edge matches every directed edge, counting multiplicity, so that winding numbers are integers everywhere off the surface. Touching, nested and intersecting parts are closed; an empty mesh is not. TAC_ERR_GEOMETRY, with the number of boundary edges, if it is not closed. Offline: allocates.'),
    "tac_trimesh_box": (Box, (c_void_p,),
        "mesh.h", 'tacBox tac_trimesh_box(const tacTriMesh *mesh)',
        'Returns the box around all vertices, m; empty (lower above upper) for a mesh without vertices.'),
    "tac_trimesh_volume": (c_double, (c_void_p,),
        "mesh.h", 'double tac_trimesh_volume(const tacTriMesh *mesh)',
        'Returns the enclosed volume, m^3, positive where triangles face outward. Meaningful for closed meshes only. What lies in several parts counts once for each.'),
    "tac_trimesh_solid_volume": (c_int, (c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_solid_volume(const tacTriMesh *mesh, double *volume, tacError *error)',
        'Computes the volume of the solid that a closed mesh encloses, m^3, never negative. The solid is where the winding number is not 0, so what lies in several parts counts once. The result is exact except for overlaps: these are measured to about 1e-4 of the box by rows through them. Offline: allocates.'),
    "tac_trimesh_normals": (None, (c_void_p, c_void_p,),
        "mesh.h", 'void tac_trimesh_normals(const tacTriMesh *mesh, tacVec3 *normals)',
        "Computes a unit normal for each vertex: the mean of the faces' normals weighted by their angles at the vertex; zero if no triangle with an area uses the vertex. `normals` has room for vertex_count."),
    "tac_mass_properties": (c_int, (c_void_p, c_double, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_mass_properties(const tacTriMesh *surface, double density, tacInertia *inertia, tacError *error)',
        'Computes the mass properties of the solid of uniform `density` (kg/m^3, positive) that a closed surface bounds, exact up to round-off. A cavity counts as empty if its triangles face into it. Where parts overlap, mass counts once for each part. TAC_ERR_GEOMETRY if the surface is not closed, or if its volume is not positive, because it is inside out or flat. Load and offline phases.'),
    "tac_volmesh_create": (c_int, (c_int, c_int, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_create(int vertex_count, int tet_count, int brick_count, tacVolMesh **mesh, tacError *error)',
        'Creates a mesh with zeroed arrays for the given counts. Free it with tac_volmesh_destroy.'),
    "tac_volmesh_destroy": (None, (c_void_p,),
        "mesh.h", 'void tac_volmesh_destroy(tacVolMesh *mesh)',
        'Frees a mesh and all that it owns. NULL is allowed.'),
    "tac_volmesh_add_group": (c_int, (c_void_p, c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_add_group(tacVolMesh *mesh, const char *name, int count, const int *elements, tacError *error)',
        'Appends a group of `count` elements. The list is copied and sorted; duplicates are removed. TAC_ERR_ARGUMENT if the mesh already has a group of this name, or if an index is out of range.'),
    "tac_volmesh_add_vertex_set": (c_int, (c_void_p, c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_add_vertex_set(tacVolMesh *mesh, const char *name, int count, const int *vertices, tacError *error)',
        'Appends a set of `count` vertices, as tac_volmesh_add_group does with elements.'),
    "tac_volmesh_validate": (c_int, (c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_validate(const tacVolMesh *mesh, tacError *error)',
        'Checks indices and coordinates. TAC_ERR_GEOMETRY if an index is out of range or a coordinate is NaN or infinite; the error names it.'),
    "tac_volmesh_box": (Box, (c_void_p,),
        "mesh.h", 'tacBox tac_volmesh_box(const tacVolMesh *mesh)',
        'Returns the box around all vertices, m; empty (lower above upper) for a mesh without vertices.'),
    "tac_volmesh_volume": (c_double, (c_void_p,),
        "mesh.h", 'double tac_volmesh_volume(const tacVolMesh *mesh)',
        'Returns the sum of the volumes of all elements, m^3.'),
    "tac_volmesh_surface": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_surface(const tacVolMesh *mesh, tacTriMesh **surface, int **vertex_of, int **element_of, tacError *error)',
        "Extracts the boundary: the faces that belong to one element only, facing outward. A brick's face becomes two triangles. Vertices are renumbered without gaps. `vertex_of` (may be NULL) receives an array that maps each surface vertex to its volume vertex; `element_of` (may be NULL) one that maps each triangle to its element. Free both arrays with free."),
    "tac_mesh_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_mesh_read(const char *path, tacMeshContents *contents, tacError *error)',
        'Reads a mesh file. Polygons become triangles. Elements of other kinds are skipped with a warning in the log. The error for a broken file names file and line, or byte offset in a binary file. On success at least one mesh of `contents` is set, and the caller destroys both; on failure both are NULL.'),
    "tac_mesh_format_name": (c_char_p, (c_int,),
        "mesh.h", 'const char *tac_mesh_format_name(tacMeshFormat format)',
        'Returns the name of a format, such as "obj", "stl-ascii", "stl" or "msh22-ascii", as `tactus mesh --format` takes it; "unknown" if there is no such format.'),
    "tac_mesh_write": (c_int, (c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_mesh_write(const char *path, tacMeshFormat format, const tacMeshContents *contents, tacError *error)',
        'Writes a mesh file from `contents`, which may hold a surface, a volume or both. Writes to a temporary name beside `path`, then renames: an interrupted or failed write leaves the old file. Coordinates keep every bit if the format can hold it (binary STL holds floats). TAC_ERR_UNSUPPORTED if the format cannot hold the contents.'),
    "tac_surface_report": (c_int, (c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_surface_report(const tacTriMesh *mesh, tacSurfaceReport *report, tacError *error)',
        'Measures a surface. Offline: allocates.'),
    "tac_volume_report": (c_int, (c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volume_report(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error)',
        'Measures a volume mesh. Offline: allocates.'),
    "tac_repair_def_default": (RepairDef, (),
        "mesh.h", 'tacRepairDef tac_repair_def_default(void)',
        'Returns the default: weld 0.'),
    "tac_repair": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_repair(const tacTriMesh *mesh, const tacRepairDef *def, tacTriMesh **repaired, tacRepairReport *report, tacError *error)',
        'Repairs the defects of a surface that can be repaired without changing its shape. The input stays as it is; the result keeps its groups and is destroyed by the caller. TAC_ERR_ARGUMENT if `weld` is negative, NaN or infinite. Offline: allocates.'),
    "tac_distance_field_from_grid": (c_int, (c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_from_grid(const tacGrid *grid, tacDistanceField **field, tacError *error)',
        "Creates a field from samples of signed distances. On success the field takes over grid->values, which must come from malloc; on failure they stay the caller's. TAC_ERR_ARGUMENT: fewer than 2 nodes along an axis, a spacing that is not positive, or a value that is NaN or infinite. Load phase."),
    "tac_distance_field_plane": (c_int, (Vec3, c_double, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_plane(tacVec3 normal, double offset, tacDistanceField **field, tacError *error)',
        'Creates the field of a half space. Points p with normal . p < offset are inside. `normal` may have any length except 0; `offset` is in metres if it has length 1. Load phase.'),
    "tac_distance_field_sphere": (c_int, (Vec3, c_double, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_sphere(tacVec3 centre, double radius, tacDistanceField **field, tacError *error)',
        'Creates the field of a sphere. `centre` and `radius` in m; the radius must not be negative. Load phase.'),
    "tac_distance_field_box": (c_int, (Box, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_box(tacBox box, tacDistanceField **field, tacError *error)',
        'Creates the field of an axis-aligned box, in m. No lower bound may exceed the upper bound. Load phase.'),
    "tac_distance_field_capsule": (c_int, (Vec3, Vec3, c_double, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_capsule(tacVec3 a, tacVec3 b, double radius, tacDistanceField **field, tacError *error)',
        'Creates the field of a capsule: all points within `radius` of the segment from `a` to `b`, all in m. Load phase.'),
    "tac_distance_field_union": (c_int, (c_int, c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_union(int part_count, tacDistanceField *const *parts, tacDistanceField **field, tacError *error)',
        'Creates the union of `part_count` fields, at least 1. Its value is the smallest value of the parts: exact outside, a bound inside where parts overlap. On success it takes over the parts. Parts may be unions. Load phase.'),
    "tac_distance_field_destroy": (None, (c_void_p,),
        "distance_field.h", 'void tac_distance_field_destroy(tacDistanceField *field)',
        'Frees a field; NULL is allowed. Load phase.'),
    "tac_distance_field_gradient": (c_double, (c_void_p, Vec3, c_void_p,),
        "distance_field.h", 'double tac_distance_field_gradient(const tacDistanceField *field, tacVec3 p, tacVec3 *gradient)',
        "Returns the signed distance at `p` (m) and computes its gradient.\n\nIn a grid field, value and gradient are those of the trilinear interpolant of the samples (equation 3.11). The gradient is not normalised. Outside the grid's box the value is a lower bound of the distance (inequality 3.14), and the gradient is the direction away from the box.\n\nWhere the gradient of an analytic field is not unique, the result is one of the adjacent gradients. At the centre of a sphere and on the axis of a capsule it is zero. A point with a NaN or infinite coordinate gives the value infinity and a zero gradient."),
    "tac_distance_field_values": (None, (c_void_p, c_int, c_void_p, c_void_p,),
        "distance_field.h", 'void tac_distance_field_values(const tacDistanceField *field, int count, const tacVec3 *points, double *values)',
        'Computes the values (m) at `count` points (m): those that tac_distance_field_gradient returns, in less time.'),
    "tac_distance_field_grid": (c_void_p, (c_void_p,),
        "distance_field.h", 'const tacGrid *tac_distance_field_grid(const tacDistanceField *field)',
        'Returns the samples of a grid field; NULL for an analytic one. They belong to the field.'),
    "tac_distance_field_checks": (c_void_p, (c_void_p,),
        "distance_field.h", 'const tacBakeChecks *tac_distance_field_checks(const tacDistanceField *field)',
        'Returns the checks of the bake; none for a field that was not baked. They belong to the field.'),
    "tac_distance_field_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_write(const tacDistanceField *field, const char *path, tacError *error)',
        'Writes a grid field to a file, atomically. TAC_ERR_UNSUPPORTED for an analytic field.'),
    "tac_distance_field_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_read(const char *path, tacDistanceField **field, tacError *error)',
        'Reads a grid field from a file. The error text for a truncated or altered file names the broken chunk.'),
    "tac_field_def_default": (FieldDef, (),
        "distance_field.h", 'tacFieldDef tac_field_def_default(void)',
        'Returns the default options. Any phase.'),
    "tac_distance_field_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_bake(const tacTriMesh *mesh, const tacFieldDef *def, const tacProgress *progress, tacDistanceField **field, tacError *error)',
        "Bakes the signed distance to a closed mesh.\n\nNodes within the band and on the faces of the grid's box are exact to float precision. At other nodes the size of the distance may be too large, never too small: usually by a fraction of a voxel, by 4.5 voxels at most.\n\nA point is inside if the winding number is not zero. So overlapping, touching and nested parts form one solid, and a cavity bounded by triangles that face into it is outside.\n\n`progress` may be NULL. TAC_ERR_GEOMETRY: the mesh is not closed. TAC_ERR_CHECK: the result failed a check."),
    "tac_distance_field_bake_soup": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_bake_soup(const tacTriMesh *soup, const tacFieldDef *def, const tacProgress *progress, tacDistanceField **field, tacTriMesh **surface, tacError *error)',
        'Bakes the signed distance to the offset surface of any set of triangles (sections 3.8.1 and 3.11).\n\nThe bake computes the unsigned distance and extracts its isosurface at `def->offset`. It removes components that lie inside others, and bakes the signed distance to the remaining surface. `surface` receives that surface, which the caller frees; it may be NULL. `progress` may be NULL. TAC_ERR_ARGUMENT: the offset is below half a voxel. TAC_ERR_CHECK: the result failed a check.'),
    "tac_pointshell_destroy": (None, (c_void_p,),
        "pointshell.h", 'void tac_pointshell_destroy(tacPointshell *shell)',
        'Frees a pointshell. NULL is allowed.'),
    "tac_pointshell_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_write(const tacPointshell *shell, const char *path, tacError *error)',
        'Writes a pointshell to an asset file.'),
    "tac_pointshell_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_read(const char *path, tacPointshell **shell, tacError *error)',
        'Reads a pointshell from an asset file. The caller destroys it.'),
    "tac_pointshell_write_ply": (c_int, (c_void_p, c_char_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_write_ply(const tacPointshell *shell, const char *path, tacError *error)',
        'Writes the points as binary PLY with the properties x, y, z, nx, ny, nz (outward), level and area. The embedding in a body is left out.'),
    "tac_pointshell_read_ply": (c_int, (c_char_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_read_ply(const char *path, tacPointshell **shell, tacError *error)',
        'Reads points from a PLY file, of other programs, too. Normals are required. Without `level` the levels are made by farthest points (section 3.9.1, branching factor 4); without `area` the areas are estimated. The caller destroys the shell.'),
    "tac_pointshell_checks": (c_void_p, (c_void_p,),
        "pointshell.h", 'const tacBakeChecks *tac_pointshell_checks(const tacPointshell *shell)',
        'Returns the checks of the bake, owned by the shell.'),
    "tac_pointshell_level_count": (c_int, (c_void_p,),
        "pointshell.h", 'int tac_pointshell_level_count(const tacPointshell *shell)',
        'Returns the number of levels, 1 to TAC_POINTSHELL_MOST_LEVELS.'),
    "tac_pointshell_size": (c_int, (c_void_p, c_int,),
        "pointshell.h", 'int tac_pointshell_size(const tacPointshell *shell, int level)',
        'Returns the number of points of the levels 0 to `level`. A level beyond the last counts as the last.'),
    "tac_pointshell_point": (Vec3, (c_void_p, c_int,),
        "pointshell.h", 'tacVec3 tac_pointshell_point(const tacPointshell *shell, int point)',
        'Returns the position at rest of a point of the given number, m.'),
    "tac_pointshell_displacements": (c_void_p, (c_void_p, c_void_p,),
        "pointshell.h", 'const float *tac_pointshell_displacements(const tacPointshell *shell, int *stride)',
        'Returns U of (3.6), [point][axis][stride]: the displacement of each point, m for a unit of q_j. Only the first r numbers of a row count. Sets `stride`. The shell owns the array; NULL for a rigid shell. Any phase.'),
    "tac_pointshell_with_basis": (c_int, (c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_with_basis(const tacPointshell *shell, int r, const double *displacements, const double *normal_changes, tacPointshell **embedded, tacError *error)',
        'Creates a shell with the same points that moves with `r` coordinates of the caller, 1 to TAC_BODY_MOST_COORDINATES. `displacements` is [point][axis][r], m for a unit of a coordinate. `normal_changes` has the same layout and changes the outward pseudo-normal, N + dN q; NULL: normals do not turn. Both are copied. The caller destroys the new shell. TAC_ERR_ARGUMENT if `r` is out of range. Load phase.'),
    "tac_pointshell_deformed_point": (Vec3, (c_void_p, c_int, c_void_p,),
        "pointshell.h", 'tacVec3 tac_pointshell_deformed_point(const tacPointshell *shell, int point, const double *q)',
        'Returns the position of a point in the deformation q[r], m, by (3.6). A rigid shell ignores `q`. Any phase.'),
    "tac_pointshell_def_default": (PointshellDef, (),
        "pointshell.h", 'tacPointshellDef tac_pointshell_def_default(void)',
        'Returns the defaults named above.'),
    "tac_pointshell_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_bake(const tacDistanceField *field, const tacTriMesh *mesh, const tacPointshellDef *def, const tacProgress *progress, tacPointshell **shell, tacError *error)',
        'Bakes a pointshell by particle repulsion on the zero level set of a distance field (Barbic 2007, section 3.8.1). `field` is a grid field: of a closed mesh, or of the offset surface of a soup. Normals are those of `mesh`, a closed mesh: the pseudo-normal of its closest face, edge or vertex, so that sharp edges are kept. If `mesh` is NULL, normals are those of the level set. All other parameters are chosen automatically. The same input gives the same bits. TAC_ERR_CHECK if the result does not pass its checks. The caller destroys the shell.'),
    "tac_body_kind_register": (c_int, (c_void_p, c_void_p,),
        "body_kind.h", 'tacStatus tac_body_kind_register(const tacBodyKind *kind, tacError *error)',
        'Registers a kind of the host program; scenes that are read afterwards may use it. The row must stay unchanged until the process ends. Registering the same row again has no effect. TAC_ERR_ARGUMENT if another kind has its name or a required member is missing; TAC_ERR_VERSION if the row or its table has another version. Load phase, any thread.'),
    "tac_body_kind_load": (c_int, (c_char_p, c_void_p,),
        "body_kind.h", 'tacStatus tac_body_kind_load(const char *path, tacError *error)',
        'Loads a shared object and registers its rows, all or none. The object stays loaded until the process ends. It runs with the rights of the host, which has to allow it: see tac_plugin_set.'),
    "tac_device_load": (c_int, (c_char_p, c_char_p, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_load(const char *path, const char *options, double period, tacDevice *device, tacError *error)',
        'Opens a device of a driver.\n\n`path` is a file if it contains a slash or ends in ".so". Any other text is a name: "openhaptics" means the file openhaptics.so in the folders of tac_device_drivers. A file outside of these folders needs permission, see tac_plugin_set. `options` is passed to the driver; NULL means "". `period` is that of the servo, s.\n\nThe error text names the file and what it lacks. TAC_ERR_FILE: it cannot be loaded. TAC_ERR_FORMAT: it is not a complete driver. TAC_ERR_VERSION: another TAC_DEVICE_ABI. TAC_ERR_UNSUPPORTED: refused by the callback of tac_plugin_set. Load phase.'),
    "tac_device_close": (None, (c_void_p,),
        "device.h", 'void tac_device_close(tacDevice *device)',
        'Closes a device and zeroes the struct. A zeroed struct is allowed. Load phase.'),
    "tac_device_drivers": (c_int, (c_int, c_void_p,),
        "device.h", 'int tac_device_drivers(int most, tacDriverFile *files)',
        'Lists the drivers that are found by name, without loading them, and returns their number. It fills the first `most` entries of `files`.\n\nDrivers are files NAME.so in $TACTUS_DRIVERS, in the folder `drivers` beside the program, and where the program or the library is installed (lib/tactus/drivers). Each name is listed once, with the file that tac_device_load opens. Load phase.'),
    "tac_trajectory_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_trajectory_read(const char *path, tacTrajectory **trajectory, tacError *error)',
        'Reads a trajectory from a text file and interpolates it smoothly, see tac_trajectory_create.\n\nEach row is "t x y z [qw qx qy qz [buttons]]", in s and m, with the same number of columns in all rows. Blanks, tabs, commas or semicolons separate columns. The first line may name the columns. \'#\' starts a comment. Times must ascend. TAC_ERR_FORMAT names the wrong line. Load phase.'),
    "tac_trajectory_create": (c_int, (c_int, c_void_p, c_bool, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_trajectory_create(int count, const tacTrajectoryPoint *points, bool smooth, tacTrajectory **trajectory, tacError *error)',
        'Creates a trajectory from `count` points, at least 1, which it copies. Times must ascend.\n\n`smooth` true: positions follow a cubic (Catmull-Rom) between points, and orientations a cubic. false: positions follow a line, and orientations the shortest arc. TAC_ERR_ARGUMENT names the invalid point. Load phase.'),
    "tac_trajectory_destroy": (None, (c_void_p,),
        "device.h", 'void tac_trajectory_destroy(tacTrajectory *trajectory)',
        'Frees a trajectory; NULL is allowed. Load phase.'),
    "tac_trajectory_duration": (c_double, (c_void_p,),
        "device.h", 'double tac_trajectory_duration(const tacTrajectory *trajectory)',
        'Returns the time of the last point, s. Any phase.'),
    "tac_trajectory_at": (None, (c_void_p, c_double, c_void_p, c_void_p,),
        "device.h", 'void tac_trajectory_at(const tacTrajectory *trajectory, double time, tacDeviceState *state, tacVec3 *velocity)',
        'Computes the state, and the velocity (m/s; may be NULL), at `time` (s). Before the first and after the last point the trajectory is at rest. Any phase.'),
    "tac_device_replay_open": (c_int, (c_void_p, c_bool, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_replay_open(tacTrajectory *trajectory, bool repeats, double period, tacDevice *device, tacError *error)',
        'Opens a device that plays a trajectory and ignores forces.\n\nEach read advances the time by `period`, s. At the end the device reports TAC_DEVICE_DONE. With `repeats` it starts again instead; the two ends of the trajectory must then meet. It takes over the trajectory, also on failure. Load phase.'),
    "tac_operator_def_preset": (c_int, (c_char_p, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_operator_def_preset(const char *name, tacOperatorDef *def, tacError *error)',
        'Fills `def` with a preset of hand and device.\n\nNames: "premium-3" and "premium-6" (Phantom Premium-like, 3 and 6 dof), "omni" (Omni-like, 3 dof of force, encoder 0.055 mm), "omni-6", "virtuose-6" (Virtuose 6D-like, 35 N). TAC_ERR_ARGUMENT: unknown name; the text lists all names. Load phase.'),
    "tac_operator_preset_name": (c_char_p, (c_int,),
        "device.h", 'const char *tac_operator_preset_name(int index)',
        'Returns the names of the presets: index 0, 1, ... until NULL. Any phase.'),
    "tac_device_operator_open": (c_int, (c_void_p, c_void_p, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_operator_open(const tacOperatorDef *def, tacTrajectory *path, double period, tacDevice *device, tacError *error)',
        'Opens a simulated hand and device. `period` is that of the servo, s. The path gives position, orientation and buttons; the device reports TAC_DEVICE_DONE at its end unless it repeats. It takes over the path, also on failure. TAC_ERR_ARGUMENT: a value of `def` is out of range. Load phase.'),
    "tac_pointer_def_default": (PointerDef, (),
        "device.h", 'tacPointerDef tac_pointer_def_default(void)',
        'Returns the defaults: 600 N/m, near critical damping, 0.15 kg, 1 m/s, 1 mm. Any phase.'),
    "tac_device_pointer_open": (c_int, (c_void_p, c_void_p, Vec3, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_pointer_open(const tacPointerDef *def, tacDevice *own, tacVec3 start, double period, tacDevice *device, tacError *error)',
        'Opens a pointer device.\n\n`own` is the second device; NULL or a zeroed struct: none, and the pointer leads. It is taken over and zeroed, also on failure. The new device has its info; without it 3 dof, 20 N and 3000 N/m. The handle starts at the first state of `own`, or at `start` (m). `period` is that of the servo, s. TAC_ERR_ARGUMENT: a value of `def` is out of range. Load phase.'),
    "tac_device_pointer_move": (None, (c_void_p, c_void_p,),
        "device.h", 'void tac_device_pointer_move(const tacDevice *device, const tacPointerSample *sample)',
        'Passes a new sample to a pointer device; has no effect on other devices. Samples with a NaN or infinite number are ignored. Of several samples between two ticks only the newest counts, but a touch that ended and began again is never lost. Any phase, from one other thread at a time; never waits.'),
    "tac_material_isotropic": (c_int, (c_double, c_double, c_double, c_void_p, c_void_p,),
        "material.h", 'tacStatus tac_material_isotropic(double density, double young, double poisson, tacMaterial *material, tacError *error)',
        "Fills an isotropic material from its density (kg/m^3), Young's modulus (Pa) and Poisson's ratio. TAC_ERR_ARGUMENT unless density > 0, young > 0 and -1 < poisson < 0.5; `material` is then zeroed."),
    "tac_material_anisotropic": (c_int, (c_double, c_void_p, c_void_p, c_void_p,),
        "material.h", 'tacStatus tac_material_anisotropic(double density, const double coefficients[21], tacMaterial *material, tacError *error)',
        'Fills an anisotropic material from its density (kg/m^3) and the upper triangle of C (Pa). The 21 coefficients are in the order of rows: C11 C12 ... C16 C22 ... C66. TAC_ERR_ARGUMENT unless density > 0 and C is positive definite.'),
    "tac_material_law": (c_bool, (c_int, c_void_p,),
        "material.h", 'bool tac_material_law(int index, tacMaterialLaw *law)',
        'Describes the law of an index, 0, 1, ... Returns false after the last one.'),
    "tac_law_material_check": (c_int, (c_void_p, c_void_p,),
        "material.h", 'tacStatus tac_law_material_check(const tacLawMaterial *material, tacError *error)',
        'Checks that the law exists and that parameters, density and viscosity are in their ranges. The error names the value that is wrong and its range.'),
    "tac_guard_def_default": (GuardDef, (c_void_p, c_double,),
        "guard.h", 'tacGuardDef tac_guard_def_default(const tacDeviceInfo *info, double period)',
        'Returns the default options for a device and a period (s), with the limits of the device. If `info` is NULL, the caller must set force_limit and stiffness_limit. Any phase.'),
    "tac_guard_create": (c_int, (c_void_p, c_void_p, c_void_p,),
        "guard.h", 'tacStatus tac_guard_create(const tacGuardDef *def, tacGuard **guard, tacError *error)',
        'Creates a guard. Each device needs its own. TAC_ERR_ARGUMENT: an option is missing or out of range. Load phase.'),
    "tac_guard_destroy": (None, (c_void_p,),
        "guard.h", 'void tac_guard_destroy(tacGuard *guard)',
        'Frees a guard; NULL is allowed. Load phase.'),
    "tac_guard_read": (c_int, (c_void_p, c_int, c_void_p, c_void_p,),
        "guard.h", 'tacFault tac_guard_read(tacGuard *guard, tacDeviceHealth health, const tacDeviceState *read, tacDeviceState *state)',
        'Checks the state of the device and returns a state that is safe to use. Call it once a tick, first.\n\n`read` is the state as read, and `health` what the device reported. If there is no new state, pass TAC_DEVICE_LATE; `read` may then be NULL. TAC_DEVICE_DONE stops the guard without a fault.\n\n`state` receives the last valid state, with its quaternion normalised. It may be the same struct as `read`.\n\nReturns the fault that ended the forces, in this tick or earlier. With a fault there is nothing left to render, and the world need not be stepped.'),
    "tac_guard_set_stored": (None, (c_void_p, c_double,),
        "guard.h", 'void tac_guard_set_stored(tacGuard *guard, double energy)',
        "Sets the energy that the world's bodies hold and may give back to this hand (tac_world_tool_stored). Call it before tac_guard_write, in every tick or never.\n\n`energy` is in J at the device: the scene's energy divided by the scale of the workspace. Energy that the hand gave the bodies in an earlier contact then does not count as generated. The value only limits how much of the hand's own work may remain; it is never a credit by itself."),
    "tac_guard_write": (None, (c_void_p, Vec3, Vec3, c_void_p,),
        "guard.h", 'void tac_guard_write(tacGuard *guard, tacVec3 force, tacVec3 torque, tacGuardForce *safe)',
        "Computes the force to write from the world's force (N) and torque (N m) on the hand. Call it once a tick after tac_guard_read, also after a fault: these calls make the ramp to zero. The caller must write `safe->force` and `safe->torque` to the device: the guard assumes that they act until the next tick."),
    "tac_guard_skip": (None, (c_void_p, c_int64,),
        "guard.h", 'void tac_guard_skip(tacGuard *guard, int64_t periods)',
        'Reports that `periods` periods passed without a tick, so that the device may have moved that much farther. Call it before tac_guard_read.'),
    "tac_guard_pause": (None, (c_void_p, c_bool,),
        "guard.h", 'void tac_guard_pause(tacGuard *guard, bool paused)',
        'Fades the force out (`paused` true, in ramp_out) or in again (false, in ramp_in). Ticks continue meanwhile.'),
    "tac_guard_stop": (None, (c_void_p,),
        "guard.h", 'void tac_guard_stop(tacGuard *guard)',
        'Ramps the force to zero for good, as a fault does. With several devices, call it for all guards if one has a fault.'),
    "tac_guard_reset": (None, (c_void_p,),
        "guard.h", 'void tac_guard_reset(tacGuard *guard)',
        'Starts again, also after a fault, with a ramp in and a new report. The force continues from the last written one.'),
    "tac_guard_report": (GuardReport, (c_void_p,),
        "guard.h", 'tacGuardReport tac_guard_report(const tacGuard *guard)',
        'Returns the summary so far. Any phase, from the thread that uses the guard.'),
    "tac_guard_fault_text": (None, (c_void_p, c_char_p, c_size_t,),
        "guard.h", 'void tac_guard_fault_text(const tacGuard *guard, char *text, size_t size)',
        'Writes what the device did, as the rest of a sentence after its name: "jumped 0.12 m in one tick (at most 5 m/s)". "" if there is no fault. `size` is in bytes. Not for ticks.'),
    "tac_world_def_default": (WorldDef, (),
        "world.h", 'tacWorldDef tac_world_def_default(void)',
        'Returns the defaults named above.'),
    "tac_world_create": (c_int, (c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error)',
        'Creates a world without bodies. TAC_ERR_ARGUMENT if the definition is out of range. Load phase.'),
    "tac_world_destroy": (None, (c_void_p,),
        "world.h", 'void tac_world_destroy(tacWorld *world)',
        'Frees a world and its bodies, after every servo that uses it. Stops its simulation. NULL is allowed.'),
    "tac_world_period": (c_double, (c_void_p,),
        "world.h", 'double tac_world_period(const tacWorld *world)',
        'Returns the period of a tick, s.'),
    "tac_floor_def_default": (FloorDef, (),
        "world.h", 'tacFloorDef tac_floor_def_default(void)',
        'Returns the defaults named above.'),
    "tac_world_set_floor": (c_int, (c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_set_floor(tacWorld *world, const tacFloorDef *def, tacError *error)',
        'Sets the floor. TAC_ERR_ARGUMENT if the normal is not of unit length, or friction is negative. Load phase.'),
    "tac_point_tool_def_default": (PointToolDef, (),
        "world.h", 'tacPointToolDef tac_point_tool_def_default(void)',
        'Returns the defaults named above.'),
    "tac_world_add_point_tool": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error)',
        'Adds a point tool or fingertip. `tool` (may be NULL) receives its index. TAC_ERR_ARGUMENT if the name is taken, or the world has TAC_MOST_TOOLS tools.'),
    "tac_body_tool_def_default": (BodyToolDef, (),
        "world.h", 'tacBodyToolDef tac_body_tool_def_default(void)',
        'Returns the defaults named above.'),
    "tac_world_add_body_tool": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_body_tool(tacWorld *world, const tacBodyToolDef *def, int *tool, tacError *error)',
        'Adds a tool that holds a body. `tool` (may be NULL) receives its index. TAC_ERR_ARGUMENT if the definition is out of range, or if another tool holds the body.'),
    "tac_pad_tool_def_default": (PadToolDef, (),
        "world.h", 'tacPadToolDef tac_pad_tool_def_default(void)',
        'Returns the defaults named above.'),
    "tac_world_add_pad_tool": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_pad_tool(tacWorld *world, const tacPadToolDef *def, int *tool, tacError *error)',
        'Adds a tool with pads. `tool` (may be NULL) receives its index. TAC_ERR_ARGUMENT if the definition is out of range, or if pads cannot hold the body.'),
    "tac_pair_def_default": (PairDef, (),
        "world.h", 'tacPairDef tac_pair_def_default(void)',
        'Returns the defaults named above.'),
    "tac_world_add_pair": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_pair(tacWorld *world, const tacPairDef *def, int *pair, tacError *error)',
        'Adds a pair. `pair` (may be NULL) receives its index. TAC_ERR_ARGUMENT if a body lacks points or field, if the definition is out of range, or if the pair exists.'),
    "tac_world_seal": (c_int, (c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_seal(tacWorld *world, tacError *error)',
        'Seals the world: allocates everything that steps need. Nothing can be added afterwards. TAC_ERR_ARGUMENT if the world is already sealed.'),
    "tac_world_body_count": (c_int, (c_void_p,),
        "world.h", 'int tac_world_body_count(const tacWorld *world)',
        'Returns the number of bodies.'),
    "tac_world_body": (BodyId, (c_void_p, c_int,),
        "world.h", 'tacBodyId tac_world_body(const tacWorld *world, int index)',
        'Returns the id of the body of an index; {0, 0} if there is none.'),
    "tac_world_find_body": (BodyId, (c_void_p, c_char_p,),
        "world.h", 'tacBodyId tac_world_find_body(const tacWorld *world, const char *name)',
        'Returns the id of the body of a name; {0, 0} if there is none.'),
    "tac_world_body_name": (c_char_p, (c_void_p, BodyId,),
        "world.h", 'const char *tac_world_body_name(const tacWorld *world, tacBodyId id)',
        'Returns the name of a body; NULL if there is no such body.'),
    "tac_world_body_kind_name": (c_char_p, (c_void_p, BodyId,),
        "world.h", 'const char *tac_world_body_kind_name(const tacWorld *world, tacBodyId id)',
        'Returns the kind name of a body, as in scenes: "rigid", "green", ...; NULL if there is no such body.'),
    "tac_world_body_surface": (c_void_p, (c_void_p, BodyId,),
        "world.h", 'const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id)',
        "Returns the surface that is touched and shown, at rest in the body's frame; NULL if there is no such body."),
    "tac_world_body_fixed": (c_void_p, (c_void_p, BodyId,),
        "world.h", 'const bool *tac_world_body_fixed(const tacWorld *world, tacBodyId id)',
        'Returns which vertices of that surface are fixed, [vertex]; NULL if there is no such body.'),
    "tac_world_body_pose": (Pose, (c_void_p, BodyId,),
        "world.h", 'tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id)',
        'Returns the pose of a body at the start; the identity if there is no such body.'),
    "tac_world_tool_count": (c_int, (c_void_p,),
        "world.h", 'int tac_world_tool_count(const tacWorld *world)',
        'Returns the number of tools.'),
    "tac_world_tool_body": (BodyId, (c_void_p, c_int, c_void_p,),
        "world.h", 'tacBodyId tac_world_tool_body(const tacWorld *world, int tool, tacVec3 *grasp)',
        "Returns the body that a tool holds; {0, 0} for point tools and pads. `grasp` (may be NULL) receives where the tool holds it, m, body's frame (tacBodyToolDef.grasp); the origin for point tools and pads."),
    "tac_world_tool_stored": (c_double, (c_void_p, c_int,),
        "world.h", 'double tac_world_tool_stored(const tacWorld *world, int tool)',
        'Returns the energy after the last step that the bodies may give back to a tool, J, for tac_guard_set_stored. From the thread that steps; a tick may call it.\n\nThe bodies are those that the tool touches and those in contact with these; if it touches none, all bodies. Their energy is elastic and kinetic, plus that of the weight of free bodies, above the least that each body has had since the start. It includes the springs of point tools on these bodies, and the kinetic energy of a body that the tool holds by a dynamic coupling. Rigid bodies at rest store nothing, and elastostatic bodies store nothing beyond their contact. Kinds without an energy function (tacBodyTable.energy) count as 0.'),
    "tac_world_tool_name": (c_char_p, (c_void_p, c_int,),
        "world.h", 'const char *tac_world_tool_name(const tacWorld *world, int tool)',
        'Returns the name of a tool; NULL if there is no such tool.'),
    "tac_world_body_most_stiffness": (c_double, (c_void_p, BodyId,),
        "world.h", 'double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id)',
        'Returns the largest stiffness that any contact on this body renders, N/m (largest eigenvalue); 0 if there is no such body.'),
    "tac_world_parameter_count": (c_int, (c_void_p,),
        "world.h", 'int tac_world_parameter_count(const tacWorld *world)',
        'Returns the number of parameters.'),
    "tac_world_parameter": (Parameter, (c_void_p, c_int,),
        "world.h", 'tacParameter tac_world_parameter(const tacWorld *world, int index)',
        'Returns the parameter of an index, with its value now; an empty one, with `label` "", if there is none.'),
    "tac_world_find_parameter": (c_int, (c_void_p, c_char_p,),
        "world.h", 'int tac_world_find_parameter(const tacWorld *world, const char *name)',
        'Returns the index of the parameter of a name; -1 if there is none.'),
    "tac_world_set_parameter": (c_int, (c_void_p, c_int, c_double, c_void_p,),
        "world.h", 'tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *error)',
        "Sets a parameter, between steps, from the thread that steps. TAC_ERR_ARGUMENT if the value is out of range; nothing changes then. A parameter that is `in_tick` takes time in proportion to the body's vertices and allocates nothing. Others take longer: set them only while no other thread uses the world. With simulate_every > 1 see tac_world_start_simulation."),
    "tac_world_left_out": (c_int64, (c_void_p, c_void_p,),
        "world.h", 'int64_t tac_world_left_out(const tacWorld *world, int *most)',
        'Returns in how many steps of the bodies, since the reset, the ticks had no room for all contacts of the tools (TAC_WORLD_MOST_LOCAL). `most` (may be NULL) receives the largest number of contacts left out. A contact that is left out bears no force. 0 for a world with simulate_every 1.'),
    "tac_world_step": (None, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report)',
        'Steps the world by one tick. `inputs` and `outputs` have one entry for each tool. Outputs are always finite. A point tool whose first position is inside a body touches nothing until it has left the body. If the world is NULL or not sealed, nothing moves and `refused` of the report is 1. Tick: no allocation, no lock, bounded time.'),
    "tac_world_reset": (None, (c_void_p,),
        "world.h", 'void tac_world_reset(tacWorld *world)',
        'Resets the world to its state after sealing: all tools free, all bodies undeformed, in their start poses and with their start velocities. Parameters keep their values. Not in a tick.'),
    "tac_world_start_simulation": (c_int, (c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_start_simulation(tacWorld *world, tacError *error)',
        'Starts the threads of the simulation: one for the steps of the bodies if simulate_every > 1, and for any simulate_every those of bodies with separate threads (tacBodyTable.thread). The world must be sealed. Load phase.'),
    "tac_world_stop_simulation": (None, (c_void_p,),
        "world.h", 'void tac_world_stop_simulation(tacWorld *world)',
        'Stops these threads; tac_world_destroy does so, too. NULL is allowed. Load phase.'),
    "tac_version": (c_char_p, (),
        "world.h", 'const char *tac_version(void)',
        'Returns the version of the loaded library, such as "1.2.3". Any thread and phase.'),
    "tac_world_move_body": (c_int, (c_void_p, BodyId, c_void_p, Vec3, Vec3, c_void_p,),
        "world.h", 'tacStatus tac_world_move_body(tacWorld *world, tacBodyId id, const tacPose *pose, tacVec3 velocity, tacVec3 spin, tacError *error)',
        'Moves a body to `pose`, with the velocity that it has there (of its centre of mass, m/s) and the angular velocity `spin` (rad/s); contacts use them to look ahead. The body is free, or it rests in a world that is `movable`; the latter moves with its support, the held vertices. TAC_ERR_ARGUMENT if a tool holds the body, if the world is not `movable`, if the body moves by its nodes and not by its frame, or if a number is NaN or infinite.'),
    "tac_world_push_body": (c_int, (c_void_p, BodyId, Vec3, Vec3, c_void_p,),
        "world.h", 'tacStatus tac_world_push_body(tacWorld *world, tacBodyId id, tacVec3 at, tacVec3 force, tacError *error)',
        "Applies an external force (N) in the next step only, at the point of the body's surface that is nearest to `at` (m). At most 64 forces act in one step."),
    "tac_world_body_motion": (c_int, (c_void_p, BodyId, c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_body_motion(const tacWorld *world, tacBodyId id, tacPose *pose, tacVec3 *velocity, tacVec3 *spin, tacError *error)',
        'Gets the pose of a body, the velocity of its centre of mass (m/s) and its angular velocity (rad/s); each may be NULL. TAC_ERR_ARGUMENT if there is no such body.'),
    "tac_world_memory_size": (c_size_t, (c_void_p,),
        "world.h", 'size_t tac_world_memory_size(const tacWorld *world)',
        'Returns the size of a saved state in bytes; 0 if the world is not sealed.'),
    "tac_world_save": (c_int, (c_void_p, c_size_t, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_save(tacWorld *world, size_t size, void *memory, tacError *error)',
        'Saves the whole state of the world, from which a run continues bit for bit: bodies, tools, and the memory of friction and warm starts. Parameters are not part of it. `memory` has `size` bytes, at least tac_world_memory_size. Takes time in proportion to the points of the shells. TAC_ERR_ARGUMENT while pads hold a body: their state cannot be saved. Load phase, or between steps.'),
    "tac_world_load": (c_int, (c_void_p, c_size_t, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_load(tacWorld *world, size_t size, const void *memory, tacError *error)',
        'Loads a state that tac_world_save wrote in this process, for this world or one built in the same way. TAC_ERR_ARGUMENT if the size differs. TAC_ERR_ARGUMENT, and the world is reset, if a body rejects its state. Load phase, or between steps.'),
    "tac_world_state_size": (c_int, (c_void_p,),
        "world.h", 'int tac_world_state_size(const tacWorld *world)',
        "Returns how many numbers the state of the world has; 0 if no body has a state. The state has, for each body in order, those of these parts that apply:\n\n  - the shown part of its own state (tacBodyDescription.shown), for a body with coordinates its q (r numbers);\n  - its pose, if it is free or held by a tool, or if the world is movable: position of its frame's origin (3, m) and\n    orientation (4, quaternion w, x, y, z);\n  - for an elastostatic body that meets other bodies, the forces of its contacts, each by triangle, three weights and\n    force (7, N, body's frame);\n  - for a body that pads may hold, its stiffness, and for each vertex that they may hold its number and the traction\n    there (4, Pa, body's frame);\n  - for a body that covers only some loads (tacBodyLooks.covers), the sum of what presses it (7): force, sum of the\n    sizes of the forces, and sum of positions times these sizes;\n  - for a body with an error estimate, that estimate (1).\n\nAfter all bodies follows, for each pair, the level to which it was rendered."),
    "tac_world_state": (None, (c_void_p, c_void_p,),
        "world.h", 'void tac_world_state(const tacWorld *world, double *state)',
        'Copies the state into `state`, tac_world_state_size numbers. From the thread that steps. Tick: no allocation.'),
    "tac_world_snapshot_pose": (Pose, (c_void_p, c_void_p, BodyId,),
        "world.h", 'tacPose tac_world_snapshot_pose(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id)',
        'Returns the pose of a body in a snapshot. Any thread, no allocation.'),
    "tac_world_surface": (None, (c_void_p, c_void_p, BodyId, c_void_p,),
        "world.h", 'void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices)',
        "Computes the deformed vertices of a body's surface in the world frame, m (James and Pai 2001, (35); Barbic 2007, (3.6)). `vertices` has one entry for each vertex of tac_world_body_surface. Any thread, no allocation."),
    "tac_world_tractions": (None, (c_void_p, c_void_p, BodyId, c_void_p,),
        "world.h", 'void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions)',
        'Computes the tractions at the vertices, Pa, world frame: those of the contacts, spread by their masks, and those that hold the fixed vertices. Zero for bodies without tractions, on which forces act at points. Any thread, no allocation.'),
    "tac_world_colours": (c_bool, (c_void_p, c_void_p, BodyId, c_int, c_void_p, c_void_p, c_void_p,),
        "world.h", 'bool tac_world_colours(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacColouring colour, tacStressSum *room, tacVec3 *vertices, double *values)',
        "Computes the value by which each vertex is coloured in a snapshot (TAC_COLOUR_*). `vertices` and `room` are scratch with one entry for each vertex; `vertices` then holds the deformed vertices in the body's frame. Returns false, and writes nothing to `values`, if the value is not known: for a body that does not deform, and stress for a kind that does not compute it. Any thread, but one at a time for a body; no allocation."),
    "tac_world_body_error_estimate": (c_double, (c_void_p, c_void_p, BodyId,),
        "world.h", 'double tac_world_body_error_estimate(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id)',
        'Returns the estimated model error of a body in a snapshot: how far it is expected to be from the full model that it stands for, under the same loads and at rest. It is |u - u_full| / |u_full| of displacements, as root mean square over the surface; 0.1 is 10 %. -1 if there is no estimate. Any thread, no allocation.'),
    "tac_world_contacts": (c_int, (c_void_p, c_int, c_void_p,),
        "world.h", 'int tac_world_contacts(const tacWorld *world, int most, tacShownContact *contacts)',
        'Lists the contacts of the last step, including near ones that do not touch, at most `most`. Returns how many were written. With simulate_every > 1 these are the contacts of the local problem of the last tick: those of tools with their surroundings, including the tips of point tools. Between steps, from the thread that steps.'),
    "tac_world_sensors": (None, (c_void_p, c_void_p, BodyId, c_void_p,),
        "world.h", 'void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values)',
        "Computes the values of a body's sensors in a snapshot, one sensor after the other: 3 numbers for a displacement (m), 6 for a stress (Pa). Writes nothing for a body without sensors. Any thread, no allocation."),
    "tac_recorder_open_world": (c_int, (c_char_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recorder_open_world(const char *path, const tacWorld *world, const tacRecordingInfo *texts, tacRecorder **recorder, tacError *error)',
        'Opens a recorder for a sealed world: creates the file and starts the thread that writes it. Of `texts` only the strings count, and they are copied. Period, rates, tools, parameters and state size are those of the world. The ring holds 2 s of ticks. TAC_ERR_FILE if the file cannot be written. Load phase.'),
    "tac_recorder_push": (c_bool, (c_void_p, c_void_p,),
        "recording.h", 'bool tac_recorder_push(tacRecorder *recorder, const tacTickRecord *record)',
        'Appends the record of a tick. Returns false if the ring is full: the record is then lost and counted. Tick.'),
    "tac_recorder_push_state": (c_bool, (c_void_p, c_int64, c_void_p,),
        "recording.h", 'bool tac_recorder_push_state(tacRecorder *recorder, int64_t tick, const double *state)',
        "Appends the state after a tick (tac_world_state). Call it for every tick, before that tick's record is pushed. The recorder keeps a state every 20 ms, as float, and ignores the others. Returns false if the ring is full: the state is then lost and counted. A recording without states can be read but not replayed. Tick."),
    "tac_recorder_close": (c_int, (c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recorder_close(tacRecorder *recorder, int64_t *lost, tacError *error)',
        'Completes the file: writes what is in the rings, ends the thread and frees the recorder. `lost` (may be NULL) receives the number of records and states that did not fit or could not be written. Returns the first error of writing. Load phase.'),
    "tac_recording_open": (c_int, (c_char_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_open(const char *path, tacRecording **recording, tacError *error)',
        'Opens a recording. Reads its header and the table of its blocks; ticks are read as they are requested. A file that was cut short is read as far as its blocks are complete. TAC_ERR_VERSION if another version wrote it, TAC_ERR_FORMAT if it is damaged or not a recording.'),
    "tac_recording_close": (None, (c_void_p,),
        "recording.h", 'void tac_recording_close(tacRecording *recording)',
        'Closes a recording and frees it. NULL is allowed.'),
    "tac_recording_info": (c_void_p, (c_void_p,),
        "recording.h", 'const tacRecordingInfo *tac_recording_info(const tacRecording *recording)',
        'Returns the description, owned by the recording.'),
    "tac_recording_tick_count": (c_int64, (c_void_p,),
        "recording.h", 'int64_t tac_recording_tick_count(const tacRecording *recording)',
        'Returns the number of ticks that can be read.'),
    "tac_recording_complete": (c_bool, (c_void_p,),
        "recording.h", 'bool tac_recording_complete(const tacRecording *recording)',
        'Returns whether the file has its end; false if it was cut short.'),
    "tac_recording_tick": (c_int, (c_void_p, c_int64, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_tick(tacRecording *recording, int64_t index, tacTickRecord *record, tacError *error)',
        "Reads the record of an index, 0 to tac_recording_tick_count - 1. Any order; consecutive ones are cheap. The index differs from the tick's number where records were lost. TAC_ERR_ARGUMENT if there is no such index."),
    "tac_recording_state": (c_int, (c_void_p, c_int64, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_state(tacRecording *recording, int64_t tick, double *state, tacError *error)',
        'Computes the state of the bodies after a tick (its number, not its index) into `state`, `state_size` numbers. Between two stored states each number is interpolated. Before the first and after the last the result is that state. An error if no state is stored, or if it is not finite.'),
    "tac_recording_snapshot": (c_int, (c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_snapshot(tacRecording *recording, const tacWorld *world, int64_t index, double *state, tacSnapshot *snapshot, tacError *error)',
        'Makes the snapshot of the tick of an index, for tac_world_surface and the like. `state` has tac_world_state_size numbers; the snapshot refers to it. TAC_ERR_ARGUMENT if tools or state size differ from those of the world; TAC_ERR_FORMAT if a record does not fit the world, such as a contact with a triangle that it does not have, or is not finite.'),
    "tac_recording_begin": (c_int, (c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_begin(const tacRecording *recording, tacWorld *world, tacError *error)',
        'Sets the parameters of the world to their values when the recording began. Tools, state size and number of parameters must be the same, else TAC_ERR_ARGUMENT. A host that goes through the ticks with its own world calls this first. Before each tick it sets the parameter that the record names (tacTickRecord.parameter). Only tac_recording_replay also repeats in which ticks a world with `simulate_every` > 1, or with bodies that have separate threads, takes its results. Offline.'),
    "tac_recording_write_csv": (c_int, (c_void_p, c_char_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_write_csv(tacRecording *recording, const char *path, tacError *error)',
        'Writes a table in CSV: one row for each tick, one group of columns for each tool, units in the header.'),
    "tac_recording_write_vtu": (c_int, (c_void_p, c_void_p, c_double, c_char_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_write_vtu(tacRecording *recording, tacWorld *world, double rate, const char *folder, const tacProgress *progress, tacError *error)',
        "Writes the surfaces of the world's bodies over time, at `rate` frames a second, for ParaView. The files are FOLDER/<body>_<frame>.vtu with displacements, FOLDER/contacts_<frame>.vtu with contact forces, and FOLDER/recording.pvd, which lists them. Sets the world's parameters as they were during the recording. TAC_ERR_CANCELLED if `progress` asks to stop; an error removes the frames that were written."),
    "tac_recording_replay": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_replay(tacRecording *recording, tacWorld *world, const tacProgress *progress, tacReplayReport *report, tacError *error)',
        'Replays a recording: resets the world, steps it with the recorded inputs to the end, and compares every output bit for bit. Stored states are compared as float. A difference is part of the report and not an error. TAC_ERR_ARGUMENT if the world has another period or `simulate_every`, or other tools, parameters or state size.'),
    "tac_recording_same_platform": (c_bool, (c_void_p, c_char_p, c_size_t,),
        "recording.h", 'bool tac_recording_same_platform(const tacRecording *recording, char *text, size_t size)',
        'Returns whether this program computes on the platform of the recording: the same architecture and kernels, compiler, flags and C library, which give the same bits. Otherwise, or if the platform is not known, `text` (`size` bytes) receives a line that names both platforms.'),
    "tac_workspace_def_default": (WorkspaceDef, (),
        "servo.h", 'tacWorkspaceDef tac_workspace_def_default(void)',
        'Returns the defaults named above.'),
    "tac_servo_def_default": (ServoDef, (),
        "servo.h", 'tacServoDef tac_servo_def_default(void)',
        'Returns the defaults named above.'),
    "tac_servo_create": (c_int, (c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "servo.h", 'tacStatus tac_servo_create(tacWorld *world, int device_count, tacDevice *devices, const tacWorkspaceDef *workspaces, const tacServoDef *def, tacRecorder *recorder, tacServo **servo, tacError *error)',
        'Creates a servo with one device for each tool of the world, in the order of the tools. `workspaces` has one entry for each tool; NULL: scale 1 and no offsets. `recorder` may be NULL. The servo refers to world, devices and recorder: world and recorder must stay until it has stopped, the devices until it is destroyed. The world must be sealed, and no other servo may use it until this one has stopped or is destroyed. TAC_ERR_ARGUMENT if any of this does not hold or the definition is out of range. Load phase.'),
    "tac_servo_destroy": (None, (c_void_p,),
        "servo.h", 'void tac_servo_destroy(tacServo *servo)',
        'Stops the loop and frees the servo. NULL is allowed.'),
    "tac_servo_start": (c_int, (c_void_p, c_void_p,),
        "servo.h", 'tacStatus tac_servo_start(tacServo *servo, tacError *error)',
        'Resets the world and starts the loop on a separate thread. In real time it also starts the simulation of a world with simulate_every > 1 (tac_world_start_simulation). A servo starts only once: TAC_ERR_ARGUMENT for the second time.'),
    "tac_servo_running": (c_bool, (c_void_p,),
        "servo.h", 'bool tac_servo_running(const tacServo *servo)',
        'Returns whether the loop runs. Any thread; never waits.'),
    "tac_servo_stop": (None, (c_void_p,),
        "servo.h", 'void tac_servo_stop(tacServo *servo)',
        'Stops the loop: ramps the forces to zero and waits until the loop has ended.'),
    "tac_servo_snapshot": (c_void_p, (c_void_p,),
        "servo.h", 'const tacSnapshot *tac_servo_snapshot(tacServo *servo)',
        'Returns the latest snapshot. It stays valid, with its state, until the next call. For one other thread, at display rate; never waits.'),
    "tac_servo_remark": (c_char_p, (c_void_p,),
        "servo.h", 'const char *tac_servo_remark(const tacServo *servo)',
        'Returns which permissions the operating system denied (priority, memory locking), as one line; "" if it granted all or the loop has not begun.'),
    "tac_servo_pause": (None, (c_void_p, c_bool,),
        "servo.h", 'void tac_servo_pause(tacServo *servo, bool paused)',
        'Pauses the loop, or continues it. A paused loop ramps the forces to zero. Then it reads the devices and does nothing else: it counts and records no tick.'),
    "tac_servo_step": (None, (c_void_p, c_int,),
        "servo.h", 'void tac_servo_step(tacServo *servo, int ticks)',
        'Runs a number of ticks of a paused loop, without force on the devices.'),
    "tac_servo_set_parameter": (c_bool, (c_void_p, c_int, c_double,),
        "servo.h", 'bool tac_servo_set_parameter(tacServo *servo, int parameter, double value)',
        'Sets a parameter of the world before one of the next ticks, one parameter for each tick, so that the recording holds it. Returns false if too many requests wait, or if the parameter is not `in_tick`. Values out of range are ignored.'),
    "tac_servo_samples": (c_int, (c_void_p, c_int, c_void_p,),
        "servo.h", 'int tac_servo_samples(tacServo *servo, int capacity, tacTickSample *samples)',
        'Takes the samples since the previous call, oldest first, at most `capacity`; returns their number. The buffer holds at least 4,096 ticks; when it is full, new samples are dropped. For one other thread.'),
    "tac_servo_report": (ServoReport, (c_void_p,),
        "servo.h", 'tacServoReport tac_servo_report(const tacServo *servo)',
        'Returns the report of the run; an empty one, with `fault_device` -1, while the loop runs.'),
    "tac_servo_fault_text": (None, (c_void_p, c_char_p, c_size_t,),
        "servo.h", 'void tac_servo_fault_text(const tacServo *servo, char *text, size_t size)',
        'Writes the fault of the report as one line into `text` (`size` bytes), such as "device 0 (omni) jumped 1.02 m in one tick at 3.204 s; ...". Empty if there is no fault.'),
    "tac_scene_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_read(const char *path, tacScene **scene, tacError *error)',
        'Reads a scene file and checks that the files it names exist. An error is one line:\n\n  "scenes/kidney.yaml:14: bodies[0].material.yuong: unknown key; did you mean young?"\n  "...: 5 kg is not a length; write it like 5 mm"\n  "...: no such file: liver.obj"\n\nThe caller destroys the scene.'),
    "tac_scene_parse": (c_int, (c_char_p, c_char_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_parse(const char *text, const char *path, tacScene **scene, tacError *error)',
        'Reads a scene from memory. `path` names it in errors, and its folder is the base of relative file names. Opens none of the files that it names: the bake reports those that are missing.'),
    "tac_scene_recorded": (c_int, (c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_recorded(const tacRecording *recording, tacScene **scene, tacError *error)',
        'Reads the scene that a recording holds, at the rates of the recording, bit for bit.'),
    "tac_scene_destroy": (None, (c_void_p,),
        "scene.h", 'void tac_scene_destroy(tacScene *scene)',
        'Frees a scene, after the world and the devices that were built from it. NULL is allowed.'),
    "tac_scene_name": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_name(const tacScene *scene)',
        'Returns the name of the scene: its key `name`, or else the file name without its ending.'),
    "tac_scene_about": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_about(const tacScene *scene)',
        'Returns the key `about`, a description for people; "" if there is none.'),
    "tac_scene_text": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_text(const tacScene *scene)',
        'Returns the complete text of the file.'),
    "tac_scene_path": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_path(const tacScene *scene)',
        'Returns the path that the scene was read from.'),
    "tac_scene_describe": (None, (c_void_p, c_void_p, c_void_p,),
        "scene.h", 'void tac_scene_describe(const tacScene *scene, tacSceneLineFn line, void *user)',
        'Describes the scene in words, line by line: bodies, contacts, tools, servo. Works before the bake, too. Any phase but a tick.'),
    "tac_scene_body_name": (c_char_p, (c_void_p, c_int,),
        "scene.h", 'const char *tac_scene_body_name(const tacScene *scene, int body)',
        'Returns the name of a body, of the index 0, 1, ...; NULL after the last one.'),
    "tac_scene_tool_name": (c_char_p, (c_void_p, c_int,),
        "scene.h", 'const char *tac_scene_tool_name(const tacScene *scene, int tool)',
        'Returns the name of a tool, of the index 0, 1, ...; NULL after the last one.'),
    "tac_scene_duration": (c_double, (c_void_p,),
        "scene.h", 'double tac_scene_duration(const tacScene *scene)',
        'Returns the duration of a run, s; 0: without end.'),
    "tac_scene_set_rate": (c_int, (c_void_p, c_double, c_void_p,),
        "scene.h", 'tacStatus tac_scene_set_rate(tacScene *scene, double rate, tacError *error)',
        "Sets another rate than the file's, Hz, for world and servo alike. Call it before either is made. TAC_ERR_ARGUMENT outside 250 to 10,000 Hz, or if it is not a whole multiple of the rate at which the bodies are simulated."),
    "tac_scene_live": (c_bool, (c_void_p, c_int, c_void_p,),
        "scene.h", 'bool tac_scene_live(const tacScene *scene, int index, tacSceneLive *live)',
        'Returns a live parameter, of the index 0, 1, ... until false: first those of the bodies, then those of the contacts.'),
    "tac_scene_volume": (c_int, (c_void_p, c_int, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_volume(const tacScene *scene, int body, const tacProgress *progress, tacVolMesh **mesh, tacError *error)',
        "Makes the mesh that the finite elements of a body are computed on, in the body's frame. Sets NULL, with TAC_OK, for boundary elements and rigid bodies. Makes the mesh again at each call, whether the scene is baked or not; the caller destroys it. The surface of a reduced body is embedded in this mesh and is not its boundary. Offline."),
    "tac_scene_asset_count": (c_int, (c_void_p,),
        "scene.h", 'int tac_scene_asset_count(const tacScene *scene)',
        'Returns the number of assets of all bodies.'),
    "tac_scene_bake": (c_int, (c_void_p, c_char_p, c_bool, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_bake(tacScene *scene, const char *cache, bool again, const tacProgress *progress, tacSceneAsset *assets, tacError *error)',
        'Bakes the assets that the cache does not have, and reads the others.\n\n`cache` is a folder; NULL means the user\'s ($XDG_CACHE_HOME/tactus or ~/.cache/tactus). `again` bakes all assets, cached or not. `assets` (may be NULL) receives tac_scene_asset_count of them, body by body. `progress` covers the whole bake, weighted by the time that its parts are expected to take. Its fraction never falls. `what` begins with the body\'s name; in the last call it is "bake". The bake uses all cores, or as many threads as the environment variable TACTUS_THREADS says.\n\nAssets are keyed by content: mesh, materials, fixed set, method, basis, resolution, version. A broken or truncated file in the cache is an error that asks to delete it. A file of another body is renamed (PATH.aside, with a warning in the log) and the asset is baked again.'),
    "tac_scene_assets": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_assets(const tacScene *scene)',
        'Returns the list of assets that the bake made or fetched, for a recording: one line for each asset, with its checksum and its name in the cache. "" if there is none. After the bake.'),
    "tac_scene_made": (c_void_p, (c_void_p, c_int, c_char_p,),
        "scene.h", 'const void *tac_scene_made(const tacScene *scene, int body, const char *ending)',
        'Returns the asset of a body whose file has this ending, such as "green"; NULL if the body has none. Use the typed functions in the headers of the kinds, such as tac_scene_green and tac_scene_reduced.'),
    "tac_scene_surface": (c_void_p, (c_void_p, c_int,),
        "scene.h", 'const tacTriMesh *tac_scene_surface(const tacScene *scene, int body)',
        "Returns the surface of a body at rest, in the body's frame. Every body has one."),
    "tac_scene_points": (c_void_p, (c_void_p, c_int,),
        "scene.h", 'const tacPointshell *tac_scene_points(const tacScene *scene, int body)',
        'Returns the pointshell of a body; NULL if it has none.'),
    "tac_scene_field": (c_void_p, (c_void_p, c_int,),
        "scene.h", 'const tacDistanceField *tac_scene_field(const tacScene *scene, int body)',
        'Returns the distance field of a rigid body; NULL if it has none.'),
    "tac_scene_world": (c_int, (c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_world(const tacScene *scene, tacWorld **world, tacError *error)',
        "Builds the world of a scene and seals it. The caller destroys it before the scene. A scene with a body of `storage: near` can have only one world at a time.\n\nNo contact renders more stiffness than the tools' devices can. The `rigid_stiffness` of a body, or its touch stiffness, is lowered to the least stiffness limit of the devices, divided by the workspace's scale. The stiffness of a coupling is lowered to that of its own device."),
    "tac_scene_devices": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_devices(const tacScene *scene, tacDevice devices[TAC_MOST_TOOLS], tacWorkspaceDef workspaces[TAC_MOST_TOOLS], tacError *error)',
        'Opens one device for each tool and gets its workspace, in the order of the tools. The caller closes the devices (tac_device_close). On failure none is open.'),
    "tac_scene_servo": (ServoDef, (c_void_p,),
        "scene.h", 'tacServoDef tac_scene_servo(const tacScene *scene)',
        "Returns the definition of the scene's servo, with its duration."),
    "tac_scene_check": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_check(const tacScene *scene, const tacProgress *progress, tacFindingFn visit, void *user, tacError *error)',
        'Looks for problems of a scene before it is baked and run; docs/own_organ.md lists the checks. Makes the meshes of the bodies and checks them, the paths of the hands, and the contacts. Bakes nothing. A mesh that cannot be made is a finding. Returns an error only if memory is short or `progress` asks to stop.'),
    "tac_green_destroy": (None, (c_void_p,),
        "green.h", 'void tac_green_destroy(tacGreen *green)',
        "Frees Green's functions; NULL is allowed. Load phase."),
    "tac_green_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "green.h", 'tacStatus tac_green_write(const tacGreen *green, const char *path, tacError *error)',
        "Writes Green's functions to a file. Load phase."),
    "tac_green_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "green.h", 'tacStatus tac_green_read(const char *path, tacGreen **green, tacError *error)',
        "Reads Green's functions from a file. The caller destroys them. Load phase."),
    "tac_green_surface": (c_void_p, (c_void_p,),
        "green.h", 'const tacTriMesh *tac_green_surface(const tacGreen *green)',
        'Returns the surface, without its groups.'),
    "tac_green_fixed": (c_void_p, (c_void_p,),
        "green.h", 'const bool *tac_green_fixed(const tacGreen *green)',
        'Returns [vertex]: true if the vertex is fixed.'),
    "tac_green_area": (c_void_p, (c_void_p,),
        "green.h", 'const double *tac_green_area(const tacGreen *green)',
        'Returns [vertex]: a_j, m^2 (5).'),
    "tac_green_row_count": (c_int, (c_void_p,),
        "green.h", 'int tac_green_row_count(const tacGreen *green)',
        'Returns the number of rows of a column: 3 for each vertex, followed by the rows of the sensors in their order.'),
    "tac_green_column_count": (c_int, (c_void_p,),
        "green.h", 'int tac_green_column_count(const tacGreen *green)',
        'Returns the number of wanted vertices. Each has 3 columns.'),
    "tac_green_column_vertex": (c_void_p, (c_void_p,),
        "green.h", 'const int *tac_green_column_vertex(const tacGreen *green)',
        'Returns the wanted vertices, [tac_green_column_count], ascending.'),
    "tac_green_column": (c_void_p, (c_void_p, c_int,),
        "green.h", 'const double *tac_green_column(const tacGreen *green, int vertex)',
        'Returns the 3 columns of a vertex, one after the other, each with tac_green_row_count numbers. NULL if they are not stored.'),
    "tac_green_block": (c_bool, (c_void_p, c_int, c_int, c_void_p,),
        "green.h", 'bool tac_green_block(const tacGreen *green, int i, int j, double block[3][3])',
        'Computes the 3 x 3 block Xi_ij, row-major: the response of vertex i to unit values at vertex j. False if it is not stored.'),
    "tac_green_betti_defect": (c_double, (c_void_p,),
        "green.h", 'double tac_green_betti_defect(const tacGreen *green)',
        "Returns the defect of Betti's reciprocity, measured by the bake: how far this equation is violated,\n\n    a_i Xi_ij = (a_j Xi_ji)^T\n\nin the Frobenius norm over the pairs of up to 200 wanted free vertices, relative to the norm of these blocks. It is round-off for finite elements, and a measure of the discretisation for boundary elements. 0 if there is no pair."),
    "tac_green_checks": (c_void_p, (c_void_p,),
        "green.h", 'const tacBakeChecks *tac_green_checks(const tacGreen *green)',
        'Returns the checks of the bake.'),
    "tac_green_def_default": (GreenDef, (),
        "green.h", 'tacGreenDef tac_green_def_default(void)',
        'Returns the default options. Any phase.'),
    "tac_green_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "green.h", 'tacStatus tac_green_bake(const tacGreenDef *def, const tacProgress *progress, tacGreen **green, tacError *error)',
        "Bakes Green's functions. `progress` may be NULL. The caller destroys the result.\n\nTAC_ERR_MEMORY: the result would not fit into the machine's memory; the text states its size. TAC_ERR_ARGUMENT: an option is out of range. TAC_ERR_CHECK: the result failed a check."),
    "tac_green_body_def_default": (GreenBodyDef, (),
        "green.h", 'tacGreenBodyDef tac_green_body_def_default(void)',
        'Returns the defaults: stiffness 1, rigid stiffness 1500 N/m, friction 0.2, contacts with 2000 N/m and 2 N s/m. The caller must choose mask_radius, which is 0. Any phase.'),
    "tac_world_add_green": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "green.h", 'tacStatus tac_world_add_green(tacWorld *world, const tacGreenBodyDef *def, tacBodyId *id, tacError *error)',
        'Adds an elastostatic body to a world that is not sealed. `id` receives its id and may be NULL. TAC_ERR_ARGUMENT: a value of `def` is missing or out of range.'),
    "tac_world_body_green": (c_void_p, (c_void_p, BodyId,),
        "green.h", 'const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id)',
        "Returns the Green's functions of a body; NULL for a body of another kind. Any phase."),
    "tac_hyperelastic_body_def_default": (HyperelasticBodyDef, (),
        "hyperelastic.h", 'tacHyperelasticBodyDef tac_hyperelastic_body_def_default(void)',
        "Returns the default options. The caller must set the body's name, the mesh and the materials. Any phase."),
    "tac_world_add_hyperelastic": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "hyperelastic.h", 'tacStatus tac_world_add_hyperelastic(tacWorld *world, const tacHyperelasticBodyDef *def, tacBodyId *id, tacError *error)',
        'Adds a hyperelastic body to a world that is not sealed. `id` receives its id and may be NULL.\n\nTAC_ERR_ARGUMENT: a value of `def` is missing or out of range. TAC_ERR_UNSUPPORTED: the mesh contains bricks. TAC_ERR_GEOMETRY: an element is inverted or flat, or a vertex is in no element. Load phase.'),
    "tac_remesh": (c_int, (c_void_p, c_double, c_int, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_remesh(const tacTriMesh *mesh, double size, int thread_count, const tacProgress *progress, tacTriMesh **remeshed, tacError *error)',
        'Remeshes the boundary of the solid that a closed mesh encloses with even triangles, with edges of about `size` (m), none much longer than twice that. The solid is where the winding number is not 0: crossing, overlapping and nested parts become one. The method coarsens and relaxes the zero level of the distance field.\n\nThe result is closed, manifold, oriented outward and without self-intersections. Sharp edges are rounded by a fraction of `size`. Groups are dropped. `thread_count` 0 means one thread for each core. TAC_ERR_GEOMETRY if the mesh is not closed, if details that matter are lost (the volume differs by more than 5 %), or if triangles of that size cross each other; each error names the remedy.'),
    "tac_remesh_simplify": (c_int, (c_void_p, c_int, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_remesh_simplify(const tacTriMesh *mesh, int triangle_count, tacTriMesh **simplified, tacError *error)',
        'Simplifies a closed manifold to `triangle_count` triangles, or one fewer: collapses edges, cheapest first, then evens out the triangles. The topology of the mesh must allow that count. Groups are dropped. TAC_ERR_GEOMETRY if the mesh is not a closed manifold, or has degenerate triangles or unused vertices; TAC_ERR_ARGUMENT unless the count is at least 4 and below that of the mesh.'),
    "tac_stuffing_def_default": (StuffingDef, (),
        "meshing.h", 'tacStuffingDef tac_stuffing_def_default(void)',
        'Returns the default: three levels of grading and a size of 0, which tac_stuffing_fill refuses; set it.'),
    "tac_stuffing_fill": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_stuffing_fill(const tacTriMesh *surface, const tacStuffingDef *def, const tacProgress *progress, tacVolMesh **mesh, tacError *error)',
        'Fills a closed surface with tetrahedra, by exact distance to it. TAC_ERR_GEOMETRY if it is not closed; TAC_ERR_ARGUMENT if `def` is out of range.'),
    "tac_stuffing_fill_to_volume": (c_int, (c_void_p, c_double, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_stuffing_fill_to_volume(const tacTriMesh *surface, double tolerance, const tacStuffingDef *def, const tacProgress *progress, tacVolMesh **mesh, double *size, tacError *error)',
        "Fills a closed surface with the largest tetrahedra that represent its solid, and returns their `size` (m). The size starts at a tenth of the longest side of the box and shrinks in steps of 1.3. It is accepted if the following holds for it and for the next size, too:\n\n  - the mesh has the volume of the solid within `tolerance` (relative; tac_trimesh_solid_volume: what lies in several\n    closed parts counts once);\n  - the mesh has as many parts, connected by faces, as the solid.\n\nIf no size has the right number of parts before the elements become ten times as many, the result is the size that comes nearest, with a warning in the log. TAC_ERR_GEOMETRY if no size fits down to 1/1000 of the box's side or up to 20 million elements, and at once if the body is far too thin for either. Of `def` the size is not used."),
    "tac_voxelise_def_default": (VoxeliseDef, (),
        "meshing.h", 'tacVoxeliseDef tac_voxelise_def_default(void)',
        'Returns the default: a resolution of 64 and the rule TAC_VOXELS_CENTRE.'),
    "tac_voxelise": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_voxelise(const tacTriMesh *surface, const tacVoxeliseDef *def, const tacProgress *progress, tacVolMesh **mesh, tacError *error)',
        'Fills a surface with equal cubic bricks. TAC_ERR_GEOMETRY if the surface has no triangles or no extent, or if the rule needs a closed surface and it is open; TAC_ERR_ARGUMENT if the resolution is out of range.'),
    "tac_voxelise_to_volume": (c_int, (c_void_p, c_double, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_voxelise_to_volume(const tacTriMesh *surface, double tolerance, const tacProgress *progress, tacVolMesh **mesh, int *resolution, tacError *error)',
        'Fills a closed surface with the coarsest bricks that represent its solid, by TAC_VOXELS_CENTRE, and returns their `resolution`. Tries resolutions from 16 to 512 in steps of about 1.2. It accepts the first whose mesh has the volume of the solid within `tolerance` (relative, such as 0.02) and as many parts, connected by faces, as the solid. If none has the right number of parts before the bricks become ten times as many, the result is the one that comes nearest, with a warning in the log. TAC_ERR_GEOMETRY if no resolution gives the volume.'),
    "tac_shape_info": (c_void_p, (c_int,),
        "meshing.h", 'const tacShapeInfo *tac_shape_info(int index)',
        'Returns the description of the shape of an index, 0, 1, ..., and NULL after the last one. Any thread.'),
    "tac_shape_build": (c_int, (c_char_p, c_double, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_shape_build(const char *name, double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error)',
        'Builds the surface of a shape. `size` is the edge length of the triangles, m; 0 means the default. Every vertex lies on the exact surface. TAC_ERR_ARGUMENT if there is no such shape, or if the size is so large that parts would be lost.'),
    "tac_shape_bricks": (c_int, (c_char_p, c_double, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_shape_bricks(const char *name, double size, tacVolMesh **mesh, tacError *error)',
        'Builds the exact bricks of a shape that has them (box, beam, cube, tables, clip, pipe, diaphragm). The bricks fill the shape exactly. Thin parts have two or more through their thickness, so that they bend as they should, and there are few enough to be simulated. `size` is the length of a brick along what bends, m; 0 means the default. TAC_ERR_ARGUMENT if there is no such shape, if it has no exact bricks, or if the size is so large that parts would be lost. Fill the surface of other shapes with tac_stuffing_fill or tac_voxelise.'),
    "tac_reduced_destroy": (None, (c_void_p,),
        "reduced.h", 'void tac_reduced_destroy(tacReduced *reduced)',
        'Frees a baked body, after the worlds that use it. NULL is allowed.'),
    "tac_reduced_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "reduced.h", 'tacStatus tac_reduced_write(const tacReduced *reduced, const char *path, tacError *error)',
        'Writes a baked body to an asset file.'),
    "tac_reduced_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "reduced.h", 'tacStatus tac_reduced_read(const char *path, tacReduced **reduced, tacError *error)',
        'Reads a baked body from an asset file. The caller destroys it.'),
    "tac_reduced_size": (c_int, (c_void_p,),
        "reduced.h", 'int tac_reduced_size(const tacReduced *reduced)',
        'Returns r, the number of coordinates.'),
    "tac_reduced_surface": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacTriMesh *tac_reduced_surface(const tacReduced *reduced)',
        'Returns the embedded surface at rest, without groups.'),
    "tac_reduced_fixed": (c_void_p, (c_void_p,),
        "reduced.h", 'const bool *tac_reduced_fixed(const tacReduced *reduced)',
        'Returns which vertices of the surface cannot move, [vertex].'),
    "tac_reduced_displacements": (c_void_p, (c_void_p,),
        "reduced.h", 'const double *tac_reduced_displacements(const tacReduced *reduced)',
        'Returns U_s of (3.6), [vertex][axis][r]: displacement of each vertex of the surface for a unit of each coordinate, kg^-1/2.'),
    "tac_reduced_volume": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacVolMesh *tac_reduced_volume(const tacReduced *reduced)',
        'Returns the volume mesh at rest. With tac_reduced_basis, more points can be embedded in it.'),
    "tac_reduced_basis": (c_void_p, (c_void_p,),
        "reduced.h", 'const double *tac_reduced_basis(const tacReduced *reduced)',
        'Returns U at the vertices of the volume mesh, [vertex][axis][r], kg^-1/2.'),
    "tac_reduced_info": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacReducedInfo *tac_reduced_info(const tacReduced *reduced)',
        'Returns the summary of the bake.'),
    "tac_reduced_checks": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacBakeChecks *tac_reduced_checks(const tacReduced *reduced)',
        'Returns the checks of the bake.'),
    "tac_reduced_def_default": (ReducedDef, (),
        "reduced.h", 'tacReducedDef tac_reduced_def_default(void)',
        'Returns the defaults named above.'),
    "tac_reduced_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "reduced.h", 'tacStatus tac_reduced_bake(const tacReducedDef *def, const tacProgress *progress, tacReduced **reduced, tacError *error)',
        'Bakes a reduced body. The same input gives the same bits, whatever the number of cores. The caller destroys the result. `progress` is called several times a second, except during sparse factorisations, which take seconds for meshes of 30,000 vertices.\n\nEach error names the problem and the remedy. Errors are: r larger than the rank of the data or than TAC_BODY_MOST_COORDINATES; a body that is not held against rigid motion; a free body in several pieces; a vertex without mass; invalid materials; loads that invert elements; TAC_ERR_MEMORY if the bake needs more memory than the machine has; TAC_ERR_CHECK if the result does not pass its checks.'),
    "tac_reduced_body_def_default": (ReducedBodyDef, (),
        "reduced.h", 'tacReducedBodyDef tac_reduced_body_def_default(void)',
        'Returns the defaults named above and those of tacBodyDef.'),
    "tac_world_add_reduced": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "reduced.h", 'tacStatus tac_world_add_reduced(tacWorld *world, const tacReducedBodyDef *def, tacBodyId *id, tacError *error)',
        'Adds a reduced body to a world that is not sealed. `id` (may be NULL) receives its id. The body\'s kind name is "reduced". TAC_ERR_ARGUMENT if the definition is invalid, such as a shell or field of another body.'),
    "tac_rigid_body_def_default": (RigidBodyDef, (),
        "rigid.h", 'tacRigidBodyDef tac_rigid_body_def_default(void)',
        'Returns the default: no mass, no surface, and the common defaults of tacBodyDef.'),
    "tac_world_add_rigid": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "rigid.h", 'tacStatus tac_world_add_rigid(tacWorld *world, const tacRigidBodyDef *def, tacBodyId *id, tacError *error)',
        'Adds a rigid body to a world that is not sealed. `id` (may be NULL) receives its id. The body\'s kind name is "rigid". TAC_ERR_ARGUMENT if the definition is invalid, such as a free body without inertia or a name that is taken.'),
}
