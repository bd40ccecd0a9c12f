/* Distance fields of bodies that deform: baked for loads, and by proxies for any deformation. */
#ifndef TACTUS_DEFORMED_FIELD_H
#define TACTUS_DEFORMED_FIELD_H

#include <stddef.h>
#include <tactus/bake_check.h>
#include <tactus/distance_field.h>
#include <tactus/error.h>
#include <tactus/progress.h>
#include <tactus/vec3.h>

TAC_BEGIN_DECLS

/* d(x, s): signed distance to a body in every deformation that a load of some size at some node makes, computed
 * beforehand (Gonzalez, Alfaro, Quesada, Cueto, Chinesta 2015, section 3): an asset.
 *
 * For each node s and size l the distance to the deformed surface is sampled on one grid, whose box holds all of
 * them. In blocks of 8^3 samples it is kept in separated form (the paper's Remark 2), to a tolerance:
 *
 *     d(x, s, l) = d_rest(x) + sum_j D_j(x) T_j(s, l)
 *
 * Lengths in metres, in the body's frame. Immutable; any thread may read it. */

typedef struct tacLoadField tacLoadField;

TAC_API void tac_load_field_destroy(tacLoadField *field); /* NULL is allowed */
TAC_API tacStatus tac_load_field_write(const tacLoadField *field, const char *path, tacError *error);
TAC_API tacStatus tac_load_field_read(const char *path, tacLoadField **field, tacError *error);

TAC_API int tac_load_field_coordinates(const tacLoadField *field); /* n */
TAC_API int tac_load_field_node_count(const tacLoadField *field);
TAC_API int tac_load_field_vertex(const tacLoadField *field, int node);
TAC_API int tac_load_field_node_of(const tacLoadField *field, int vertex); /* -1: no load acts there */
TAC_API int tac_load_field_level_count(const tacLoadField *field);
TAC_API double tac_load_field_level(const tacLoadField *field, int level);
TAC_API const double *tac_load_field_state(const tacLoadField *field, int node, int level); /* q [n] */

typedef struct tacLoadFieldInfo {
  int nodes[3]; /* of the grid */
  tacVec3 origin;
  double spacing;
  double tolerance; /* m: of the separated form near the surface */
  double error;     /* m: what it is there, the largest */
  double steepest;  /* the largest gradient of any interpolant; 1 for a distance */
  int block_count, rank_most;
  double rank_mean;
  double bytes, bytes_dense; /* of the separated form; of all samples as 16-bit numbers */
  double bytes_bake;         /* at once */
  double seconds_distances, seconds_separation, seconds_bounds;
} tacLoadFieldInfo;
TAC_API const tacLoadFieldInfo *tac_load_field_info(const tacLoadField *field);
TAC_API const tacBakeChecks *tac_load_field_checks(const tacLoadField *field);

/* The field for some loads. Load phase to make; refers to the field, which must outlive it. */
typedef struct tacLoadSlice tacLoadSlice;
TAC_API tacStatus tac_load_slice_create(const tacLoadField *field, tacLoadSlice **slice, tacError *error); /* at rest */
TAC_API void tac_load_slice_destroy(tacLoadSlice *slice); /* NULL is allowed */

/* d = d_rest + sum_i weight_i (d(x, node_i, size_i) - d_rest). A load in a triangle: three parts, whose weights are
 * those of its corners; several loads: all of theirs. Linear between sizes, rest being 0, and constant beyond the
 * last: continuous in weights and sizes. Deformations that are mixed should lie nearer to each other than the body
 * is thick. */
typedef struct tacLoadPart {
  int node;
  double size, weight;
} tacLoadPart;
TAC_API void tac_load_slice_set(tacLoadSlice *slice, int count, const tacLoadPart *parts); /* tick */
/* Tick, any thread between sets. Trilinear in the grid's box; outside of it the larger of two bounds of the
 * distance, d(nearest place of the box) - d_box and d_box + d_boundary (Barbic 2007, 3.14): continuous. Infinite
 * where x is not finite. */
TAC_API double tac_load_slice_value(const tacLoadSlice *slice, tacVec3 x);
TAC_API void tac_load_slice_values(const tacLoadSlice *slice, int count, const tacVec3 *x, double *values);
/* The interpolant's gradient too. */
TAC_API double tac_load_slice_gradient(const tacLoadSlice *slice, tacVec3 x, tacVec3 *gradient);

/* The distance field of a reduced body in any deformation, by proxies (Barbic 2007, section 3.12): an asset. */
typedef struct tacDeformedField tacDeformedField;

typedef struct tacDeformedFieldDef {
  int proxy_count; /* of each domain; default 40 */
  int nearest;     /* k; default 5 */
} tacDeformedFieldDef;
TAC_API tacDeformedFieldDef tac_deformed_field_def_default(void);

/* Offline: the part of a solid (its field) that lies inside another field, which may be analytic: again a distance field. */
TAC_API tacStatus tac_distance_field_cut(const tacDistanceField *solid, const tacDistanceField *region,
                                         const tacProgress *progress, tacDistanceField **part, tacError *error);

TAC_API void tac_deformed_field_destroy(tacDeformedField *field); /* NULL is allowed */
TAC_API tacStatus tac_deformed_field_write(const tacDeformedField *field, const char *path, tacError *error);
TAC_API tacStatus tac_deformed_field_read(const char *path, tacDeformedField **field, tacError *error);

TAC_API const tacBakeChecks *tac_deformed_field_checks(const tacDeformedField *field); /* of its bake */
TAC_API int tac_deformed_field_coordinates(const tacDeformedField *field);             /* r */
TAC_API int tac_deformed_field_domain_count(const tacDeformedField *field);
TAC_API const tacDistanceField *tac_deformed_field_domain(const tacDeformedField *field, int domain); /* at rest */
TAC_API int tac_deformed_field_proxy_count(const tacDeformedField *field, int domain);
TAC_API tacVec3 tac_deformed_field_proxy(const tacDeformedField *field, int domain, int proxy); /* at rest */

/* The field in a moment: its proxies in the deformation q, p_i, F_i and their inverses. Load phase to make; refers to
 * the field, which must outlive it. */
typedef struct tacDeformedPose tacDeformedPose;
TAC_API tacStatus tac_deformed_pose_create(const tacDeformedField *field, tacDeformedPose **pose, tacError *error);
/* With the distances of baked deformations (NULL: as above): where q comes near to one, values are those that were baked
 * for it, and proxies bridge the rest of the way only. The field must have one domain; both must outlive the pose. */
TAC_API tacStatus tac_deformed_pose_create_loaded(const tacDeformedField *field, const tacLoadField *loads,
                                                  tacDeformedPose **pose, tacError *error);
TAC_API void tac_deformed_pose_destroy(tacDeformedPose *pose); /* NULL is allowed */
/* Tick; q[r]. Returns a bound of how far any query's answer moved since the last set, m. */
TAC_API double tac_deformed_pose_set(tacDeformedPose *pose, const double *q);
/* Tick, any thread between sets; x in the body's frame, m. (3.16), (3.17): C0 in x and q; smallest of the domains. */
TAC_API double tac_deformed_pose_value(const tacDeformedPose *pose, tacVec3 x);

TAC_END_DECLS

#endif
