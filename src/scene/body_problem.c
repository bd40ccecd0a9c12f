#include "scene/body_problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tactus/mesh_file.h>
#include <tactus/shape.h>
#include <tactus/stuffing.h>
#include <tactus/voxelise.h>
#include "base/array.h"
#include "base/nearest.h"
#include "math/vec3.h"
#include "mesh/relaxation.h"
#include "mesh/simplify.h"

typedef struct {
  const tacYamlTree *tree;
  const tacSceneBody *body;
  const tacProgress *progress;
  tacBodyProblem *problem;
  tacError *error;
} Maker;

/* Puts the line of the scene before an error that came from elsewhere. */
static tacStatus blame(const Maker *m, const tacYamlNode *node, tacStatus status, const tacError *reason) {
  return tac_yaml_error(m->tree, node, status, m->error, "%.400s", reason->text);
}

char *tac_body_problem_path(const tacYamlTree *tree, const char *file, tacError *error) {
  const char *scene = tac_yaml_tree_path(tree), *slash = strrchr(scene, '/');
  size_t folder = file[0] == '/' || slash == NULL ? 0 : (size_t)(slash - scene) + 1;
  char *path = tac_array_create(folder + strlen(file) + 1, 1, "a path", error);
  if (path == NULL) return NULL;
  memcpy(path, scene, folder);
  memcpy(path + folder, file, strlen(file));
  return path;
}

static tacStatus read_mesh(const Maker *m, const tacYamlNode *node, const char *file, double scale,
                           tacMeshContents *contents) {
  tacError reason;
  char *path = tac_body_problem_path(m->tree, file, m->error);
  if (path == NULL) return TAC_ERR_MEMORY;
  tacStatus status = tac_mesh_read(path, contents, &reason);
  free(path);
  if (status != TAC_OK) return blame(m, tac_yaml_child(node, "file"), status, &reason);
  for (int i = 0; contents->surface != NULL && i < contents->surface->vertex_count; ++i)
    contents->surface->vertices[i] = tac_vec3_scale(scale, contents->surface->vertices[i]);
  for (int i = 0; contents->volume != NULL && i < contents->volume->vertex_count; ++i)
    contents->volume->vertices[i] = tac_vec3_scale(scale, contents->volume->vertices[i]);
  return TAC_OK;
}

static tacStatus coarsen(const tacTriMesh *fine, int wanted, tacTriMesh **surface, tacError *error) {
  tacTriMesh *rough = NULL;
  tacStatus status = tac_trimesh_simplify(fine, wanted, &rough, error);
  if (status == TAC_OK) status = tac_trimesh_relax(rough, fine, surface, error);
  tac_trimesh_destroy(rough);
  return status;
}

/* The shape with exactly `wanted` vertices: built finer, then coarsened. */
static tacStatus build_shape_of(const char *name, int wanted, const tacProgress *progress, tacTriMesh **surface,
                                tacError *error) {
  double size = tac_shape_find(name)->size;
  for (int attempt = 0; attempt < 40; ++attempt) {
    tacTriMesh *fine = NULL;
    tacStatus status = tac_shape_build(name, size, progress, &fine, error);
    if (status != TAC_OK) return status;
    int count = fine->vertex_count;
    if (count == wanted) {
      *surface = fine;
      return TAC_OK;
    }
    if (count > wanted) status = coarsen(fine, wanted, surface, error);
    tac_trimesh_destroy(fine);
    if (count > wanted || status != TAC_OK) return status;
    size *= fmin(0.97, 0.98 * sqrt((double)count / (double)wanted)); /* counts grow with 1 / size^2 */
  }
  return tac_error_set(error, TAC_ERR_GEOMETRY, "no size of the shape gives %d vertices", wanted);
}

static tacStatus make_surface(const Maker *m, tacTriMesh **surface) {
  const tacSceneSurface *s = &m->body->surface;
  tacError reason;
  if (s->shape != NULL) {
    tacStatus status = s->has_vertices ? build_shape_of(s->shape, s->vertices, m->progress, surface, &reason)
                                       : tac_shape_build(s->shape, s->size, m->progress, surface, &reason);
    return status == TAC_OK ? TAC_OK : blame(m, s->node, status, &reason);
  }
  tacMeshContents contents = {0};
  tacStatus status = read_mesh(m, s->node, s->file, s->scale, &contents);
  if (status == TAC_OK && contents.surface == NULL) {
    status = tac_volmesh_surface(contents.volume, &contents.surface, NULL, NULL, &reason);
    if (status != TAC_OK) blame(m, s->node, status, &reason);
  }
  *surface = contents.surface;
  contents.surface = NULL;
  tac_mesh_contents_destroy(&contents);
  return status;
}

