#include "app/viewer/frame/model.h"

#include <stdlib.h>
#include <string.h>
#include "app/viewer/frame/pose.h"
#include "app/viewer/frame/volume_edges.h"
#include "app/viewer/protocol/quantise.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "world/world_view.h"

/* ---- which bodies ---- */

static int find(int count, const tacViewModel *models, const tacShownBasis *basis) {
  int m = 0;
  while (m < count && models[m].basis.displacements != basis->displacements) ++m;
  return m;
}

tacStatus tac_view_models_create(const tacWorld *world, int *count, tacViewModel **result, tacError *error) {
  int bodies = tac_world_body_count(world);
  *count = 0;
  TAC_TRY(TAC_ARRAY(*result, (size_t)bodies, "models", error));
  tacViewModel *models = *result;
  for (int b = 0; b < bodies; ++b) {
    tacShownBasis basis;
    if (!tac_world_body_basis(world, tac_world_body(world, b), &basis)) continue;
    tacViewModel *model = &models[find(*count, models, &basis)];
    if (model == &models[*count]) {
      TAC_TRY(TAC_ARRAY(model->bodies, (size_t)bodies, "bodies of a model", error));
      ++*count;
    }
    model->basis = basis;
    model->bodies[model->body_count++] = b;
    model->moves = model->moves || basis.is_free || tac_view_holder(world, b) >= 0;
  }
  return TAC_OK;
}

void tac_view_models_destroy(int count, tacViewModel *models) {
  for (int m = 0; m < count && models != NULL; ++m) free(models[m].bodies);
  free(models);
}

/* ---- the message ---- */

/* One label a line, to a multiple of 4 bytes. */
static size_t label_bytes(const tacWorld *world, tacBodyId id, size_t *shapes) {
  tacShownShape shape;
  size_t bytes = 0;
  int s = 0;
  for (; tac_world_body_shape(world, id, s, &shape); ++s) bytes += strlen(shape.label) + (s > 0);
  *shapes = (size_t)s;
  return (bytes + 3) / 4 * 4;
}

static void write_shapes(tacByteWriter *w, const tacWorld *world, tacBodyId id, int r) {
  tacShownShape shape;
  for (int s = 0; tac_world_body_shape(world, id, s, &shape); ++s)
    for (int j = 0; j < r; ++j) tac_byte_writer_f32(w, shape.coordinates[j]);
}

static void write_labels(tacByteWriter *w, const tacWorld *world, tacBodyId id, size_t bytes) {
  tacShownShape shape;
  size_t end = w->at + bytes;
  for (int s = 0; tac_world_body_shape(world, id, s, &shape); ++s) {
    if (s > 0) tac_byte_writer_u8(w, '\n');
    for (const char *c = shape.label; *c != 0; ++c) tac_byte_writer_u8(w, *c == '\n' ? ' ' : (unsigned char)*c);
  }
  while (w->at < end) tac_byte_writer_u8(w, 0);
}

static void write_surface(tacByteWriter *w, const tacShownBasis *basis) {
  const tacTriMesh *mesh = basis->surface;
  for (int v = 0; v < mesh->vertex_count; ++v) tac_byte_writer_vec3(w, mesh->vertices[v]);
  for (int v = 0; v < mesh->vertex_count; ++v) tac_byte_writer_vec3(w, basis->normals[v]);
  for (int t = 0; t < mesh->triangle_count; ++t)
    for (int i = 0; i < 3; ++i) tac_byte_writer_u32(w, (uint32_t)mesh->triangles[t].v[i]);
  for (int v = 0; v < mesh->vertex_count; ++v)
    if (basis->fixed[v]) tac_byte_writer_u32(w, (uint32_t)v);
}

static void write_basis(tacByteWriter *w, const tacShownBasis *basis, float *scales) {
  int vertices = basis->surface->vertex_count, r = basis->size;
  size_t place = w->at, bytes = 12 * (size_t)vertices * (size_t)r;
  w->at += 8 * (size_t)r;
  if (w->at + bytes <= w->size)
    tac_quantise_basis(vertices, r, basis->displacements, basis->normal_changes, w->bytes + w->at, scales);
  w->at += bytes;
  tacByteWriter back = {w->bytes, w->size, place};
  for (int j = 0; j < 2 * r; ++j) tac_byte_writer_f32(&back, (double)scales[j]);
}

