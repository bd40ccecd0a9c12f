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
MESH_MATERIAL_PARAMETERS = 24  # maximum number of parameters of a tacMeshMaterial
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
BUTTON_INDEX = 1  # indexing button: while pressed, the hand moves without the tool (workspace indexing)
BUTTON_GRAB = 2  # grab button: while pressed, the tool holds the touched object
BUTTON_LIFT = 4  # lift button: while pressed, the tool touches nothing at any position
DEVICE_MOST_FOUND = 8
LAW_MOST_PARAMETERS = 16  # maximum number of parameters of a law
LAW_MOST_TERMS = 4  # maximum number of terms of a Prony series
MOST_TOOLS = 16
MOST_JAWS = 2
WORLD_MOST_LOCAL = 48
LIMIT_FORCE = 1  # force limit of the device
LIMIT_RATE = 2  # limit of the rate of change of the force
LIMIT_COUPLING = 4  # limit of a coupling (tacToolOutput.saturated)
ERROR_ESTIMATE_SOME = 0.1  # least error estimate that is reported
ERROR_ESTIMATE_MUCH = 0.3  # least error estimate at which the body should not be trusted
TICK_LIMITED_FORCE = 1  # a force was reduced to the force limit of a device
TICK_LIMITED_RATE = 2  # the rate of change of a force was limited
TICK_DAMPED = 4  # the passivity controller added damping
TICK_FAULT = 8  # a fault occurred: the forces ramp to zero and the world rests
TICK_INDEXING = 16  # an index button is held
TICK_TAKEN = 32  # tacTickReport.taken is true; a replay takes results in the same ticks
REPLAY_FAR_SHARE = 0.01  # limit of the difference, relative to tacReplayReport.force and .torque
REPLAY_FAR = 0.0001  # limit of the distance between the proxies, m
SERVO_LEAST_SPEED = 0.01
SERVO_MOST_ERROR_ESTIMATES = 32
SERVO_MOST_CONTACTS = 256
SERVO_MOST_COUPLED = 64
SCENE_FORMAT = 1  # version of the scene format: the only supported value of the key `tactus`


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

    name: name, never NULL, unique in the array of sets; the set owns the string
    count: number of indices; may be 0
    indices: zero-based indices, ascending, without duplicates; the set owns the array

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

    v: indices of the vertices a, b, c

    tacTriangle of <tactus/mesh.h>."""

    v: np.ndarray


define(Triangle, [
    ("v", c_int * 3),
])


class TriMesh(Struct):
    """A triangle mesh: a closed or open surface, or a polygon soup. The struct is plain, and callers can fill it. The
    mesh owns its arrays, and each array must come from malloc.

    vertex_count: number of vertices
    vertices: positions of the vertices, m
    triangle_count: number of triangles
    triangles: corners of each triangle
    group_count: number of groups
    groups: named parts, each a list of triangles

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

    mass: mass, kg
    centre: centre of mass, m, in the frame of the body or surface
    moments: Moments of inertia about the centre of mass, kg m^2, along the axes of the frame of `centre`. The matrix
    is the sum of m (r.r 1 - r r^T), where r is the position of a mass m relative to the centre of mass.

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

    v: indices of the vertices a, b, c, d

    tacTet of <tactus/mesh.h>."""

    v: np.ndarray


define(Tet, [
    ("v", c_int * 4),
])


class Brick(Struct):
    """A brick with 8 nodes, in the order of VTK and Gmsh. The bottom face 0 1 2 3 is counter-clockwise seen from the top
    face. The nodes 4 5 6 7 of the top face lie above the nodes 0 1 2 3.

    v: indices of the vertices

    tacBrick of <tactus/mesh.h>."""

    v: np.ndarray


define(Brick, [
    ("v", c_int * 8),
])


class MeshMaterial(Struct):
    """A material that a mesh file defines. The parameters are in the order of the VEG format.

    name: name of the material; the struct owns the string
    kind: Kind of the material: "ENU" (density kg/m^3, Young's modulus Pa, Poisson's ratio), "ORTHOTROPIC" or
    "MOONEYRIVLIN". The struct owns the string.
    parameter_count: number of parameters
    parameters: parameters; the first `parameter_count` are valid

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
    """Assignment of a material to the elements of a group. If groups overlap, the last region in the array applies.

    group, material: indices in tacVolMesh.groups and tacVolMesh.materials

    tacMeshRegion of <tactus/mesh.h>."""

    group: int
    material: int


define(MeshRegion, [
    ("group", c_int),
    ("material", c_int),
])


class VolMesh(Struct):
    """A volume mesh of tetrahedra and bricks. Tetrahedra are the first elements, and bricks follow: element e >=
    tet_count is bricks[e - tet_count]. The struct is plain, and callers can fill it. The mesh owns its arrays, and
    each array must come from malloc.

    vertex_count: number of vertices
    vertices: positions of the vertices, m
    tet_count: number of tetrahedra
    tets: vertices of each tetrahedron
    brick_count: number of bricks
    bricks: vertices of each brick
    group_count: number of groups
    groups: named parts, each a list of elements
    vertex_set_count: number of vertex sets
    vertex_sets: named lists of vertices
    material_count: number of materials
    materials: materials that regions refer to
    region_count: number of regions
    regions: material of each group

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
    """Content of a mesh file: a surface, a volume mesh or both.

    surface: surface, owned by the caller; NULL: none
    volume: volume mesh, owned by the caller; NULL: none

    tacMeshContents of <tactus/mesh.h>."""

    surface: Any
    volume: Any


define(MeshContents, [
    ("surface", c_void_p),
    ("volume", c_void_p),
])


class MeshFormat(IntEnum):
    """File format for tac_mesh_write.

    BY_NAME: format of the file extension: .obj .stl .ply .off .msh .vtk .vtu .veg .node .ele
    STL_BINARY: default for .stl
    PLY_BINARY: default for .ply; little-endian
    MSH41_ASCII: default for .msh
    VTK_BINARY: default for .vtk
    VTU_BINARY: default for .vtu
    TETGEN: a .node file and an .ele file in the same folder
    COUNT: number of formats; not a format

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
    """Counts and measures that show whether a surface is suitable for simulation. Lengths are in m.

    vertices, triangles: numbers of vertices and triangles
    unused_vertices: vertices that no triangle uses
    duplicate_vertices: vertices at exactly the position of an earlier vertex
    duplicate_triangles: triangles with the same three corners as an earlier triangle, in any order
    degenerate_triangles: triangles with a repeated corner or with a height below 1e-10 of the longest edge
    boundary_edges: edges of only one triangle
    nonmanifold_edges: edges of three or more triangles
    misoriented_edges: edges whose two triangles traverse the edge in the same direction
    nonmanifold_vertices: vertices whose triangles form more than one fan
    components: parts of the surface that are connected by shared vertices
    self_intersections: pairs of triangles that cross or overlap other than at shared corners or edges
    manifold: true if no edge or vertex is non-manifold
    closed: True if the mesh is not empty and every edge belongs to exactly two triangles. This condition is stricter
    than the condition of tac_trimesh_require_closed.
    oriented: true if no edge is misoriented
    inside_out: closed components that face inward and are not walls of cavities; 0 if not closed
    genus: sum of the genus of all components; -1 if the surface is not closed and manifold
    area, volume: area, m^2; volume, m^3, 0 if the surface is not closed
    solid_volume: result of tac_trimesh_solid_volume, m^3: below `volume` if parts overlap; 0 if not closed
    centroid: centroid of the solid, m; centroid of the surface if the surface is not closed
    inertia: moments of inertia about the centroid at unit density, kg m^2; 0 if not closed
    shortest_edge, longest_edge: lengths of the shortest and the longest edge, m
    smallest_angle, largest_angle: smallest and largest corner angle of the triangles, degrees
    box: box around all vertices, m

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
    """Counts and measures that show whether a volume mesh is suitable for simulation. Lengths are in m.

    vertices, tets, bricks: numbers of vertices, tetrahedra and bricks
    unused_vertices: vertices that no element uses
    duplicate_elements: elements with the same vertices as an earlier element
    inverted_elements: tetrahedra of negative volume, and bricks with a non-positive Jacobian at a corner
    degenerate_elements: elements with a repeated corner or a volume below 1e-12 of (longest edge)^3
    nonmanifold_faces: faces of three or more elements
    components: parts of the mesh that are connected by shared faces
    volume: total volume, m^3
    centroid: centroid of the volume, m
    inertia: moments of inertia about the centroid at unit density, kg m^2
    smallest_dihedral, largest_dihedral: dihedral angles of the tetrahedra, degrees; 0 without tetrahedra
    shortest_edge, longest_edge: lengths of the shortest and the longest edge, m
    box: box around all vertices, m

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
    """Options of tac_repair.

    weld: largest distance between vertices that are merged, m; default 0: only exact duplicates are merged

    tacRepairDef of <tactus/mesh.h>."""

    weld: float


define(RepairDef, [
    ("weld", c_double),
])


class RepairReport(Struct):
    """Numbers of changes that a repair made.

    welded_vertices, removed_vertices: vertices merged with others; vertices removed as unused
    removed_triangles: degenerate or duplicate triangles removed; walls between touching closed parts remain
    flipped_triangles: triangles flipped to orient each component consistently, outward if closed
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
    """Options of the bake of a field from a mesh. The grid is a cube around the mesh.

    resolution: Number of voxels along each side of the cube, 1 to 1024; each side has `resolution` + 1 nodes; default
    128.
    expansion: Ratio of the side of the cube to the longest side of the box of the mesh, 1 to 100; default 1.5
    (section 3.11).
    offset: distance from the polygons of a soup to the surface, m; default 0: 1.4 voxels (Fig. 3.15)
    band: distance from the surface up to which nodes are exact, voxels; default 4; INFINITY: all
    thread_count: number of threads; default 0: one thread for each core

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
    """Options of tac_pointshell_bake.

    point_count: number of points of all levels together; default 65536
    level_count: Number of levels. Each level, together with the previous levels, has 4 times the points of the
    previous levels. Default 0: the bake chooses a number for which the first level has about 300 points.
    thread_count: number of threads, without effect on the result; default 0: one thread for each core

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
    """Working memory for one vertex in the computation of stress or stretch: a weighted sum over the triangles of the
    vertex.

    stress: sum of stress times weight, Pa m^2, in the order xx, yy, zz, yz, zx, xy
    weight: sum of the weights, m^2; the weight of a triangle is twice its area

    tacStressSum of <tactus/body.h>."""

    stress: np.ndarray
    weight: float


define(StressSum, [
    ("stress", c_double * 6),
    ("weight", c_double),
])


class Pose(Struct):
    """Position and orientation of a frame.

    position: position of the frame's origin, m
    orientation: orientation of the frame, unit quaternion w, x, y, z

    tacPose of <tactus/body.h>."""

    position: np.ndarray
    orientation: np.ndarray


define(Pose, [
    ("position", Vec3),
    ("orientation", c_double * 4),
])


class SiteKind(IntEnum):
    """Type of a tacSite.

    FRAME: point fixed to the body's frame
    SURFACE: point in a triangle of the surface
    SHELL: point of the body's pointshell
    FIELD: point that moves with a proxy of the body's deformed field
    PATCH: weighted mean of surface vertices; passed only to kinds with step compliance
    TIP: point in a surface triangle under a fingertip; passed only to kinds with `meet_fingertip`

    tacSiteKind of <tactus/body.h>."""

    FRAME = 0
    SURFACE = 1
    SHELL = 2
    FIELD = 3
    PATCH = 4
    TIP = 5


class Site(Struct):
    """A material point of a body at which a force acts or whose motion is requested. Plain data.

    kind: type of the site, a tacSiteKind
    index: Index, depending on `kind`. SURFACE, TIP: triangle. SHELL: point. FIELD: 65536 domain + proxy. PATCH: index
    in tacBodyStep.patches.
    at: weights of the triangle's corners for SURFACE and TIP; position at rest, m, for FRAME and FIELD

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
    """Contact patch of a fingertip. The displacement of the patch is sum w_i u_i, with the displacements u_i of the
    vertices. A force f on the patch acts as w_i f at each vertex.

    count: number of vertices
    vertex: vertices of the surface; each vertex occurs once
    corner: triangle corner at which the vertex lies, as 3 triangle + corner
    weight: weights w_i, positive, with sum 1

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

    name: parameter name, for example "kidney.stiffness"; the body itself reports only "stiffness"
    label, unit: Label for display, for example "stiffness"; unit, for example "m", or "" for a plain number.
    value: current value
    in_tick: true: may be set between steps; false: slow, may be set only while no other thread uses the world

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
    """A step that the world requests from a body.

    length: length h of the step, s
    gravity: gravitational acceleration that deforms the body, m/s^2; zero if the body falls freely
    euler: True: the body must use implicit Euler, as contact laws require, with velocity v = d / h at the end of the
    step. False: the kind chooses the integrator.
    springs: Number of the springs of point tools. The springs act at the last `springs` sites of the step. The force
    of a spring is f = f0 - K u. f0 is the force at the start of the step, and u is the motion of the site in the
    step.
    spring: Stiffness K of each spring, [springs][3][3], N/m, including the effect of the spring's damping in this
    step.
    patches: patches of the sites of kind TAC_SITE_PATCH

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
    """Result of a step.

    limited: true: the motion was shortened
    refused: true: the motion was NaN, infinite or far too large, and the body was brought to rest in place

    tacBodyFinish of <tactus/body.h>."""

    limited: bool
    refused: bool


define(BodyFinish, [
    ("limited", c_bool),
    ("refused", c_bool),
])


class BodyShown(IntEnum):
    """Way in which a body is displayed.

    RIGID: surface that moves as a whole
    COORDINATES: coordinates q and a displacement texture: u = U q
    VERTICES: positions of all vertices

    tacBodyShown of <tactus/body.h>."""

    RIGID = 0
    COORDINATES = 1
    VERTICES = 2


class Colouring(IntEnum):
    """Quantity that colours a body's surface.

    STRESS: von Mises stress, Pa
    STRETCH: largest principal stretch; 1 at rest

    tacColouring of <tactus/body.h>."""

    STRESS = 0
    STRETCH = 1


class ShownNumber(Struct):
    """A single number in the shown part of a state, with a label for display.

    label, unit: label and unit, for example "factor's age" and "steps"
    at: index of the number in the state

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
    """Surface of a body with coordinates q, and the basis that gives the motion of the surface. The coordinates are the
    first `size` numbers of the state.

    The arrays belong to the asset of the body. Bodies made from one asset have the same `displacements` pointer.

    size: number r of coordinates
    is_free: true: no vertex is fixed, so the body also moves as a whole
    surface: surface at rest, body's frame
    fixed: array [vertex]; true: the vertex cannot move
    displacements: array U, [vertex][axis][r]: U q is the displacement of a vertex, m
    normals: array [vertex] of outward unit normals n at rest
    normal_changes: array N, [vertex][axis][r]: n + N q is the direction of the deformed normal

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

    label: label for display
    coordinates: coordinates of the shape, [r]

    tacShownShape of <tactus/body.h>."""

    label: Optional[str]
    coordinates: Any


define(ShownShape, [
    ("label", c_char_p),
    ("coordinates", c_void_p),
])


class ShownSensor(Struct):
    """A sensor inside a body.

    name: name of the sensor; may be empty
    quantity, unit: quantity and unit, for example "displacement" and "m"
    row_count: number of values: 3 for a displacement, 6 for a stress (xx yy zz yz zx xy)

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
    """Single forces on a surface for which the response was precomputed.

    count: number of vertices at which such a force may act
    most: largest precomputed force, N
    direction: direction of the forces, unit vector in the body's frame; zero: any direction

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
    """Data of a body. Numbers and pointers stay constant during the life of the body, except `stiffness` and
    `tip_stiffness`. The data behind a pointer may change in steps. Members that do not apply are 0 or NULL.

    surface: mesh at rest; required
    fixed: array [vertex]; true: the vertex does not move; NULL: every vertex may move
    points: points for distributed contact; NULL: none
    points_q: coordinates that deform the points; NULL: the points do not deform
    field: distance field at rest; NULL: none
    deformed_field: deformed distance field; NULL: none
    state, shown: size of the state; number of first values of the state that suffice for display
    parameters: number of parameters that may be changed
    coordinates: number n of coordinates, at most TAC_BODY_MOST_COORDINATES; 0: no coordinate interface
    iterations: number of iterations of Newton's method in a step; 0 means 1
    sites: limit of sites in a step, at least 1, for step compliance
    rates: Velocities of the coordinates, [n], if contacts must damp these velocities; NULL: no damper is needed.
    stiffness, tip_stiffness: Largest eigenvalue of the present tacBodyTable.stiffness over all vertices, N/m, for
    point tools and for the registered fingertips; 0: not known.
    method: Text for display about the method of solution, for example "finite elements"; NULL: the kind's name is
    sufficient.

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
    """Upper bounds for the displacement and the speed of a body's vertices.

    swelling: Largest distance of any vertex from its position at rest, m. If the bound is too small, tools pass
    through the body.
    fastest: Largest speed of any vertex in the body's frame, m/s; 0: not known. Contacts may be found late if the
    speed is not known.

    tacBodyBounds of <tactus/body.h>."""

    swelling: float
    fastest: float


define(BodyBounds, [
    ("swelling", c_double),
    ("fastest", c_double),
])


