#include "scene/bake_key.h"

#include <string.h>
#include "base/files/checksum.h"
#include "shape/gallery.h"

/* To be raised when the same definition bakes to other numbers. */
#define GREEN_VERSION 2
#define REDUCED_VERSION 3
#define VADEMECUM_VERSION 4
#define FIELD_VERSION 1
#define POINTS_VERSION 1
#define EMBEDDED_VERSION 1
#define DEFORMED_VERSION 1
#define LOADS_VERSION 1
#define SURFACE_VERSION 1
#define VOLUME_VERSION 1

static void mix(uint64_t *sum, const void *bytes, size_t size) {
  uint64_t pair[2] = {*sum, size > 0 ? tac_checksum(bytes, size) : 0};
  *sum = tac_checksum(pair, sizeof pair);
}

static void mix_count(uint64_t *sum, int64_t count) {
  mix(sum, &count, sizeof count);
}

static void mix_surface(uint64_t *sum, const tacTriMesh *mesh) {
  mix_count(sum, mesh->vertex_count);
  mix(sum, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
  mix_count(sum, mesh->triangle_count);
  mix(sum, mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles);
}

static void mix_volume(uint64_t *sum, const tacVolMesh *mesh) {
  mix_count(sum, mesh->vertex_count);
  mix(sum, mesh->vertices, (size_t)mesh->vertex_count * sizeof *mesh->vertices);
  mix_count(sum, mesh->tet_count);
  mix(sum, mesh->tets, (size_t)mesh->tet_count * sizeof *mesh->tets);
  mix_count(sum, mesh->brick_count);
  mix(sum, mesh->bricks, (size_t)mesh->brick_count * sizeof *mesh->bricks);
}

uint64_t tac_bake_key_versions(void) {
  const int versions[] = {GREEN_VERSION,    REDUCED_VERSION,  VADEMECUM_VERSION, FIELD_VERSION,   POINTS_VERSION,
                          EMBEDDED_VERSION, DEFORMED_VERSION, LOADS_VERSION,     SURFACE_VERSION, VOLUME_VERSION};
  return tac_checksum(versions, sizeof versions);
}

int tac_bake_key_surface_vertices(const tacReferenceDef *def) {
  if (def->volume == NULL) return def->surface->vertex_count;
  tacTriMesh *surface = NULL;
  if (tac_volmesh_surface(def->volume, &surface, NULL, NULL, NULL) != TAC_OK) return 0;
  int count = surface->vertex_count;
  tac_trimesh_destroy(surface);
  return count;
}

static void mix_materials_of(uint64_t *sum, const tacVolMesh *mesh, const int *material_of) {
  if (material_of == NULL) return;
  mix(sum, material_of, (size_t)(mesh->tet_count + mesh->brick_count) * sizeof *material_of);
}

uint64_t tac_bake_key_green(const tacGreenDef *def) {
  const tacReferenceDef *p = &def->problem;
  uint64_t sum = GREEN_VERSION;
  mix_count(&sum, p->method);
  if (p->volume != NULL) {
    mix_volume(&sum, p->volume);
    mix_materials_of(&sum, p->volume, p->material_of);
  } else {
    mix_surface(&sum, p->surface);
    mix_count(&sum, 1 + p->accept_thin); /* what is too thin was baked once, and is refused now */
  }
  mix_count(&sum, p->material_count);
  for (int i = 0; i < p->material_count; ++i) mix(&sum, p->materials[i].stiffness, sizeof p->materials[i].stiffness);
  int vertices = tac_bake_key_surface_vertices(p), fixed = 0;
  mix(&sum, p->fixed, (size_t)vertices * sizeof *p->fixed);
  bool inside = p->volume != NULL && p->fixed_inside != NULL;
  mix_count(&sum, inside);
  if (inside) mix(&sum, p->fixed_inside, (size_t)p->volume->vertex_count * sizeof *p->fixed_inside);
  for (int v = 0; v < vertices; ++v) fixed += p->fixed[v];
  for (int i = 0; fixed == 0 && i < p->material_count; ++i) /* a free body's inertia is part of its answer */
    mix(&sum, &p->materials[i].density, sizeof p->materials[i].density);
  mix_count(&sum, p->sensor_count);
  for (int i = 0; i < p->sensor_count; ++i) {
    mix(&sum, p->sensors[i].name, strlen(p->sensors[i].name));
    mix_count(&sum, p->sensors[i].kind);
    mix(&sum, &p->sensors[i].point, sizeof p->sensors[i].point);
  }
  mix_count(&sum, def->wanted != NULL ? def->wanted_count : -1);
  if (def->wanted != NULL) mix(&sum, def->wanted, (size_t)def->wanted_count * sizeof *def->wanted);
  mix_count(&sum, def->storage);
  double radius = def->storage == TAC_GREEN_NEAR ? def->near_radius : 0.0;
  mix(&sum, &radius, sizeof radius);
  return sum;
}

static void mix_number(uint64_t *sum, double number) {
  mix(sum, &number, sizeof number);
}

static void mix_materials(uint64_t *sum, const tacReducedDef *def) {
  mix_count(sum, def->material_count);
  for (int i = 0; i < def->material_count; ++i) {
    mix_number(sum, def->materials[i].density);
    mix(sum, def->materials[i].stiffness, sizeof def->materials[i].stiffness);
    if (def->group_names != NULL) mix(sum, def->group_names[i], strlen(def->group_names[i]));
  }
}

/* Only what the source of the basis takes. */
static void mix_basis(uint64_t *sum, const tacReducedDef *def) {
  mix_count(sum, def->source);
  mix_count(sum, def->mode_count);
  mix_count(sum, def->size);
  mix_count(sum, def->lumped_mass);
  mix_count(sum, def->strain_rate);
  if (def->source == TAC_BASIS_MODES) return;
  mix_count(sum, def->load_count);
  mix(sum, def->loads, (size_t)def->load_count * sizeof *def->loads);
  if (def->source != TAC_BASIS_MOTION) return;
  mix_number(sum, def->motion_step);
  mix_number(sum, def->motion_duration);
  mix_number(sum, def->alpha_mass);
  mix_number(sum, def->beta_stiffness);
}

uint64_t tac_bake_key_reduced(const tacReducedDef *def) {
  uint64_t sum = REDUCED_VERSION;
  mix_volume(&sum, def->volume);
  mix_materials_of(&sum, def->volume, def->material_of);
  mix_materials(&sum, def);
  mix_count(&sum, def->held != NULL);
  if (def->held != NULL) mix(&sum, def->held, (size_t)def->volume->vertex_count * sizeof *def->held);
  mix_count(&sum, def->surface != NULL);
  if (def->surface != NULL) mix_surface(&sum, def->surface);
  mix_basis(&sum, def);
  return sum;
}

uint64_t tac_bake_key_vademecum(const tacVademecumDef *def) {
  uint64_t sum = VADEMECUM_VERSION;
  size_t flags = (size_t)def->mesh->vertex_count * sizeof *def->fixed;
  mix_volume(&sum, def->mesh);
  mix(&sum, def->material.law, strlen(def->material.law));
  mix(&sum, def->material.parameters, sizeof def->material.parameters);
  mix_number(&sum, def->material.density);
  mix(&sum, def->fixed, flags);
  mix_count(&sum, def->accessible != NULL);
  if (def->accessible != NULL) mix(&sum, def->accessible, flags);
  mix(&sum, &def->direction, sizeof def->direction);
  mix_number(&sum, def->load);
  mix_number(&sum, def->patch);
  mix_number(&sum, def->accuracy);
  mix_number(&sum, def->residual);
  const int64_t counts[] = {def->linear, def->mode_most, def->path_most, def->method, def->sample_count};
  mix(&sum, counts, sizeof counts);
  return sum;
}

static void mix_solid(uint64_t *sum, const tacSolidDef *solid) {
  mix_surface(sum, solid->mesh);
  mix_count(sum, solid->offset);
  mix_count(sum, solid->def.resolution);
  mix_number(sum, solid->def.expansion);
  mix_number(sum, solid->def.offset);
  mix_number(sum, solid->def.band);
}

uint64_t tac_bake_key_field(const tacSolidDef *def) {
  uint64_t sum = FIELD_VERSION;
  mix_solid(&sum, def);
  return sum;
}

uint64_t tac_bake_key_points(const tacShellDef *def) {
  uint64_t sum = POINTS_VERSION;
  mix_solid(&sum, &def->solid);
  if (def->field_key != 0) mix(&sum, &def->field_key, sizeof def->field_key);
  mix_count(&sum, def->points.point_count);
  mix_count(&sum, def->points.level_count);
  return sum;
}

uint64_t tac_bake_key_embedded(const tacShellDef *def) {
  uint64_t points = def->ready != NULL ? def->ready_key : tac_bake_key_points(def);
  uint64_t sum = EMBEDDED_VERSION, parts[2] = {points, def->reduced_key};
  mix(&sum, parts, sizeof parts);
  return sum;
}

static void mix_plane(uint64_t *sum, const tacScenePlane *plane) {
  mix_count(sum, plane->axis);
  mix_number(sum, plane->at);
}

static void mix_region(uint64_t *sum, const tacSceneRegion *region) {
  mix_count(sum, region->has_below + 2 * region->has_above + 4 * region->has_box + 8 * region->has_sphere);
  mix_plane(sum, &region->below);
  mix_plane(sum, &region->above);
  mix(sum, &region->box.lower, sizeof region->box.lower);
  mix(sum, &region->box.upper, sizeof region->box.upper);
  mix(sum, &region->sphere.centre, sizeof region->sphere.centre);
  mix_number(sum, region->sphere.radius);
}

uint64_t tac_bake_key_deformed(const tacDeformedDef *def) {
  uint64_t sum = DEFORMED_VERSION;
  mix(&sum, &def->reduced_key, sizeof def->reduced_key);
  if (def->file != NULL)
    mix(&sum, &def->file_key, sizeof def->file_key);
  else
    mix_solid(&sum, &def->solid);
  mix_count(&sum, def->def.proxy_count);
  mix_count(&sum, def->def.nearest);
  mix_count(&sum, def->domain_count);
  for (int i = 0; i < def->domain_count; ++i) mix_region(&sum, &def->domains[i]);
  return sum;
}

uint64_t tac_bake_key_loads(const tacVademecumLoadsDef *def) {
  uint64_t sum = LOADS_VERSION;
  mix(&sum, &def->key, sizeof def->key);
  mix_count(&sum, def->most);
  mix_count(&sum, def->resolution);
  return sum;
}

tacStatus tac_bake_key_surface(const tacShapeMesh *def, uint64_t *key, tacError *error) {
  const tacGalleryModel *model = tac_gallery_find(def->shape);
  if (model == NULL) return tac_error_set(error, TAC_ERR_ARGUMENT, "there is no shape \"%s\"", def->shape);
  uint64_t sum = SURFACE_VERSION, fingerprint;
  tacStatus status = tac_gallery_fingerprint(model, &fingerprint, error);
  if (status != TAC_OK) return status;
  mix(&sum, &fingerprint, sizeof fingerprint);
  mix_number(&sum, def->vertices > 0 || def->size == 0.0 ? model->info.size : def->size);
  mix_count(&sum, def->vertices);
  mix_count(&sum, def->vertices > 0 && def->relaxed);
  *key = sum;
  return TAC_OK;
}

uint64_t tac_bake_key_volume(const tacFilledMesh *def) {
  uint64_t sum = VOLUME_VERSION;
  mix_surface(&sum, def->surface);
  mix_number(&sum, def->tets);
  mix_count(&sum, def->tets > 0.0 ? 0 : def->resolution);
  mix_count(&sum, def->tets > 0.0 ? 0 : (int)def->rule);
  return sum;
}
