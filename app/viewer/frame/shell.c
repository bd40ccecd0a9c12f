#include "app/viewer/frame/shell.h"

#include <stdlib.h>
#include "app/viewer/protocol/quantise.h"
#include "asset/pointshell.h"
#include "base/files/little_endian.h"
#include "base/memory/array.h"
#include "base/memory/owned.h"
#include "math/geometry/vec3.h"
#include "world/world.h"

enum { MOST_BYTES = 64 << 20 };

/* ---- which bodies ---- */

static int find(int count, const tacViewShell *shells, const tacPointshell *shell) {
  int s = 0;
  while (s < count && shells[s].shell != shell) ++s;
  return s;
}

tacStatus tac_view_shells_create(const tacWorld *world, int *count, tacViewShell **result, tacError *error) {
  int bodies = tac_world_body_count(world);
  *count = 0;
  TAC_TRY(TAC_ARRAY(*result, (size_t)bodies, "pointshells", error));
  tacViewShell *shells = *result;
  for (int b = 0; b < bodies; ++b) {
    const tacPointshell *shell = tac_world_body_shell(world, tac_world_body(world, b));
    if (shell == NULL) continue;
    int s = find(*count, shells, shell);
    shells[s].shell = shell;
    if (s == *count) {
      TAC_TRY(TAC_ARRAY(shells[s].bodies, (size_t)bodies, "bodies of a pointshell", error));
      ++*count;
    }
    shells[s].bodies[shells[s].body_count++] = b;
  }
  return TAC_OK;
}

void tac_view_shells_destroy(int count, tacViewShell *shells) {
  for (int s = 0; s < count && shells != NULL; ++s) free(shells[s].bodies);
  free(shells);
}

/* ---- the message ---- */

static size_t point_bytes(const tacPointshell *shell) {
  return 8 + 6 * (size_t)tac_pointshell_coordinates(shell);
}

/* So many levels fit into a message; one always does. */
static int level_count(const tacPointshell *shell) {
  int levels = tac_pointshell_level_count(shell);
  while (levels > 1 && (size_t)tac_pointshell_size(shell, levels - 1) * point_bytes(shell) > MOST_BYTES) --levels;
  return levels;
}

static void write_points(tacByteWriter *w, const tacPointshell *shell, int points, tacVec3 origin, double step) {
  if (w->at + 8 * (size_t)points <= w->size)
    for (int p = 0; p < points; ++p) {
      tacVec3 at = tac_pointshell_point(shell, p), normal = tac_pointshell_normal(shell, p);
      tac_little_endian_put_u64(tac_quantise_point(at, normal, origin, step), w->bytes + w->at + 8 * (size_t)p);
    }
  w->at += 8 * (size_t)points;
}

tacStatus tac_view_shell_packet(const tacViewShell *view, int number, uint32_t load, tacPacket **packet,
                                tacError *error) {
  const tacPointshell *shell = view->shell;
  int levels = level_count(shell), points = tac_pointshell_size(shell, levels - 1);
  int r = tac_pointshell_coordinates(shell);
  *packet = NULL;
  tacBox box = tac_box_empty();
  for (int p = 0; p < points; ++p) box = tac_box_add(box, tac_pointshell_point(shell, p));
  double step = tac_box_longest(box) / 65535.0;
  size_t bytes = TAC_VIEW_HEAD + 24 + 4 * TAC_POINTSHELL_MOST_LEVELS + 16 + 4 * (size_t)view->body_count +
                 4 * (size_t)r + (size_t)points * point_bytes(shell);
  TAC_MEMORY(float, scales) =
      tac_array_create((size_t)(r > 0 ? r : 1), sizeof *scales, "scales of a pointshell", error);
  if (scales == NULL) return TAC_ERR_MEMORY;
  TAC_TRY(tac_packet_create(bytes, packet, error));
  tacByteWriter w = {tac_packet_bytes(*packet), bytes, 0};
  tac_byte_writer_head(&w, TAC_VIEW_SHELL, (unsigned)number, load);
  TAC_WRITE_U32(&w, points, levels, r, view->body_count, tac_pointshell_size(shell, TAC_POINTSHELL_MOST_LEVELS), 0);
  for (int l = 0; l < TAC_POINTSHELL_MOST_LEVELS; ++l)
    tac_byte_writer_u32(&w, (uint32_t)tac_pointshell_size(shell, l < levels ? l : levels - 1));
  tac_byte_writer_vec3(&w, box.lower);
  tac_byte_writer_f32(&w, step);
  for (int b = 0; b < view->body_count; ++b) tac_byte_writer_u32(&w, (uint32_t)view->bodies[b]);
  size_t place = w.at; /* of the scales */
  w.at += 4 * (size_t)r;
  write_points(&w, shell, points, box.lower, step);
  if (r > 0) {
    int stride;
    const float *displacements = tac_pointshell_displacements(shell, &stride);
    tac_quantise_displacements(points, r, stride, displacements, w.bytes + w.at, scales);
  }
  tacByteWriter back = {w.bytes, w.size, place};
  for (int j = 0; j < r; ++j) tac_byte_writer_f32(&back, (double)scales[j]);
  return TAC_OK;
}