class BodyLooks(Struct):
    """Functions for the display of a body. Each function may be NULL. Any thread may call the functions unless their
    comments say otherwise. Only `vertices` is also called in ticks.

    vertices: Computes the positions of all vertices, m, from the shown part of a state. If `shown` is NULL, computes
    the positions at rest. If the function is NULL, the surface is shown at rest.
    colours: Computes the value that colours each vertex, [vertex]. `shown` is as for `vertices`. The argument
    `vertices` contains the positions that the function `vertices` computed. `room` is working memory with one entry
    for each vertex. Returns false if the kind does not know the value. One thread at a time calls the function. This
    thread may differ from the stepping thread, so the function must not access data that steps change. If the
    function is NULL or returns false, stress is not shown, and stretch is computed from the surface.
    number: Gets a labelled number in the shown part of the state, by its index 0, 1, ... Returns false after the last
    number.
    shape: Gets a shape from which the basis was built, by its index 0, 1, ... Returns false after the last shape.
    sensor: Gets a sensor by its index 0, 1, ... Returns false after the last sensor. tacBodyTable.displace computes
    the sensor values in the same order.
    basis: Gets the displacement basis of a body that is shown by coordinates. Returns false for other bodies.
    covers: Returns true if a force of this magnitude and direction (N, body's frame) is within the precomputed range.
    The response then needs no extrapolation. For a kind with this function, the world stores and shows the sum of the
    forces that press the body. NULL means that the kind has no such range.
    known_loads: Gets the single forces whose response was precomputed. Returns false if there are no such forces.
    load_mode: Computes the linear part of the precomputed response at a vertex. `mode` receives the change of one
    coordinate due to a force of magnitude tacKnownLoads.most along x, y and z. Returns false if no precomputed force
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
    """Functions of a body that computes on its own thread in parallel with the steps. All functions are required.

    start: Starts the thread. Until `start` is called, `prepare` does the work of the thread. Load phase.
    stop: Stops the thread. May be called without `start`. Load phase.
    ready: Returns true if a result of the thread is ready for the next step. Without a running thread, the function
    must return true at fixed steps, so that runs are repeatable. Any thread.
    prepare: Takes the result of the thread. The world calls `prepare` at the beginning of a step if `ready` returned
    true. In a replay, the world calls `prepare` in the steps in which the recording contains such a call. If no
    result is ready, the function does nothing.

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
    """Functions of a kind of body. `self` is the body's own data, created by tacBodyKind.create.

    version: value TAC_BODY_TABLE_VERSION; another version is refused
    destroy: Frees the body. The function must accept NULL. Required.
    reset: Puts the body at rest, undeformed. Parameters keep their values. Required.
    describe: Returns the description of the body. Called often. Any thread. Required.
    save: Writes the first `count` numbers of the state. Tick phase. `save` and `load` are NULL if the body has no
    state.
    load: Restores the complete state. Returns false and changes nothing if the numbers are not valid.
    parameter: Returns the parameter with this index, 0 to tacBodyDescription.parameters - 1. May be called during a
    step. `parameter` and `set_parameter` are NULL if the body has no parameters.
    set_parameter: Sets a parameter: between steps if tacParameter.in_tick is true, otherwise in the load phase.
    Returns an error if the value is out of range.
    inertia: Gets the mass properties. Called once, when the body is added to a world. If the function is NULL or
    returns false, the body has no mass and cannot be free.
    material: Gets the present Young's modulus (Pa) and Poisson's ratio of the material at a vertex. From these values
    the world computes how far a fingertip dents the body, in addition to the deformation that the kind resolves. If
    the function is NULL or returns false, the values are not known, and the world adds no deformation.
    meet_fingertip: Announces that fingertips of this radius (m) will touch the body. The world numbers the radii 1,
    2, ..., and `tip` is the number of this radius. A kind with static compliance computes the stiffness for these
    fingertips here. Called before the first step. NULL means that the kind needs no preparation.
    vertex: Returns the present position of a surface vertex, m. Required.
    vertex_normal: Returns the present outward normal at a surface vertex. The normal may have any length. Required.
    place: Returns the present position of a site, m. Required.
    bounds: Returns bounds of the present deformation. Called in each tick. NULL means that no vertex ever moves.
    linearise: Computes the equations of the step: A [n][n], symmetric, and b [n]. The equations are linearised about
    the present motion in this step. Called once for each iteration, and also between steps to predict the response.
    Returns false if the result is NaN or infinite.
    move: Adds `motion` [n] to the motion of this step.
    finish: Ends the step. The body accepts the motion, or refuses a motion that is NaN, infinite or far too large.
    advance: Makes a complete step while no force acts on the body. If the function is NULL, the world uses linearise,
    move and finish.
    rows: Computes the derivative of a site's position with respect to the coordinates, [3][n]. For a point of a
    pointshell with n coordinates, the world reads the derivative from the pointshell. For TAC_SITE_FRAME the
    derivative is zero.
    begin_step: Begins a step in which forces act at `count` sites.

    `forces` (N) are the forces of the previous step. `motion` receives the motion of each site in this step under
    these forces, m, which must be exact. `c` [3 count][3 count] receives the compliance, m/N: the derivative of the
    motion with respect to the forces. `c` is symmetric and may be approximate.
    move_again: Computes the motion (m) of the same sites in this step under other forces (N), from the body's own
    equations. The world then solves the contacts again from this motion, so that an error of `c` has only a
    second-order effect. Not called if a point tool touches the body. If the function is NULL or returns false, `c` is
    accurate enough.
    end_step: Ends the step with the final forces (N) at the same sites.
    next_compliance: Computes the compliance `c` of sites in the next step, in the form of `begin_step`. Called
    between steps. Before the first step and after a reset, the world calls the function in the load phase without
    sites (`count` 0, `sites` and `c` NULL). The function then does the work that a tick must not do, such as a first
    factorization.
    predict: Predicts the motion (m) of sites in the next step (`first`) and in the step after the next (`second`),
    under forces (N) that act in both steps. The world calls the function in ticks between two steps of the body, if
    fingers press the body. If `whole` is true, the prediction starts from the present state. Otherwise the result is
    only the additional motion due to these forces. If the function is NULL, the world assumes that the body does not
    move between its steps.
    velocity: Returns the velocity of a site after a step, m/s.
    compliance: Computes the compliance c, m/N: a force f at the site `by` displaces the site `at` by c f. On a
    surface, c must be linear in the corner weights of each site, because the world interpolates between corners.
    Returns false if the compliance is not known.
    stiffness: Returns the stiffness at a vertex that a tool feels. `tip` is 0 for a point tool, and the number of the
    radius for a fingertip (meet_fingertip). If the function is NULL, tools feel only their own contact spring.
    displace: Computes the displacements (m) and tractions (Pa) of all vertices, and the sensor values, due to forces
    (N) at sites. Each of the three outputs may be NULL. Any thread. Required with `compliance`.
    energy: Returns the energy stored in the coordinates, J: elastic plus kinetic energy, minus the work of the step's
    gravity on the displacement from rest. The world adds the energy of the frame. Called once for each step; it must
    take only a part of the step's time. NaN means that the energy is not known. If the function is NULL, the body
    stores no energy or does not know its energy.
    error_estimate: Returns the estimated model error. The body approximates a full model. The estimate compares the
    present displacements u with the expected displacements u_full of the full model at rest under the same loads.
    With the root mean square |.| over the surface, the error is

        |u - u_full| / |u_full|

    The value 0.1 means 10 %. For a body without a state, `forces` (N) at `sites` are the loads on the surface of the
    body; for other bodies `count` is 0. Called in every eighth tick; it must take a fraction of a microsecond. A
    negative result or NaN means that the error is not known. If the function is NULL, the error is not known, and no
    error is shown.
    error_cause: Text with the cause of a large error estimate, for example "displacements are beyond ..."; NULL: no
    text
    remedy: Text with the remedy for a large error estimate; NULL: no text
    looks: functions for display; NULL: the surface is shown at rest
    thread: functions of the body's own thread; NULL: no such thread
    pads: Interface for pads, for kinds built with the library; NULL: pads cannot hold the body.

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
    next_compliance: Any
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
    ("next_compliance", CFUNCTYPE(None, c_void_p, c_void_p, c_int, c_void_p, c_void_p)),
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
    """Type of a key: the form of the value in a scene, and the C type of the value in the record.

    NUMBER: double, SI; the scene writes a unit if the key has a unit
    VECTOR: double[count], SI; the scene writes units if the key has a unit: [1 mm, 2 mm, 3 mm]
    COUNT: int
    FLAG: bool: true or false
    TEXT: const char *, not empty
    PATH: const char *, path of a file. A scene writes the path relative to the scene. `create` gets a path that the
    program can open.

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

    name: name of the key: up to 64 letters, digits, '-', '_' and '.'; unique in the kind
    type: type of the value
    offset: offset of the value in the record, bytes
    unit: SI unit of a number or vector ("m", "N/m", "N/m3"); NULL or "": plain number
    least, most: Range of a number, of each value of a vector, or of a count; both 0: any value. A count must have a
    range.
    count: number of values of a vector, 1 to TAC_BODY_KIND_MOST_VALUES
    required: true: a scene must write the key; false: tacBodyKind.defaults gives the value of an omitted key

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
    """Properties of a body that a scene gives in addition to the keys of the kind.

    free: true: the body is free
    endless: true: one of the exact solids of the body is infinite (a plane)

    tacBodyGiven of <tactus/body_kind.h>."""

    free: bool
    endless: bool


define(BodyGiven, [
    ("free", c_bool),
    ("endless", c_bool),
])


class BodyCreate(Struct):
    """Inputs of tacBodyKind.create. Texts are valid only during the call. The surface, the points and the field must
    outlive the body.

    name: name of the body, for error texts
    folder: folder of the scene; "." if the scene has no folder
    surface: surface in the body's frame, given by the scene or made from exact solids; NULL: none
    points: Points made from the body's surface at rest; NULL: the scene requests no points, or the points are not
    made yet.
    field: Field made from the body's surface at rest; NULL: the scene requests no field, or the field is not made
    yet.

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
    """Data about an organ, from which `tactus new` writes the draft of a body.

    surface, material, fixed: lines of a scene with their line ends, indented as keys of a body
    tissue: name of the material, for example "liver"
    volume: volume enclosed by the surface, m^3
    thickness: thickness that the organ exceeds under nine tenths of its surface, m
    edge: mean edge length of the surface, m
    finger: radius of the finger that presses the organ, m

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
    """Organs for which `tactus new` chooses the kind if the user names no kind.

    ON_REQUEST: no organs
    USUAL: organs that are neither thin nor hard
    THIN: organs too thin for boundary elements
    HARD: organs stiffer than any device can render

    tacDraftUse of <tactus/body_kind.h>."""

    ON_REQUEST = 0
    USUAL = 1
    THIN = 2
    HARD = 3


class BodyDrafter(Struct):
    """Support of `tactus new` for bodies of the kind.

    use: Organs for which the kind is chosen; if several kinds have the same use, the first of these kinds is chosen.
    held: true: `write` writes tacBodyDraft.fixed
    rate: rate at which the bodies are simulated, Hz; 0: the rate of the servo
    write: Writes the scene lines after the body's name to `text`, as snprintf does. Each line has an explanation.
    `size` is the size of `text` in bytes.

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

    version: value TAC_BODY_KIND_VERSION; another version is refused
    name: value of the scene key `kind`: up to 64 letters, digits, '-', '_' and '.'
    summary: one line that describes the kind to users
    key_count: number of `keys`, 0 to TAC_BODY_KIND_MOST_KEYS
    keys: keys of the kind, [key_count]
    record_size: size of the record, bytes, at most TAC_BODY_KIND_MOST_RECORD
    defaults: record with the values of omitted keys; NULL: zeros
    takes_surface, takes_points, takes_field: True: scenes may give a surface (takes_surface), request points
    (takes_points), request a field (takes_field).
    makes_field: true: `create` makes a field for each body, if the kind takes no field
    takes_analytic: True: scenes may write exact solids instead of a surface and a field; a body must then have a
    surface or exact solids.
    check: Checks values beyond the checks of the keys. If a value is wrong, returns an error and writes the reason to
    `error`. The function then sets `key` to the key whose line is wrong, or to NULL for the line of the body. If the
    function is NULL, there is nothing to check.
    create: Creates a body at rest and stores the body in `self`. tacBodyTable.destroy frees the body.

    A scene first calls `create` without points and field, to get the surface of the body. The scene makes points and
    field from this surface. Later, the scene calls `create` once for each body that is added to a world. The same
    record must give the same body. On failure, the function fills `error` and returns a status other than TAC_OK. Any
    thread, also several threads at the same time.
    table: functions of the bodies
    shown: display of the bodies: TAC_SHOWN_VERTICES, or TAC_SHOWN_RIGID if the bodies never deform
    scene: Scene support of a kind that bakes its own assets; replaces keys, record and `create`. Only kinds built
    with the library have it; NULL for other kinds.
    drafter: functions for `tactus new`; NULL: `tactus new` writes no body of this kind

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
    """Method that computes contact forces.

    PENALTY: Penalty springs. If both bodies are at rest or have coordinates, each point in contact has one spring
    (tacTickReport.points). If one of the bodies is free or has no coordinates, contact laws with the compliance of
    such springs act at a few points (tacTickReport.laws).
    SIGNORINI: contact laws of Signorini (no penetration, no tension) and Coulomb (friction)

    tacContactMethod of <tactus/contact.h>."""

    PENALTY = 0
    SIGNORINI = 1


class Detection(IntEnum):
    """Method that detects contacts that obey contact laws.

    POINTS: points of one body are tested against the distance field of the other body
    SURFACES: Vertices and edges of one deformed surface are tested against faces and edges of the other deformed
    surface.

    tacDetection of <tactus/contact.h>."""

    POINTS = 0
    SURFACES = 1


class LawsDef(Struct):
    """Options for contacts between two bodies if the contacts obey contact laws (TAC_METHOD_SIGNORINI).

    patch: Limit of contacts between the two bodies, 1 to TAC_LAWS_MOST_PATCH; default 0: automatic. The automatic
    limit is 4 for two rigid bodies and 32 for a pair with a body without inertia. It is 48 for a pair with a body
    whose nodes move independently, and 8 for all other pairs.
    restitution: ratio of the speeds after and before an impact faster than 20 mm/s, 0 to 1; default 0
    detect: detection method; default TAC_DETECT_POINTS

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
    STICKS: sticking contact (static friction)
    SLIDES: sliding contact (sliding friction)
    GRABBED: contact held by the tool: the contact neither slides nor separates

    tacContactState of <tactus/contact.h>."""

    NONE = 0
    STICKS = 1
    SLIDES = 2
    GRABBED = 3


class PadHold(IntEnum):
    """Way in which a pad holds a patch of a body's surface.

    STICK: Glued pad: the pad attaches once to the vertices within its radius, in the present shape of the surface,
    and holds these vertices.
    PRESS: Pressing plate: the pad holds vertices within its radius that pass through its plane, as long as the
    vertices press against the pad. There is no tension, no penetration at rest, and Coulomb friction at each vertex.

    tacPadHold of <tactus/contact.h>."""

    STICK = 0
    PRESS = 1


class Contact(Struct):
    """Contact of a tool with a body (James and Pai 2001, Figure 8).

    state: state of the contact; TAC_CONTACT_NONE: the tool touches nothing
    body: index of the touched body; 0 without contact
    triangle: Index of the surface triangle that contains x^C; 0 without contact. The index is -1 for a held body or
    for pads, which have many contact points. Then `at` and `normal` are means over these points, and `force` is the
    sum.
    weight: barycentric coordinates of x^C in the triangle
    at: contact point x^C on the undeformed surface, m
    normal: outward normal n^C at x^C, continuous across triangles
    deformed: image x^E of x^C on the deformed surface (the proxy), m
    force: force of the tool on the body, N

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


class ShownContact(Struct):
    """A contact between two bodies that obeys the laws of Signorini and Coulomb. All vectors are in the world frame.

    body: indices of the two bodies; -1: an object that never moves, or the tip of a point tool
    at: point at which the force acts on both bodies, m
    normal: unit normal, out of the second body into the first body
    force: force on the first body, N; the opposite force acts on the second body
    friction: Coulomb's coefficient of friction

    tacShownContact of <tactus/contact.h>."""

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


class DeviceInfo(Struct):
    """Properties of an opened device. The limits apply to every force that is written to the device.

    name: name shown to users
    dof: degrees of freedom; 3: force; 6: force and torque
    workspace: workspace of the device, m
    force_limit: magnitude of the largest force that the device renders, N
    torque_limit: magnitude of the largest torque that the device renders, N m; 0 for 3 dof
    stiffness_limit: largest stiffness that the device renders stably at 1 kHz, N/m
    resolution: resolution of the position, m; 0: unknown

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

    position: position of the handle, m
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
    LATE: no new state since the last read; `state` is the previous state
    LOST: the connection is lost permanently
    DONE: the trajectory has ended: orderly stop

    tacDeviceHealth of <tactus/device.h>."""

    FINE = 0
    LATE = 1
    LOST = 2
    DONE = 3


class DeviceDriver(Struct):
    """Functions of a driver. All members are required.

    abi: value TAC_DEVICE_ABI; another value is refused
    name, summary: name and one-line summary, for messages and lists
    open: Opens a device, stores the device in `device`, and fills `info`. `options` is the text of the scene's
    `options` key; "" if the key is missing. `period` is the period of the servo, s. On failure, the function fills
    `error` and returns a status other than TAC_OK. Load phase.
    close: Closes the device. Load phase.
    read: Reads the newest state. Called once in each tick, before `write`. The function must not block, allocate or
    wait.
    write: Renders a force (N) and a torque (N m) on the hand. Called once in each tick, after `read`. The function
    must not block, allocate or wait.

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
    """Information that a driver finds without opening a device.

    ready: true: all requirements of the driver are met
    needs: name of the required library or service, and its location or how to get it
    count: number of devices that respond
    found: texts that identify the first of these devices

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
    """Optional functions of a driver. In addition to its function table, the driver then exports

        const tacDeviceExtras *tac_device_extras(void);

    Each function may be NULL. None of the functions is called in ticks.

    abi: value TAC_DEVICE_ABI
    probe: Fills `probe`, which the caller has zeroed. `options` is as for tacDeviceDriver.open.
    trouble: Writes the reason for the loss of the device to `text` (`size` bytes); "" if the device is not lost.

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

    A function that opens a device fills this struct. A program with its own device may fill the struct itself. It
    must then set `self`, `info` and `driver`, and zero the other members. In the driver, at least `abi`, `name`,
    `read` and `write` must be set, and the other members must be zero.

    driver: functions of the driver; NULL: no device
    self: first argument of the driver's functions
    info: properties of the device
    library: shared object opened by tac_device_load; NULL for built-in devices
    extras: optional functions of the driver; NULL: none

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

    name: name of the driver, for tac_device_load
    path: path of the file NAME.so

    tacDriverFile of <tactus/device.h>."""

    name: str
    path: str


define(DriverFile, [
    ("name", c_char * 64),
    ("path", c_char * 1024),
])


class TrajectoryPoint(Struct):
    """A point of a trajectory.

    time: time of the point, s, 0 or later
    position: position, m
    orientation: orientation, unit quaternion w, x, y, z
    buttons: sum of TAC_BUTTON_* from this point to the next point

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
    """A simulated hand that follows a path and holds a simulated device. Hand and device form a closed loop with the
    rendered force f:

        M x'' = k_h (p - x) + b_h (p' - x') - b_d x' - friction + f

    p is the position on the path, x is the position of the handle, and M is the mass of device and hand. A prime is a
    time derivative. The hand is a spring k_h and a damper b_h, which pull the handle towards the path. b_d is the
    damping of the device. The force is constant between ticks (zero-order hold) and is cut at the force limit of the
    device. The position is read through an encoder. The integration uses steps of `substep`.

    info: properties of the device
    device_mass: apparent mass of the device at the handle, kg
    device_damping: damping b_d of the device, N s/m
    device_friction: Coulomb friction of the device, N
    device_inertia: rotational inertia of the device, kg m^2, for 6 dof
    hand_mass: mass of the hand, which moves with the handle, kg
    hand_damping: damping b_h of the hand relative to the path's velocity, N s/m
    hand_stiffness: stiffness k_h of the hand towards the path, N/m
    hand_rotational_stiffness, hand_rotational_damping: Rotational stiffness, N m/rad, towards the path's orientation;
    rotational damping, N m s/rad, relative to the path's angular velocity; both for 6 dof.
    noise: Amplitude of the position noise, m; default 0. Each axis of a read position has a random error, uniform
    between -noise and +noise. The errors are the same in every run.
    substep: upper bound of an integration step, s; default 25e-6
    repeats: true: the path repeats; its first and last points must coincide

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

    A spring and a damper pull a handle with a mass towards the pointer. The rendered force acts on the handle, and
    the tool is at the position of the handle. So the length of the spring shows the force. Samples of the pointer
    come at display rate and in bursts. Between samples, the end of the spring moves along a line, in about the time
    between samples, and never faster than `speed`. Orientations follow in the same way. Torques have no effect.

    Touch: while the pointer does not touch, the tool is lifted (TAC_BUTTON_LIFT): the tool follows the pointer, and
    forces have no effect. After a touch begins, the tool stays lifted until the handle has reached the start position
    of the touch and is nearly at rest. Until then, the end of the spring waits at this position, even if the pointer
    moves away. The tool waits without a time limit, and so it is never lowered at another position.

    Second device: a pointer device may contain a second device, which controls the tool until the pointer is used.
    When the control changes, the tool is lifted while it moves from one device to the other. While the pointer
    controls the tool, the second device is still read, so that its time advances, but it gets no force. If the second
    device is late, lost or done during this time, the pointer device still reports TAC_DEVICE_FINE. While the second
    device controls the tool, its states, buttons, health and forces pass through. The health of the second device
    also passes through while the tool returns to the second device.

    stiffness: stiffness of the spring, N/m, 1 to 1e5
    damping: damping of the damper, N s/m, 0.01 to 1e4
    mass: mass of the handle, kg, 0.001 to 100
    speed: largest speed of the spring's end, m/s, at most 2; the speed of the handle is at most 2.5
    arrival: distance from the start of a touch below which the handle has arrived, m

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

    position: position of the pointer, m, device frame
    orientation: orientation, quaternion w, x, y, z of any length; zeros: no rotation
    touch, grab: states of touching and grabbing; `grab` has no effect while the tool is lifted

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
    """A linear elastic material, sigma = C epsilon. Stresses and strains are in the order xx, yy, zz, yz, zx, xy. Shear
    strains are engineering strains (gamma = 2 epsilon).

    density: density, kg/m^3
    stiffness: stiffness matrix C, Pa, symmetric and positive definite
    isotropic: true: the material is isotropic, and `young` and `poisson` are valid
    young, poisson: Young's modulus, Pa, and Poisson's ratio; valid only if `isotropic` is true

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
    """A hyperelastic material: a law, the parameters of the law, and a viscosity. docs/hyperelastic_laws.md lists the
    laws.

    The viscosity is a Prony series. In each term, the fraction `share` of the stress relaxes with the time constant
    `time`. The sum of the fractions is less than 1.

    law: name of the law, for example "neo-hookean"
    parameters: parameters in the order of tacMaterialLaw.parameter, SI units
    density: density, kg/m^3
    term_count: number of terms, 0 to TAC_LAW_MOST_TERMS; 0: no viscosity
    share, time: fractions, 0 to below 1; time constants, s, positive

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
    """Description of a hyperelastic law. All strings are static.

    name, about: name as in tacLawMaterial.law; description of the law in one line
    parameter_count: number of parameters
    parameter, unit: Name and unit of each parameter.
    otherwise: default value of each parameter; NaN: no default, a value is required
    fibres: true: the law is anisotropic and needs fibre directions for each element
    of_moduli: true: the parameters follow from the shear and bulk modulus at small strain

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

    DISPLACEMENT: displacement: 3 rows, m
    STRESS: stress: 6 rows in the order xx yy zz yz zx xy, Pa

    tacSensorKind of <tactus/material.h>."""

    DISPLACEMENT = 0
    STRESS = 1


