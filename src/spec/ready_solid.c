#include "spec/ready_solid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tactus/mesh.h>
#include <unistd.h>
#include "asset/distance_field.h"
#include "asset/pointshell.h"
#include "base/clock.h"
#include "base/files/checksum.h"
#include "base/files/chunk_file.h"
#include "base/files/input_file.h"
#include "base/memory/owned.h"
#include "base/text.h"
#include "math/geometry/vec3.h"

TAC_OWNED_TYPE(tacDistanceField, tac_distance_field_destroy)
TAC_OWNED_TYPE(tacPointshell, tac_pointshell_destroy)

/* How far what is in a file may be from the surface that it should be of, in parts of the diagonal of its box: offsets
 * of thin bodies are wider than rounding. And in voxels, of fields that are coarser than that. */
static const double apart_most = 0.1, voxels_most = 3.0;
#define LEAST_POINTS 10

void tac_ready_file_free(tacReadyFile *file) {
  free(file->path);
  *file = (tacReadyFile){0};
}

/* Finds `name` beside the scene, and tells what a description of it needs. What is wrong with one of ours its reader
 * says. */
static tacStatus find(const tacBodyMaker *m, const char *name, tacReadyFile *file, size_t *bytes, tacError *reason) {
  *file = (tacReadyFile){.path = tac_body_path(m->tree, name, reason)};
  if (file->path == NULL) return TAC_ERR_MEMORY;
  int descriptor = -1;
  TAC_TRY(tac_input_file_open(file->path, &descriptor, bytes, reason));
  close(descriptor);
  if (tac_chunk_file_recognise(file->path)) {
    tacChunkFile *chunks = NULL;
    if (tac_chunk_file_open(file->path, &chunks, NULL) == TAC_OK) file->checksum = tac_chunk_file_checksum(chunks);
    tac_chunk_file_close(chunks);
    return TAC_OK;
  }
  TAC_FREED(tac_input_file_free, tacInputFile, input) = {0};
  TAC_TRY(tac_input_file_read(file->path, TAC_INPUT_MESH, &input, reason));
  file->checksum = tac_checksum(input.bytes, input.size);
  return TAC_OK;
}

/* Describes what was read, or puts the line of the scene before what is wrong with it. */
static tacStatus conclude(const tacBodyMaker *m, const tacYamlNode *node, tacStatus status, const tacError *reason,
                          size_t bytes, int64_t start, tacReadyFile *file, tacSceneAsset *asset) {
  if (status != TAC_OK) {
    tac_ready_file_free(file);
    return tac_body_error(m, tac_yaml_child(node, "file"), status, reason);
  }
  if (asset == NULL) return TAC_OK;
  asset->was_cached = true;
  asset->seconds = tac_clock_seconds(tac_clock_now() - start);
  snprintf(asset->path, sizeof asset->path, "%s", file->path);
  asset->bytes = bytes;
  asset->checksum = file->checksum;
  return TAC_OK;
}

static bool holds(tacBox outer, tacBox inner) {
  return inner.lower.x >= outer.lower.x && inner.lower.y >= outer.lower.y && inner.lower.z >= outer.lower.z &&
         inner.upper.x <= outer.upper.x && inner.upper.y <= outer.upper.y && inner.upper.z <= outer.upper.z;
}

/* The most that a side of one box is from that of the other. */
static double boxes_apart(tacBox a, tacBox b) {
  tacVec3 lower = tac_vec3_sub(a.lower, b.lower), upper = tac_vec3_sub(a.upper, b.upper);
  return fmax(fmax(fmax(fabs(lower.x), fabs(lower.y)), fabs(lower.z)),
              fmax(fmax(fabs(upper.x), fabs(upper.y)), fabs(upper.z)));
}

static tacText box_text(tacBox box) {
  tacVec3 a = tac_vec3_scale(1e3, box.lower), b = tac_vec3_scale(1e3, box.upper);
  tacText text;
  snprintf(text.text, sizeof text.text, "(%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) mm", a.x, a.y, a.z, b.x, b.y, b.z);
  return text;
}

static tacBox grid_box(const tacGrid *grid) {
  tacVec3 cells = tac_vec3(grid->nx - 1, grid->ny - 1, grid->nz - 1);
  return (tacBox){grid->origin, tac_vec3_mad(grid->origin, grid->spacing, cells)};
}

