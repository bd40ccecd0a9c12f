#include "app/viewer/frame/field_section.h"

#include <stdio.h>
#include <stdlib.h>
#include "app/viewer/protocol/quantise.h"
#include "base/memory/array.h"
#include "elastic/surface_stress.h"
#include "math/geometry/quat.h"
#include "math/geometry/vec3.h"
#include "scene/scene.h"
#include "world/world.h"
#include "world/world_view.h"

/* Vertices of all bodies of one asset that is shown by coordinates: more are not coloured, since their frames would have megabytes
 * where they have a few numbers. */
enum { MOST_VERTICES = 1 << 18 };

typedef struct {
  tacBodyId id;
  int vertex_count;
  unsigned known;
  bool by_material; /* stress follows from displacements and tractions: */
  double young, poisson;
  int stiffness; /* its parameter */
} Body;

struct tacFieldSections {
  tacArrays arrays; /* bodies and room */
  const tacWorld *world;
  int body_count;
  Body *bodies;
  /* Room for the largest body. */
  tacVec3 *vertices, *tractions;
  tacStressSum *sums;
  double *values;
};

/* ---- what is known ---- */

/* Bodies of one asset that is shown by coordinates. */
static int copies_of(const tacWorld *world, const tacShownBasis *basis) {
  tacShownBasis other;
  int count = 0;
  for (int b = 0; b < tac_world_body_count(world); ++b)
    count +=
        tac_world_body_basis(world, tac_world_body(world, b), &other) && other.displacements == basis->displacements;
  return count;
}

static bool is_too_large(const tacWorld *world, const Body *body) {
  tacShownBasis basis;
  return tac_world_body_basis(world, body->id, &basis) &&
         (int64_t)copies_of(world, &basis) * body->vertex_count > MOST_VERTICES;
}

static void find_known(tacFieldSections *s, const tacScene *scene, int index) {
  static const tacSnapshot rest; /* without a state */
  Body *body = &s->bodies[index];
  tacBodyShown shown = tac_world_body_shown(s->world, body->id);
  if (shown != TAC_SHOWN_RIGID) body->known |= TAC_VIEW_REQUEST_SURFACES;
  if (is_too_large(s->world, body)) return;
  if (tac_world_colours(s->world, &rest, body->id, TAC_COLOUR_STRESS, s->sums, s->vertices, s->values))
    body->known |= TAC_VIEW_REQUEST_STRESS;
  if (tac_world_colours(s->world, &rest, body->id, TAC_COLOUR_STRETCH, s->sums, s->vertices, s->values))
    body->known |= TAC_VIEW_REQUEST_STRETCH;
  if (!tac_world_body_has_tractions(s->world, body->id)) return;
  body->known |= TAC_VIEW_REQUEST_PRESSURE;
  body->by_material = tac_scene_material(scene, tac_scene_body_of(scene, index), &body->young, &body->poisson);
  if (!body->by_material) return;
  char name[160];
  snprintf(name, sizeof name, "%.140s.stiffness", tac_world_body_name(s->world, body->id));
  body->stiffness = tac_world_find_parameter(s->world, name);
  body->known |= TAC_VIEW_REQUEST_STRESS;
}

tacStatus tac_field_sections_create(const tacScene *scene, const tacWorld *world, tacFieldSections **result,
                                    tacError *error) {
  *result = NULL;
  TAC_OWN(tacFieldSections, s) = tac_array_create(1, sizeof *s, "fields", error);
  if (s == NULL) return TAC_ERR_MEMORY;
  s->world = world;
  s->body_count = tac_world_body_count(world);
  s->bodies = tac_arrays_add(&s->arrays, (size_t)s->body_count, sizeof *s->bodies);
  size_t most = 1;
  for (int b = 0; b < s->body_count && s->bodies != NULL; ++b) {
    s->bodies[b].id = tac_world_body(world, b);
    s->bodies[b].vertex_count = tac_world_body_surface(world, s->bodies[b].id)->vertex_count;
    if ((size_t)s->bodies[b].vertex_count > most) most = (size_t)s->bodies[b].vertex_count;
  }
  s->vertices = tac_arrays_add(&s->arrays, most, sizeof *s->vertices);
  s->tractions = tac_arrays_add(&s->arrays, most, sizeof *s->tractions);
  s->sums = tac_arrays_add(&s->arrays, most, sizeof *s->sums);
  s->values = tac_arrays_add(&s->arrays, most, sizeof *s->values);
  TAC_TRY(tac_arrays_status(&s->arrays, "fields", error));
  for (int b = 0; b < s->body_count; ++b) find_known(s, scene, b);
  *result = tac_give(&s);
  return TAC_OK;
}