class Sensor(Struct):
    """A sensor: a quantity at a point inside the body. Each Green's function includes the rows of all sensors (James and
    Pai 2001, section 3.5).

    name: name, not empty, unique in the body
    kind: measured quantity
    point: point inside the body, m, in the frame of the body

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

    BOUNDARY_ELEMENTS: boundary elements on the surface; supports one isotropic material
    FINITE_ELEMENTS: finite elements in a volume mesh; supports any linear materials

    tacReferenceMethod of <tactus/material.h>."""

    BOUNDARY_ELEMENTS = 0
    FINITE_ELEMENTS = 1


class ReferenceDef(Struct):
    """Definition of the reference problem, a member of tacGreenDef.

    method: discretisation
    surface: closed surface for boundary elements; not used for finite elements
    volume: volume mesh for finite elements; its boundary (tac_volmesh_surface) is the surface
    material_count: number of `materials`; 1 for boundary elements
    materials: array [material_count] of materials; isotropic for boundary elements
    material_of: array [element] of indices in `materials` for finite elements; NULL: materials[0]
    fixed: Array [vertex of the surface], true for fixed vertices. Boundary elements need at least three fixed
    vertices that do not lie on a line. Finite elements also accept a body without fixed vertices. Otherwise the bake
    returns TAC_ERR_GEOMETRY. A body without fixed vertices is free. Its displacements are relative to the rigid
    motion that the same forces cause with the given densities.
    fixed_inside: Array [vertex of the volume] for finite elements, true for inner vertices that never move under
    loads on the surface; NULL: none. For vertices of the surface, only `fixed` is used. The bake returns
    TAC_ERR_GEOMETRY if inner vertices are fixed but no vertex of the surface is fixed.
    sensor_count: number of `sensors`
    sensors: array [sensor_count] of sensors; may be NULL if the count is 0
    thread_count: number of threads; 0: one thread for each core
    accept_thin: True: the bake accepts a surface with parts that are thinner than the local edge length, and writes a
    warning to the log. False: such a surface is an error, because boundary elements make thin parts too stiff in
    bending.

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
    DEVICE_JUMPED: the device moved or turned faster than tacGuardDef.speed_limit or turn_limit
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
    turn_limit: rad/s of the device; a faster rotation is a fault (jump); default 50, above a fast human wrist (30).
    Quaternions q and -q are the same rotation. An orientation that stayed the same for n ticks may turn as far as in
    n ticks, n at most late_limit + 1: orientation sensors may be slower than the position.
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
    turn_limit: float
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
    ("turn_limit", c_double),
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
    """Id of a body in a world. `generation` identifies the world, so a world rejects the ids of other worlds. {0, 0} is
    the id of no body.

    tacBodyId of <tactus/tool.h>."""

    index: int
    generation: int


define(BodyId, [
    ("index", c_uint32),
    ("generation", c_uint32),
])


class PointToolDef(Struct):
    """A tool that touches bodies at a point, or a fingertip that presses a round patch of the surface.

    name: name of the tool; must be unique in the world and not empty
    radius: radius of a fingertip's contact with a soft body, m; default 0: a point tool

    tacPointToolDef of <tactus/tool.h>."""

    name: Optional[str]
    radius: float


define(PointToolDef, [
    ("name", c_char_p),
    ("radius", c_double),
])


class CouplingKind(IntEnum):
    """Kind of virtual coupling between the device and the held body (Barbic 2007, chapter 4).

    STATIC: quasi-static coupling: each step moves the body towards equilibrium, without inertia
    DYNAMIC: dynamic coupling: a spring and a damper move the body, which has a mass

    tacCouplingKind of <tactus/tool.h>."""

    STATIC = 0
    DYNAMIC = 1


class JawDef(Struct):
    """A jaw of a grasper: a rigid body that turns about a hinge of the held body. The grasper is open when jaw and held
    body are in their start poses.

    body: id of the jaw; a jaw belongs to only one tool
    hinge: point on the axis of the hinge, m, frame of the held body
    axis: direction of the hinge's axis, frame of the held body; the jaw closes by the right-hand rule

    tacJawDef of <tactus/tool.h>."""

    body: BodyId
    hinge: np.ndarray
    axis: np.ndarray


define(JawDef, [
    ("body", BodyId),
    ("hinge", Vec3),
    ("axis", Vec3),
])


class BodyToolDef(Struct):
    """A tool that holds a body. The body is rigid, or it is a reduced body with fixed vertices, which then move with the
    tool. The device gives a target pose, and a virtual coupling pulls the held body towards the target pose (Barbic
    2007, chapter 4).

    name: name of the tool; must be unique in the world and not empty
    body: id of the held body; only one tool can hold a body
    grasp: Point at which the device holds the body, m, body's frame. The input of the tool is the position of this
    point, and the rotation of the body from its orientation at the start. While the tool is lifted, the body rests,
    and no force acts on the hand.
    coupling: kind of coupling; default static
    stiffness: stiffness k_VC of the coupling, N/m; default 600
    turn_stiffness: Rotational stiffness of the coupling, N m; default 0.5: the torque is turn_stiffness sin(angle /
    2).
    force_most: Limit of the coupling's force, N: the force saturates beyond half of the limit; default 0: no
    saturation.
    torque_most: Limit of the coupling's torque, N m: the torque saturates beyond half of the limit; default 0: no
    saturation.
    static_damping: damping alpha of a static coupling, 0 to below 1; default 0.5
    speed_most, turn_most: limits of the body's speed, m/s, and of its angular speed, rad/s; default 1 and 10
    mass: Mass of the held body for a dynamic coupling, kg; default 0.1. The mass is used only if the body has no
    inertia of its own. The moments of inertia are then those of a solid ball of the body's radius.
    damping_ratio: damping ratio of a dynamic coupling; default 1
    reach: Largest distance between tool and body surface for grasping, m; default 0: the tool always holds the body.
    With a positive reach, the tool grasps the body when `grab` is pressed and the tool's position is closer to the
    surface than `reach`. The tool then holds the body until `grab` is released. The relative pose of tool and body
    stays as it was when the tool grasped the body. After the release the body rests at its pose, and the force on the
    hand fades within 20 ms.
    trocar: True for an instrument through a trocar; default false. The shaft is the line from `grasp` to `pivot` in
    the start pose of the body. The pivot stays on this line. The device gives the position of the grasp and the roll
    of the shaft. The positions of grasp and pivot give the tilt of the shaft. At rest, the law of the lever relates a
    force at the tip to the force on the hand. `turn_stiffness` is the stiffness of the roll.
    pivot: fixed point on the shaft, m, world frame; at least 1 mm from the grasp at the start
    jaw_count: A grasper has jaws that close together, as far as the input `grip` requests. All jaws turn by one
    angle, which is an additional coordinate. A motor turns the jaws at a finite speed, with a limited torque. number
    of jaws, at most TAC_MOST_JAWS; default 0; with jaws, `reach` must be 0
    jaws: jaws of the grasper; the first `jaw_count` entries are used
    jaw_angle: rotation of each jaw from open to closed, rad, less than pi; default 0.5
    jaw_time: time in which the motor turns the jaws from open to closed or back, s; default 0.5
    jaw_torque: Limit of the motor's torque, N m; default 0.1. Two jaws press with jaw_torque / (2 l) each at a
    distance l from the hinge.

    tacBodyToolDef of <tactus/tool.h>."""

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
    """A tool with one or two pads that hold patches of a body's surface, such as a finger pad or a gripper (James and
    Pai 2001, sections 4 and 5). A pad is a rigid disc. The position of the tool is the middle between its pads.

    The body must be elastostatic, with all its Green's functions stored. At most four pads of all tools together are
    on one body. Each pad holds at most the 32 vertices that are nearest to the pad. Pads on the same body interact
    with each other. Pads do not respond to point tools on the same body, nor to contacts of the body with other
    bodies.

    name: name of the tool; must be unique in the world and not empty
    body: id of the body that the pads hold
    radius: radius of a pad, m; default 6 mm
    hold: Way in which a pad holds the surface; default TAC_PAD_STICK. A pad that sticks takes hold when `grab` is
    pressed, and releases the surface when `grab` is released. A pad with TAC_PAD_PRESS presses always.
    friction: coefficient of friction of pads that press; default 0.5; INFINITY: the pads never slip
    opening: Distance between two pads, m; default 0: one pad. Two pads face each other at +-opening/2 along the
    tool's x axis.
    approach: unit vector from a single pad into the body, at identity orientation; default -z
    stiffness: stiffness of the coupling between device and pads, N/m; default 600
    turn_stiffness: Rotational stiffness of the coupling, N m; default 0.5: the torque is turn_stiffness sin(angle /
    2).
    speed_most, turn_most: Limits of the speed, m/s, and angular speed, rad/s, of pads that hold the surface; default
    1 and 10. The speed is also limited to a quarter of the radius per step, and the angular speed to 0.2 rad per
    step.

    tacPadToolDef of <tactus/tool.h>."""

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


class ToolInput(Struct):
    """Input of a tool for one step.

    position: Position of the tool, m: the tip x^H of a point tool, the grasp of a held body, or the middle between
    pads.
    orientation: Orientation of pads, or rotation of a held body from its start orientation; unit quaternion w, x, y,
    z; point tools ignore it.
    grab: True: the tool holds the touched point or patch, which then neither slides nor separates, even under
    tension.
    lifted: True: the tool touches nothing at any position. When `lifted` becomes false, the tool approaches bodies
    from outside again.
    grip: Requested closing of the jaws, 0 (open) to 1 (closed); `grab` closes the jaws fully. The value is cut to
    this range, and NaN or infinite counts as 0. The jaws follow at the speed of tacBodyToolDef.jaw_time.

    tacToolInput of <tactus/tool.h>."""

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

    force: force on the hand, N: the reaction to the contact force
    torque: torque on the hand, N m
    proxy: Position at which the tool is shown, m. For a point tool, the proxy x^E (tacContact.deformed) in contact,
    and otherwise the position of the tool; for a held body, the position of the grasp; for pads, the middle between
    the pads.
    proxy_orientation: orientation of a held body or of pads, unit quaternion w, x, y, z
    depth: Depth of contact, m. For a point tool, |x^H - x^C|, where x^H is the tip and x^C the contact point
    (tacContact.at); for a held body, the depth of the deepest point of its pairs; for pads, the distance between pads
    and device.
    contact: Contact of the tool. For a held body or pads, position and normal are means over the contact points, and
    the body and the force are those of the other body.
    saturated: 1 if a coupling is near its limit, otherwise 0. The force on the held body is then less than nine
    tenths of the force on the hand. So the body lags behind.

    tacToolOutput of <tactus/tool.h>."""

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

    sweeps: Largest number of sweeps over coupled contacts, and of steps of Newton's method; 0 or 1 if at most one
    tool touches a body.
    residual: residual of the laws of the coupled contacts, m
    residual_force: residual of the laws of the coupled contacts, N
    unsolved: Number of contact islands whose solver reached its limit of sweeps: the laws hold only up to the
    residuals.
    laws: number of contacts that obeyed contact laws, including those of penalty pairs (tacContactMethod)
    saturated: number of loops (sliding, sweeps) that reached their limit in this tick
    uncoupled: number of pairs of contacts whose mutual influence was neglected because it is not yet in memory
    refused: Number of invalid inputs (replaced by the last valid input of the tool), bodies brought to rest, and
    rejected requests.
    limited: number of bodies whose acceleration was limited
    touching: Number of pairs in contact: two free bodies, or a free body and the floor. Only bodies that stepped in
    this tick are considered.
    visited: number of nodes visited by the traversals of all pairs with penalty springs
    points: number of pointshell points in contact, of all pairs with penalty springs
    level: deepest level that was rendered completely, minimum over all pairs; 0 if there is no pair
    degraded: Number of pairs whose deeper levels were omitted or only partly rendered because of the time budget.
    renewed: Bit set with one bit for each of the first 32 bodies that have a separate thread. A bit is 1 if the body
    takes a result of its thread in the step that begins in this tick.
    taken: Members for worlds with simulate_every > 1: true: this tick took the result of the last step of the bodies
    overdue: number of ticks by which the result was late; meanwhile the bodies stand still
    step: processor time of the step whose result was taken, s
    within: Processor time that this tick spent on a step of the bodies, s; 0 if a separate thread computes the steps.
    error_estimate: Members for all worlds: largest estimated model error of a body in the last eight ticks; 0.1 is 10
    %
    error_body: 1 + index of the body with the largest estimate; 0: no body has an error estimate above 0
    coupling_saturated: number of tools whose tacToolOutput.saturated is 1

    tacTickReport of <tactus/tool.h>."""

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


class WorldDef(Struct):
    """Definition of a world.

    period: time between two steps (a tick), s, 1e-5 to 1; default 0.001
    budget: Limit of the time that the contacts of pairs take in a step, s, 0 to 1; default 0: no limit.
    tac_world_seal measures the cost of these contacts on this machine and sets the parameter `nodes` of each pair. A
    servo adapts `nodes` during the run.
    movable: True: tac_world_move_body may move bodies at rest, and snapshots hold the poses of all bodies; default
    false.
    method: contact method for contacts of free bodies without a tacPairDef; default penalty
    simulate_every: Number of ticks in one step of the bodies, 1 to 100; default 1. If the number is larger than 1,
    the bodies are simulated at a lower rate than the tools are rendered; see tac_world_start_simulation.
    laws: options for contact laws at contacts of free bodies without a tacPairDef

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
    """Properties that bodies of all kinds have. The header of each kind declares the function that adds a body of the
    kind, for example tac_world_add_green.

    Defaults: the body rests at the origin, without gravity. The coefficient of friction is 0.4. The touch spring and
    damper are 300 N/m and 0.3 N s/m. The contact spring and damper are 2000 N/m and 2 N s/m. The default definition
    of a kind may differ.

    name: name of the body; must be unique in the world and not empty
    kind: kind name shown in reports and the viewer; may be empty; set by the functions of the kind
    pose: pose of the body's frame in the world at the start
    free: True: the body moves under forces and needs an inertia; false: the body rests, or a tool holds the body.
    velocity, spin: Velocity of the centre of mass at the start, m/s; angular velocity at the start, rad/s; for a free
    body.
    gravity: gravitational acceleration, m/s^2, world frame
    every: number of ticks from one step of this body to the next, 1 to 100; default 1
    friction: Coulomb's coefficient of friction with tools, with the floor, and with bodies that form no pair with
    this body.
    touch_stiffness: stiffness of the spring between a point tool and its contact point, N/m
    touch_damping: damping of the touched point, N s/m; the hand is not damped
    contact_stiffness: stiffness of penalty contacts of a free body with other bodies, N/m
    contact_damping: damping of penalty contacts of a free body with other bodies, N s/m
    shown: way in which the body is displayed; set by the functions of the kind

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
    """The floor: a half space that free bodies cannot enter. Their points x satisfy n.x >= offset. A world has no floor
    until tac_world_set_floor adds the floor.

    normal: unit normal n, out of the floor; default +z
    offset: n.x of the points on the floor's surface, m; default 0
    friction: Coulomb's coefficient of friction; default 0.5

    tacFloorDef of <tactus/world.h>."""

    normal: np.ndarray
    offset: float
    friction: float


define(FloorDef, [
    ("normal", Vec3),
    ("offset", c_double),
    ("friction", c_double),
])


class PairDef(Struct):
    """Two bodies in distributed contact: the points of one body are tested against the distance field of the other body
    (Barbic 2007, chapter 3). A body may belong to several pairs.

    points, field: body that supplies the points; body that supplies the distance field
    stiffness: Stiffness k_C of one point, N/m; default 0: automatic. The automatic stiffness is such that a load
    causes a depth of 1 % of the thickness of the thinner body. The load is a push of 5 N plus the weight of all free
    bodies in the world when the pair is added.
    full_count: number L of points in contact above which each point becomes softer; default 10
    ramp: Depth at which a point reaches its full weight, m; default 0: a fifth of the voxel size of the field or of
    the spacing of the points, whichever is less.
    friction: Coulomb's coefficient of this pair; default 0; the coefficients of the bodies have no effect
    tangential: tangential stiffness of sticking contacts, relative to `stiffness`; default 0.5
    area_weights: true: the force of each point is weighted by the area of the point; default true
    level_most: deepest level of the points that is used; default: all levels
    method: Contact method; default penalty; Signorini's method uses only `friction` and `level_most` of the members
    above.
    laws: Options for contacts that obey contact laws; TAC_DETECT_SURFACES needs neither points nor a field.

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