static tacStatus fill_surface(const Maker *m, const tacTriMesh *surface, tacVolMesh **volume) {
  const tacSceneVolume *v = &m->body->volume;
  tacError reason;
  tacStatus status;
  if (v->has_tets) {
    tacStuffingDef def = tac_stuffing_def_default();
    def.size = v->tets;
    status = tac_stuffing_fill(surface, &def, m->progress, volume, &reason);
  } else {
    tacVoxeliseDef def = tac_voxelise_def_default();
    double along = ceil(tac_box_longest(tac_trimesh_box(surface)) / v->bricks);
    def.resolution = along < 1024.0 ? (int)along : 1024;
    def.rule = TAC_VOXELS_CENTRE;
    status = tac_voxelise(surface, &def, m->progress, volume, &reason);
  }
  return status == TAC_OK ? TAC_OK : blame(m, v->node, status, &reason);
}

static tacStatus make_volume(const Maker *m) {
  const tacSceneVolume *v = &m->body->volume;
  tacBodyProblem *p = m->problem;
  tacStatus status;
  if (v->file != NULL) {
    tacMeshContents contents = {0};
    status = read_mesh(m, v->node, v->file, v->scale, &contents);
    p->volume = contents.volume;
    contents.volume = NULL;
    tac_mesh_contents_destroy(&contents);
    if (status == TAC_OK && p->volume == NULL)
      status = tac_yaml_error(m->tree, v->node, TAC_ERR_GEOMETRY, m->error,
                              "%.100s holds a surface; name it under surface and fill it, like volume: {tets: 6 mm}",
                              v->file);
  } else {
    tacTriMesh *surface = NULL;
    status = make_surface(m, &surface);
    if (status == TAC_OK) status = fill_surface(m, surface, &p->volume);
    tac_trimesh_destroy(surface);
  }
  tacError reason;
  if (status == TAC_OK &&
      (status = tac_volmesh_surface(p->volume, &p->surface, &p->vertex_of, NULL, &reason)) != TAC_OK)
    return blame(m, v->node, status, &reason);
  return status;
}

/* Regions */