static tacStatus check_field(const char *path, const tacTriMesh *mesh, const tacDistanceField *field,
                             tacError *reason) {
  const tacGrid *grid = tac_distance_field_grid(field);
  tacBox body = tac_trimesh_box(mesh), box = grid_box(grid);
  if (!holds(box, body))
    return tac_error_set(reason, TAC_ERR_GEOMETRY,
                         "%.200s: the field does not enclose the body: its box is %s, and the body's is %s; check "
                         "that both have the same size and position",
                         path, box_text(box).text, box_text(body).text);
  double sum = 0.0, size = tac_vec3_norm(tac_box_size(body));
  for (int v = 0; v < mesh->vertex_count; ++v) sum += fabs(tac_distance_field_value(field, mesh->vertices[v]));
  double mean = sum / mesh->vertex_count;
  if (mean <= fmax(apart_most * size, voxels_most * grid->spacing)) return TAC_OK;
  return tac_error_set(reason, TAC_ERR_GEOMETRY,
                       "%.200s: the field belongs to another surface: the surface of the body is %s away from it on "
                       "average, and the body is %s large",
                       path, tac_text_length(mean).text, tac_text_length(size).text);
}

tacStatus tac_ready_solid_field(const tacBodyMaker *m, const tacTriMesh *mesh, tacDistanceField **field,
                                tacReadyFile *file, tacSceneAsset *asset) {
  *field = NULL;
  TAC_OWN(tacDistanceField, made) = NULL;
  int64_t start = tac_clock_now();
  size_t bytes = 0;
  tacError reason;
  tacStatus status = find(m, m->body->field.file, file, &bytes, &reason);
  if (status == TAC_OK) status = tac_distance_field_read(file->path, &made, &reason);
  if (status == TAC_OK) status = check_field(file->path, mesh, made, &reason);
  if (status == TAC_OK) *field = tac_give(&made);
  return conclude(m, m->body->field.node, status, &reason, bytes, start, file, asset);
}

static tacStatus check_points(const char *path, const tacTriMesh *mesh, const tacPointshell *shell, tacError *reason) {
  int count = tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS);
  if (tac_pointshell_coordinates(shell) > 0)
    return tac_error_set(
        reason, TAC_ERR_GEOMETRY,
        "%.200s: these points deform with the body they were baked for; use points of a body at rest, for example a "
        ".points file or PLY",
        path);
  if (count < LEAST_POINTS)
    return tac_error_set(reason, TAC_ERR_GEOMETRY, "%.200s: the file has %s; at least %d are needed", path,
                         tac_text_many(count, "point").text, LEAST_POINTS);
  tacBox body = tac_trimesh_box(mesh), box = tac_box_empty();
  for (int i = 0; i < count; ++i) box = tac_box_add(box, tac_pointshell_point(shell, i));
  /* Few points end short of the corners: half the way to the next. */
  double way = 0.5 * sqrt(tac_pointshell_surface_area(shell) / count);
  double apart = boxes_apart(box, body), most = apart_most * tac_vec3_norm(tac_box_size(body)) + way;
  if (apart <= most) return TAC_OK;
  return tac_error_set(reason, TAC_ERR_GEOMETRY,
                       "%.200s: the points do not lie on the body: they extend over %s, "
                       "the body over %s",
                       path, box_text(box).text, box_text(body).text);
}

tacStatus tac_ready_solid_points(const tacBodyMaker *m, const tacTriMesh *mesh, tacPointshell **points,
                                 tacReadyFile *file, tacSceneAsset *asset) {
  *points = NULL;
  TAC_OWN(tacPointshell, made) = NULL;
  int64_t start = tac_clock_now();
  size_t bytes = 0;
  tacError reason;
  tacStatus status = find(m, m->body->points.file, file, &bytes, &reason);
  if (status == TAC_OK)
    status = tac_chunk_file_recognise(file->path) ? tac_pointshell_read(file->path, &made, &reason)
                                                  : tac_pointshell_read_ply(file->path, &made, &reason);
  if (status == TAC_OK) status = check_points(file->path, mesh, made, &reason);
  if (status == TAC_OK) *points = tac_give(&made);
  return conclude(m, m->body->points.node, status, &reason, bytes, start, file, asset);
}