void tac_field_sections_destroy(tacFieldSections *s) {
  if (s != NULL) tac_arrays_free(&s->arrays);
  free(s);
}

unsigned tac_field_sections_known(const tacFieldSections *s, int body) {
  return s->bodies[body].known;
}

/* ---- the sections ---- */

static unsigned fields_of(const Body *body, unsigned requests) {
  return body->known & requests & (TAC_VIEW_REQUEST_STRESS | TAC_VIEW_REQUEST_STRETCH | TAC_VIEW_REQUEST_PRESSURE);
}

size_t tac_field_sections_most_bytes(const tacFieldSections *s, int index, unsigned requests) {
  const Body *body = &s->bodies[index];
  unsigned fields = fields_of(body, requests);
  size_t count = 0;
  for (; fields != 0; fields &= fields - 1) ++count;
  return count * (TAC_VIEW_SECTION_HEAD + 16 + 2 * (size_t)body->vertex_count + 8);
}

static void write_field(tacFieldSections *s, int index, int kind, tacByteWriter *w) {
  int count = s->bodies[index].vertex_count;
  float scale = 0.0f;
  size_t section = tac_byte_writer_begin(w, TAC_VIEW_FIELD);
  TAC_WRITE_U32(w, index, kind);
  size_t place = w->at; /* of the scale */
  TAC_WRITE_U32(w, 0, count);
  if (w->at + 2 * (size_t)count <= w->size) tac_quantise_field(count, s->values, w->bytes + w->at, &scale);
  w->at += 2 * (size_t)count;
  tacByteWriter back = {w->bytes, w->size, place};
  tac_byte_writer_f32(&back, (double)scale);
  tac_byte_writer_end(w, section);
}

/* From displacements and tractions, in the world. */
static void find_stress(tacFieldSections *s, const Body *body, const tacSnapshot *snapshot) {
  const tacTriMesh *mesh = tac_world_body_surface(s->world, body->id);
  tacPose pose = tac_world_snapshot_pose(s->world, snapshot, body->id);
  tacQuat turn = tac_quat(pose.orientation[0], pose.orientation[1], pose.orientation[2], pose.orientation[3]);
  tacQuat back = tac_quat_conjugate(turn);
  double young = body->young * tac_world_parameter(s->world, body->stiffness).value;
  tac_world_surface(s->world, snapshot, body->id, s->vertices);
  for (int v = 0; v < body->vertex_count; ++v) { /* to the body's frame */
    tacVec3 now = tac_quat_rotate(back, tac_vec3_sub(s->vertices[v], pose.position));
    s->vertices[v] = tac_vec3_sub(now, mesh->vertices[v]);
    s->tractions[v] = tac_quat_rotate(back, s->tractions[v]);
  }
  tac_surface_stress(mesh, s->vertices, s->tractions, young, body->poisson, s->sums, s->values);
}

int tac_field_sections_write(tacFieldSections *s, int index, const tacSnapshot *snapshot, unsigned requests,
                             tacByteWriter *w) {
  const Body *body = &s->bodies[index];
  const bool *fixed = tac_world_body_fixed(s->world, body->id);
  unsigned fields = fields_of(body, requests);
  bool stress = (fields & TAC_VIEW_REQUEST_STRESS) != 0, stretch = (fields & TAC_VIEW_REQUEST_STRETCH) != 0;
  bool pressure = (fields & TAC_VIEW_REQUEST_PRESSURE) != 0;
  if (stretch) {
    tac_world_colours(s->world, snapshot, body->id, TAC_COLOUR_STRETCH, s->sums, s->vertices, s->values);
    write_field(s, index, TAC_VIEW_STRETCH, w);
  }
  if (stress && !body->by_material) {
    tac_world_colours(s->world, snapshot, body->id, TAC_COLOUR_STRESS, s->sums, s->vertices, s->values);
    write_field(s, index, TAC_VIEW_STRESS, w);
  }
  if (pressure || (stress && body->by_material)) tac_world_tractions(s->world, snapshot, body->id, s->tractions);
  if (pressure) {
    for (int v = 0; v < body->vertex_count; ++v)
      s->values[v] = fixed != NULL && fixed[v] ? 0.0 : tac_vec3_norm(s->tractions[v]); /* not reactions */
    write_field(s, index, TAC_VIEW_PRESSURE, w);
  }
  if (stress && body->by_material) {
    find_stress(s, body, snapshot);
    write_field(s, index, TAC_VIEW_STRESS, w);
  }
  return stretch + stress + pressure;
}