static double coordinate(tacVec3 p, int axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

static bool region_holds(const tacSceneRegion *r, tacVec3 p) {
  if (r->has_below) return coordinate(p, r->below.axis) <= r->below.at;
  if (r->has_above) return coordinate(p, r->above.axis) >= r->above.at;
  if (r->has_box)
    return p.x >= r->box.lower.x && p.y >= r->box.lower.y && p.z >= r->box.lower.z && p.x <= r->box.upper.x &&
           p.y <= r->box.upper.y && p.z <= r->box.upper.z;
  return tac_vec3_distance(p, r->sphere.centre) <= r->sphere.radius;
}

static const tacIndexSet *find_set(const char *name, int count, const tacIndexSet *sets, tacNearest *nearest) {
  for (int i = 0; i < count; ++i) {
    if (strcmp(sets[i].name, name) == 0) return &sets[i];
    tac_nearest_offer(nearest, sets[i].name);
  }
  return NULL;
}

static tacStatus refuse_group(const Maker *m, const tacYamlNode *node, const tacNearest *nearest) {
  return tac_yaml_error(m->tree, node, TAC_ERR_FORMAT, m->error, "the mesh has no group %.60s%s%.60s%s", nearest->given,
                        nearest->best != NULL ? "; did you mean " : "; it has none at all",
                        nearest->best != NULL ? nearest->best : "", nearest->best != NULL ? "?" : "");
}

/* Flags of the volume's vertices that are in the set or group of that name. */
static tacStatus flag_volume_group(const Maker *m, const tacSceneRegion *r, bool *in_volume) {
  const tacVolMesh *v = m->problem->volume;
  tacNearest nearest = {.given = r->group};
  const tacIndexSet *set = find_set(r->group, v->vertex_set_count, v->vertex_sets, &nearest);
  for (int i = 0; set != NULL && i < set->count; ++i) in_volume[set->indices[i]] = true;
  if (set != NULL) return TAC_OK;
  set = find_set(r->group, v->group_count, v->groups, &nearest);
  if (set == NULL) return refuse_group(m, tac_yaml_child(r->node, "group"), &nearest);
  for (int i = 0; i < set->count; ++i) {
    int e = set->indices[i];
    const int *corners = e < v->tet_count ? v->tets[e].v : v->bricks[e - v->tet_count].v;
    for (int k = 0; k < (e < v->tet_count ? 4 : 8); ++k) in_volume[corners[k]] = true;
  }
  return TAC_OK;
}

static tacStatus flag_group(const Maker *m, const tacSceneRegion *r, bool *flags) {
  const tacTriMesh *s = m->problem->surface;
  if (m->problem->volume == NULL) {
    tacNearest nearest = {.given = r->group};
    const tacIndexSet *set = find_set(r->group, s->group_count, s->groups, &nearest);
    if (set == NULL) return refuse_group(m, tac_yaml_child(r->node, "group"), &nearest);
    for (int i = 0; i < set->count; ++i)
      for (int k = 0; k < 3; ++k) flags[s->triangles[set->indices[i]].v[k]] = true;
    return TAC_OK;
  }
  bool *in_volume = tac_array_create((size_t)m->problem->volume->vertex_count, sizeof *in_volume, "vertices", m->error);
  if (in_volume == NULL) return TAC_ERR_MEMORY;
  tacStatus status = flag_volume_group(m, r, in_volume);
  for (int i = 0; status == TAC_OK && i < s->vertex_count; ++i)
    if (in_volume[m->problem->vertex_of[i]]) flags[i] = true;
  free(in_volume);
  return status;
}

static int count_flags(int count, const bool *flags) {
  int found = 0;
  for (int i = 0; i < count; ++i) found += flags[i];
  return found;
}

/* Flags the vertices of the surface in any of the regions; each must hold one. */
static tacStatus flag_regions(const Maker *m, const tacSchemaList *list, bool *flags) {
  const tacTriMesh *s = m->problem->surface;
  const tacSceneRegion *regions = list->items;
  bool *own = tac_array_create((size_t)s->vertex_count, sizeof *own, "vertices", m->error);
  if (own == NULL) return TAC_ERR_MEMORY;
  tacStatus status = TAC_OK;
  for (int i = 0; status == TAC_OK && i < list->count; ++i) {
    memset(own, 0, (size_t)s->vertex_count * sizeof *own);
    if (regions[i].group != NULL)
      status = flag_group(m, &regions[i], own);
    else
      for (int v = 0; v < s->vertex_count; ++v) own[v] = region_holds(&regions[i], s->vertices[v]);
    for (int v = 0; v < s->vertex_count; ++v) flags[v] = flags[v] || own[v];
    if (status == TAC_OK && count_flags(s->vertex_count, own) == 0) {
      tacBox box = tac_trimesh_box(s);
      status = tac_yaml_error(m->tree, regions[i].node, TAC_ERR_GEOMETRY, m->error,
                              "no vertex of the surface is here; it reaches from (%.4g, %.4g, %.4g) to (%.4g, %.4g, "
                              "%.4g) mm",
                              1e3 * box.lower.x, 1e3 * box.lower.y, 1e3 * box.lower.z, 1e3 * box.upper.x,
                              1e3 * box.upper.y, 1e3 * box.upper.z);
    }
  }
  free(own);
  return status;
}

static tacStatus make_fixed(const Maker *m) {
  tacBodyProblem *p = m->problem;
  int count = p->surface->vertex_count;
  p->fixed = tac_array_create((size_t)count, sizeof *p->fixed, "vertices", m->error);
  if (p->fixed == NULL) return TAC_ERR_MEMORY;
  tacStatus status = flag_regions(m, &m->body->fixed, p->fixed);
  if (status == TAC_OK && count_flags(count, p->fixed) == count)
    return tac_yaml_error(m->tree, tac_yaml_child(m->body->node, "fixed"), TAC_ERR_GEOMETRY, m->error,
                          "all %d vertices are fixed: nothing would move", count);
  return status;
}

static tacStatus make_wanted(const Maker *m) {
  tacBodyProblem *p = m->problem;
  int count = p->surface->vertex_count, wanted = 0;
  if (m->body->wanted.count == 0) return TAC_OK;
  bool *flags = tac_array_create((size_t)count, sizeof *flags, "vertices", m->error);
  p->wanted = tac_array_create((size_t)count, sizeof *p->wanted, "vertices", m->error);
  tacStatus status = flags == NULL || p->wanted == NULL ? TAC_ERR_MEMORY : flag_regions(m, &m->body->wanted, flags);
  for (int i = 0; status == TAC_OK && i < count; ++i)
    if (flags[i] && !p->fixed[i]) p->wanted[wanted++] = i;
  free(flags);
  if (status == TAC_OK && wanted == 0)
    return tac_yaml_error(m->tree, tac_yaml_child(m->body->node, "wanted"), TAC_ERR_GEOMETRY, m->error,
                          "every vertex here is fixed: nothing would be wanted");
  p->def.wanted_count = wanted;
  p->def.wanted = p->wanted;
  return status;
}

/* Materials */

static tacStatus make_material(const Maker *m, const tacSceneMaterial *from, tacMaterial *to) {
  tacError reason;
  tacStatus status = from->has_stiffness
                         ? tac_material_anisotropic(from->density, from->stiffness, to, &reason)
                         : tac_material_isotropic(from->density, from->young, from->poisson, to, &reason);
  return status == TAC_OK ? TAC_OK : blame(m, from->node, status, &reason);
}

static tacStatus assign_materials(const Maker *m) {
  tacBodyProblem *p = m->problem;
  const tacSchemaList *list = &m->body->materials;
  int count = p->volume->tet_count + p->volume->brick_count;
  p->material_of = tac_array_create((size_t)count, sizeof *p->material_of, "elements", m->error);
  if (p->material_of == NULL) return TAC_ERR_MEMORY;
  for (int e = 0; e < count; ++e) p->material_of[e] = -1;
  for (int i = 0; i < list->count; ++i) {
    const tacSceneMaterial *material = (const tacSceneMaterial *)list->items + i;
    tacNearest nearest = {.given = material->group};
    const tacIndexSet *set = find_set(material->group, p->volume->group_count, p->volume->groups, &nearest);
    if (set == NULL) return refuse_group(m, tac_yaml_child(material->node, "group"), &nearest);
    for (int k = 0; k < set->count; ++k) p->material_of[set->indices[k]] = i;
  }
  for (int e = 0; e < count; ++e)
    if (p->material_of[e] < 0)
      return tac_yaml_error(m->tree, tac_yaml_child(m->body->node, "materials"), TAC_ERR_FORMAT, m->error,
                            "element %d of the mesh is in none of these groups", e);
  return TAC_OK;
}

static tacStatus make_materials(const Maker *m) {
  tacBodyProblem *p = m->problem;
  const tacSchemaList *list = &m->body->materials;
  int count = list->count > 0 ? list->count : 1;
  p->materials = tac_array_create((size_t)count, sizeof *p->materials, "materials", m->error);
  if (p->materials == NULL) return TAC_ERR_MEMORY;
  p->def.problem.material_count = count;
  p->def.problem.materials = p->materials;
  if (list->count == 0) return make_material(m, &m->body->material, &p->materials[0]);
  for (int i = 0; i < count; ++i) {
    tacStatus status = make_material(m, (const tacSceneMaterial *)list->items + i, &p->materials[i]);
    if (status != TAC_OK) return status;
  }
  tacStatus status = assign_materials(m);
  p->def.problem.material_of = p->material_of;
  return status;
}

static tacStatus make_sensors(const Maker *m) {
  tacBodyProblem *p = m->problem;
  int count = m->body->sensors.count;
  const tacSceneSensor *from = m->body->sensors.items;
  p->sensors = tac_array_create((size_t)count, sizeof *p->sensors, "sensors", m->error);
  if (p->sensors == NULL) return TAC_ERR_MEMORY;
  for (int i = 0; i < count; ++i) p->sensors[i] = (tacSensor){from[i].name, (tacSensorKind)from[i].kind, from[i].point};
  p->def.problem.sensor_count = count;
  p->def.problem.sensors = p->sensors;
  return TAC_OK;
}

tacStatus tac_body_problem_create(const tacYamlTree *tree, const tacSceneBody *body, const tacProgress *progress,
                                  tacBodyProblem *problem, tacError *error) {
  *problem = (tacBodyProblem){.def = tac_green_def_default()};
  Maker maker = {tree, body, progress, problem, error};
  const Maker *m = &maker;
  tacReferenceDef *def = &problem->def.problem;
  def->method = (tacGreenMethod)body->method;
  tacStatus status = body->method == TAC_GREEN_BOUNDARY_ELEMENTS ? make_surface(m, &problem->surface) : make_volume(m);
  if (status == TAC_OK) status = make_fixed(m);
  if (status == TAC_OK) status = make_wanted(m);
  if (status == TAC_OK) status = make_materials(m);
  if (status == TAC_OK) status = make_sensors(m);
  if (status != TAC_OK) {
    tac_body_problem_free(problem);
    return status;
  }
  def->surface = problem->volume == NULL ? problem->surface : NULL;
  def->volume = problem->volume;
  def->fixed = problem->fixed;
  problem->def.storage = (tacGreenStorage)body->storage;
  problem->def.near_radius = body->near_radius;
  return TAC_OK;
}

void tac_body_problem_free(tacBodyProblem *problem) {
  tac_trimesh_destroy(problem->surface);
  tac_volmesh_destroy(problem->volume);
  free(problem->vertex_of);
  free(problem->fixed);
  free(problem->wanted);
  free(problem->materials);
  free(problem->material_of);
  free(problem->sensors);
  *problem = (tacBodyProblem){0};
}
