#include "app/viewer/field/field_slice.h"

#include <math.h>
#include <stdlib.h>
#include "app/viewer/protocol/quantise.h"
#include "base/memory/array.h"
#include "math/geometry/vec3.h"

enum { MOST_NODES = 385, ANALYTIC_SAMPLES = 161, DEFORMED_SAMPLES = 97 }; /* along the longer side */

typedef struct {
  int count;
  double first, spacing; /* m */
} Row;

/* Nodes of a grid along an axis, or as many as keep to the spacing. */
static Row row_along(const tacFieldMoment *moment, int axis, double spacing) {
  double lower = (&moment->box.lower.x)[axis], upper = (&moment->box.upper.x)[axis];
  int steps = (int)floor((upper - lower) / spacing + 1e-6);
  return (Row){(steps > 1 ? steps : 1) + 1, lower, spacing};
}

static double spacing_of(const tacFieldMoment *moment, int b, int c) {
  double longer = fmax((&moment->box.upper.x)[b] - (&moment->box.lower.x)[b],
                       (&moment->box.upper.x)[c] - (&moment->box.lower.x)[c]);
  if (moment->pose != NULL) return longer / (DEFORMED_SAMPLES - 1);
  if (moment->voxel == 0.0) return longer / (ANALYTIC_SAMPLES - 1);
  return moment->voxel * ceil(longer / moment->voxel / (MOST_NODES - 1) - 1e-6);
}

static void sample(const tacFieldMoment *moment, int axis, double place, Row across, Row up, double *values) {
  for (int j = 0; j < up.count; ++j)
    for (int i = 0; i < across.count; ++i) {
      double p[3];
      p[axis] = place;
      p[(axis + 1) % 3] = fmin(across.first + across.spacing * i, (&moment->box.upper.x)[(axis + 1) % 3]);
      p[(axis + 2) % 3] = fmin(up.first + up.spacing * j, (&moment->box.upper.x)[(axis + 2) % 3]);
      values[(size_t)j * (size_t)across.count + (size_t)i] = tac_field_moment_value(moment, tac_vec3(p[0], p[1], p[2]));
    }
}

tacStatus tac_field_slice_packet(const tacFieldMoment *moment, int axis, double place, int body, uint32_t number,
                                 uint32_t load, tacPacket **packet, tacError *error) {
  int b = (axis + 1) % 3, c = (axis + 2) % 3;
  double spacing = spacing_of(moment, b, c);
  Row across = row_along(moment, b, spacing), up = row_along(moment, c, spacing);
  double at = fmin((&moment->box.upper.x)[axis], fmax((&moment->box.lower.x)[axis], place));
  size_t count = (size_t)across.count * (size_t)up.count, size = TAC_VIEW_HEAD + 48 + 2 * count;
  double *values = tac_array_create(count, sizeof *values, "a slice", error);
  *packet = NULL;
  tacStatus status = values != NULL ? tac_packet_create(size, packet, error) : TAC_ERR_MEMORY;
  if (status == TAC_OK) {
    float scale = 0.0f;
    sample(moment, axis, at, across, up, values);
    tac_quantise_signed((int)count, values, tac_packet_bytes(*packet) + TAC_VIEW_HEAD + 48, &scale);
    tacByteWriter w = {tac_packet_bytes(*packet), size, 0};
    tac_byte_writer_head(&w, TAC_VIEW_SLICE, (unsigned)body, load);
    const uint32_t whole[5] = {number, (uint32_t)axis, (uint32_t)across.count, (uint32_t)up.count,
                               moment->pose != NULL};
    for (int i = 0; i < 5; ++i) tac_byte_writer_u32(&w, whole[i]);
    double corner[3];
    corner[axis] = at;
    corner[b] = across.first;
    corner[c] = up.first;
    tac_byte_writer_vec3(&w, tac_vec3(corner[0], corner[1], corner[2]));
    tac_byte_writer_f32(&w, spacing);
    tac_byte_writer_f32(&w, (double)scale);
    tac_byte_writer_f32(&w, moment->voxel);
    tac_byte_writer_u32(&w, 0);
  }
  free(values);
  return status;
}
