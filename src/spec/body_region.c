#include "spec/body_region.h"

#include <string.h>
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "base/nearest.h"
#include "math/geometry/vec3.h"

static double coordinate(tacVec3 p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/* Of a region that is not a group. */
static bool region_holds(const tacSceneRegion *r, tacVec3 p) {
  if (r->has_below) return coordinate(p, r->below.axis) <= r->below.at;
  if (r->has_above) return coordinate(p, r->above.axis) >= r->above.at;
  if (r->has_box)
    return p.x >= r->box.lower.x && p.y >= r->box.lower.y && p.z >= r->box.lower.z && p.x <= r->box.upper.x &&
           p.y <= r->box.upper.y && p.z <= r->box.upper.z;
  return tac_vec3_distance(p, r->sphere.centre) <= r->sphere.radius;
}

static const int *element_corners(const tacVolMesh *v, int element, int *count) {
  bool tet = element < v->tet_count;
  *count = tet ? 4 : 8;
  return tet ? v->tets[element].v : v->bricks[element - v->tet_count].v;
}

static tacVec3 element_centre(const tacVolMesh *v, int element) {
  int count;
  const int *corners = element_corners(v, element, &count);
  tacVec3 sum = {0};
  for (int k = 0; k < count; ++k) sum = tac_vec3_add(sum, v->vertices[corners[k]]);
  return tac_vec3_scale(1.0 / count, sum);
}

static const tacIndexSet *find_set(const char *name, int count, const tacIndexSet *sets, tacNearest *nearest) {
  for (int i = 0; i < count; ++i) {
    if (strcmp(sets[i].name, name) == 0) return &sets[i];
    tac_nearest_offer(nearest, sets[i].name);
  }
  return NULL;
}

static tacStatus refuse_group(const tacBodyMaker *m, const tacYamlNode *region, const tacNearest *nearest) {
  return tac_yaml_error(m->tree, tac_yaml_child(region, "group"), TAC_ERR_FORMAT, m->error,
                        "the mesh has no group %.60s%s%.60s%s", nearest->given,
                        nearest->best != NULL ? "; did you mean " : "; the mesh has no groups",
                        nearest->best != NULL ? nearest->best : "", nearest->best != NULL ? "?" : "");
}

/* Vertices of the volume that are in the set or group of that name. */
static tacStatus flag_volume_group(const tacBodyMaker *m, const tacSceneRegion *r, const tacVolMesh *v, bool *flags) {
  tacNearest nearest = {.given = r->group};
  const tacIndexSet *set = find_set(r->group, v->vertex_set_count, v->vertex_sets, &nearest);
  for (int i = 0; set != NULL && i < set->count; ++i) flags[set->indices[i]] = true;
  if (set != NULL) return TAC_OK;
  set = find_set(r->group, v->group_count, v->groups, &nearest);
  if (set == NULL) return refuse_group(m, r->node, &nearest);
  for (int i = 0; i < set->count; ++i) {
    int count;
    const int *corners = element_corners(v, set->indices[i], &count);
    for (int k = 0; k < count; ++k) flags[corners[k]] = true;
  }
  return TAC_OK;
}

/* Vertices of the surface that are in the group of triangles of that name. */
static tacStatus flag_surface_group(const tacBodyMaker *m, const tacSceneRegion *r, const tacTriMesh *s, bool *flags) {
  tacNearest nearest = {.given = r->group};
  const tacIndexSet *set = find_set(r->group, s->group_count, s->groups, &nearest);
  if (set == NULL) return refuse_group(m, r->node, &nearest);
  for (int i = 0; i < set->count; ++i)
    for (int k = 0; k < 3; ++k) flags[s->triangles[set->indices[i]].v[k]] = true;
  return TAC_OK;
}

/* Vertices, and where their groups are: in the surface, or in the volume, of which they may be some. */
typedef struct {
  int count;
  const tacVec3 *vertices;
  const tacTriMesh *surface;
  const tacVolMesh *volume;
  const int *vertex_of; /* [vertex] -> the volume's; NULL: the same */
  const char *noun;
} Points;

static tacStatus flag_group(const tacBodyMaker *m, const tacSceneRegion *r, const Points *points, bool *flags) {
  if (points->volume == NULL) return flag_surface_group(m, r, points->surface, flags);
  if (points->vertex_of == NULL) return flag_volume_group(m, r, points->volume, flags);
  TAC_MEMORY(bool, in_volume) = NULL;
  TAC_TRY(TAC_ARRAY(in_volume, (size_t)points->volume->vertex_count, "vertices", m->error));
  TAC_TRY(flag_volume_group(m, r, points->volume, in_volume));
  for (int i = 0; i < points->count; ++i) flags[i] = in_volume[points->vertex_of[i]];
  return TAC_OK;
}

static tacStatus refuse_empty(const tacBodyMaker *m, const tacSceneRegion *r, const Points *points) {
  tacBox box = points->vertex_of == NULL && points->volume != NULL ? tac_volmesh_box(points->volume)
                                                                   : tac_trimesh_box(points->surface);
  return tac_yaml_error(m->tree, r->node, TAC_ERR_GEOMETRY, m->error,
                        "no vertex of the %s lies in this region; the body extends from (%.4g, %.4g, %.4g) to (%.4g, "
                        "%.4g, %.4g) mm",
                        points->noun, 1e3 * box.lower.x, 1e3 * box.lower.y, 1e3 * box.lower.z, 1e3 * box.upper.x,
                        1e3 * box.upper.y, 1e3 * box.upper.z);
}

static tacStatus flag_points(const tacBodyMaker *m, const tacSchemaList *list, const Points *points, bool *flags) {
  const tacSceneRegion *regions = list->items;
  TAC_MEMORY(bool, own) = NULL;
  TAC_TRY(TAC_ARRAY(own, (size_t)points->count, "vertices", m->error));
  for (int i = 0; i < list->count; ++i) {
    int found = 0;
    memset(own, 0, (size_t)points->count * sizeof *own);
    if (regions[i].group != NULL)
      TAC_TRY(flag_group(m, &regions[i], points, own));
    else
      for (int v = 0; v < points->count; ++v) own[v] = region_holds(&regions[i], points->vertices[v]);
    for (int v = 0; v < points->count; ++v) {
      flags[v] = flags[v] || own[v];
      found += own[v];
    }
    if (found == 0) return refuse_empty(m, &regions[i], points);
  }
  return TAC_OK;
}

tacStatus tac_body_region_surface(const tacBodyMaker *m, const tacSchemaList *regions, const tacTriMesh *surface,
                                  const tacVolMesh *volume, const int *vertex_of, bool *flags) {
  Points points = {surface->vertex_count, surface->vertices, surface, volume, vertex_of, "surface"};
  return flag_points(m, regions, &points, flags);
}

tacStatus tac_body_region_volume(const tacBodyMaker *m, const tacSchemaList *regions, const tacVolMesh *volume,
                                 bool *flags) {
  Points points = {volume->vertex_count, volume->vertices, NULL, volume, NULL, "volume"};
  return flag_points(m, regions, &points, flags);
}

static tacStatus flag_elements(const tacBodyMaker *m, const tacSceneRegion *r, const tacVolMesh *v, bool *flags) {
  if (r->group == NULL) {
    for (int e = 0; e < v->tet_count + v->brick_count; ++e)
      flags[e] = flags[e] || region_holds(r, element_centre(v, e));
    return TAC_OK;
  }
  tacNearest nearest = {.given = r->group};
  const tacIndexSet *set = find_set(r->group, v->group_count, v->groups, &nearest);
  if (set == NULL) return refuse_group(m, r->node, &nearest);
  for (int k = 0; k < set->count; ++k) flags[set->indices[k]] = true;
  return TAC_OK;
}

tacStatus tac_body_region_elements(const tacBodyMaker *m, const tacSchemaList *regions, const tacVolMesh *volume,
                                   bool *flags) {
  for (int i = 0; i < regions->count; ++i)
    TAC_TRY(flag_elements(m, (const tacSceneRegion *)regions->items + i, volume, flags));
  return TAC_OK;
}