class Snapshot(Struct):
    """Data that a display needs to show the world at one moment. Plain data: a tick makes the snapshot, and other
    threads use it.

    state: state from tac_world_state, in memory of the snapshot's creator; NULL: all bodies at rest
    position: tacToolInput.position
    orientation: tacToolInput.orientation
    lifted: tacToolInput.lifted
    given: Magnitude of the force that the hand gets, N; equal to the magnitude of `output.force` if `limits` is 0.
    limits: sum of TAC_LIMIT_*: reasons why the hand does not get the force of `output`

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


class ToolRecord(Struct):
    """Record of one tool in one tick.

    device: state of the device, as read
    health: condition of the device, a tacDeviceHealth
    position: position of the tool in the scene, m; input of the world
    orientation: orientation of the tool, unit quaternion w, x, y, z; input of the world
    grab, lifted: inputs of the world; `grab` is 0 or 1, plus 256 times the grip in 255ths
    output: output of the world
    written: force on the hand that was sent to the device, N, device frame
    written_torque: torque on the hand that was sent to the device, N m
    limits: sum of TAC_LIMIT_*

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
    late_ns, compute_ns: Delay of the start after the deadline, ns; computing time, ns; a replay does not compare
    these times.
    report: report of the world for this tick
    flags: sum of TAC_TICK_*
    parameter: 1 + index of the world's parameter that was set before this tick; 0: no parameter
    parameter_value: value to which this parameter was set
    tool: records of the tools; only entries for tools of the world are stored

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

    period: period of a tick, s
    simulate_every: number of ticks in one step of the bodies, 1 to 100
    tool_count: number of tools of the world
    parameter_count: number of parameters of the world; 0: the values of parameters are not stored
    parameters: values of the parameters at the start of the recording, [parameter_count]
    state_size: number of values in a state, see tac_world_state_size
    scene_path: path of the scene file
    scene: complete text of the scene
    program: version and build of the program that recorded
    platform: platform on which the run was computed; for a recorder NULL: this platform
    assets: list of assets from tac_scene_assets

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
    """Largest difference between recorded and replayed values.

    most: largest difference; infinity if one of the values is NaN
    tick: tick of the largest difference; -1: all values are equal
    index: index of the tool, or of the body in the world

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

    tick_count: number of compared ticks
    first_difference: number of the first tick that differs; -1: every bit is the same
    difference: one line that names the first difference; "" if there is no difference
    ended: true: a record was lost in the recording, so the ticks after the lost record could not be compared
    force, torque: largest recorded force on a hand, N; largest recorded torque on a hand, N m
    force_gap, torque_gap, proxy_gap: differences of tools: force, N; torque, N m; proxy, m
    surface_gap: Difference of vertex positions, m, for bodies with a state, in ticks with a stored state.
    felt_ticks, far_ticks: Number of ticks with a force or torque in the recording or in the replay; number of these
    ticks in which values of a tool are far apart.

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

    While the index button is held, the offset changes so that the tool rests. R^T maps forces back to the device,
    without scaling.

    scale: scene metres per device metre; positive; default 1
    centre: scene position of the device's centre, m; default the origin
    device_centre: centre of the device's workspace, m, device frame; default the origin
    orientation: Rotation R from device axes to scene axes, unit quaternion w, x, y, z; default the identity.

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

    rate: rate of the loop, Hz, 250 to 10,000; must be 1 / period of the world; default 1000
    real_time: True, the default: each tick begins at an absolute deadline. False: each tick begins as soon as the
    previous tick has ended. Both modes give the same bits as long as the bodies of a world with simulate_every > 1
    are in time.
    duration: duration of the run, s; default 0: until the servo is stopped or a device is done
    priority: SCHED_FIFO priority of the loop in real time, 1 to 99; 0: normal scheduling; default 80
    core: processor core of the loop; default -1: any core
    lock_memory: True: in real time, mlockall locks all memory of the process that is mapped when the loop begins.
    This memory includes the host's memory and the stacks of the host's threads. The memory becomes resident and is
    never swapped, even after the servo has ended. Default false. Set the member only if all memory of the program may
    be locked.
    ramp_in: duration of the ramp from zero force to full force at the start, s; default 0.5
    ramp_out: duration of the ramp to zero force after a fault, s; default 0.05
    speed_limit: limit of a device's speed, m/s; a faster state is a fault (a jump); default 5
    turn_limit: limit of a device's angular speed, rad/s; a faster state is a fault (a jump); default 50
    late_limit: limit of consecutive ticks without a new device state; one more is a fault; default 20
    force_rate: Limit of the rate at which a force changes, N/s; default 500. In one second a force changes by at most
    `force_rate` plus the device's stiffness limit times the device's motion.
    passivity: true: damping is added if the device port would generate energy; default true

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
    turn_limit: float
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
    ("turn_limit", c_double),
    ("late_limit", c_int),
    ("force_rate", c_double),
    ("passivity", c_bool),
])


class ServoErrorEstimate(Struct):
    """Statistics of the estimated model error of a body (tac_world_body_error_estimate).

    body: index of the body
    ticks: number of ticks with an error estimate of at least TAC_ERROR_ESTIMATE_SOME
    much: number of ticks with an error estimate of at least TAC_ERROR_ESTIMATE_MUCH
    worst: largest error estimate; 0.1 is 10 %
    worst_tick: tick of the largest error estimate
    fine: Largest sum of the forces of all tools on the body at an error estimate below TAC_ERROR_ESTIMATE_SOME, N.

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
    """Statistics of a limit that cuts forces.

    ticks: number of ticks in which the limit was reached
    worst: Largest force, N: the force requested by the world for the force limit; the difference between requested
    and written force for the rate limit; the force on the hand for the coupling limit.
    worst_tick: tick of `worst`; 0 if `ticks` is 0

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
    """Report of a run. Arrays of TAC_MOST_TOOLS entries have one entry for each tool.

    ticks: number of ticks
    seconds: wall-clock time of the run, s
    rate: mean rate, ticks / seconds, Hz
    compute_p50, compute_p99, compute_p999, compute_max: Processor time of the servo thread for one tick (reading,
    stepping and writing), s: median, 99 % and 99.9 % quantiles, and maximum, from a histogram with classes 1 % wide.
    late_p50, late_p99, late_p999, late_max: Delay of the start of a tick after the deadline of the tick, s: median,
    99 % and 99.9 % quantiles, and maximum.
    missed_by_computation: number of ticks whose computing time was longer than a period
    missed_by_lateness: Number of ticks that ended after the next deadline although their computing time was within a
    period.
    force_max: largest written force, N
    force_step_max: largest change of the written force between consecutive ticks, N
    penetration_max: largest tacToolOutput.depth, m; for a point tool, |x^H - x^C|
    energy_absorbed: net work of the hand on the world at the device port, J: sum -f.dx
    energy_least: Least value of that net work during the run, J; negative: the port generated energy.
    work: sum |f.dx| at the device port, J, for comparison
    asked: energy generated by the world's force, before ramps, limits and damper
    written: energy generated by the force that is sent to the device
    limited_force, limited_rate, damped: Numbers of ticks in which the force limit, the rate limit or the passivity
    controller acted.
    saturated, refused: sums of tacTickReport.saturated and tacTickReport.refused over all ticks
    contact_ticks: number of ticks in which any tool had contact
    taken: Members for worlds with simulate_every > 1, whose bodies are simulated at a lower rate: number of steps of
    the bodies whose results were taken in ticks
    overdue: number of ticks in which a result was late
    step_p50, step_p99, step_p999, step_max: Processor time of a step of the bodies, s: median, 99 % and 99.9 %
    quantiles, and maximum.
    fault: first fault of the run; TAC_FAULT_NONE: no fault
    fault_device: index of the device with the first fault; -1: no device
    fault_tick: tick of the first fault; -1: no fault
    remark: text of tac_servo_remark
    error_estimate_count: number of bodies with an error estimate, at most TAC_SERVO_MOST_ERROR_ESTIMATES
    error_estimates: Statistics of bodies with an error estimate; the first `error_estimate_count` entries are valid.
    force_limit, rate_limit, coupling_limit: Statistics of the limits that cut forces. A coupling is at its limit if
    tacToolOutput.saturated is 1.

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

    compute, late: processor time of the tick, s; delay of its start after the deadline, s
    force: magnitude of the written force, N
    penetration: tacToolOutput.depth, m
    energy: energy absorbed at the device port since the start, J
    error_estimate: tacTickReport.error_estimate
    limits: sum of TAC_LIMIT_*
    asked: magnitude of the world's force before ramps, damper and limits, N

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
    """Contacts of one tick that obey contact laws, and the coupling between these contacts.

    count: number of entries in `contacts`
    contacts: contacts from tac_world_contacts
    coupled: number of first contacts that `delassus` covers; 0: `delassus` was not requested
    delassus: Delassus operator W, m/N, dense [3 coupled][3 coupled]: the motion of each contact per unit force at
    each contact. Each contact has three rows: one for its normal, then two for tangential directions.

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
    """A live parameter: a parameter of the world that the scene allows users to change during a run (key `live`).

    name: name of the parameter, such as "kidney.stiffness", "bridge.cables.mu" or "hoses-part.friction"
    least, most: smallest and largest value, SI units; the value in the scene lies in this range

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
    """An asset of a body, and how tac_scene_bake obtained the asset.

    The first asset of a body is the asset of its kind. Optional assets follow in this order: a distance field,
    distances to baked deformations, and points. If the body has coordinates, the field deforms and the points are
    embedded in the body. A body of simple solids with an exact distance field needs no asset for the field.

    body: index of the body in the scene
    kind: File extension: "field", "deformed", "loads", "points", or the kind of the body, such as "green".
    path: path of the file in the cache, or of the file that the scene names; "" for an exact field
    was_cached: true: the asset was read from the cache
    seconds: time to bake or to read the asset, s
    bytes: size of the file, bytes
    checksum: checksum of the content, the same for cached and new assets; 0: the file cannot be read

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
    WARNING: problem of a scene that runs, but probably not as intended
    FAULT: problem of a scene that cannot be baked or run

    tacFindingLevel of <tactus/scene.h>."""

    NOTE = 0
    WARNING = 1
    FAULT = 2


