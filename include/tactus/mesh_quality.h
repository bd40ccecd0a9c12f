/* Whether a mesh is fit for use, and the repair of a surface that is not. */
#ifndef TACTUS_MESH_QUALITY_H
#define TACTUS_MESH_QUALITY_H

#include <stdbool.h>
#include <tactus/trimesh.h>
#include <tactus/volmesh.h>

TAC_BEGIN_DECLS

/* Is this mesh fit for use? Counts and measures of surfaces and volumes. */
typedef struct tacSurfaceReport {
  int vertices, triangles;
  int unused_vertices;
  int duplicate_vertices;   /* vertices at exactly the place of an earlier one */
  int duplicate_triangles;  /* same three corners as an earlier one, in any order */
  int degenerate_triangles; /* repeated corner, or height below 1e-10 of the longest edge */
  int boundary_edges;       /* in one triangle */
  int nonmanifold_edges;    /* in three or more */
  int misoriented_edges;    /* in two triangles that run along it in the same direction */
  int nonmanifold_vertices; /* whose triangles form more than one fan */
  int components;           /* connected by shared vertices */
  int self_intersections;   /* pairs of triangles that cross or overlap other than at shared corners or edges */
  bool manifold;            /* no non-manifold edge or vertex */
  bool closed;              /* not empty, every edge in exactly two triangles */
  bool oriented;            /* no misoriented edge */
  int inside_out;           /* closed components that face inward and are the wall of no cavity; 0 where not closed */
  int genus;                /* sum over components; -1 where the surface is not closed and manifold */
  double area, volume;      /* m^2, m^3; volume is 0 where not closed */
  double solid_volume;      /* that of tac_trimesh_solid_volume, less than `volume` where parts overlap; likewise */
  tacVec3 centroid;         /* of the solid where closed, of the surface elsewhere */
  double inertia[3][3];     /* about the centroid at unit density, kg m^2; 0 where not closed */
  double shortest_edge, longest_edge;
  double smallest_angle, largest_angle; /* degrees */
  tacBox box;
} tacSurfaceReport;

TAC_API tacStatus tac_surface_report(const tacTriMesh *mesh, tacSurfaceReport *report, tacError *error);

/* How thick a closed surface's solid is, m: the thickness below which are triangles with `share` (0 to 1) of its area, measured
 * by rays inward from their centroids. 0.05 passes over sharp edges and tips. Infinity where no triangle bounds a solid.
 * TAC_ERR_GEOMETRY where the surface is not closed. Offline. */
TAC_API tacStatus tac_surface_thickness(const tacTriMesh *mesh, double share, double *thickness, tacError *error);

typedef struct tacVolumeReport {
  int vertices, tets, bricks;
  int unused_vertices;
  int duplicate_elements;
  int inverted_elements;   /* negative volume (tet), or a non-positive Jacobian at a corner (brick) */
  int degenerate_elements; /* volume below 1e-12 of the cube of the longest edge, or a repeated corner */
  int nonmanifold_faces;   /* shared by three or more elements */
  int components;          /* connected by shared faces */
  double volume;
  tacVec3 centroid;
  double inertia[3][3];                       /* about the centroid at unit density, kg m^2 */
  double smallest_dihedral, largest_dihedral; /* degrees, over tetrahedra; 0 where there are none */
  double shortest_edge, longest_edge;
  tacBox box;
} tacVolumeReport;

TAC_API tacStatus tac_volume_report(const tacVolMesh *mesh, tacVolumeReport *report, tacError *error);

/* Mends what can be mended in a surface without changing its shape. */
typedef struct tacRepairDef {
  double weld; /* vertices within this distance become one; metres, 0 welds only exact repetitions */
} tacRepairDef;

typedef struct tacRepairReport {
  int welded_vertices, removed_vertices; /* removed: used by no triangle */
  int removed_triangles;                 /* degenerate or repeated; not the walls where closed parts touch */
  int flipped_triangles;                 /* to orient each component consistently, outward where it is closed */
  int filled_holes;                      /* boundary loops closed by triangles */
} tacRepairReport;

TAC_API tacRepairDef tac_repair_def_default(void);
TAC_API tacStatus tac_repair(const tacTriMesh *mesh, const tacRepairDef *def, tacTriMesh **repaired,
                             tacRepairReport *report, tacError *error);

TAC_END_DECLS

#endif