tacStatus tac_view_model_packet(const tacViewModel *model, int number, const tacWorld *world, uint32_t load,
                                const tacVolMesh *volume, tacPacket **packet, tacError *error) {
  const tacShownBasis *basis = &model->basis;
  const tacTriMesh *mesh = basis->surface;
  tacBodyId first = tac_world_body(world, model->bodies[0]);
  size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
  size_t r = (size_t)basis->size, shapes, labels = label_bytes(world, first, &shapes);
  size_t bodies = (size_t)model->body_count;
  size_t fixed_count = 0, edge_count = 0, points = volume != NULL ? (size_t)volume->vertex_count : 0;
  *packet = NULL;
  for (size_t v = 0; v < vertices; ++v) fixed_count += basis->fixed[v];
  TAC_MEMORY(tacVolumeEdge, edges) = NULL;
  TAC_MEMORY(float, scales) = tac_array_create(2 * r, sizeof *scales, "scales of a basis", error);
  if (scales == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_volume_edges(volume, &edges, &edge_count, error));
  size_t size = TAC_VIEW_HEAD + 40 + 24 * vertices + 12 * triangles + 4 * fixed_count + 12 * points + 8 * edge_count +
                32 * bodies + 8 * r + 12 * vertices * r + 4 * shapes * r + labels;
  TAC_TRY(tac_packet_create(size, packet, error));
  tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
  tac_byte_writer_head(&w, TAC_VIEW_MODEL, (unsigned)number, load);
  const size_t counts[9] = {vertices, triangles, fixed_count, points, edge_count, r, shapes, bodies, labels};
  for (int i = 0; i < 9; ++i) tac_byte_writer_u32(&w, (uint32_t)counts[i]);
  tac_byte_writer_u32(&w, basis->is_free);
  write_surface(&w, basis);
  for (size_t v = 0; v < points; ++v) tac_byte_writer_vec3(&w, volume->vertices[v]);
  for (size_t e = 0; e < edge_count; ++e) TAC_WRITE_U32(&w, edges[e].a, edges[e].b);
  for (size_t b = 0; b < bodies; ++b) tac_byte_writer_u32(&w, (uint32_t)model->bodies[b]);
  for (size_t b = 0; b < bodies; ++b)
    tac_byte_writer_pose(&w, tac_world_body_pose(world, tac_world_body(world, model->bodies[b])));
  write_basis(&w, basis, scales);
  write_shapes(&w, world, first, basis->size);
  write_labels(&w, world, first, labels);
  return TAC_OK;
}

/* ---- the section ---- */

size_t tac_view_model_most_bytes(const tacViewModel *model) {
  return TAC_VIEW_SECTION_HEAD + 16 + 8 + 4 * (size_t)model->body_count * ((size_t)model->basis.size + 7);
}

void tac_view_model_write(const tacViewModel *model, int number, const tacWorld *world, const tacSnapshot *snapshot,
                          tacByteWriter *writer) {
  int r = model->basis.size;
  size_t section = tac_byte_writer_begin(writer, TAC_VIEW_COORDINATES);
  TAC_WRITE_U32(writer, number, model->body_count, r, model->moves);
  for (int b = 0; b < model->body_count; ++b) {
    tacBodyId id = tac_world_body(world, model->bodies[b]);
    int at = tac_world_body_state(world, id);
    const double *q = snapshot->state != NULL && at >= 0 ? snapshot->state + at : NULL;
    for (int j = 0; j < r; ++j) tac_byte_writer_f32(writer, q != NULL ? q[j] : 0.0);
    if (model->moves) tac_byte_writer_pose(writer, tac_world_snapshot_pose(world, snapshot, id));
  }
  tac_byte_writer_end(writer, section);
}