class Finding(Struct):
    """A finding of tac_scene_check: a problem of a scene, or a note.

    level: severity
    about: topic in one word, for example "mask", "path" or "thin"
    text: one line: "scene.yaml:14: bodies[0].mask: what is wrong; what would be right"

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
    """Part of Xi that an asset stores. An asset stores columns only for the vertices of tacGreenDef.wanted.

    WHOLE: all rows of each wanted column
    NEAR: 3 x 3 blocks for pairs of wanted vertices with a distance of at most tacGreenDef.near_radius. The blocks are
    sufficient for the stiffness of point-like contact. Whole columns and sensors are computed on demand from the
    stored reference problem.

    tacGreenStorage of <tactus/green.h>."""

    WHOLE = 0
    NEAR = 1


class GreenDef(Struct):
    """Options of tac_green_bake.

    problem: elastic problem: surface or volume, materials, fixed vertices, sensors
    wanted_count: number of `wanted` vertices
    wanted: Vertices whose columns are stored, in any order. NULL: every free vertex; the displacement of fixed
    vertices is then always zero.
    storage: part of Xi that is stored; default TAC_GREEN_WHOLE
    near_radius: largest distance between the vertices of a stored block, m; only for TAC_GREEN_NEAR
    factored: Path of a file for the factored problem, from which columns are computed on demand. If the file already
    contains the same problem, the bake uses the file; otherwise the bake writes the file. NULL: no file.
    checkpoint: Path of a file for finished columns. After an interruption, the bake continues from this file, with
    the same bits. The bake ignores a file that is broken or belongs to another bake. At the end the file contains all
    columns. The caller deletes the file after the result is saved. NULL: no file.
    error_estimate_loads: Number of loads for which the nonlinear problem is also solved, to fit the estimated model
    error of the body (tac_world_body_error_estimate); default 9; 0: the model error is unknown.

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
    """Definition of an elastostatic body of a world. The body is at rest, held by a tool, or free.

    body: Name, pose and contact springs; `every` has no effect.

    A free body is a corotational body (Duriez and others 2006, section 6): it moves as a rigid body with `inertia`,
    and deforms in its own frame. Green's functions of a body without fixed vertices contain no rigid motion, so only
    the frame performs rigid motion. Fixed vertices move with the frame.
    green: Green's functions; must outlive the world
    mask_radius: radius of the spherical pressure masks, m; 0: single vertices, only for comparison
    stiffness: factor on the baked stiffness; default 1
    rigid_stiffness: Stiffness k^Rigid of fixed vertices, N/m, which is also the upper limit of the stiffness that is
    rendered anywhere; default 1500.
    young, poisson: Young's modulus, Pa, and Poisson's ratio of the baked material, used for contact with fingertips.
    Default 0 for `young`: the material is unknown. A fingertip then has only the compliance of the mesh, without the
    compliance of its contact patch.
    inertia: inertia of a body that is free or held by a dynamic coupling; mass 0: the mass of the tool
    problem: Factored problem of Green's functions stored as TAC_GREEN_NEAR. A thread of the world uses the problem to
    compute the responses that are needed for the display and for the coupling of several tools. The problem must
    outlive the world and must not be used elsewhere. NULL: contacts have their stiffness, but the displayed surface
    does not deform, and tools do not affect each other.
    response_bytes: limit of the memory for the responses computed from `problem`, bytes; default 1 GiB
    shell: Pointshell and distance field of the body at rest, for contact with other bodies. Each pointer may be NULL.
    Pointshell and field must outlive the world.

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
    """Factorization of A that is used for the compliance of contacts and as the preconditioner.

    ASYNCHRONOUS: newest finished factorization of the separate thread, rotated with the nodes
    EXACT: new factorization in each step; slow, only for comparison
    REST: factorization of the body at rest, as for a linear body; only for comparison

    tacFactorMode of <tactus/hyperelastic.h>."""

    ASYNCHRONOUS = 0
    EXACT = 1
    REST = 2


class HyperelasticBodyDef(Struct):
    """Definition of a hyperelastic body. tac_world_add_hyperelastic copies all data that the definition points to.

    body: name, pose and contact springs; `spin` has no effect, and `every` is always 1
    mesh: volume mesh of tetrahedra only; its boundary is the surface of the body
    material_count: number of `materials`, at least 1
    materials: array [material_count]: laws, parameters, densities and viscosities
    material_of: array [tetrahedron] of indices in `materials`; NULL: the first material everywhere
    fibres: Array [tetrahedron] of unit vectors along fibre, sheet and normal; NULL: the coordinate axes.
    fixed: array [vertex of mesh], true for vertices fixed to the body's frame; NULL: none
    moved: array [vertex of mesh], true for vertices moved by the parameter `moved`; NULL: none
    moved_along: unit vector in the direction of the parameter `moved`, which is in m; default: z axis
    moved_distance, moved_period: Distance, m, and period, s, of a periodic motion of the moved vertices, added to the
    parameter `moved`. In each period the vertices move from 0 to the distance and back; period 0, the default: no
    periodic motion.
    mass_damping, stiffness_damping: Coefficients alpha, 1/s, and beta, s, of Rayleigh damping, 0 to 1000; default 0.
    Rayleigh damping acts in addition to the viscosity of the materials.
    patches: True: the volumetric energy U uses the mean J of patches of elements, which avoids locking of nearly
    incompressible bodies; default false.
    factor: factorization; default TAC_FACTOR_ASYNCHRONOUS
    factor_delay: steps until a factorization is ready if no separate thread computes it, 1 to 1000; default 5
    most_sites: largest number of contact sites with a force at the same time, 1 to 256; default 96
    thread_count: number of threads that evaluate the elements; default 1: only the thread that runs the step

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
    """Options of tac_stuffing_fill.

    size: Edge length of the tetrahedra at the surface, m, at least 1/2000 of the longest side of the box of the
    surface. The size is the side of the cubes of the lattice. One third of the lattice edges have the length `size`;
    the others are 0.87 `size` long. Lattice points that are moved onto the surface cause edges of 0.2 to 1.5 `size`
    near the surface.
    levels: number of times that the size may double towards the interior, 0 to 16; 0: uniform size
    thread_count: number of threads; 0: one thread for each core

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
    """Rule that selects the voxels that become bricks.

    CENTRE: voxels with their centre inside the surface: the volume is preserved; needs a closed surface
    COVER: voxels that the surface touches or encloses: no part is lost; accepts polygon soups
    SHELL: voxels that the surface touches: the result is hollow; accepts polygon soups

    tacVoxelRule of <tactus/meshing.h>."""

    CENTRE = 0
    COVER = 1
    SHELL = 2


class VoxeliseDef(Struct):
    """Options of tac_voxelise.

    resolution: number of cubic voxels along the longest side of the box of the mesh, 1 to 1024; default 64
    rule: rule that selects the voxels; default TAC_VOXELS_CENTRE

    tacVoxeliseDef of <tactus/meshing.h>."""

    resolution: int
    rule: VoxelRule


define(VoxeliseDef, [
    ("resolution", c_int),
    ("rule", c_int, VoxelRule),
])


class ShapeInfo(Struct):
    """Description of a shape of the gallery. All strings are static.

    name: name of the shape, for example "kidney" or "suspension-bridge"
    summary: one line of text: a description of the shape and its main dimensions
    size: default edge length of the triangles, m; resolves the thinnest part of the shape
    brick_size: default edge length of the bricks, m; 0: the shape has no exact bricks

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
    mode_count: number k of linear modes in the data of the basis; 0: no modes
    element_count, vertex_count: numbers of elements and vertices of the volume mesh
    mass: mass of the body, kg
    captured: fraction of the squared mass norm of the data that the basis represents, 0 to 1
    linear_least, linear_most: lowest and highest frequency of the k linear modes, Hz; 0 without modes
    reduced_least, reduced_most: lowest and highest frequency of the reduced body at rest, Hz
    seconds_modes, seconds_derivatives, seconds_basis, seconds_polynomials: Durations of the stages of the bake, s.
    bytes_polynomials: size of the polynomial coefficients of all groups, bytes
    bytes_bake: estimated peak memory of the bake, bytes

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

    MODES: linear modes and their derivatives; needs no loads
    SKETCH: static deformations under given loads
    MOTION: motion of the full simulation under loads that vary with time

    tacBasisSource of <tactus/reduced.h>."""

    MODES = 0
    SKETCH = 1
    MOTION = 2


class LoadSample(Struct):
    """A force at a point of the body, for TAC_BASIS_SKETCH and TAC_BASIS_MOTION.

    time: time of the force, s; samples with the same time act together
    point: point of the body at rest, m, in or near the volume
    force: force on the body, N
    radius: Radius of the region over which the force is spread, m. The spread force has the same resultant and
    moment. If the radius is less than the size of the elements, the force is not spread; 0: the force is not spread.

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
    """Options of tac_reduced_bake.

    volume: volume mesh of the body at rest
    material_count: number of `materials`, at least 1; each material forms one group
    materials: array [material_count] of materials
    material_of: array [element] of indices in `materials`; NULL: all elements have materials[0]
    group_names: Array [material] of group names. NULL: "body" for a single group; "group 1", "group 2", ... for
    several groups.
    fixed: array [vertex of the volume], true for fixed vertices; NULL or all false: a free body
    surface: embedded surface; NULL: the boundary of the volume
    lumped_mass: kind of mass matrix; true: lumped; default false: consistent
    source: source of the basis; default TAC_BASIS_MODES
    mode_count: Number k of linear modes, at most 1000; default 10. TAC_BASIS_SKETCH and TAC_BASIS_MOTION add the
    modes to their data; 0: no modes.
    size: number of coordinates r, at most TAC_BODY_MOST_COORDINATES; default 20
    load_count: number of `loads`
    loads: loads for TAC_BASIS_SKETCH and TAC_BASIS_MOTION, in the order of time
    motion_step: time step of the full simulation for TAC_BASIS_MOTION, s; default 1 ms
    motion_duration: duration of the full simulation, s; default 0: the simulation ends at the last load
    mass_damping, stiffness_damping: Rayleigh damping of the full simulation, 1/s and s; default 0
    strain_rate: True: the bake also computes the data for strain-rate damping, r^4 / 8 numbers for each part of the
    energy; default false.
    error_estimate_loads: Number of loads for which the full solution is computed, to measure the error estimate of
    the body (tac_world_body_error_estimate); default 12; 0: the error estimate is unknown. Each load is tried in the
    limit of small loads. Some loads are also tried at a large size; the number of large loads decreases with the size
    of the mesh. For free bodies and for meshes with over 30,000 vertices, no load is tried, and the error estimate is
    unknown.

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
    """Definition of a reduced body of a world. A body without fixed vertices is free: it falls, and touches the floor
    and other bodies.

    body: name, pose and contact springs; `free` has no effect
    reduced: baked body; must outlive the world
    kept: array [r], true for the vectors of the basis to use; NULL: all vectors
    mass_damping: alpha of the Rayleigh damping (alpha M + beta K(q)) q', 1/s; default 0.5
    stiffness_damping: beta of the same Rayleigh damping, s; default 0.002
    strain_rate: Time constant of strain-rate damping (Barbic 2007, (2.34)), s. The viscous stress is the time
    constant multiplied by the stress that the elasticity would have at the strain rate. A value above 0 requires a
    body that was baked with tacReducedDef.strain_rate. Default 0: no strain-rate damping.
    newton_steps: number of Newton iterations of the implicit Newmark method in a step, 1 to 10; default 1
    is_static: true: the body has no inertia
    linear: true: the body is geometrically linear, for sketching loads and for comparison
    acceleration_limit: limit of |q''|, kg^1/2 m/s^2; 0: no limit
    shell: Pointshell embedded in `reduced`, for distributed contact with other bodies (tacPairDef). May be NULL; must
    outlive the world.
    field: Distance field of `reduced`, for distributed contact with other bodies (tacPairDef). May be NULL; must
    outlive the world.
    loads: baked deformations of `field`; must outlive the world; NULL: none

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
    surface: surface for contact and display, closed or open; must outlive the world
    inertia: Inertia of a body that is free or held by a dynamic coupling, as computed by tac_mass_properties; default
    mass 0: the body has no inertia.
    shell: pointshell for distributed contact (tacPairDef); may be NULL; must outlive the world
    field: distance field for distributed contact; may be NULL; must outlive the world

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
        'Creates a mesh with zeroed arrays for the given counts. The caller frees the mesh with tac_trimesh_destroy.'),
    "tac_trimesh_destroy": (None, (c_void_p,),
        "mesh.h", 'void tac_trimesh_destroy(tacTriMesh *mesh)',
        'Frees a mesh and all its arrays. `mesh` may be NULL.'),
    "tac_trimesh_add_group": (c_int, (c_void_p, c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_add_group(tacTriMesh *mesh, const char *name, int count, const int *triangles, tacError *error)',
        'Appends a group of `count` triangles to a mesh. The function copies and sorts the list and removes duplicates. Returns TAC_ERR_ARGUMENT if the mesh already has a group of this name, or if an index is out of range.'),
    "tac_trimesh_validate": (c_int, (c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_validate(const tacTriMesh *mesh, tacError *error)',
        'Checks the indices and coordinates of a mesh. Returns TAC_ERR_GEOMETRY if an index is out of range or a coordinate is NaN or infinite; the error text names the wrong value. Every function that takes a mesh from a caller may assume that the mesh has passed this check.'),
    "tac_trimesh_require_closed": (c_int, (c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_require_closed(const tacTriMesh *mesh, tacError *error)',
        'Checks that a mesh encloses a volume.\n\nA mesh is closed if each directed edge occurs as often as the opposite edge. Winding numbers are then integers everywhere off the surface. Meshes with touching, nested or intersecting parts can be closed; an empty mesh is not.\n\nReturns TAC_ERR_GEOMETRY if the mesh is not closed; the error text states the number of boundary edges. Allocates memory, and so belongs to the offline phase.'),
    "tac_trimesh_box": (Box, (c_void_p,),
        "mesh.h", 'tacBox tac_trimesh_box(const tacTriMesh *mesh)',
        'Returns the box around all vertices, m. The box is empty (lower above upper) if there is no vertex or no mesh.'),
    "tac_trimesh_volume": (c_double, (c_void_p,),
        "mesh.h", 'double tac_trimesh_volume(const tacTriMesh *mesh)',
        'Returns the enclosed volume, m^3, positive if the triangles face outward. The result is meaningful only for closed meshes. A region inside several parts counts once for each of these parts.'),
    "tac_trimesh_solid_volume": (c_int, (c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_trimesh_solid_volume(const tacTriMesh *mesh, double *volume, tacError *error)',
        'Computes the volume of the solid that a closed mesh encloses, m^3, never negative.\n\nThe solid is the region with a winding number other than 0, so a region inside several parts counts once. The result is exact if no parts overlap. The volume of overlaps is sampled along rows, with an error of about 1e-4 of the volume of the box. Allocates memory, and so belongs to the offline phase.'),
    "tac_trimesh_normals": (None, (c_void_p, c_void_p,),
        "mesh.h", 'void tac_trimesh_normals(const tacTriMesh *mesh, tacVec3 *normals)',
        'Computes a unit normal for each vertex. The normal is the mean of the normals of the adjacent triangles, weighted by the angles of the triangles at the vertex. The normal is zero if no triangle with an area uses the vertex. `normals` has vertex_count elements.'),
    "tac_mass_properties": (c_int, (c_void_p, c_double, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_mass_properties(const tacTriMesh *surface, double density, tacInertia *inertia, tacError *error)',
        'Computes the mass properties of the solid that a closed surface bounds. `density` is uniform, in kg/m^3, and must be positive. The result is exact up to round-off.\n\nA cavity counts as empty if its triangles face into the cavity. A region inside several parts counts once for each of these parts. Returns TAC_ERR_GEOMETRY if the surface is not closed. Also returns TAC_ERR_GEOMETRY if the volume is not positive, because the surface is inside out or flat. Call in the load or offline phase.'),
    "tac_volmesh_create": (c_int, (c_int, c_int, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_create(int vertex_count, int tet_count, int brick_count, tacVolMesh **mesh, tacError *error)',
        'Creates a mesh with zeroed arrays for the given counts. The caller frees the mesh with tac_volmesh_destroy.'),
    "tac_volmesh_destroy": (None, (c_void_p,),
        "mesh.h", 'void tac_volmesh_destroy(tacVolMesh *mesh)',
        'Frees a mesh and all its arrays. `mesh` may be NULL.'),
    "tac_volmesh_add_group": (c_int, (c_void_p, c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_add_group(tacVolMesh *mesh, const char *name, int count, const int *elements, tacError *error)',
        'Appends a group of `count` elements to a mesh. The function copies and sorts the list and removes duplicates. Returns TAC_ERR_ARGUMENT if the mesh already has a group of this name, or if an index is out of range.'),
    "tac_volmesh_add_vertex_set": (c_int, (c_void_p, c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_add_vertex_set(tacVolMesh *mesh, const char *name, int count, const int *vertices, tacError *error)',
        'Appends a set of `count` vertices to a mesh. The function copies and sorts the list and removes duplicates. Returns TAC_ERR_ARGUMENT if the mesh already has a vertex set of this name, or if an index is out of range.'),
    "tac_volmesh_validate": (c_int, (c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_validate(const tacVolMesh *mesh, tacError *error)',
        'Checks the indices and coordinates of a mesh. Returns TAC_ERR_GEOMETRY if an index is out of range or a coordinate is NaN or infinite; the error text names the wrong value.'),
    "tac_volmesh_box": (Box, (c_void_p,),
        "mesh.h", 'tacBox tac_volmesh_box(const tacVolMesh *mesh)',
        'Returns the box around all vertices, m. The box is empty (lower above upper) if there is no vertex or no mesh.'),
    "tac_volmesh_volume": (c_double, (c_void_p,),
        "mesh.h", 'double tac_volmesh_volume(const tacVolMesh *mesh)',
        'Returns the sum of the volumes of all elements, m^3.'),
    "tac_volmesh_surface": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volmesh_surface(const tacVolMesh *mesh, tacTriMesh **surface, int **vertex_of, int **element_of, tacError *error)',
        'Extracts the boundary of a volume mesh: the faces that belong to only one element, facing outward. A face of a brick becomes two triangles. Vertices are renumbered without gaps.\n\n`vertex_of` receives an array that maps each surface vertex to its vertex of the volume mesh. `element_of` receives an array that maps each triangle to its element. Both pointers may be NULL. The caller frees both arrays with free.'),
    "tac_mesh_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_mesh_read(const char *path, tacMeshContents *contents, tacError *error)',
        'Reads a mesh file. Polygons become triangles. Elements of unsupported kinds are skipped with a warning in the log.\n\nOn success at least one mesh of `contents` is set, and the caller destroys the meshes. On failure both meshes are NULL. The error text for a broken file names the file and the line, or the byte offset in a binary file.'),
    "tac_mesh_format_name": (c_char_p, (c_int,),
        "mesh.h", 'const char *tac_mesh_format_name(tacMeshFormat format)',
        'Returns the name of a format, such as "obj", "stl-ascii", "stl" or "msh22-ascii". The option `tactus mesh --format` uses the same names. The function returns "unknown" for a value that is not a format.'),
    "tac_mesh_write": (c_int, (c_char_p, c_int, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_mesh_write(const char *path, tacMeshFormat format, const tacMeshContents *contents, tacError *error)',
        'Writes the surface, the volume mesh or both of `contents` to a mesh file.\n\nThe function writes to a temporary file in the folder of `path`, then renames the temporary file to `path`. An interrupted or failed write therefore does not change an existing file. Coordinates are written without rounding if the format allows it; binary STL stores floats. Returns TAC_ERR_UNSUPPORTED if the format cannot store the contents.'),
    "tac_surface_report": (c_int, (c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_surface_report(const tacTriMesh *mesh, tacSurfaceReport *report, tacError *error)',
        'Measures a surface. Allocates memory, and so belongs to the offline phase.'),
    "tac_volume_report": (c_int, (c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_volume_report(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error)',
        'Measures a volume mesh. Allocates memory, and so belongs to the offline phase.'),
    "tac_repair_def_default": (RepairDef, (),
        "mesh.h", 'tacRepairDef tac_repair_def_default(void)',
        'Returns the default options.'),
    "tac_repair": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "mesh.h", 'tacStatus tac_repair(const tacTriMesh *mesh, const tacRepairDef *def, tacTriMesh **repaired, tacRepairReport *report, tacError *error)',
        'Repairs the defects of a surface that can be repaired without a change of shape. The function does not change `mesh`. The result has the groups of `mesh`, and the caller destroys the result. Returns TAC_ERR_ARGUMENT if `weld` is negative, NaN or infinite. Allocates memory, and so belongs to the offline phase.'),
    "tac_distance_field_from_grid": (c_int, (c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_from_grid(const tacGrid *grid, tacDistanceField **field, tacError *error)',
        'Creates a field from samples of signed distances. On success the field takes over `grid->values`, which must come from malloc. On failure the caller still owns the values. Returns TAC_ERR_ARGUMENT if an axis has fewer than 2 nodes, if the spacing is not positive, or if a value is NaN or infinite. Call in the load phase.'),
    "tac_distance_field_plane": (c_int, (Vec3, c_double, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_plane(tacVec3 normal, double offset, tacDistanceField **field, tacError *error)',
        'Creates the field of a half space. A point p with normal . p < offset is inside. `normal` may have any length except 0. For a normal of length 1, `offset` is in metres. Call in the load phase.'),
    "tac_distance_field_sphere": (c_int, (Vec3, c_double, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_sphere(tacVec3 centre, double radius, tacDistanceField **field, tacError *error)',
        'Creates the field of a sphere. `centre` and `radius` are in m; the radius must not be negative. Call in the load phase.'),
    "tac_distance_field_box": (c_int, (Box, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_box(tacBox box, tacDistanceField **field, tacError *error)',
        'Creates the field of an axis-aligned box, in m. No lower bound may exceed the upper bound. Call in the load phase.'),
    "tac_distance_field_capsule": (c_int, (Vec3, Vec3, c_double, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_capsule(tacVec3 a, tacVec3 b, double radius, tacDistanceField **field, tacError *error)',
        'Creates the field of a capsule: all points within `radius` of the segment from `a` to `b`. All lengths are in m. Call in the load phase.'),
    "tac_distance_field_union": (c_int, (c_int, c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_union(int part_count, tacDistanceField *const *parts, tacDistanceField **field, tacError *error)',
        'Creates the union of `part_count` fields, at least 1. The value of the union is the smallest value of the parts. Outside the parts this value is the exact distance. Inside, where parts overlap, the value is only a bound of the distance. On success the union takes over the parts. A part may be a union. Call in the load phase.'),
    "tac_distance_field_destroy": (None, (c_void_p,),
        "distance_field.h", 'void tac_distance_field_destroy(tacDistanceField *field)',
        'Frees a field. `field` may be NULL. Call in the load phase.'),
    "tac_distance_field_gradient": (c_double, (c_void_p, Vec3, c_void_p,),
        "distance_field.h", 'double tac_distance_field_gradient(const tacDistanceField *field, tacVec3 p, tacVec3 *gradient)',
        'Returns the signed distance at `p`, m, and computes the gradient of the distance. `p` is in m.\n\nIn a grid field, value and gradient are the value and gradient of the trilinear interpolant of the samples (equation 3.11). The gradient is not normalised. Outside the box of the grid, the value is a lower bound of the distance (inequality 3.14), and the gradient is the direction away from the box.\n\nAt a point without a unique gradient, an analytic field gives one of the adjacent gradients. At the centre of a sphere and on the axis of a capsule the gradient is zero. If a coordinate is NaN or infinite, the value is infinity and the gradient is zero.'),
    "tac_distance_field_values": (None, (c_void_p, c_int, c_void_p, c_void_p,),
        "distance_field.h", 'void tac_distance_field_values(const tacDistanceField *field, int count, const tacVec3 *points, double *values)',
        'Computes the signed distances at `count` points, m. The values equal the results of tac_distance_field_gradient, but this function is faster.'),
    "tac_distance_field_grid": (c_void_p, (c_void_p,),
        "distance_field.h", 'const tacGrid *tac_distance_field_grid(const tacDistanceField *field)',
        'Returns the samples of a grid field, which belong to the field; NULL for an analytic field.'),
    "tac_distance_field_checks": (c_void_p, (c_void_p,),
        "distance_field.h", 'const tacBakeChecks *tac_distance_field_checks(const tacDistanceField *field)',
        'Returns the checks of the bake, which belong to the field. A field that was not baked has no checks.'),
    "tac_distance_field_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_write(const tacDistanceField *field, const char *path, tacError *error)',
        'Writes a grid field to a file. A failed write does not change an existing file. Returns TAC_ERR_UNSUPPORTED for an analytic field.'),
    "tac_distance_field_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_read(const char *path, tacDistanceField **field, tacError *error)',
        'Reads a grid field from a file. The caller destroys the field. If the file is truncated or altered, the error text names the broken chunk.'),
    "tac_field_def_default": (FieldDef, (),
        "distance_field.h", 'tacFieldDef tac_field_def_default(void)',
        'Returns the default options. Call in any phase.'),
    "tac_distance_field_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_bake(const tacTriMesh *mesh, const tacFieldDef *def, const tacProgress *progress, tacDistanceField **field, tacError *error)',
        'Bakes the signed distance to a closed mesh.\n\nGrid nodes within the band and on the faces of the box of the grid are exact to float precision. At other nodes the absolute value may be too large, but never too small. The excess is usually a fraction of a voxel, and at most 4.5 voxels. If the band is infinite, the bake takes up to 6 times longer.\n\nA point is inside if the winding number is not zero. Overlapping, touching and nested parts therefore form one solid. A cavity is outside if its triangles face into the cavity.\n\n`progress` may be NULL. Returns TAC_ERR_GEOMETRY if the mesh is not closed, and TAC_ERR_CHECK if the result fails a check.'),
    "tac_distance_field_bake_soup": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "distance_field.h", 'tacStatus tac_distance_field_bake_soup(const tacTriMesh *soup, const tacFieldDef *def, const tacProgress *progress, tacDistanceField **field, tacTriMesh **surface, tacError *error)',
        'Bakes the signed distance to the offset surface of any set of triangles (sections 3.8.1 and 3.11).\n\nThe bake computes the unsigned distance and extracts the isosurface at the distance `def->offset`. It then removes the components of the isosurface that lie inside other components, and bakes the signed distance to the remaining surface. `surface` receives the remaining surface, which the caller frees; `surface` may be NULL. `progress` may be NULL. Returns TAC_ERR_ARGUMENT if the offset is below half a voxel, and TAC_ERR_CHECK if the result fails a check.'),
    "tac_pointshell_destroy": (None, (c_void_p,),
        "pointshell.h", 'void tac_pointshell_destroy(tacPointshell *shell)',
        'Frees a pointshell. `shell` may be NULL.'),
    "tac_pointshell_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_write(const tacPointshell *shell, const char *path, tacError *error)',
        'Writes a pointshell to an asset file.'),
    "tac_pointshell_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_read(const char *path, tacPointshell **shell, tacError *error)',
        'Reads a pointshell from an asset file. The caller destroys the shell.'),
    "tac_pointshell_write_ply": (c_int, (c_void_p, c_char_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_write_ply(const tacPointshell *shell, const char *path, tacError *error)',
        'Writes the points to a binary PLY file with the properties x, y, z, nx, ny, nz (outward normal), level and area. The file does not contain the embedding in a body.'),
    "tac_pointshell_read_ply": (c_int, (c_char_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_read_ply(const char *path, tacPointshell **shell, tacError *error)',
        'Reads points from a PLY file. The file may come from another program, but must contain normals. If the property `level` is missing, the function assigns levels by farthest points (section 3.9.1, branching factor 4). If the property `area` is missing, the function estimates the areas. The caller destroys the shell.'),
    "tac_pointshell_checks": (c_void_p, (c_void_p,),
        "pointshell.h", 'const tacBakeChecks *tac_pointshell_checks(const tacPointshell *shell)',
        'Returns the checks of the bake, which belong to the shell.'),
    "tac_pointshell_level_count": (c_int, (c_void_p,),
        "pointshell.h", 'int tac_pointshell_level_count(const tacPointshell *shell)',
        'Returns the number of levels, 1 to TAC_POINTSHELL_MOST_LEVELS.'),
    "tac_pointshell_size": (c_int, (c_void_p, c_int,),
        "pointshell.h", 'int tac_pointshell_size(const tacPointshell *shell, int level)',
        'Returns the number of points of the levels 0 to `level`. If `level` is beyond the last level, the function returns the number of all points.'),
    "tac_pointshell_point": (Vec3, (c_void_p, c_int,),
        "pointshell.h", 'tacVec3 tac_pointshell_point(const tacPointshell *shell, int point)',
        'Returns the position at rest of the point with the index `point`, m.'),
    "tac_pointshell_displacements": (c_void_p, (c_void_p, c_void_p,),
        "pointshell.h", 'const float *tac_pointshell_displacements(const tacPointshell *shell, int *stride)',
        'Returns the matrix U_s of (3.6) as an array [point][axis][stride]: the displacement of each point, m for a unit of q_j. Only the first r numbers of a row are valid. `stride` receives the length of a row. The array belongs to the shell. Returns NULL for a rigid shell. Call in any phase.'),
    "tac_pointshell_with_basis": (c_int, (c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_with_basis(const tacPointshell *shell, int r, const double *displacements, const double *normal_changes, tacPointshell **embedded, tacError *error)',
        'Creates a shell with the same points that deforms with `r` coordinates, 1 to TAC_BODY_MOST_COORDINATES.\n\n`displacements` is an array [point][axis][r], m for a unit of a coordinate. `normal_changes` is an array dN of the same shape: the outward pseudo-normal is N + dN q. If `normal_changes` is NULL, normals do not change. The function copies both arrays. The caller destroys the new shell. Returns TAC_ERR_ARGUMENT if `r` is out of range. Call in the load phase.'),
    "tac_pointshell_deformed_point": (Vec3, (c_void_p, c_int, c_void_p,),
        "pointshell.h", 'tacVec3 tac_pointshell_deformed_point(const tacPointshell *shell, int point, const double *q)',
        'Returns the position of a point under the coordinates q[r], m, by equation (3.6). If `q` is NULL, the point is at rest. A rigid shell ignores `q`. Call in any phase.'),
    "tac_pointshell_def_default": (PointshellDef, (),
        "pointshell.h", 'tacPointshellDef tac_pointshell_def_default(void)',
        'Returns the default options.'),
    "tac_pointshell_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "pointshell.h", 'tacStatus tac_pointshell_bake(const tacDistanceField *field, const tacTriMesh *mesh, const tacPointshellDef *def, const tacProgress *progress, tacPointshell **shell, tacError *error)',
        'Bakes a pointshell by particle repulsion on the zero level set of a distance field (Barbic 2007, section 3.8.1).\n\n`field` is a grid field of a closed mesh, or of the offset surface of a polygon soup. `mesh` is a closed mesh that defines the normals. The normal of a point is the pseudo-normal of the closest face, edge or vertex of the mesh, so that sharp edges are preserved. If `mesh` is NULL, the normals are the normals of the level set. The bake chooses all other parameters automatically. The same input gives the same bits. Returns TAC_ERR_CHECK if the result fails a check. The caller destroys the shell.'),
    "tac_body_kind_register": (c_int, (c_void_p, c_void_p,),
        "body_kind.h", 'tacStatus tac_body_kind_register(const tacBodyKind *kind, tacError *error)',
        'Registers a kind of the host program. Scenes that are read afterwards may use the kind. The row must stay unchanged until the process ends. A second registration of the same row has no effect. Returns TAC_ERR_ARGUMENT if another kind has the same name or a required member is missing. Returns TAC_ERR_VERSION if the row or its table has another version. Load phase, any thread.'),
    "tac_body_kind_load": (c_int, (c_char_p, c_void_p,),
        "body_kind.h", 'tacStatus tac_body_kind_load(const char *path, tacError *error)',
        'Loads a shared object and registers all its rows, or none if one row fails. The object stays loaded until the process ends. The code of the object runs with the rights of the host process, which must allow it, see tac_plugin_set. Load phase.'),
    "tac_device_load": (c_int, (c_char_p, c_char_p, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_load(const char *path, const char *options, double period, tacDevice *device, tacError *error)',
        'Opens a device of a driver.\n\nA `path` that contains a slash or ends in ".so" is the path of a file. Any other text is a name: "openhaptics" means the file openhaptics.so in the folders of tac_device_drivers. A file outside of these folders needs permission, see tac_plugin_set. `options` is passed to the driver; NULL means "". `period` is the period of the servo, s.\n\nThe error text names the file and the missing part. Returns TAC_ERR_FILE if the file cannot be loaded, and TAC_ERR_FORMAT if the file is not a complete driver. Returns TAC_ERR_VERSION if the driver has another TAC_DEVICE_ABI. Returns TAC_ERR_UNSUPPORTED if the callback of tac_plugin_set refused the file. Load phase.'),
    "tac_device_close": (None, (c_void_p,),
        "device.h", 'void tac_device_close(tacDevice *device)',
        'Closes a device and zeroes the struct. A zeroed struct is allowed. Load phase.'),
    "tac_device_drivers": (c_int, (c_int, c_void_p,),
        "device.h", 'int tac_device_drivers(int most, tacDriverFile *files)',
        'Lists the drivers that are found by name, and returns the number of these drivers. No driver is loaded. The function fills the first `most` entries of `files`. If `files` is NULL, the function only counts.\n\nDrivers are files NAME.so in $TACTUS_DRIVERS, in the folder `drivers` beside the program, and in lib/tactus/drivers where the program or the library is installed. Each name is listed once, with the file that tac_device_load opens. Load phase.'),
    "tac_trajectory_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_trajectory_read(const char *path, tacTrajectory **trajectory, tacError *error)',
        'Reads a trajectory from a text file and interpolates the points smoothly, see tac_trajectory_create.\n\nEach row is "t x y z [qw qx qy qz [buttons]]", in s and m. All rows have the same number of columns. Blanks, tabs, commas or semicolons separate columns. The first line may contain the names of the columns. \'#\' starts a comment. Times must ascend. A TAC_ERR_FORMAT error names the wrong line. Load phase.'),
    "tac_trajectory_create": (c_int, (c_int, c_void_p, c_bool, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_trajectory_create(int count, const tacTrajectoryPoint *points, bool smooth, tacTrajectory **trajectory, tacError *error)',
        'Creates a trajectory from a copy of `count` points, at least 1. Times must ascend.\n\nIf `smooth` is true, positions follow a cubic (Catmull-Rom) between points, and orientations also follow a cubic. If `smooth` is false, positions follow a line, and orientations the shortest arc. A TAC_ERR_ARGUMENT error names the invalid point. Load phase.'),
    "tac_trajectory_destroy": (None, (c_void_p,),
        "device.h", 'void tac_trajectory_destroy(tacTrajectory *trajectory)',
        'Frees a trajectory. `trajectory` may be NULL. Load phase.'),
    "tac_trajectory_duration": (c_double, (c_void_p,),
        "device.h", 'double tac_trajectory_duration(const tacTrajectory *trajectory)',
        'Returns the time of the last point of a trajectory, s. Any phase.'),
    "tac_trajectory_at": (None, (c_void_p, c_double, c_void_p, c_void_p,),
        "device.h", 'void tac_trajectory_at(const tacTrajectory *trajectory, double time, tacDeviceState *state, tacVec3 *velocity)',
        'Computes the state and the velocity (m/s) of a trajectory at `time` (s). `velocity` may be NULL. Before the first and after the last point, the trajectory is at rest. Any phase.'),
    "tac_device_replay_open": (c_int, (c_void_p, c_bool, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_replay_open(tacTrajectory *trajectory, bool repeats, double period, tacDevice *device, tacError *error)',
        'Opens a device that plays a trajectory and ignores forces.\n\nEach read advances the time by `period`, s. At the end of the trajectory, the device reports TAC_DEVICE_DONE. If `repeats` is true, the trajectory starts again instead; its first and last points must then coincide. The device takes ownership of the trajectory. On failure, the function destroys the trajectory. Load phase.'),
    "tac_operator_def_preset": (c_int, (c_char_p, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_operator_def_preset(const char *name, tacOperatorDef *def, tacError *error)',
        'Fills `def` with a preset of hand and device.\n\nThe names are "premium-3" and "premium-6" (Phantom Premium-like, 3 and 6 dof), "omni" (Omni-like, 3 dof of force, encoder 0.055 mm), "omni-6", and "virtuose-6" (Virtuose 6D-like, 35 N). Returns TAC_ERR_ARGUMENT if the name is unknown; the error text lists all names. Load phase.'),
    "tac_operator_preset_name": (c_char_p, (c_int,),
        "device.h", 'const char *tac_operator_preset_name(int index)',
        'Returns the name of the preset with this index, 0, 1, ...; NULL after the last preset. Any phase.'),
    "tac_device_operator_open": (c_int, (c_void_p, c_void_p, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_operator_open(const tacOperatorDef *def, tacTrajectory *path, double period, tacDevice *device, tacError *error)',
        'Opens a simulated hand and device. `period` is the period of the servo, s. The path gives position, orientation and buttons. At the end of a path that does not repeat, the device reports TAC_DEVICE_DONE. The device takes ownership of the path. On failure, the function destroys the path. Returns TAC_ERR_ARGUMENT if a value of `def` is out of range. Load phase.'),
    "tac_pointer_def_default": (PointerDef, (),
        "device.h", 'tacPointerDef tac_pointer_def_default(void)',
        'Returns the default definition: 600 N/m, near critical damping, 0.15 kg, 1 m/s, 1 mm. Any phase.'),
    "tac_device_pointer_open": (c_int, (c_void_p, c_void_p, Vec3, c_double, c_void_p, c_void_p,),
        "device.h", 'tacStatus tac_device_pointer_open(const tacPointerDef *def, tacDevice *own, tacVec3 start, double period, tacDevice *device, tacError *error)',
        'Opens a pointer device.\n\n`own` is the second device. If `own` is NULL or a zeroed struct, there is no second device, and the pointer leads. The function takes ownership of `own` and zeroes the struct, also on failure. The new device has the info of `own`; without a second device, it has 3 dof, 20 N and 3000 N/m. The handle starts at the first state of `own`, or otherwise at `start` (m). `period` is the period of the servo, s. Returns TAC_ERR_ARGUMENT if a value of `def` is out of range. Load phase.'),
    "tac_device_pointer_move": (None, (c_void_p, c_void_p,),
        "device.h", 'void tac_device_pointer_move(const tacDevice *device, const tacPointerSample *sample)',
        'Passes a new sample to a pointer device. The function has no effect on other devices. Samples with a NaN or infinite number are ignored. Between two ticks, only the newest sample is used, but a touch that ended and began again is never lost. Any phase, from one other thread at a time; never waits.'),
    "tac_material_isotropic": (c_int, (c_double, c_double, c_double, c_void_p, c_void_p,),
        "material.h", 'tacStatus tac_material_isotropic(double density, double young, double poisson, tacMaterial *material, tacError *error)',
        "Fills `material` with an isotropic material of the given density (kg/m^3), Young's modulus (Pa) and Poisson's ratio. The values must satisfy density > 0, young > 0 and -1 < poisson < 0.5. Otherwise the function returns TAC_ERR_ARGUMENT and sets `material` to zero."),
    "tac_material_anisotropic": (c_int, (c_double, c_void_p, c_void_p, c_void_p,),
        "material.h", 'tacStatus tac_material_anisotropic(double density, const double coefficients[21], tacMaterial *material, tacError *error)',
        'Fills `material` with an anisotropic material of the given density (kg/m^3) and stiffness matrix C (Pa). `coefficients` contains the upper triangle of C in the order of rows: C11 C12 ... C16 C22 ... C66. Returns TAC_ERR_ARGUMENT if the density is not positive or C is not positive definite.'),
    "tac_material_law": (c_bool, (c_int, c_void_p,),
        "material.h", 'bool tac_material_law(int index, tacMaterialLaw *law)',
        'Describes the law with the given index, 0, 1, ... Returns false if `index` is beyond the last law.'),
    "tac_law_material_check": (c_int, (c_void_p, c_void_p,),
        "material.h", 'tacStatus tac_law_material_check(const tacLawMaterial *material, tacError *error)',
        'Checks that the law exists and that parameters, density and viscosity are in their ranges. The error text names the wrong value and its range.'),
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
        'Checks the state of the device and returns a state that is safe to use. Call it once a tick, first.\n\n`read` is the state as read, and `health` what the device reported. If there is no new state, pass TAC_DEVICE_LATE; `read` may then be NULL. TAC_DEVICE_DONE stops the guard without a fault.\n\n`state` receives the last valid state, with its quaternion normalised and its buttons debounced. It may be the same struct as `read`.\n\nReturns the fault that ended the forces, in this tick or earlier; TAC_FAULT_DEVICE_LOST for a NULL argument. With a fault there is nothing left to render, and the world need not be stepped.'),
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
    "tac_point_tool_def_default": (PointToolDef, (),
        "tool.h", 'tacPointToolDef tac_point_tool_def_default(void)',
        'Returns a definition with the defaults that the comments of tacPointToolDef state.'),
    "tac_body_tool_def_default": (BodyToolDef, (),
        "tool.h", 'tacBodyToolDef tac_body_tool_def_default(void)',
        'Returns a definition with the defaults that the comments of tacBodyToolDef state.'),
    "tac_pad_tool_def_default": (PadToolDef, (),
        "tool.h", 'tacPadToolDef tac_pad_tool_def_default(void)',
        'Returns a definition with the defaults that the comments of tacPadToolDef state.'),
    "tac_world_def_default": (WorldDef, (),
        "world.h", 'tacWorldDef tac_world_def_default(void)',
        'Returns a definition with the defaults that the comments of tacWorldDef state.'),
    "tac_world_create": (c_int, (c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_create(const tacWorldDef *def, tacWorld **world, tacError *error)',
        'Creates a world without bodies. Returns TAC_ERR_ARGUMENT if a value of `def` is out of range. Load phase.'),
    "tac_world_destroy": (None, (c_void_p,),
        "world.h", 'void tac_world_destroy(tacWorld *world)',
        'Frees a world and its bodies, and stops its simulation. Call it after every servo that uses the world has stopped. `world` may be NULL. Load phase.'),
    "tac_world_period": (c_double, (c_void_p,),
        "world.h", 'double tac_world_period(const tacWorld *world)',
        'Returns the period of a tick, s.'),
    "tac_floor_def_default": (FloorDef, (),
        "world.h", 'tacFloorDef tac_floor_def_default(void)',
        'Returns a definition with the defaults that the comments of tacFloorDef state.'),
    "tac_world_set_floor": (c_int, (c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_set_floor(tacWorld *world, const tacFloorDef *def, tacError *error)',
        'Sets the floor. Returns TAC_ERR_ARGUMENT if the normal is not a unit vector or the friction is negative. Load phase.'),
    "tac_world_add_point_tool": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_point_tool(tacWorld *world, const tacPointToolDef *def, int *tool, tacError *error)',
        'Adds a point tool or a fingertip. `tool` receives the index of the tool and may be NULL. Returns TAC_ERR_ARGUMENT if the name is taken or the world already has TAC_MOST_TOOLS tools. Load phase.'),
    "tac_world_add_body_tool": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_body_tool(tacWorld *world, const tacBodyToolDef *def, int *tool, tacError *error)',
        'Adds a tool that holds a body. `tool` receives the index of the tool and may be NULL. Returns TAC_ERR_ARGUMENT if a value of `def` is out of range or another tool holds the body. Load phase.'),
    "tac_world_add_pad_tool": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_pad_tool(tacWorld *world, const tacPadToolDef *def, int *tool, tacError *error)',
        'Adds a tool with pads. `tool` receives the index of the tool and may be NULL. Returns TAC_ERR_ARGUMENT if a value of `def` is out of range or pads cannot hold the body. Load phase.'),
    "tac_pair_def_default": (PairDef, (),
        "world.h", 'tacPairDef tac_pair_def_default(void)',
        'Returns a definition with the defaults that the comments of tacPairDef state.'),
    "tac_world_add_pair": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_add_pair(tacWorld *world, const tacPairDef *def, int *pair, tacError *error)',
        'Adds a pair of bodies. `pair` receives the index of the pair and may be NULL. Returns TAC_ERR_ARGUMENT if a body lacks points or field, if a value of `def` is out of range, or if the pair already exists. Load phase.'),
    "tac_world_seal": (c_int, (c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_seal(tacWorld *world, tacError *error)',
        'Seals the world and allocates all memory that steps need. Nothing can be added afterwards. Returns TAC_ERR_ARGUMENT if the world is already sealed. Load phase.'),
    "tac_world_body_count": (c_int, (c_void_p,),
        "world.h", 'int tac_world_body_count(const tacWorld *world)',
        'Returns the number of bodies.'),
    "tac_world_body": (BodyId, (c_void_p, c_int,),
        "world.h", 'tacBodyId tac_world_body(const tacWorld *world, int index)',
        'Returns the id of the body with this index; {0, 0} if the index is out of range.'),
    "tac_world_find_body": (BodyId, (c_void_p, c_char_p,),
        "world.h", 'tacBodyId tac_world_find_body(const tacWorld *world, const char *name)',
        'Returns the id of the body with this name; {0, 0} if no body has this name.'),
    "tac_world_body_name": (c_char_p, (c_void_p, BodyId,),
        "world.h", 'const char *tac_world_body_name(const tacWorld *world, tacBodyId id)',
        'Returns the name of a body; NULL if there is no such body.'),
    "tac_world_body_kind_name": (c_char_p, (c_void_p, BodyId,),
        "world.h", 'const char *tac_world_body_kind_name(const tacWorld *world, tacBodyId id)',
        'Returns the kind name of a body, as in scenes ("rigid", "green", ...); NULL if there is no such body.'),
    "tac_world_body_surface": (c_void_p, (c_void_p, BodyId,),
        "world.h", 'const tacTriMesh *tac_world_body_surface(const tacWorld *world, tacBodyId id)',
        "Returns the surface of a body for touch and display, at rest, in the body's frame; NULL if there is no such body."),
    "tac_world_body_fixed": (c_void_p, (c_void_p, BodyId,),
        "world.h", 'const bool *tac_world_body_fixed(const tacWorld *world, tacBodyId id)',
        'Returns an array [vertex] that is true for each fixed vertex of tac_world_body_surface; NULL if there is no such body.'),
    "tac_world_body_pose": (Pose, (c_void_p, BodyId,),
        "world.h", 'tacPose tac_world_body_pose(const tacWorld *world, tacBodyId id)',
        'Returns the pose of a body at the start; the identity if there is no such body.'),
    "tac_world_tool_count": (c_int, (c_void_p,),
        "world.h", 'int tac_world_tool_count(const tacWorld *world)',
        'Returns the number of tools.'),
    "tac_world_tool_body": (BodyId, (c_void_p, c_int, c_void_p,),
        "world.h", 'tacBodyId tac_world_tool_body(const tacWorld *world, int tool, tacVec3 *grasp)',
        "Returns the id of the body that a tool holds; {0, 0} for point tools and pads. `grasp` receives the point at which the tool holds the body (tacBodyToolDef.grasp), m, body's frame; the origin for point tools and pads. `grasp` may be NULL."),
    "tac_world_tool_stored": (c_double, (c_void_p, c_int,),
        "world.h", 'double tac_world_tool_stored(const tacWorld *world, int tool)',
        'Returns the energy, after the last step, that the bodies may transfer to a tool, J, for tac_guard_set_stored. Call it from the thread that steps the world. A tick may call it.\n\nThe result is a sum over the bodies that the tool touches and the bodies in contact with these bodies. If the tool touches no body, the sum is over all bodies. The energy of a body is elastic, kinetic and, for a free body, gravitational. The least energy that the body has had since the start is subtracted. The sum includes the springs of point tools on these bodies. The sum also includes the kinetic energy of a body that the tool holds by a dynamic coupling. Rigid bodies at rest store no energy. Elastostatic bodies store energy only in their contacts. A body of a kind without an energy function (tacBodyTable.energy) counts as 0.'),
    "tac_world_tool_name": (c_char_p, (c_void_p, c_int,),
        "world.h", 'const char *tac_world_tool_name(const tacWorld *world, int tool)',
        'Returns the name of a tool; NULL if there is no such tool.'),
    "tac_world_body_most_stiffness": (c_double, (c_void_p, BodyId,),
        "world.h", 'double tac_world_body_most_stiffness(const tacWorld *world, tacBodyId id)',
        'Returns the largest stiffness that any contact on a body renders, N/m (largest eigenvalue); 0 if there is no such body.'),
    "tac_world_parameter_count": (c_int, (c_void_p,),
        "world.h", 'int tac_world_parameter_count(const tacWorld *world)',
        'Returns the number of parameters.'),
    "tac_world_parameter": (Parameter, (c_void_p, c_int,),
        "world.h", 'tacParameter tac_world_parameter(const tacWorld *world, int index)',
        'Returns the parameter with this index and its present value. If the index is out of range, returns an empty parameter, with `label` "".'),
    "tac_world_find_parameter": (c_int, (c_void_p, c_char_p,),
        "world.h", 'int tac_world_find_parameter(const tacWorld *world, const char *name)',
        'Returns the index of the parameter with this name; -1 if no parameter has this name.'),
    "tac_world_set_parameter": (c_int, (c_void_p, c_int, c_double, c_void_p,),
        "world.h", 'tacStatus tac_world_set_parameter(tacWorld *world, int index, double value, tacError *error)',
        "Sets a parameter between steps. Call it from the thread that steps the world. Returns TAC_ERR_ARGUMENT, and changes nothing, if the value is out of range. Setting an `in_tick` parameter allocates nothing and takes time in proportion to the body's vertices. Other parameters take longer: set them only while no other thread uses the world. If simulate_every > 1, the rules above tac_world_start_simulation apply."),
    "tac_world_left_out": (c_int64, (c_void_p, c_void_p,),
        "world.h", 'int64_t tac_world_left_out(const tacWorld *world, int *most)',
        'Returns the number of steps of the bodies, since the reset, in which ticks left out contacts of the tools because of the limit TAC_WORLD_MOST_LOCAL. `most` receives the largest number of contacts left out, and may be NULL. A contact that is left out exerts no force. The result is 0 for a world with simulate_every 1.'),
    "tac_world_step": (None, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'void tac_world_step(tacWorld *world, const tacToolInput *inputs, tacToolOutput *outputs, tacTickReport *report)',
        'Steps the world by one tick. `inputs` and `outputs` have one entry for each tool. Outputs are always finite. A point tool whose first position is inside a body touches nothing until the tool has left the body. If the world is not sealed or an argument is NULL, nothing moves, and `report->refused` is 1. Without tools, `inputs` and `outputs` may be NULL. Tick: no allocation, no lock, bounded time.'),
    "tac_world_reset": (None, (c_void_p,),
        "world.h", 'void tac_world_reset(tacWorld *world)',
        'Resets the world to its state after sealing: all tools hold nothing, and all bodies are undeformed, in their start poses, with their start velocities. Parameters keep their values. Do not call it in a tick.'),
    "tac_world_start_simulation": (c_int, (c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_start_simulation(tacWorld *world, tacError *error)',
        'Starts the threads of the simulation. If simulate_every > 1, one thread computes the steps of the bodies. For every simulate_every, the threads of bodies with separate threads (tacBodyTable.thread) start. The world must be sealed. Load phase.'),
    "tac_world_stop_simulation": (None, (c_void_p,),
        "world.h", 'void tac_world_stop_simulation(tacWorld *world)',
        'Stops the threads that tac_world_start_simulation started. tac_world_destroy stops them, too. `world` may be NULL. Load phase.'),
    "tac_version": (c_char_p, (),
        "world.h", 'const char *tac_version(void)',
        'Returns the version of the loaded library, such as "1.2.3". Any phase, any thread.'),
    "tac_world_move_body": (c_int, (c_void_p, BodyId, c_void_p, Vec3, Vec3, c_void_p,),
        "world.h", 'tacStatus tac_world_move_body(tacWorld *world, tacBodyId id, const tacPose *pose, tacVec3 velocity, tacVec3 spin, tacError *error)',
        'Moves a body to `pose`, with the velocity `velocity` of the centre of mass (m/s) and the angular velocity `spin` (rad/s). Contact detection uses the velocities to predict motion. The body must be free, or at rest in a world that is `movable`. A body at rest moves together with its fixed vertices. Returns TAC_ERR_ARGUMENT if a tool holds the body, or if the body is at rest and the world is not `movable`. Also returns TAC_ERR_ARGUMENT if the body moves by its nodes and not by its frame, or if a number is NaN or infinite.'),
    "tac_world_push_body": (c_int, (c_void_p, BodyId, Vec3, Vec3, c_void_p,),
        "world.h", 'tacStatus tac_world_push_body(tacWorld *world, tacBodyId id, tacVec3 at, tacVec3 force, tacError *error)',
        "Applies an external force (N) in the next step only, at the point of the body's surface that is nearest to `at` (m). At most 64 external forces act in one step."),
    "tac_world_body_motion": (c_int, (c_void_p, BodyId, c_void_p, c_void_p, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_body_motion(const tacWorld *world, tacBodyId id, tacPose *pose, tacVec3 *velocity, tacVec3 *spin, tacError *error)',
        'Gets the pose of a body, the velocity of its centre of mass (m/s), and its angular velocity (rad/s). Each of the three pointers may be NULL. Returns TAC_ERR_ARGUMENT if there is no such body.'),
    "tac_world_memory_size": (c_size_t, (c_void_p,),
        "world.h", 'size_t tac_world_memory_size(const tacWorld *world)',
        'Returns the size of a saved state in bytes; 0 if the world is not sealed.'),
    "tac_world_save": (c_int, (c_void_p, c_size_t, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_save(tacWorld *world, size_t size, void *memory, tacError *error)',
        'Saves the complete state of the world: bodies, tools, friction history, and warm starts of the solvers. A run continues bit for bit from this state. The state does not include parameters. `memory` has `size` bytes, at least tac_world_memory_size. The time is proportional to the number of points of the pointshells. Returns TAC_ERR_ARGUMENT while pads hold a body, because the state of pads cannot be saved. Load phase, or between steps.'),
    "tac_world_load": (c_int, (c_void_p, c_size_t, c_void_p, c_void_p,),
        "world.h", 'tacStatus tac_world_load(tacWorld *world, size_t size, const void *memory, tacError *error)',
        'Loads a state that tac_world_save wrote in this process, for this world or for an identically built world. Returns TAC_ERR_ARGUMENT if the size differs. If a body rejects its state, returns TAC_ERR_ARGUMENT and resets the world. Load phase, or between steps.'),
    "tac_world_state_size": (c_int, (c_void_p,),
        "world.h", 'int tac_world_state_size(const tacWorld *world)',
        "Returns the number of values in the state of the world; 0 if no body has a state. For each body in order, the state contains those of the following parts that the body has:\n\n  - the shown part of the body's own state (tacBodyDescription.shown); for a body with coordinates, this part is\n    the coordinates q (r numbers);\n  - the pose, if the body is free, a tool holds the body, or the world is movable: position of the origin of the\n    body's frame (3, m) and orientation (4, quaternion w, x, y, z);\n  - the forces of the contacts, for an elastostatic body that may touch other bodies: triangle, three weights and\n    force of each contact (7, N, body's frame);\n  - the stiffness (1), for a body that pads may hold; then, for each vertex that pads may hold, the number of the\n    vertex and the traction there (4, Pa, body's frame);\n  - the sum of the forces that press the body (7), if the body covers only some loads (tacBodyLooks.covers): force,\n    sum of the magnitudes of the forces, and sum of positions times these magnitudes;\n  - the estimated model error (1), for a body with an error estimate.\n\nThe last part of the state contains, for each pair, the level to which the pair was rendered."),
    "tac_world_state": (None, (c_void_p, c_void_p,),
        "world.h", 'void tac_world_state(const tacWorld *world, double *state)',
        'Copies the state of the world to `state`, which has tac_world_state_size numbers. Call it from the thread that steps the world. Tick: no allocation.'),
    "tac_world_snapshot_pose": (Pose, (c_void_p, c_void_p, BodyId,),
        "world.h", 'tacPose tac_world_snapshot_pose(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id)',
        'Returns the pose of a body in a snapshot; the identity if there is no such body. Any thread, no allocation.'),
    "tac_world_surface": (None, (c_void_p, c_void_p, BodyId, c_void_p,),
        "world.h", 'void tac_world_surface(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *vertices)',
        "Computes the deformed vertices of a body's surface in a snapshot, world frame, m (James and Pai 2001, (35); Barbic 2007, (3.6)). `vertices` has one entry for each vertex of tac_world_body_surface. Any thread, no allocation."),
    "tac_world_tractions": (None, (c_void_p, c_void_p, BodyId, c_void_p,),
        "world.h", 'void tac_world_tractions(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacVec3 *tractions)',
        "Computes the tractions at the vertices of a body's surface in a snapshot, Pa, world frame. They are the tractions of the contacts, spread by their masks, and the tractions that hold the fixed vertices. The result is zero for bodies without tractions, on which forces act at points. Any thread, no allocation."),
    "tac_world_colours": (c_bool, (c_void_p, c_void_p, BodyId, c_int, c_void_p, c_void_p, c_void_p,),
        "world.h", 'bool tac_world_colours(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, tacColouring colour, tacStressSum *room, tacVec3 *vertices, double *values)',
        "Computes the value by which each vertex is coloured in a snapshot (TAC_COLOUR_*). `room` and `vertices` have one entry for each vertex. `room` is working memory, and `vertices` receives the deformed vertices in the body's frame. Returns false, and writes nothing to `values`, if the value is not known. No value is known for a body that does not deform. Stress is not known if the kind does not compute stress. Any thread, but only one thread at a time for each body; no allocation."),
    "tac_world_body_error_estimate": (c_double, (c_void_p, c_void_p, BodyId,),
        "world.h", 'double tac_world_body_error_estimate(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id)',
        'Returns the estimated model error of a body in a snapshot; -1 if there is no estimate. An estimate of 0.1 means 10 %. The estimate compares the displacements u of the body with the expected displacements u_full of the full model at rest under the same loads. The estimate is |u - u_full| / |u_full|, where |.| is the root mean square over the surface. Any thread, no allocation.'),
    "tac_world_contacts": (c_int, (c_void_p, c_int, c_void_p,),
        "world.h", 'int tac_world_contacts(const tacWorld *world, int most, tacShownContact *contacts)',
        'Lists at most `most` contacts of the last step, and returns the number of listed contacts. The list includes near contacts that do not touch. If simulate_every > 1, the list contains the contacts of the local problem of the last tick: contacts of the tools, including the tips of point tools, with other bodies. Call it between steps, from the thread that steps the world.'),
    "tac_world_sensors": (None, (c_void_p, c_void_p, BodyId, c_void_p,),
        "world.h", 'void tac_world_sensors(const tacWorld *world, const tacSnapshot *snapshot, tacBodyId id, double *values)',
        'Computes the sensor values of a body in a snapshot, sensor by sensor: 3 numbers for a displacement (m), 6 for a stress (Pa). Writes nothing for a body without sensors. Any thread, no allocation.'),
    "tac_recorder_open_world": (c_int, (c_char_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recorder_open_world(const char *path, const tacWorld *world, const tacRecordingInfo *texts, tacRecorder **recorder, tacError *error)',
        'Opens a recorder for a sealed world: creates the file and starts the thread that writes the file. The recorder copies the strings in `texts` and ignores the other members of `texts`. Period, rates, tools, parameters and state size come from the world. The ring holds 2 s of ticks. Returns TAC_ERR_FILE if the file cannot be written. Load phase.'),
    "tac_recorder_push": (c_bool, (c_void_p, c_void_p,),
        "recording.h", 'bool tac_recorder_push(tacRecorder *recorder, const tacTickRecord *record)',
        'Appends the record of a tick. If the ring is full, returns false; the lost record is counted. Tick.'),
    "tac_recorder_push_state": (c_bool, (c_void_p, c_int64, c_void_p,),
        "recording.h", 'bool tac_recorder_push_state(tacRecorder *recorder, int64_t tick, const double *state)',
        'Appends the state after a tick (tac_world_state). Call it for every tick, before the record of the same tick is pushed. The recorder stores a state every 20 ms, as float, and ignores the other states. If the ring is full, returns false; the lost state is counted. A recording without states can be read but not replayed. Tick.'),
    "tac_recorder_close": (c_int, (c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recorder_close(tacRecorder *recorder, int64_t *lost, tacError *error)',
        'Closes a recorder: writes the content of the rings, completes the file, ends the thread, and frees the recorder. `lost` receives the number of records and states that did not fit into the rings or could not be written. `lost` may be NULL. Returns the first error in writing. Load phase.'),
    "tac_recording_open": (c_int, (c_char_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_open(const char *path, tacRecording **recording, tacError *error)',
        'Opens a recording. Reads the header and the table of blocks; ticks are read when they are requested. In a truncated file, only the ticks in complete blocks can be read. Returns TAC_ERR_VERSION if the file was written by another version, and TAC_ERR_FORMAT if the file is damaged or not a recording.'),
    "tac_recording_close": (None, (c_void_p,),
        "recording.h", 'void tac_recording_close(tacRecording *recording)',
        'Closes a recording and frees it. `recording` may be NULL.'),
    "tac_recording_info": (c_void_p, (c_void_p,),
        "recording.h", 'const tacRecordingInfo *tac_recording_info(const tacRecording *recording)',
        'Returns the description of a recording, owned by the recording.'),
    "tac_recording_tick_count": (c_int64, (c_void_p,),
        "recording.h", 'int64_t tac_recording_tick_count(const tacRecording *recording)',
        'Returns the number of ticks that can be read.'),
    "tac_recording_complete": (c_bool, (c_void_p,),
        "recording.h", 'bool tac_recording_complete(const tacRecording *recording)',
        'Returns true if the file is complete, and false if the file is truncated.'),
    "tac_recording_tick": (c_int, (c_void_p, c_int64, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_tick(tacRecording *recording, int64_t index, tacTickRecord *record, tacError *error)',
        'Reads the record with this index, 0 to tac_recording_tick_count - 1. Records may be read in any order; reading consecutive records is fast. If records were lost, the index of a record differs from the number of its tick. Returns TAC_ERR_ARGUMENT if the index is out of range.'),
    "tac_recording_state": (c_int, (c_void_p, c_int64, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_state(tacRecording *recording, int64_t tick, double *state, tacError *error)',
        'Computes the state of the bodies after a tick. `tick` is the number of the tick, not the index of the record. `state` receives `state_size` numbers. Between two stored states, each number is interpolated. Before the first stored state, the result is the first stored state. After the last stored state, the result is the last stored state. Returns an error if no state is stored or a state is not finite.'),
    "tac_recording_snapshot": (c_int, (c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_snapshot(tacRecording *recording, const tacWorld *world, int64_t index, double *state, tacSnapshot *snapshot, tacError *error)',
        'Makes the snapshot of the tick with this index, for tac_world_surface and similar functions. `state` has tac_world_state_size numbers, and the snapshot refers to `state`. Returns TAC_ERR_ARGUMENT if tools or state size differ from those of the world. Returns TAC_ERR_FORMAT if a record is not finite or does not fit the world, for example a contact with a triangle that does not exist.'),
    "tac_recording_begin": (c_int, (c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_begin(const tacRecording *recording, tacWorld *world, tacError *error)',
        'Sets the parameters of a world to their values at the start of the recording. Returns TAC_ERR_ARGUMENT if tools, state size or number of parameters differ. A host that replays the ticks with its own world calls this function first. Before each tick, the host sets the parameter that the record names (tacTickRecord.parameter).\n\nA world with `simulate_every` > 1, or with bodies that have separate threads, takes results in certain ticks. Only tac_recording_replay takes the results in the recorded ticks. Offline.'),
    "tac_recording_write_csv": (c_int, (c_void_p, c_char_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_write_csv(tacRecording *recording, const char *path, tacError *error)',
        'Writes a table in CSV, with one row for each tick and one group of columns for each tool. The header states the units.'),
    "tac_recording_write_vtu": (c_int, (c_void_p, c_void_p, c_double, c_char_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_write_vtu(tacRecording *recording, tacWorld *world, double rate, const char *folder, const tacProgress *progress, tacError *error)',
        "Writes the surfaces of the world's bodies over time for ParaView, at `rate` frames per second. The files are FOLDER/<body>_<frame>.vtu with displacements, FOLDER/contacts_<frame>.vtu with contact forces, and FOLDER/recording.pvd with the list of these files. The function sets the parameters of the world as in the recording. Returns TAC_ERR_CANCELLED if `progress` requests a stop. After an error, the function removes the frames that it wrote."),
    "tac_recording_replay": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "recording.h", 'tacStatus tac_recording_replay(tacRecording *recording, tacWorld *world, const tacProgress *progress, tacReplayReport *report, tacError *error)',
        'Replays a recording: resets the world, steps the world with the recorded inputs to the end, and compares every output bit for bit. Stored states are compared as float. Differences are part of the report and not errors. Returns TAC_ERR_ARGUMENT if period, `simulate_every`, tools, parameters or state size of the world differ from the recording.'),
    "tac_recording_same_platform": (c_bool, (c_void_p, c_char_p, c_size_t,),
        "recording.h", 'bool tac_recording_same_platform(const tacRecording *recording, char *text, size_t size)',
        'Returns true if this program runs on the platform of the recording. The platform is the architecture and kernels, compiler, flags and C library; the same platform gives the same bits. If the platform differs or is not known, returns false and writes one line with both platforms to `text` (`size` bytes).'),
    "tac_workspace_def_default": (WorkspaceDef, (),
        "servo.h", 'tacWorkspaceDef tac_workspace_def_default(void)',
        'Returns a definition with the defaults that the comments of tacWorkspaceDef state.'),
    "tac_servo_def_default": (ServoDef, (),
        "servo.h", 'tacServoDef tac_servo_def_default(void)',
        'Returns a definition with the defaults that the comments of tacServoDef state.'),
    "tac_servo_create": (c_int, (c_void_p, c_int, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "servo.h", 'tacStatus tac_servo_create(tacWorld *world, int device_count, tacDevice *devices, const tacWorkspaceDef *workspaces, const tacServoDef *def, tacRecorder *recorder, tacServo **servo, tacError *error)',
        'Creates a servo with one device for each tool of the world, in the order of the tools. `workspaces` has one entry for each tool; NULL means scale 1 and no offsets. `recorder` may be NULL. The servo refers to the world, the devices and the recorder. The world and the recorder must exist until the servo has stopped, and the devices until the servo is destroyed. The world must be sealed. No other servo may use the world until this servo has stopped or is destroyed. Returns TAC_ERR_ARGUMENT if a condition is violated or a value of `def` is out of range. Load phase.'),
    "tac_servo_destroy": (None, (c_void_p,),
        "servo.h", 'void tac_servo_destroy(tacServo *servo)',
        'Stops the loop and frees the servo. `servo` may be NULL. Load phase.'),
    "tac_servo_start": (c_int, (c_void_p, c_void_p,),
        "servo.h", 'tacStatus tac_servo_start(tacServo *servo, tacError *error)',
        'Resets the world and starts the loop on a separate thread. In real time, it also starts the simulation of a world with simulate_every > 1 (tac_world_start_simulation). A servo starts only once: a second call returns TAC_ERR_ARGUMENT. Load phase.'),
    "tac_servo_running": (c_bool, (c_void_p,),
        "servo.h", 'bool tac_servo_running(const tacServo *servo)',
        'Returns true while the loop runs. Any thread; never waits.'),
    "tac_servo_stop": (None, (c_void_p,),
        "servo.h", 'void tac_servo_stop(tacServo *servo)',
        'Stops the loop: ramps the forces to zero and waits until the loop has ended. Load phase.'),
    "tac_servo_snapshot": (c_void_p, (c_void_p,),
        "servo.h", 'const tacSnapshot *tac_servo_snapshot(tacServo *servo)',
        'Returns the latest snapshot. The snapshot and its state stay valid until the next call. One other thread may call the function, at display rate. Never waits.'),
    "tac_servo_remark": (c_char_p, (c_void_p,),
        "servo.h", 'const char *tac_servo_remark(const tacServo *servo)',
        'Returns one line that names the permissions denied by the operating system (priority, memory locking). The line is "" if all permissions were granted or the loop has not begun.'),
    "tac_servo_pause": (None, (c_void_p, c_bool,),
        "servo.h", 'void tac_servo_pause(tacServo *servo, bool paused)',
        'Pauses or continues the loop. A paused loop ramps the forces to zero. After the ramp the loop only reads the devices, and neither counts nor records ticks.'),
    "tac_servo_step": (None, (c_void_p, c_int,),
        "servo.h", 'void tac_servo_step(tacServo *servo, int ticks)',
        'Runs `ticks` ticks of a paused loop, without force on the devices.'),
    "tac_servo_set_parameter": (c_bool, (c_void_p, c_int, c_double,),
        "servo.h", 'bool tac_servo_set_parameter(tacServo *servo, int parameter, double value)',
        'Requests a new value of a world parameter for one of the next ticks. Each tick sets at most one parameter, so that the recording contains every change. Returns false if too many requests wait or the parameter is not `in_tick`. A value out of range is ignored.'),
    "tac_servo_samples": (c_int, (c_void_p, c_int, c_void_p,),
        "servo.h", 'int tac_servo_samples(tacServo *servo, int capacity, tacTickSample *samples)',
        'Copies the samples since the previous call to `samples`, oldest first, at most `capacity`, and returns the number of copied samples. The buffer holds at least 4,096 ticks. When the buffer is full, new samples are dropped. One other thread may call the function.'),
    "tac_servo_report": (ServoReport, (c_void_p,),
        "servo.h", 'tacServoReport tac_servo_report(const tacServo *servo)',
        'Returns the report of the run. While the loop runs, the report is empty, with `fault_device` -1.'),
    "tac_servo_fault_text": (None, (c_void_p, c_char_p, c_size_t,),
        "servo.h", 'void tac_servo_fault_text(const tacServo *servo, char *text, size_t size)',
        'Writes the fault of the report as one line to `text` (`size` bytes), such as "device 0 (omni) jumped 1.02 m in one tick at 3.204 s; ...". The line is empty if there is no fault.'),
    "tac_scene_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_read(const char *path, tacScene **scene, tacError *error)',
        'Reads a scene file and checks that all files named in the scene exist. The caller destroys the scene. The text of an error is one line, for example:\n\n  "scenes/kidney.yaml:14: bodies[0].material.yuong: unknown key; did you mean young?"\n  "...: 5 kg is not a length; write it like 5 mm"\n  "...: no such file: liver.obj"'),
    "tac_scene_parse": (c_int, (c_char_p, c_char_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_parse(const char *text, const char *path, tacScene **scene, tacError *error)',
        'Reads a scene from the text of a scene file. `path` is the name of the scene file in error texts. The folder of `path` is the base of relative file names. The function does not open the files named in the scene; the bake reports missing files. The caller destroys the scene.'),
    "tac_scene_recorded": (c_int, (c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_recorded(const tacRecording *recording, tacScene **scene, tacError *error)',
        'Reads the scene that is stored in a recording. The rates of the scene are set to the recorded rates, bit for bit. The caller destroys the scene.'),
    "tac_scene_destroy": (None, (c_void_p,),
        "scene.h", 'void tac_scene_destroy(tacScene *scene)',
        'Frees a scene. First destroy the world of the scene and close its devices. `scene` may be NULL.'),
    "tac_scene_name": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_name(const tacScene *scene)',
        'Returns the value of the key `name`. If the key is missing, the function returns the file name without extension.'),
    "tac_scene_about": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_about(const tacScene *scene)',
        'Returns the value of the key `about`, a description for people; "" if the key is missing.'),
    "tac_scene_text": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_text(const tacScene *scene)',
        'Returns the complete text of the scene file.'),
    "tac_scene_path": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_path(const tacScene *scene)',
        'Returns the path of the scene file.'),
    "tac_scene_describe": (None, (c_void_p, c_void_p, c_void_p,),
        "scene.h", 'void tac_scene_describe(const tacScene *scene, tacSceneLineFn line, void *user)',
        'Describes the bodies, contacts, tools and servo of a scene in words, and passes each line to `line`. The scene need not be baked. May be called in any phase except a tick.'),
    "tac_scene_body_name": (c_char_p, (c_void_p, c_int,),
        "scene.h", 'const char *tac_scene_body_name(const tacScene *scene, int body)',
        'Returns the name of the body with the given index, 0, 1, ...; NULL after the last body.'),
    "tac_scene_tool_name": (c_char_p, (c_void_p, c_int,),
        "scene.h", 'const char *tac_scene_tool_name(const tacScene *scene, int tool)',
        'Returns the name of the tool with the given index, 0, 1, ...; NULL after the last tool.'),
    "tac_scene_duration": (c_double, (c_void_p,),
        "scene.h", 'double tac_scene_duration(const tacScene *scene)',
        'Returns the duration of a run, s; 0: the run has no end.'),
    "tac_scene_set_rate": (c_int, (c_void_p, c_double, c_void_p,),
        "scene.h", 'tacStatus tac_scene_set_rate(tacScene *scene, double rate, tacError *error)',
        'Sets the rate of both world and servo, Hz, in place of the rate in the file. Call before the world and the servo are created. Returns TAC_ERR_ARGUMENT if the rate is outside 250 to 10,000 Hz. Also returns TAC_ERR_ARGUMENT if the rate is not a whole multiple of the rate at which the bodies are simulated.'),
    "tac_scene_live": (c_bool, (c_void_p, c_int, c_void_p,),
        "scene.h", 'bool tac_scene_live(const tacScene *scene, int index, tacSceneLive *live)',
        'Stores the live parameter with the given index, 0, 1, ..., in `live`. Returns false if `index` is beyond the last live parameter. Parameters of bodies come first; parameters of contacts follow.'),
    "tac_scene_volume": (c_int, (c_void_p, c_int, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_volume(const tacScene *scene, int body, const tacProgress *progress, tacVolMesh **mesh, tacError *error)',
        'Creates the volume mesh for the finite elements of a body, in the frame of the body.\n\nFor boundary elements and rigid bodies, `mesh` receives NULL, and the function returns TAC_OK. The scene need not be baked. Each call creates a new mesh, which the caller destroys. The surface of a reduced body is embedded in this mesh and is not its boundary. Call in the offline phase.'),
    "tac_scene_asset_count": (c_int, (c_void_p,),
        "scene.h", 'int tac_scene_asset_count(const tacScene *scene)',
        'Returns the number of assets of all bodies.'),
    "tac_scene_bake": (c_int, (c_void_p, c_char_p, c_bool, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_bake(tacScene *scene, const char *cache, bool again, const tacProgress *progress, tacSceneAsset *assets, tacError *error)',
        'Bakes the assets that are not in the cache, and reads the other assets from the cache.\n\n`cache` is the folder of the cache. NULL means the cache of the user, $XDG_CACHE_HOME/tactus or ~/.cache/tactus. If `again` is true, the function bakes all assets. `assets` receives tac_scene_asset_count assets, sorted by body, and may be NULL. The bake uses as many threads as the environment variable TACTUS_THREADS states, or one thread for each core.\n\n`progress` covers the whole bake, weighted by the expected time of the stages. The fraction never falls. The text `what` of a stage begins with the name of the body; the text of the last call is "bake".\n\nThe key of an asset in the cache depends on the input of the bake: mesh, materials, fixed set, method, basis, resolution and version. If a file in the cache is broken or truncated, the function returns an error whose text asks the user to delete the file. If a file in the cache belongs to another body, the function renames the file to PATH.aside, writes a warning to the log, and bakes the asset again.'),
    "tac_scene_assets": (c_char_p, (c_void_p,),
        "scene.h", 'const char *tac_scene_assets(const tacScene *scene)',
        'Returns the list of the scene\'s assets for a recording. Each asset is one line with its checksum and its file name. Returns "" if the scene has no assets. Call after the bake.'),
    "tac_scene_made": (c_void_p, (c_void_p, c_int, c_char_p,),
        "scene.h", 'const void *tac_scene_made(const tacScene *scene, int body, const char *ending)',
        'Returns the asset of a body whose file has the extension `ending`, such as "green"; NULL if the body has no such asset. Prefer the typed functions in the headers of the body kinds, such as tac_scene_green and tac_scene_reduced.'),
    "tac_scene_surface": (c_void_p, (c_void_p, c_int,),
        "scene.h", 'const tacTriMesh *tac_scene_surface(const tacScene *scene, int body)',
        'Returns the surface of a body at rest, in the frame of the body. Every body has a surface.'),
    "tac_scene_points": (c_void_p, (c_void_p, c_int,),
        "scene.h", 'const tacPointshell *tac_scene_points(const tacScene *scene, int body)',
        'Returns the pointshell of a body; NULL if the body has no pointshell.'),
    "tac_scene_field": (c_void_p, (c_void_p, c_int,),
        "scene.h", 'const tacDistanceField *tac_scene_field(const tacScene *scene, int body)',
        'Returns the distance field of a rigid body; NULL if the body has no such field.'),
    "tac_scene_world": (c_int, (c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_world(const tacScene *scene, tacWorld **world, tacError *error)',
        'Builds the world of a scene and seals the world. The caller destroys the world before the scene. A scene with a body with the key `storage: near` can have only one world at a time.\n\nThe stiffness of contacts does not exceed the stiffness limits of the devices. The `rigid_stiffness` of a body, or its touch stiffness, is lowered to the least stiffness limit of all devices, divided by the scale of the workspace. The stiffness of a coupling is lowered to the limit of the device of the same tool.'),
    "tac_scene_devices": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_devices(const tacScene *scene, tacDevice devices[TAC_MOST_TOOLS], tacWorkspaceDef workspaces[TAC_MOST_TOOLS], tacError *error)',
        'Opens one device for each tool, and returns devices and workspaces in the order of the tools. The caller closes the devices with tac_device_close. On failure no device remains open.'),
    "tac_scene_servo": (ServoDef, (c_void_p,),
        "scene.h", 'tacServoDef tac_scene_servo(const tacScene *scene)',
        "Returns the definition of the scene's servo, including the duration of the run; the defaults if `scene` is NULL."),
    "tac_scene_check": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "scene.h", 'tacStatus tac_scene_check(const tacScene *scene, const tacProgress *progress, tacFindingFn visit, void *user, tacError *error)',
        'Searches a scene for problems before the scene is baked and run. docs/own_organ.md lists the checks.\n\nThe function builds and checks the meshes of the bodies, and checks the paths of the hands and the contacts. The function does not bake assets. `visit` receives each finding. If a mesh cannot be built, the function reports a finding and does not fail. The function returns an error only if memory is short or `progress` cancels the check.'),
    "tac_green_destroy": (None, (c_void_p,),
        "green.h", 'void tac_green_destroy(tacGreen *green)',
        "Frees Green's functions. `green` may be NULL. Call in the load phase."),
    "tac_green_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "green.h", 'tacStatus tac_green_write(const tacGreen *green, const char *path, tacError *error)',
        "Writes Green's functions to a file. Call in the load phase."),
    "tac_green_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "green.h", 'tacStatus tac_green_read(const char *path, tacGreen **green, tacError *error)',
        "Reads Green's functions from a file. The caller destroys the result. Call in the load phase."),
    "tac_green_surface": (c_void_p, (c_void_p,),
        "green.h", 'const tacTriMesh *tac_green_surface(const tacGreen *green)',
        'Returns the surface of the body, without groups.'),
    "tac_green_fixed": (c_void_p, (c_void_p,),
        "green.h", 'const bool *tac_green_fixed(const tacGreen *green)',
        'Returns an array [vertex] that is true for each fixed vertex.'),
    "tac_green_area": (c_void_p, (c_void_p,),
        "green.h", 'const double *tac_green_area(const tacGreen *green)',
        'Returns the array [vertex] of the areas a_j, m^2 (5).'),
    "tac_green_row_count": (c_int, (c_void_p,),
        "green.h", 'int tac_green_row_count(const tacGreen *green)',
        'Returns the number of rows of a column: 3 rows for each vertex, then the rows of the sensors in their order.'),
    "tac_green_column_count": (c_int, (c_void_p,),
        "green.h", 'int tac_green_column_count(const tacGreen *green)',
        'Returns the number of wanted vertices. Each wanted vertex has 3 columns.'),
    "tac_green_column_vertex": (c_void_p, (c_void_p,),
        "green.h", 'const int *tac_green_column_vertex(const tacGreen *green)',
        'Returns the array [tac_green_column_count] of the wanted vertices, ascending.'),
    "tac_green_column": (c_void_p, (c_void_p, c_int,),
        "green.h", 'const double *tac_green_column(const tacGreen *green, int vertex)',
        'Returns the 3 columns of a vertex, one after the other. Each column has tac_green_row_count numbers. Returns NULL if the asset does not store the columns.'),
    "tac_green_block": (c_bool, (c_void_p, c_int, c_int, c_void_p,),
        "green.h", 'bool tac_green_block(const tacGreen *green, int i, int j, double block[3][3])',
        'Computes the 3 x 3 block Xi_ij, row-major: the response of vertex i to unit values at vertex j. Returns false if the asset does not store the block.'),
    "tac_green_betti_defect": (c_double, (c_void_p,),
        "green.h", 'double tac_green_betti_defect(const tacGreen *green)',
        "Returns the defect of Betti's reciprocity that the bake measured. The defect is the violation of the equation\n\n    a_i Xi_ij = (a_j Xi_ji)^T\n\nin the Frobenius norm over the pairs of up to 200 wanted free vertices, relative to the norm of the same blocks. For finite elements the defect is round-off. For boundary elements the defect measures the discretisation error. Returns 0 if there is no pair of vertices."),
    "tac_green_checks": (c_void_p, (c_void_p,),
        "green.h", 'const tacBakeChecks *tac_green_checks(const tacGreen *green)',
        'Returns the checks of the bake.'),
    "tac_green_def_default": (GreenDef, (),
        "green.h", 'tacGreenDef tac_green_def_default(void)',
        'Returns the default options. Call in any phase.'),
    "tac_green_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "green.h", 'tacStatus tac_green_bake(const tacGreenDef *def, const tacProgress *progress, tacGreen **green, tacError *error)',
        "Bakes Green's functions. `progress` may be NULL. The caller destroys the result.\n\nReturns TAC_ERR_MEMORY if the result would not fit into the memory of the machine; the error text states the size of the result. Returns TAC_ERR_ARGUMENT if an option is out of range, and TAC_ERR_CHECK if the result fails a check."),
    "tac_green_body_def_default": (GreenBodyDef, (),
        "green.h", 'tacGreenBodyDef tac_green_body_def_default(void)',
        'Returns the default options: stiffness 1, rigid stiffness 1500 N/m, friction 0.2, contact stiffness 2000 N/m and contact damping 2 N s/m. The caller must set `mask_radius`, which is 0 by default. Call in any phase.'),
    "tac_world_add_green": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "green.h", 'tacStatus tac_world_add_green(tacWorld *world, const tacGreenBodyDef *def, tacBodyId *id, tacError *error)',
        'Adds an elastostatic body to a world that is not sealed. `id` receives the id of the body and may be NULL. Returns TAC_ERR_ARGUMENT if a value of `def` is missing or out of range.'),
    "tac_world_body_green": (c_void_p, (c_void_p, BodyId,),
        "green.h", 'const tacGreen *tac_world_body_green(const tacWorld *world, tacBodyId id)',
        "Returns the Green's functions of a body; NULL for a body of another kind. Call in any phase."),
    "tac_hyperelastic_body_def_default": (HyperelasticBodyDef, (),
        "hyperelastic.h", 'tacHyperelasticBodyDef tac_hyperelastic_body_def_default(void)',
        'Returns the default options. The caller must set the name of the body, the mesh and the materials. Call in any phase.'),
    "tac_world_add_hyperelastic": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "hyperelastic.h", 'tacStatus tac_world_add_hyperelastic(tacWorld *world, const tacHyperelasticBodyDef *def, tacBodyId *id, tacError *error)',
        'Adds a hyperelastic body to a world that is not sealed. `id` receives the id of the body and may be NULL.\n\nReturns TAC_ERR_ARGUMENT if a value of `def` is missing or out of range, and TAC_ERR_UNSUPPORTED if the mesh contains bricks. Returns TAC_ERR_GEOMETRY if an element is inverted or flat, or if a vertex belongs to no element. Call in the load phase.'),
    "tac_remesh": (c_int, (c_void_p, c_double, c_int, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_remesh(const tacTriMesh *mesh, double size, int thread_count, const tacProgress *progress, tacTriMesh **remeshed, tacError *error)',
        'Computes a mesh of even triangles for the boundary of the solid that a closed mesh encloses.\n\n`size` is the approximate edge length of the new triangles, m; no edge is much longer than twice the size. The solid is the region with a winding number other than 0, so crossing, overlapping and nested parts become one part. The method extracts the zero level set of the distance field, then coarsens and relaxes this surface.\n\nThe result is closed, manifold, oriented outward and without self-intersections. Sharp edges are rounded by a fraction of `size`. The result has no groups. If `thread_count` is 0, the function uses one thread for each core.\n\nReturns TAC_ERR_GEOMETRY if the mesh is not closed, or if the volume changes by more than 5 %. Also returns TAC_ERR_GEOMETRY if the new triangles intersect each other, because parts or gaps are too narrow for `size`. The error text states the remedy.'),
    "tac_remesh_simplify": (c_int, (c_void_p, c_int, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_remesh_simplify(const tacTriMesh *mesh, int triangle_count, tacTriMesh **simplified, tacError *error)',
        'Simplifies a closed manifold mesh to `triangle_count` triangles, or to one triangle fewer.\n\nThe function collapses edges, cheapest first, then makes the triangles more even. The topology of the mesh must allow the wanted number of triangles. The result has no groups. Returns TAC_ERR_GEOMETRY if the mesh is not a closed manifold, or has degenerate triangles or unused vertices. Returns TAC_ERR_ARGUMENT if `triangle_count` is less than 4 or not less than the number of triangles of the mesh.'),
    "tac_stuffing_def_default": (StuffingDef, (),
        "meshing.h", 'tacStuffingDef tac_stuffing_def_default(void)',
        'Returns the default options: three levels, and a size of 0. The caller must set the size, because tac_stuffing_fill refuses 0.'),
    "tac_stuffing_fill": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_stuffing_fill(const tacTriMesh *surface, const tacStuffingDef *def, const tacProgress *progress, tacVolMesh **mesh, tacError *error)',
        'Fills a closed surface with tetrahedra. The method uses the exact distance to the surface. Returns TAC_ERR_GEOMETRY if the surface is not closed, and TAC_ERR_ARGUMENT if a value of `def` is out of range.'),
    "tac_stuffing_fill_to_volume": (c_int, (c_void_p, c_double, c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_stuffing_fill_to_volume(const tacTriMesh *surface, double tolerance, const tacStuffingDef *def, const tacProgress *progress, tacVolMesh **mesh, double *size, tacError *error)',
        'Fills a closed surface with the largest tetrahedra that represent its solid, and stores the chosen size in `size`, m. `def->size` is not used.\n\nThe function tries sizes from a tenth of the longest side of the box, each 1.3 times smaller than the previous size. The function accepts a size if the size and the next smaller size satisfy two conditions:\n\n  - The volume of the mesh equals the volume of the solid (tac_trimesh_solid_volume) within the relative `tolerance`.\n  - The mesh has as many parts, connected by faces, as the solid.\n\nAfter the first size with the right volume, the function tries smaller sizes with up to ten times as many elements, or 300,000 elements if this limit is higher. If no size gives the right number of parts, the function chooses the size with the nearest number of parts. The function then writes a warning to the log.\n\nReturns TAC_ERR_GEOMETRY if no size gives the right volume. The smallest size is 1/1000 of the longest side of the box, and the limit of elements is 20 million. The same error is returned immediately if the body is far too thin for these limits.'),
    "tac_voxelise_def_default": (VoxeliseDef, (),
        "meshing.h", 'tacVoxeliseDef tac_voxelise_def_default(void)',
        'Returns the default options.'),
    "tac_voxelise": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_voxelise(const tacTriMesh *surface, const tacVoxeliseDef *def, const tacProgress *progress, tacVolMesh **mesh, tacError *error)',
        'Fills a surface with equal cubic bricks. Returns TAC_ERR_GEOMETRY if the surface has no triangles or no extent, or if the surface is open and the rule needs a closed surface. Returns TAC_ERR_ARGUMENT if the resolution is out of range.'),
    "tac_voxelise_to_volume": (c_int, (c_void_p, c_double, c_void_p, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_voxelise_to_volume(const tacTriMesh *surface, double tolerance, const tacProgress *progress, tacVolMesh **mesh, int *resolution, tacError *error)',
        'Fills a closed surface with the coarsest bricks that represent its solid, and stores the chosen resolution in `resolution`. The rule is TAC_VOXELS_CENTRE.\n\nThe function tries resolutions from 16 to 512 in steps of a factor of about 1.2. It accepts the first resolution that satisfies two conditions:\n\n  - The volume of the mesh equals the volume of the solid within the relative `tolerance`, for example 0.02.\n  - The mesh has as many parts, connected by faces, as the solid.\n\nAfter the first resolution with the right volume, the function tries finer resolutions with up to ten times as many bricks, or 300,000 bricks if this limit is higher. If no resolution gives the right number of parts, the function chooses the resolution with the nearest number of parts. The function then writes a warning to the log. Returns TAC_ERR_GEOMETRY if no resolution gives the right volume.'),
    "tac_shape_info": (c_void_p, (c_int,),
        "meshing.h", 'const tacShapeInfo *tac_shape_info(int index)',
        'Returns the description of the shape with the given index, 0, 1, ...; NULL after the last shape. Any thread may call the function.'),
    "tac_shape_build": (c_int, (c_char_p, c_double, c_void_p, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_shape_build(const char *name, double size, const tacProgress *progress, tacTriMesh **mesh, tacError *error)',
        'Builds the surface of a shape. `size` is the edge length of the triangles, m; 0 means the default. Every vertex lies on the exact surface. Returns TAC_ERR_ARGUMENT if no shape has this name, or if the size is so large that parts would be lost.'),
    "tac_shape_bricks": (c_int, (c_char_p, c_double, c_void_p, c_void_p,),
        "meshing.h", 'tacStatus tac_shape_bricks(const char *name, double size, tacVolMesh **mesh, tacError *error)',
        'Builds the bricks of a shape that has exact bricks: box, beam, cube, tables, clip, pipe and diaphragm.\n\nThe bricks fill the shape exactly. Thin parts have two or more bricks through the thickness, so that thin parts bend correctly. The number of bricks is small enough for simulation. `size` is the length of a brick along the parts that bend, m; 0 means the default. Returns TAC_ERR_ARGUMENT if no shape has this name, if the shape has no exact bricks, or if the size is so large that parts would be lost. For other shapes, fill the surface with tac_stuffing_fill or tac_voxelise.'),
    "tac_reduced_destroy": (None, (c_void_p,),
        "reduced.h", 'void tac_reduced_destroy(tacReduced *reduced)',
        'Frees a baked body. Call after the worlds that use the body are destroyed. `reduced` may be NULL.'),
    "tac_reduced_write": (c_int, (c_void_p, c_char_p, c_void_p,),
        "reduced.h", 'tacStatus tac_reduced_write(const tacReduced *reduced, const char *path, tacError *error)',
        'Writes a baked body to an asset file.'),
    "tac_reduced_read": (c_int, (c_char_p, c_void_p, c_void_p,),
        "reduced.h", 'tacStatus tac_reduced_read(const char *path, tacReduced **reduced, tacError *error)',
        'Reads a baked body from an asset file. The caller destroys the result.'),
    "tac_reduced_size": (c_int, (c_void_p,),
        "reduced.h", 'int tac_reduced_size(const tacReduced *reduced)',
        'Returns the number of coordinates, r.'),
    "tac_reduced_surface": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacTriMesh *tac_reduced_surface(const tacReduced *reduced)',
        'Returns the embedded surface at rest, without groups.'),
    "tac_reduced_fixed": (c_void_p, (c_void_p,),
        "reduced.h", 'const bool *tac_reduced_fixed(const tacReduced *reduced)',
        'Returns an array [vertex] that is true for each vertex of the surface that cannot move.'),
    "tac_reduced_displacements": (c_void_p, (c_void_p,),
        "reduced.h", 'const double *tac_reduced_displacements(const tacReduced *reduced)',
        'Returns the matrix U_s of (3.6) as an array [vertex][axis][r], kg^-1/2: the displacement of each vertex of the surface for a unit of each coordinate.'),
    "tac_reduced_volume": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacVolMesh *tac_reduced_volume(const tacReduced *reduced)',
        'Returns the volume mesh at rest. Callers can embed more points in this mesh with tac_reduced_basis.'),
    "tac_reduced_basis": (c_void_p, (c_void_p,),
        "reduced.h", 'const double *tac_reduced_basis(const tacReduced *reduced)',
        'Returns the matrix U at the vertices of the volume mesh as an array [vertex][axis][r], kg^-1/2.'),
    "tac_reduced_info": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacReducedInfo *tac_reduced_info(const tacReduced *reduced)',
        'Returns the summary of the bake.'),
    "tac_reduced_checks": (c_void_p, (c_void_p,),
        "reduced.h", 'const tacBakeChecks *tac_reduced_checks(const tacReduced *reduced)',
        'Returns the checks of the bake.'),
    "tac_reduced_def_default": (ReducedDef, (),
        "reduced.h", 'tacReducedDef tac_reduced_def_default(void)',
        'Returns the default options.'),
    "tac_reduced_bake": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "reduced.h", 'tacStatus tac_reduced_bake(const tacReducedDef *def, const tacProgress *progress, tacReduced **reduced, tacError *error)',
        'Bakes a reduced body. The same input gives the same bits for any number of cores. The caller destroys the result.\n\nThe function calls `progress` several times a second, except during sparse factorizations. A factorization takes seconds for a mesh of 30,000 vertices.\n\nThe function fails in these cases; the error text names the problem and the remedy:\n\n- r is larger than the rank of the data or than TAC_BODY_MOST_COORDINATES. - The source is TAC_BASIS_SKETCH, but the body is free. - Some vertices are fixed, but the body can still move without strain. - The body is free and consists of several pieces. - A vertex has no mass. - A material is invalid. - The loads invert elements. - The bake needs more memory than the machine has (TAC_ERR_MEMORY). - The result fails a check (TAC_ERR_CHECK).'),
    "tac_reduced_body_def_default": (ReducedBodyDef, (),
        "reduced.h", 'tacReducedBodyDef tac_reduced_body_def_default(void)',
        'Returns the default options, including the defaults of tacBodyDef.'),
    "tac_world_add_reduced": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "reduced.h", 'tacStatus tac_world_add_reduced(tacWorld *world, const tacReducedBodyDef *def, tacBodyId *id, tacError *error)',
        'Adds a reduced body to a world that is not sealed. `id` receives the id of the body and may be NULL. The kind name of the body is "reduced". Returns TAC_ERR_ARGUMENT if the definition is invalid, for example with a shell or field of another body.'),
    "tac_rigid_body_def_default": (RigidBodyDef, (),
        "rigid.h", 'tacRigidBodyDef tac_rigid_body_def_default(void)',
        'Returns the default options: no mass, no surface, and the defaults of tacBodyDef.'),
    "tac_world_add_rigid": (c_int, (c_void_p, c_void_p, c_void_p, c_void_p,),
        "rigid.h", 'tacStatus tac_world_add_rigid(tacWorld *world, const tacRigidBodyDef *def, tacBodyId *id, tacError *error)',
        'Adds a rigid body to a world that is not sealed. `id` receives the id of the body and may be NULL. The kind name of the body is "rigid". Returns TAC_ERR_ARGUMENT if the definition is invalid, for example if a free body has no inertia or the name is already in use.'),
}
