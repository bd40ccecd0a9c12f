/* The distance field of a reduced body in any deformation, by proxies (Barbic 2007, section 3.12): an asset. */
#ifndef TACTUS_DEFORMED_FIELD_H
#define TACTUS_DEFORMED_FIELD_H

#include <tactus/bake_check.h>
#include <tactus/distance_field.h>
#include <tactus/load_field.h>
#include <tactus/progress.h>
#include <tactus/reduced.h>

TAC_BEGIN_DECLS

typedef struct tacDeformedField tacDeformedField;

typedef struct tacDeformedFieldDef {
  int proxy_count; /* of each domain; default 40 */
  int nearest;     /* k; default 5 */
} tacDeformedFieldDef;
TAC_API tacDeformedFieldDef tac_deformed_field_def_default(void);

/* Offline. Domains (section 3.12.1) are fields of parts of the body at rest in its frame (grids); their union is the body. One: no
 * division. Takes the domains over on success. */
TAC_API tacStatus tac_deformed_field_bake(const tacReduced *reduced, int domain_count, tacDistanceField *const *domains,
                                          const tacDeformedFieldDef *def, const tacProgress *progress,
                                          tacDeformedField **field, tacError *error);
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
